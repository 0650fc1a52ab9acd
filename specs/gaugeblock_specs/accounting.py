"""ACCT: what a chosen plan does to the working state, and that nothing there is ever overdrawn."""

from collections.abc import Iterator
from functools import partial

from gaugeblock.model import Container, PlacementPass, WorkingContainer, replace
from gaugeblock_specs.clause import Clause, safety, with_trace
from gaugeblock_specs.conservation import ACCT_9
from gaugeblock_specs.context import Batch, Context
from gaugeblock_specs.derive import is_idle, names, required_names, room_in
from gaugeblock_specs.subjects import Change, changes, changes_by
from gaugeblock_specs.verdicts import Witness

SEED = "Working state and capacity accounting"


def _at(change: Change) -> partial[Witness]:
    return partial(Witness, node=change.plan.node, invocation=change.placement.invocation)


def _freed_ram(change: Change) -> int:
    evicted = sum(layer.ram_bytes for layer in change.layers(change.plan.reclamation.ram_evictions))
    return evicted + sum(container.function.ram_bytes for container in _ended(change))


def _freed_disk(change: Change) -> int:
    evicted = sum(layer.disk_bytes for layer in change.layers(change.plan.reclamation.disk_evictions))
    return evicted + sum(container.function.disk_bytes for container in _ended(change))


def _ended(change: Change) -> tuple[Container, ...]:
    ids = change.plan.reclamation.terminations
    return tuple(member.container for member in change.before.containers if member.container.id in ids)


def _counters_move_by(
    change: Change, ram: int = 0, disk: int = 0, invocations: int = 0, positions: int = 0
) -> Iterator[Witness]:
    """The node's four counters move by what is freed and by what is said here, and by nothing else."""
    before, after = change.before, change.after
    moves = (
        ("RAM available", before.ram_available, after.ram_available, _freed_ram(change) + ram),
        ("disk available", before.disk_available, after.disk_available, _freed_disk(change) + disk),
        ("invocations available", before.invocations_available, after.invocations_available, invocations),
        ("positions available", before.positions_available, after.positions_available, len(_ended(change)) + positions),
    )
    for counter, was, became, due in moves:
        if became != was + due:
            numbers = (("before", was), ("after", became), ("expected", was + due))
            yield _at(change)(f"{counter} do not change by what the plan takes and frees", numbers=numbers)


# ACCT-1


def _reused_containers(context: Context) -> Iterator[tuple[Batch, Container]]:
    for batch in context.batches:
        yield from ((batch, container) for container in {item.id: item for _, item in batch.reuses}.values())


def _takes_no_more_than_it_has_room_for(_: Context, subject: tuple[Batch, Container]) -> Iterator[Witness]:
    batch, container = subject
    taken = sum(reused.id == container.id for _, reused in batch.reuses)
    if taken > room_in(container):
        numbers = (("dispatched", taken), ("room", room_in(container)))
        yield Witness(
            "the container gets more invocations than it can take",
            node=batch.node.name,
            container=container.id,
            numbers=numbers,
        )


def _reuse_charges_node_and_container(_: Context, change: Change) -> Iterator[Witness]:
    yield from _counters_move_by(change, invocations=-1)
    for before, after in zip(change.before.containers, change.after.containers, strict=False):
        due = before
        if before.container.id == change.plan.container:
            due = replace(before, invocations_available=before.invocations_available - 1, chosen_for_reuse=True)
        if after != due:
            yield _at(change)(
                "only the reused container changes: one invocation less, and idle no longer", container=before.container.id
            )
    if change.before.planned != change.after.planned:
        yield _at(change)("a reuse starts no container")


ACCT_1 = Clause(
    id="ACCT-1",
    title="Reuse takes one invocation at the node and one at the container",
    doc="""A reuse takes one unit of the node's invocation capacity and one of the container's, and the container is idle no
    longer for the rest of the round, so that nobody ends it before the dispatch. It takes no memory and no position: the
    container is there already. Example: two invocations may share a container with room for two, and a third needs another.""",
    seed=SEED,
    ambiguities=("AMB-3",),
    checks=(
        safety(_reused_containers, _takes_no_more_than_it_has_room_for),
        with_trace(lambda context: changes_by(context, PlacementPass.REUSE), _reuse_charges_node_and_container),
    ),
)


# ACCT-2


def _cold_dispatch_takes_its_resources(_: Context, change: Change) -> Iterator[Witness]:
    function = change.function
    yield from _counters_move_by(change, -function.ram_bytes, -function.disk_bytes, invocations=-1, positions=-1)
    if change.after.planned != (*change.before.planned, function):
        yield _at(change)("the container to start does not stand last among the planned ones")


ACCT_2 = Clause(
    id="ACCT-2",
    title="Cold dispatch takes an invocation, a position, private RAM and private disk",
    doc="""A cold dispatch takes one unit of the node's invocation capacity, one container position, and the function's
    private RAM and disk. The container does not exist yet: nobody can select it, reuse it or end it in this round, yet it
    takes its room. Example: a node with one position left takes one cold container; a second invocation of the same
    function cannot join it.""",
    seed=SEED,
    checks=(with_trace(lambda context: changes_by(context, PlacementPass.COLD_DISPATCH), _cold_dispatch_takes_its_resources),),
)


# ACCT-3


def _terminations(context: Context) -> Iterator[Change]:
    return (change for change in changes(context) if change.plan.reclamation.terminations)


def _members(containers: tuple[WorkingContainer, ...]) -> tuple[int, ...]:
    return tuple(member.container.id for member in containers)


def _ends_idle_containers_for_good(_: Context, change: Change) -> Iterator[Witness]:
    ended = change.plan.reclamation.terminations
    for member in change.before.containers:
        if member.container.id in ended and (member.chosen_for_reuse or not is_idle(member.container)):
            yield _at(change)("the container to end is not idle", container=member.container.id)
    if tuple(member for member in change.before.containers if member.container.id not in ended) != change.after.containers:
        yield _at(change)("the containers left are not those of before but for the ended ones")
    dispatched = 1 if change.plan.placement_pass is PlacementPass.COLD_DISPATCH else 0
    if change.after.invocations_available + dispatched != change.before.invocations_available:
        yield _at(change)("ending containers gives back invocation capacity")


ACCT_3 = Clause(
    id="ACCT-3",
    title="Ending an idle container gives back its private resources and its position",
    doc="""A termination is always of an idle container. Its private RAM and disk and its position come back at once in the
    working state, and it leaves the working collection, so that no later invocation is sent to it. It gives back no
    invocation capacity, for it held none. Example: ending an idle container of 4 bytes on a full node lets a new one of 4
    start there.""",
    seed=SEED,
    checks=(with_trace(_terminations, _ends_idle_containers_for_good),),
)


# ACCT-4


def _evictions(context: Context) -> Iterator[Change]:
    return (
        change for change in changes(context) if change.plan.reclamation.ram_evictions or change.plan.reclamation.disk_evictions
    )


def _evicted_layers_are_gone(_: Context, change: Change) -> Iterator[Witness]:
    before, after, reclamation = change.before, change.after, change.plan.reclamation
    if not before.resident_in_ram >= frozenset(reclamation.ram_evictions):
        yield _at(change)("a layer to evict from RAM is not there")
    if not before.resident_on_disk >= frozenset(reclamation.disk_evictions):
        yield _at(change)("a layer to evict from disk is not there")
    if after.resident_in_ram != before.resident_in_ram - frozenset(reclamation.ram_evictions):
        yield _at(change)("what is resident in RAM does not change by exactly the RAM evictions")
    if after.resident_on_disk != before.resident_on_disk - frozenset(reclamation.disk_evictions):
        yield _at(change)("what is resident on disk does not change by exactly the disk evictions")


ACCT_4 = Clause(
    id="ACCT-4",
    title="An evicted layer gives back its footprint and is no longer resident",
    doc="""A RAM eviction gives back the layer's RAM footprint, a disk eviction its disk footprint; the layer is no longer
    there for any later invocation of the round. Example: a layer evicted from RAM for one invocation is missing for the
    next, which may load it again.""",
    seed=SEED,
    checks=(with_trace(_evictions, _evicted_layers_are_gone),),
)


# ACCT-5


def _transfers(context: Context) -> Iterator[Change]:
    return changes_by(context, PlacementPass.RAM_LOAD, PlacementPass.DISK_COPY)


def _transfers_reserve_their_destination(_: Context, change: Change) -> Iterator[Witness]:
    before, after, plan = change.before, change.after, change.plan
    moved = change.layers(plan.layers)
    loading = before.loading | (names(moved) if plan.placement_pass is PlacementPass.RAM_LOAD else frozenset())
    copying = before.copying | (names(moved) if plan.placement_pass is PlacementPass.DISK_COPY else frozenset())
    if plan.placement_pass is PlacementPass.RAM_LOAD:
        yield from _counters_move_by(change, ram=-sum(layer.ram_bytes for layer in moved))
    else:
        yield from _counters_move_by(change, disk=-sum(layer.disk_bytes for layer in moved))
    if (after.loading, after.copying) != (loading, copying):
        yield _at(change)("the layers in progress are not those of before and those of the plan")
    if after.planned != before.planned:
        yield _at(change)("a transfer starts no container")


ACCT_5 = Clause(
    id="ACCT-5",
    title="A transfer reserves its destination; its layers are in progress, not resident",
    doc="""A load takes the layers' RAM footprints, a copy their disk footprints, from the moment it is planned; the layers
    count as in progress. Neither takes invocation capacity or a position, for nothing is dispatched. Example: a layer of 5
    is to be loaded into 8 free bytes; a container of 4 no longer fits, and none that needs the layer can start.""",
    seed=SEED,
    checks=(with_trace(_transfers, _transfers_reserve_their_destination),),
)


# ACCT-6


def _waits(context: Context) -> Iterator[Change]:
    return changes_by(context, PlacementPass.WAIT_FOR_RAM, PlacementPass.WAIT_FOR_DISK)


def _waiting_only_protects(_: Context, change: Change) -> Iterator[Witness]:
    if replace(change.after, protected=change.before.protected) != change.before:
        yield _at(change)("waiting changes more than what is protected")


ACCT_6 = Clause(
    id="ACCT-6",
    title="Waiting takes nothing",
    doc="""An invocation that waits for a transfer gets no operation, and takes no invocation capacity and no position: it
    is bound to nothing, and the next round may serve it elsewhere. All it does is protect its layers. Example: three
    invocations wait for one copy on a node with room for one; a fourth, of another function, is dispatched there.""",
    seed=SEED,
    checks=(with_trace(_waits, _waiting_only_protects),),
)


# ACCT-7


def _dispatching_batches(context: Context) -> Iterator[Batch]:
    return (batch for batch in context.batches if batch.dispatched and (batch.ram_evictions or batch.disk_evictions))


def _keeps_what_dispatches_need(_: Context, batch: Batch) -> Iterator[Witness]:
    for invocation in batch.dispatched:
        for layer in (*batch.ram_evictions, *batch.disk_evictions):
            if layer.name in required_names(invocation.function):
                message = "a layer is evicted that an invocation dispatched here requires"
                yield Witness(message, node=batch.node.name, invocation=invocation.id, layer=layer.name)


def _protects_what_it_requires(_: Context, change: Change) -> Iterator[Witness]:
    if change.after.protected != change.before.protected | required_names(change.function):
        yield _at(change)("protected are the layers of before and those that the invocation requires")
    reclamation = change.plan.reclamation
    for layer in (*reclamation.ram_evictions, *reclamation.disk_evictions):
        if layer in change.before.protected or layer in required_names(change.function):
            yield _at(change)("a protected layer is evicted", layer=layer)


ACCT_7 = Clause(
    id="ACCT-7",
    title="Every selected outcome protects the invocation's layers on its node",
    doc="""Whatever the outcome (reuse, cold dispatch, wait, load or copy), the invocation's required layers stay on that
    node for the rest of the round, as do layers in progress from the start. Otherwise a later invocation could take away
    what an earlier one was promised. Example: a is to start with L6 resident; b needs 5 bytes there; L6 is not evicted for
    b, and b gets nothing on this node.""",
    seed="Reclamation",
    checks=(safety(_dispatching_batches, _keeps_what_dispatches_need), with_trace(changes, _protects_what_it_requires)),
)


# ACCT-8


def _changes_only_what_was_chosen(_: Context, change: Change) -> Iterator[Witness]:
    before, after = change.placement.before, change.placement.after
    if (before.now, before.catalog, before.worklist) != (after.now, after.catalog, after.worklist):
        yield _at(change)("a plan changes the date, the catalogue or the worklist")
    for was, became in zip(before.nodes, after.nodes, strict=True):
        if was.observed.name != change.plan.node and became is not was and became != was:
            yield _at(change)(f"the plan changes another node, {was.observed.name!r}")
    untouched = ("observed", "selected_for_deactivation")
    if any(getattr(change.before, field) != getattr(change.after, field) for field in untouched):
        yield _at(change)("a plan changes what was observed, or the mark of deactivation")
    yield from _keeps_the_rest(change)


def _keeps_the_rest(change: Change) -> Iterator[Witness]:
    """What the plan's pass and reclamation have no business with stays as it was."""
    placement_pass, reclamation, before, after = (
        change.plan.placement_pass,
        change.plan.reclamation,
        change.before,
        change.after,
    )
    kept = []
    if placement_pass not in (PlacementPass.RAM_LOAD, PlacementPass.DISK_COPY):
        kept += ["loading", "copying"]
    if not reclamation.ram_evictions:
        kept.append("resident_in_ram")
    if not reclamation.disk_evictions:
        kept.append("resident_on_disk")
    if placement_pass is not PlacementPass.REUSE and not reclamation.terminations:
        kept.append("containers")
    for field in kept:
        if getattr(before, field) != getattr(after, field):
            yield _at(change)(f"the plan changes {field} although it has no part in it")
    if placement_pass is PlacementPass.REUSE and _members(before.containers) != _members(after.containers):
        yield _at(change)("a reuse changes which containers there are")


ACCT_8 = Clause(
    id="ACCT-8",
    title="Only the chosen alternative has an effect, and only on its node",
    doc="""Alternatives are weighed without being carried out. The chosen one changes its node in the ways the other clauses
    say, and nothing else: no other node, no date, not the worklist. Example: cold starts on N1 (ending a container) and N2
    (ending none) are weighed and N2 is chosen; N1's container is still there for the next invocation.""",
    seed=SEED,
    checks=(with_trace(changes, _changes_only_what_was_chosen),),
)


CLAUSES = (ACCT_1, ACCT_2, ACCT_3, ACCT_4, ACCT_5, ACCT_6, ACCT_7, ACCT_8, ACCT_9)
