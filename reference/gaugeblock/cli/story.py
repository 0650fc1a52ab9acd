"""The story of a round, printed: a table of the nodes, and for each invocation every pass that was tried."""

import sys
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gaugeblock.cli import narration
from gaugeblock.conformance.texts import printable
from gaugeblock.model import Node, PlacementTrace, PolicyKind, PolicyNames, RoundTrace

WIDTH_OFF_TERMINAL: Final = 120
NODES_LISTED: Final = 24
NODE_HEADINGS: Final = (
    "node",
    "status",
    "RAM",
    "disk",
    "invocations",
    "positions",
    "in RAM",
    "only on disk",
    "in progress",
    "containers",
)


def console_for_stories() -> Console:
    """Return standard output, wide enough for tables where it is no terminal."""
    console = Console(file=sys.stdout, highlight=False)
    if not console.is_terminal:
        console.width = max(console.width, WIDTH_OFF_TERMINAL)
    return console


def print_story(console: Console, trace: RoundTrace, policies: PolicyNames, invocations: tuple[int, ...], rows: int) -> None:
    """Print the whole round, or of its placements only those of ``invocations`` if there are any; ``rows`` limits tables."""
    state = trace.observed
    title = f"A round at {state.now!r}: {len(state.nodes)} nodes, {len(state.pending)} pending"
    say(console, title, "bold")
    say(console, f"Policies: {_named(policies)}")
    console.print(_node_table(state.nodes))
    for sentence in narration.phases_before(trace, policies):
        say(console, sentence)
    for placement in trace.placements:
        if not invocations or placement.invocation in invocations:
            print_placement(console, trace, placement, policies, rows)
    console.print()
    for sentence in narration.phases_after(trace, policies):
        say(console, sentence)


def _named(policies: PolicyNames) -> str:
    named = {kind.value: getattr(policies, kind.value) for kind in PolicyKind}
    other = [f"{kind} {policy.name}" for kind, policy in named.items() if policy != getattr(PolicyNames(), kind)]
    return f"{', '.join(other)}; the default of every other kind" if other else "the default of every kind"


def _node_table(nodes: tuple[Node, ...]) -> Table:
    table = Table(*NODE_HEADINGS, title="Nodes in traversal order: available / capacity", title_justify="left")
    for node in nodes[:NODES_LISTED]:
        table.add_row(*map(_cell, _node_cells(node)))
    if len(nodes) > NODES_LISTED:
        table.add_row(Text(f"and {len(nodes) - NODES_LISTED} more"))
    return table


def _node_cells(node: Node) -> tuple[str, ...]:
    in_ram = [resident.layer.name for resident in node.ram_layers]
    on_disk = [resident.layer.name for resident in node.disk_layers if resident.layer.name not in in_ram]
    progress = [f"{layer.name} (copying)" for layer in node.copying] + [f"{layer.name} (loading)" for layer in node.loading]
    containers = [f"{each.id} {each.function.name} {each.status.value}, holds {each.in_flight}" for each in node.containers]
    return (
        node.name,
        node.status.value,
        f"{node.ram_available}/{node.ram_bytes}",
        f"{node.disk_available}/{node.disk_bytes}",
        f"{node.invocations_available}/{node.max_invocations}",
        f"{node.positions_available}/{node.max_containers}",
        ", ".join(in_ram),
        ", ".join(on_disk),
        ", ".join(progress),
        "\n".join(containers),
    )


def print_placement(console: Console, trace: RoundTrace, placement: PlacementTrace, policies: PolicyNames, rows: int) -> None:
    """Print what was tried for one invocation and what came of it."""
    (invocation,) = (each for each in trace.observed.pending if each.id == placement.invocation)
    function = invocation.function
    layers = ", ".join(layer.name for layer in function.image.layers) or "none"
    heading = f"Invocation {invocation.id} of {function.name}, submitted at {invocation.submitted!r}; layers: {layers}"
    say(console, f"\n{heading}", "bold")
    excluded = list(narration.not_eligible(placement))
    if excluded:
        say(console, f"Not eligible: {_first(excluded, rows)}.")
    if placement.eligible:
        console.print(_pass_table(placement, rows))
    say(console, narration.choice(placement, policies), "green" if placement.plan else "yellow")
    effects = narration.effects(placement)
    if effects is not None:
        say(console, effects)


def _pass_table(placement: PlacementTrace, rows: int) -> Table:
    table = Table("pass", "node", "what was found there", "outcome")
    for tried in placement.passes:
        found = list(narration.rows(tried))
        listed = sorted(sorted(found, key=_interest)[:rows], key=found.index)
        for row in listed:
            table.add_row(*map(_cell, row))
        if len(found) > rows:
            table.add_row("", Text(f"and {len(found) - rows} more"))
    return table


def _interest(row: narration.Row) -> int:
    return ("chosen", "alternative", "candidate", "").index(row.outcome)


def _first(names: list[str], limit: int) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more


def say(console: Console, sentence: str, style: str = "") -> None:
    """Print a line of text; nothing in it is taken for markup."""
    console.print(Text(printable(sentence), style), soft_wrap=True)


def _cell(text: str) -> Text:
    return Text(printable(text))
