"""ACCT-9: nothing in the working state, and nothing that a batch asks for, is ever overdrawn."""

from collections.abc import Iterator

from gaugeblock.model import Layer, LayerName, WorkingNode, WorkingState
from gaugeblock_specs.clause import Clause, safety, with_trace
from gaugeblock_specs.context import Batch, Context
from gaugeblock_specs.derive import disk_left, invocations_left, ram_left, room_in
from gaugeblock_specs.verdicts import Witness

SEED = "Working state and capacity accounting"


# ACCT-9


def _stays_within_capacity(context: Context, batch: Batch) -> Iterator[Witness]:
    node = batch.node
    sums = (
        ("RAM", batch.wanted_ram, ram_left(node) + batch.freed_ram),
        ("disk", batch.wanted_disk, disk_left(node) + batch.freed_disk),
        ("invocations", len(batch.dispatched), invocations_left(node)),
    )
    for resource, wanted, available in sums:
        if wanted > available:
            numbers = (("wanted", wanted), ("available", available))
            yield Witness(f"{resource}: more is wanted than is available once all is freed", node=node.name, numbers=numbers)


def _states(context: Context) -> Iterator[tuple[str, WorkingState, WorkingState | None]]:
    """Yield every state before prewarming, with the one before it, for what has not changed need not be counted again."""
    trace = context.trace
    yield "initial", trace.initial, None
    yield "ordered", trace.ordered, trace.initial
    for placement in trace.placements:
        yield f"after invocation {placement.invocation}", placement.after, placement.before


def _counters_are_what_is_left(context: Context, subject: tuple[str, WorkingState, WorkingState | None]) -> Iterator[Witness]:
    when, state, previous = subject
    for position, node in enumerate(state.nodes):
        if previous is not None and node is previous.nodes[position]:
            continue
        for counter, found, due in _counted(context, node):
            if found != due or found < 0:
                numbers = (("found", found), ("capacity less what is in use", due))
                yield Witness(
                    f"{when}: {counter} available are not what is left, or negative", node=node.observed.name, numbers=numbers
                )


def _counted(context: Context, node: WorkingNode) -> tuple[tuple[str, int, int], ...]:
    """Return each counter beside a fresh count of what is left: capacity less layers, containers and planned containers."""
    observed, layers = node.observed, context.layers
    functions = [member.container.function for member in node.containers] + list(node.planned)
    held = sum(observed_one.in_flight for observed_one in observed.containers) + len(node.planned)
    reused = sum(room_in(member.container) - member.invocations_available for member in node.containers)
    ram = sum(function.ram_bytes for function in functions) + _footprint(
        layers, node.resident_in_ram | node.loading, "ram_bytes"
    )
    disk = sum(function.disk_bytes for function in functions) + _footprint(
        layers, node.resident_on_disk | node.copying, "disk_bytes"
    )
    return (
        ("RAM", node.ram_available, observed.ram_bytes - ram),
        ("disk", node.disk_available, observed.disk_bytes - disk),
        ("invocations", node.invocations_available, observed.max_invocations - held - reused),
        ("positions", node.positions_available, observed.max_containers - len(functions)),
    )


def _footprint(known: dict[LayerName, Layer], wanted: frozenset[LayerName], resource: str) -> int:
    sizes: list[int] = [getattr(known[name], resource) for name in wanted if name in known]
    return sum(sizes)


ACCT_9 = Clause(
    id="ACCT-9",
    title="Nothing is ever overdrawn: capacity is what is available and what is in use",
    doc="""After every step each counter is the capacity less a fresh count of what takes it: resident layers, layers in
    progress, containers, and containers planned in this round; and none is negative. From decisions alone: once all that
    the batch frees is free, all that it takes fits, on every node, in RAM, disk and invocations. Example: 10 bytes, 6 in
    use, one idle container of 4 ended: cold dispatches of 8 in all fit, of 9 do not.""",
    seed=SEED,
    checks=(
        safety(lambda context: context.batches, _stays_within_capacity),
        with_trace(_states, _counters_are_what_is_left),
    ),
)
