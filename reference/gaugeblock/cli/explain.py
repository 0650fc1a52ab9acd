"""``gaugeblock explain``: a round in, the story of its decisions out."""

import sys
from typing import Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gaugeblock.cli import narration, questions
from gaugeblock.conformance.subjects import reference_scheduler
from gaugeblock.conformance.texts import printable
from gaugeblock.model import Node, PlacementTrace, PolicyKind, PolicyNames, RoundTrace
from gaugeblock.wire.traces import encode_trace

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


@click.command("explain")
@questions.options
@click.option("--invocation", "invocations", type=int, multiple=True, metavar="ID", help="Tell of this one only; repeatable.")
@click.option("--rows", default=12, show_default=True, type=click.IntRange(min=1), help="Nodes listed for each pass.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole trace as JSON.")
def command(
    source: str | None,
    example: bool,
    case_id: str | None,
    policy_options: tuple[str, ...],
    invocations: tuple[int, ...],
    rows: int,
    as_json: bool,
) -> None:
    """Tell how the reference decides the round in SOURCE: each phase, and for each invocation every pass that was tried.

    SOURCE and --policy are as for decide. Amounts of RAM and disk are in bytes, dates in seconds.
    """
    asked = questions.question(source, example, case_id, policy_options)
    _, trace = reference_scheduler(asked.policies).schedule(asked.round)
    if as_json:
        click.echo(encode_trace(trace))
        return
    console = Console(file=sys.stdout, highlight=False)
    if not console.is_terminal:
        console.width = max(console.width, WIDTH_OFF_TERMINAL)
    _print_story(console, trace, asked.policies, invocations, rows)


def _print_story(
    console: Console, trace: RoundTrace, policies: PolicyNames, invocations: tuple[int, ...], rows: int
) -> None:
    state = trace.observed
    title = f"A round at {state.now!r}: {len(state.nodes)} nodes, {len(state.pending)} pending"
    _say(console, title, "bold")
    _say(console, f"Policies: {_named(policies)}")
    console.print(_node_table(state.nodes))
    for sentence in narration.phases_before(trace):
        _say(console, sentence)
    for placement in trace.placements:
        if not invocations or placement.invocation in invocations:
            _print_placement(console, trace, placement, policies, rows)
    console.print()
    for sentence in narration.phases_after(trace):
        _say(console, sentence)


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


def _print_placement(
    console: Console, trace: RoundTrace, placement: PlacementTrace, policies: PolicyNames, rows: int
) -> None:
    (invocation,) = (each for each in trace.observed.pending if each.id == placement.invocation)
    function = invocation.function
    layers = ", ".join(layer.name for layer in function.image.layers) or "none"
    heading = f"Invocation {invocation.id} of {function.name}, submitted at {invocation.submitted!r}; layers: {layers}"
    _say(console, f"\n{heading}", "bold")
    excluded = list(narration.not_eligible(placement))
    if excluded:
        _say(console, f"Not eligible: {_first(excluded, rows)}.")
    if placement.eligible:
        console.print(_pass_table(placement, rows))
    _say(console, narration.choice(placement, policies), "green" if placement.plan else "yellow")
    effects = narration.effects(placement)
    if effects is not None:
        _say(console, effects)


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


def _say(console: Console, sentence: str, style: str = "") -> None:
    console.print(Text(printable(sentence), style), soft_wrap=True)


def _cell(text: str) -> Text:
    return Text(printable(text))
