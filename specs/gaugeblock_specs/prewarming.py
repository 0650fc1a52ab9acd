"""PREW: containers started ahead of requests, with what placement has left."""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from gaugeblock.model import Function, FunctionName, NodeName, RoundTrace, WorkingNode
from gaugeblock_specs.clause import Clause, safety, with_trace
from gaugeblock_specs.context import Batch, Context
from gaugeblock_specs.derive import disk_left, in_ram, on_disk, positions_left, ram_left, required
from gaugeblock_specs.subjects import the_trace
from gaugeblock_specs.verdicts import Witness

SEED = "Prewarming"


def _prewarming_batches(context: Context) -> Iterator[Batch]:
    return (batch for batch in context.batches if batch.prewarms)


def _prewarming_rounds(context: Context) -> Iterator[RoundTrace]:
    if context.trace.prewarms or context.decisions.prewarms:
        yield context.trace


def _nodes_around(trace: RoundTrace) -> Iterator[tuple[WorkingNode, WorkingNode]]:
    """Pair each node after placement with the same node after prewarming, where they differ."""
    return ((was, became) for was, became in zip(trace.placed.nodes, trace.final.nodes, strict=True) if was is not became)


def _proposed(context: Context, node: NodeName) -> tuple[Function, ...]:
    """Return the functions of the proposals for a node, one a container, in order."""
    return tuple(context.functions[prewarm.function] for prewarm in context.trace.prewarms if prewarm.node == node)


# PREW-1


def _explains_transfers_without_prewarms(_: Context, batch: Batch) -> Iterator[Witness]:
    if batch.frees and not (batch.cold or batch.loads or batch.copies):
        yield Witness("room is made on a node that gets prewarmed containers and nothing else", node=batch.node.name)


def _moves_nothing(_: Context, trace: RoundTrace) -> Iterator[Witness]:
    for was, became in _nodes_around(trace):
        for field in ("resident_in_ram", "resident_on_disk", "loading", "copying", "containers"):
            if getattr(was, field) != getattr(became, field):
                yield Witness(f"prewarming changes {field}", node=was.observed.name)


PREW_1 = Clause(
    id="PREW-1",
    title="Prewarming comes after placement and plans no eviction and no transfer",
    doc="""Prewarming takes what is left when every invocation had its turn; it ends no container, evicts no layer, loads
    and copies nothing. A container that nobody asked for yet is not worth another warm one. Example: one g is wanted and
    fits only if an idle f were ended: no g, and f stays.""",
    seed=SEED,
    checks=(
        safety(_prewarming_batches, _explains_transfers_without_prewarms),
        with_trace(_prewarming_rounds, _moves_nothing),
    ),
)


# PREW-2


def _fits_in_what_is_left(context: Context, batch: Batch) -> Iterator[Witness]:
    node = batch.node
    if not context.is_usable(node):
        yield Witness("prewarming on a node that is not activated, or is selected for deactivation", node=node.name)
    ram, disk = in_ram(node) - batch.leaves_ram, on_disk(node) - batch.leaves_disk
    for function in batch.prewarms:
        for layer in required(function):
            if layer.name not in ram or layer.name not in disk:
                message = f"{function.name!r} is prewarmed where a layer of it is not resident"
                yield Witness(message, node=node.name, layer=layer.name)
    yield from _sums(
        node.name,
        batch.prewarms,
        ram_left(node) + batch.freed_ram - batch.wanted_ram,
        disk_left(node) + batch.freed_disk - batch.wanted_disk,
        positions_left(node) + len(batch.ended) - len(batch.cold),
    )


def _sums(
    node: NodeName, functions: tuple[Function, ...] | list[Function], ram: int, disk: int, positions: int
) -> Iterator[Witness]:
    sums = (
        ("RAM", sum(function.ram_bytes for function in functions), ram),
        ("disk", sum(function.disk_bytes for function in functions), disk),
        ("positions", len(functions), positions),
    )
    for resource, wanted, left in sums:
        if wanted > left:
            yield Witness(
                f"{resource}: the proposals together want more than is left",
                node=node,
                numbers=(("wanted", wanted), ("left", left)),
            )


def _fits_in_the_working_state(context: Context, trace: RoundTrace) -> Iterator[Witness]:
    for node in trace.placed.nodes:
        name, functions = node.observed.name, _proposed(context, node.observed.name)
        if functions and (node.selected_for_deactivation or not context.is_usable(node.observed)):
            yield Witness("prewarming on a node that is not activated, or is selected for deactivation", node=name)
        for function in functions:
            for layer in required(function):
                if layer.name not in node.resident_in_ram or layer.name not in node.resident_on_disk:
                    yield Witness(
                        f"{function.name!r} is prewarmed where a layer of it is not resident", node=name, layer=layer.name
                    )
        yield from (
            _sums(name, functions, node.ram_available, node.disk_available, node.positions_available) if functions else ()
        )


PREW_2 = Clause(
    id="PREW-2",
    title="The proposals fit together, where their layers are resident",
    doc="""For each node the proposals' sums of private RAM, private disk and positions fit what placement has left there;
    their layers are resident, not merely on their way; the node is activated and stays so. The scheduler does not plan for
    them again, so a batch that does not fit would be refused by the service. Example: 10 bytes free, proposals of 6 and 6:
    the first alone would fit, both do not.""",
    seed=SEED,
    checks=(
        safety(_prewarming_batches, _fits_in_what_is_left),
        with_trace(_prewarming_rounds, _fits_in_the_working_state),
    ),
)


# PREW-3


def _positions_suffice(_: Context, batch: Batch) -> Iterator[Witness]:
    left = positions_left(batch.node) + len(batch.ended) - len(batch.cold)
    if len(batch.prewarms) > left:
        numbers = (("prewarmed", len(batch.prewarms)), ("positions left", left))
        yield Witness("more containers are prewarmed than there are positions", node=batch.node.name, numbers=numbers)


def _appends_and_counts_positions(context: Context, trace: RoundTrace) -> Iterator[Witness]:
    if context.decisions.prewarms != trace.prewarms:
        yield Witness("the prewarms decided are not the proposals in their order")
    if not trace.prewarms and trace.final is not trace.placed and trace.final != trace.placed:
        yield Witness("without a proposal prewarming changes the working state")
    for was, became in zip(trace.placed.nodes, trace.final.nodes, strict=True):
        if was is became and not trace.prewarms:
            continue
        where = partial(Witness, node=was.observed.name)
        due = was.positions_available - len(_proposed(context, was.observed.name))
        if became.positions_available != due or due < 0:
            numbers = (("found", became.positions_available), ("expected", due))
            yield where("each proposal takes one position, and no more than there are", numbers=numbers)
        if (became.ram_available, became.disk_available) != (was.ram_available, was.disk_available):
            yield where("prewarming accounts for positions alone, not for RAM or disk")
        for field in ("observed", "protected", "selected_for_deactivation"):
            if getattr(was, field) != getattr(became, field):
                yield where(f"prewarming changes {field}")
    if (trace.final.now, trace.final.catalog, trace.final.worklist) != (
        trace.placed.now,
        trace.placed.catalog,
        trace.placed.worklist,
    ):
        yield Witness("prewarming changes the date, the catalogue or the worklist")


PREW_3 = Clause(
    id="PREW-3",
    title="Proposals are appended in order, and take positions",
    doc="""The scheduler appends the proposals as they are and counts one position for each; it makes no second plan for RAM
    or disk. More proposals than positions are an error of the policy. Example: two positions left and two proposals: none
    left, and RAM available in the working state as before.""",
    seed=SEED,
    checks=(
        safety(_prewarming_batches, _positions_suffice),
        with_trace(the_trace, _appends_and_counts_positions),
    ),
)


# PREW-4


def _one_container_each(context: Context, trace: RoundTrace) -> Iterator[Witness]:
    asked, decided = Counter(trace.prewarms), Counter(context.decisions.prewarms)
    for prewarm in dict.fromkeys(trace.prewarms):
        if asked[prewarm] != decided[prewarm]:
            numbers = (("proposals", asked[prewarm]), ("prewarms", decided[prewarm]))
            yield Witness(f"{prewarm.function!r} is not prewarmed once for each proposal", node=prewarm.node, numbers=numbers)
    for was, became in _nodes_around(trace):
        due = (*was.planned, *_proposed(context, was.observed.name))
        if became.planned != due:
            numbers = (("planned", len(became.planned)), ("expected", len(due)))
            yield Witness(
                "the containers planned do not grow by one for each proposal, in order", node=was.observed.name, numbers=numbers
            )


def _counts_every_entry(context: Context, batch: Batch) -> Iterator[Witness]:
    asked = context.decisions.prewarms
    for name in {function.name: None for function in batch.prewarms}:
        entries = _entries(context, batch.node.name, name)
        if entries > positions_left(batch.node) + len(batch.ended):
            numbers = (("entries", entries), ("of all", len(asked)))
            yield Witness(
                f"{name!r} is prewarmed more often than the node has positions", node=batch.node.name, numbers=numbers
            )


def _entries(context: Context, node: NodeName, function: FunctionName) -> int:
    return sum((prewarm.node, prewarm.function) == (node, function) for prewarm in context.decisions.prewarms)


PREW_4 = Clause(
    id="PREW-4",
    title="Each proposal is one container of its own",
    doc="""Naming a function and node twice asks for two containers; they are not merged, and each takes its own room.
    Example: a pool of two g on an empty node is two entries and two positions.""",
    seed=SEED,
    checks=(
        safety(_prewarming_batches, _counts_every_entry),
        with_trace(_prewarming_rounds, _one_container_each),
    ),
)


# PREW-5


def _takes_no_invocation(_: Context, trace: RoundTrace) -> Iterator[Witness]:
    for was, became in zip(trace.placed.nodes, trace.final.nodes, strict=True):
        if was.invocations_available != became.invocations_available:
            numbers = (("before", was.invocations_available), ("after", became.invocations_available))
            yield Witness("prewarming takes invocation capacity", node=was.observed.name, numbers=numbers)


PREW_5 = Clause(
    id="PREW-5",
    title="A prewarmed container takes resources but no invocation capacity",
    doc="""No client waits for a prewarmed container, so it takes nothing of the node's invocation capacity; it does keep
    its RAM, disk and position, and requests that arrive later do not displace it. Example: a node with no invocation
    capacity left may still get a prewarmed container.""",
    seed=SEED,
    checks=(with_trace(_prewarming_rounds, _takes_no_invocation),),
)


CLAUSES = (PREW_1, PREW_2, PREW_3, PREW_4, PREW_5)
