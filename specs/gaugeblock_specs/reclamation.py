"""RECL: how room is made for one alternative on one node."""

from collections.abc import Iterator
from functools import partial

from gaugeblock.model import Container, Deficits, Layer, ReclamationStep, ReclamationStepKind
from gaugeblock_specs.clause import Clause, safety, with_trace
from gaugeblock_specs.context import Batch, Context
from gaugeblock_specs.derive import (
    disk_left,
    in_ram,
    is_idle,
    is_met,
    names,
    on_disk,
    positions_left,
    ram_left,
    repeated,
    used_by,
)
from gaugeblock_specs.reclaimed import CONTAINERS, DISK_LAYERS, RAM_LAYERS, Reclaimed, reclamations
from gaugeblock_specs.verdicts import Witness

SEED = "Reclamation"


def _at(subject: Reclaimed) -> partial[Witness]:
    return partial(Witness, node=subject.found.finding.node, invocation=subject.found.placement.invocation)


def _amounts(deficits: Deficits) -> tuple[tuple[str, int], ...]:
    return (("RAM", deficits.ram_bytes), ("disk", deficits.disk_bytes), ("positions", deficits.positions))


# RECL-1


def _freeing_batches(context: Context) -> Iterator[Batch]:
    return (batch for batch in context.batches if batch.frees)


def _frees_only_where_something_is_missing(_: Context, batch: Batch) -> Iterator[Witness]:
    """Without any freeing, what the batch takes would not have fitted; only then can there have been a deficit."""
    node = batch.node
    wanted = (batch.wanted_ram, batch.wanted_disk, len(batch.cold))
    left = (ram_left(node), disk_left(node), positions_left(node))
    if not any(want > have for want, have in zip(wanted, left, strict=True)):
        message = "room is made although all that the batch takes here would have fitted"
        yield Witness(
            message, node=node.name, numbers=tuple(zip(("RAM left", "disk left", "positions left"), left, strict=True))
        )


def _deficits_are_needed_less_available(_: Context, subject: Reclaimed) -> Iterator[Witness]:
    due = subject.at_first
    if subject.reclamation.deficits != due:
        yield _at(subject)("the deficits are not what is needed less what is available", numbers=_amounts(due))
    if is_met(due) and subject.reclamation.steps:
        yield _at(subject)("room is made although nothing is missing")


RECL_1 = Clause(
    id="RECL-1",
    title="Deficits are what is needed less what is available, and nothing is freed without one",
    doc="""For RAM, disk and container positions the deficit is the need less what is available, or nothing if that is
    enough. If all three are nothing the alternative is feasible as it is. A needed position is not a needed termination.
    Example: free 7, needed 5: no deficit, nothing is freed; free 7, needed 7: the same.""",
    seed=SEED,
    checks=(
        safety(_freeing_batches, _frees_only_where_something_is_missing),
        with_trace(reclamations, _deficits_are_needed_less_available),
    ),
)


# RECL-2


def _evicting_batches(context: Context) -> Iterator[Batch]:
    return (batch for batch in context.batches if batch.ram_evictions or batch.disk_evictions)


def _evicts_only_for_its_own_deficit(_: Context, batch: Batch) -> Iterator[Witness]:
    node = batch.node
    if batch.leaves_ram - batch.leaves_disk and not batch.wanted_ram > ram_left(node):
        numbers = (("wanted", batch.wanted_ram), ("left", ram_left(node)))
        yield Witness("layers leave RAM although no RAM was missing", node=node.name, numbers=numbers)
    if batch.leaves_disk and not batch.wanted_disk > disk_left(node):
        numbers = (("wanted", batch.wanted_disk), ("left", disk_left(node)))
        yield Witness("layers leave the disk although no disk was missing", node=node.name, numbers=numbers)


def _takes_the_steps_in_order(context: Context, subject: Reclaimed) -> Iterator[Witness]:
    due = subject.at_first, subject.after_containers, subject.after_ram
    called_for = (
        (CONTAINERS, due[0], not is_met(due[0]) and len(subject.idle) > 0),
        (RAM_LAYERS, due[1], due[1].ram_bytes > 0 and len(subject.ram_candidates) > 0),
        (DISK_LAYERS, due[2], due[2].disk_bytes > 0 and len(subject.disk_candidates) > 0),
    )
    expected = tuple(kind for kind, _, wanted in called_for if wanted)
    if tuple(step.kind for step in subject.reclamation.steps) != expected:
        listed = ", ".join(kind.value for kind in expected) or "none"
        yield _at(subject)(f"the steps that the deficits call for, in order, are: {listed}")
    for kind, deficits, _ in called_for:
        step = subject.step(kind)
        if step is not None and step.deficits != deficits:
            yield _at(subject)(f"step {kind.value} is not given what then remains missing", numbers=_amounts(deficits))


RECL_2 = Clause(
    id="RECL-2",
    title="Idle containers first, then RAM layers, then disk layers, each for what remains missing",
    doc="""Room is made in three steps: idle containers for any deficit, layers in RAM for a RAM deficit, layers on disk for
    a disk deficit. Each step is told what still remains missing, and is skipped without candidates. Nothing is given back:
    if one layer alone would have been enough, the containers ended before it stay ended. Example: 1 byte of RAM is missing
    and an idle container of 1 is there: it is ended, and no layer is evicted.""",
    seed=SEED,
    checks=(
        safety(_evicting_batches, _evicts_only_for_its_own_deficit),
        with_trace(reclamations, _takes_the_steps_in_order),
    ),
)


# RECL-3


def _crowding_batches(context: Context) -> Iterator[Batch]:
    return (batch for batch in context.batches if len(batch.cold) > positions_left(batch.node))


def _ends_enough_containers(_: Context, batch: Batch) -> Iterator[Witness]:
    short = len(batch.cold) - positions_left(batch.node)
    if len(batch.ended) < short:
        numbers = (("positions missing", short), ("containers ended", len(batch.ended)))
        yield Witness("cold dispatches exceed the container positions", node=batch.node.name, numbers=numbers)


def _short_of_positions(context: Context) -> Iterator[Reclaimed]:
    return (subject for subject in reclamations(context) if subject.reclamation.deficits.positions > 0)


def _only_terminations_free_positions(_: Context, subject: Reclaimed) -> Iterator[Witness]:
    ended = len(subject.ended)
    due = max(0, subject.at_first.positions - ended)
    later = [step.deficits.positions for step in subject.reclamation.steps if step.kind is not CONTAINERS]
    for found in (*later, subject.reclamation.remaining.positions):
        if found != due:
            yield _at(subject)(
                "missing positions shrink by other than ended containers", numbers=(("found", found), ("expected", due))
            )


RECL_3 = Clause(
    id="RECL-3",
    title="Only ending a container frees a position",
    doc="""Evicting layers frees bytes and never a position. A node whose positions are all taken by busy or starting
    containers takes no new one, however many layers it could evict. Example: one position, held by a busy container, and a
    gigabyte of unused layers: no cold dispatch.""",
    seed=SEED,
    checks=(
        safety(_crowding_batches, _ends_enough_containers),
        with_trace(_short_of_positions, _only_terminations_free_positions),
    ),
)


# RECL-4


def _ended_containers(context: Context) -> Iterator[tuple[Batch, Container]]:
    for batch in context.batches:
        for container in batch.terminations:
            yield batch, container


def _ends_only_idle_containers(_: Context, subject: tuple[Batch, Container]) -> Iterator[Witness]:
    batch, container = subject
    where = partial(Witness, node=batch.node.name, container=container.id)
    if not is_idle(container):
        yield where("the container to end is not idle", numbers=(("in flight", container.in_flight),))
    if any(reused.id == container.id for _, reused in batch.reuses):
        yield where("the container to end is reused in this batch")


def _steps_of(context: Context, kind: ReclamationStepKind) -> Iterator[tuple[Reclaimed, ReclamationStep]]:
    for subject in reclamations(context):
        for step in subject.reclamation.steps:
            if step.kind is kind:
                yield subject, step


def _offers_the_idle_containers(_: Context, taken: tuple[Reclaimed, ReclamationStep]) -> Iterator[Witness]:
    subject, step = taken
    if step.candidates != subject.idle:
        yield _at(subject)(f"the candidates are not the idle containers {subject.idle!r}, by id")


RECL_4 = Clause(
    id="RECL-4",
    title="Only idle containers that this round does not reuse may be ended",
    doc="""Candidates are the node's containers that are ready, hold nothing, were not ended before and were not chosen for
    reuse in this round. Ending a busy one would kill somebody's invocation; ending one chosen for reuse would leave a
    dispatch without its container. Example: two idle containers, one just chosen for reuse: only the other is a candidate.""",
    seed=SEED,
    ambiguities=("AMB-3",),
    checks=(
        safety(_ended_containers, _ends_only_idle_containers),
        with_trace(lambda context: _steps_of(context, CONTAINERS), _offers_the_idle_containers),
    ),
)


# RECL-5


def _ram_evictions(context: Context) -> Iterator[tuple[Batch, Layer]]:
    for batch in context.batches:
        for layer in batch.ram_evictions:
            yield batch, layer


def _may_leave_ram(_: Context, subject: tuple[Batch, Layer]) -> Iterator[Witness]:
    batch, layer = subject
    where = partial(Witness, node=batch.node.name, layer=layer.name)
    if layer.name not in in_ram(batch.node):
        yield where("the layer to evict from RAM is not resident there")
    if not layer.ram_bytes > 0 and layer.name not in batch.leaves_disk:
        yield where("a layer without a RAM footprint is evicted from RAM although it stays on disk")
    yield from _is_unused(batch, layer, where)


def _is_unused(batch: Batch, layer: Layer, where: partial[Witness]) -> Iterator[Witness]:
    for container in batch.kept:
        if layer.name in used_by((container,)):
            yield where("the layer to evict is used by a container that stays", container=container.id)


def _offers_the_free_ram_layers(context: Context, taken: tuple[Reclaimed, ReclamationStep]) -> Iterator[Witness]:
    subject, step = taken
    due = subject.ram_candidates
    if step.candidates != due:
        yield _at(subject)(f"the candidates are not the RAM layers that may go, {due!r}, in creation order")


RECL_5 = Clause(
    id="RECL-5",
    title="A layer leaves RAM only if nobody holds on to it",
    doc="""Candidates are layers resident in RAM with a footprint there that are not protected, not required by the
    invocation at hand, and not used by any container that the tentative plan keeps, be it idle, busy or starting. A running
    container that loses a layer crashes. Example: L6 is used by an idle container; once the plan ends that container L6 may
    go, else it may not.""",
    seed=SEED,
    ambiguities=("AMB-4",),
    checks=(
        safety(_ram_evictions, _may_leave_ram),
        with_trace(lambda context: _steps_of(context, RAM_LAYERS), _offers_the_free_ram_layers),
    ),
)


# RECL-6


def _disk_evictions(context: Context) -> Iterator[tuple[Batch, Layer]]:
    for batch in context.batches:
        for layer in batch.disk_evictions:
            yield batch, layer


def _may_leave_the_disk(_: Context, subject: tuple[Batch, Layer]) -> Iterator[Witness]:
    batch, layer = subject
    node = batch.node
    where = partial(Witness, node=node.name, layer=layer.name)
    if layer.name not in on_disk(node):
        yield where("the layer to evict from disk is not resident there")
    if layer.name in names(node.loading):
        yield where("the layer to evict from disk is being loaded")
    if not layer.disk_bytes > 0:
        yield where("a layer without a disk footprint is evicted from disk")
    if layer.name in in_ram(node) and layer.name not in batch.leaves_ram:
        yield where("the layer leaves the disk but stays in RAM")
    yield from _is_unused(batch, layer, where)


def _disk_steps(context: Context) -> Iterator[tuple[Reclaimed, ReclamationStep]]:
    return _steps_of(context, DISK_LAYERS)


def _offers_the_free_disk_layers(context: Context, taken: tuple[Reclaimed, ReclamationStep]) -> Iterator[Witness]:
    subject, step = taken
    due = subject.disk_candidates
    if step.candidates != due:
        yield _at(subject)(f"the candidates are not the disk layers that may go, {due!r}, in creation order")
    plan = subject.found.finding.plan
    evicted = (*subject.leaving_ram, *subject.companions)
    if plan is not None and plan.reclamation.ram_evictions != evicted:
        yield _at(subject)(f"with the disk victims, {evicted!r} leave RAM, each once")


RECL_6 = Clause(
    id="RECL-6",
    title="A layer leaves the disk under the same conditions, and takes its RAM copy along",
    doc="""Candidates on disk obey the rule for RAM with the disk footprint. A victim that is also in RAM is evicted there
    too, once; its RAM footprint counts against what is missing in RAM, and the companion counts as a RAM eviction in the
    rank of the plan. RAM without disk behind it could not be loaded again. Example: x (disk 9, RAM 3) goes from disk; 9
    bytes of disk and 3 of RAM come free.""",
    seed=SEED,
    checks=(
        safety(_disk_evictions, _may_leave_the_disk),
        with_trace(_disk_steps, _offers_the_free_disk_layers),
    ),
)


# RECL-7


def _feasible_exactly_when_met(context: Context, subject: Reclaimed) -> Iterator[Witness]:
    due, plan = subject.after_disk, subject.found.finding.plan
    if subject.reclamation.remaining != due:
        yield _at(subject)("what remains missing is not what the victims leave missing", numbers=_amounts(due))
    if (plan is not None) is not is_met(due):
        yield _at(subject)("there is an alternative exactly where nothing remains missing", numbers=_amounts(due))


RECL_7 = Clause(
    id="RECL-7",
    title="An alternative exists exactly where nothing remains missing",
    doc="""A node is an alternative if the victims cover all three deficits, and not otherwise; where they do not, nothing
    is freed at all. A half-made room would cost warm containers and help nobody. Example: 10 missing, idle containers of 4
    and 5: no alternative there, and both stay.""",
    seed=SEED,
    checks=(with_trace(reclamations, _feasible_exactly_when_met),),
)


# RECL-8


def _asked_for_victims(context: Context) -> Iterator[Reclaimed]:
    return (subject for subject in reclamations(context) if subject.reclamation.steps or subject.found.finding.plan is not None)


def _victims_are_candidates(_: Context, subject: Reclaimed) -> Iterator[Witness]:
    for step in subject.reclamation.steps:
        for victim in step.victims:
            if victim not in step.candidates:
                yield _at(subject)(f"step {step.kind.value}: victim {victim!r} is none of the candidates")
        for twice in repeated(step.victims):
            yield _at(subject)(f"step {step.kind.value}: victim {twice!r} is named twice")
    plan = subject.found.finding.plan
    if plan is not None and not _frees_the_victims(subject):
        yield _at(subject)("the plan does not free the victims of its steps, in that order")


def _frees_the_victims(subject: Reclaimed) -> bool:
    plan = subject.found.finding.plan
    assert plan is not None
    evicted = (*subject.leaving_ram, *subject.companions)
    ended, gone = subject.ended, subject.leaving_disk
    return (plan.reclamation.terminations, plan.reclamation.ram_evictions, plan.reclamation.disk_evictions) == (
        ended,
        evicted,
        gone,
    )


RECL_8 = Clause(
    id="RECL-8",
    title="Victims are some of the candidates, and the plan frees them and nothing else",
    doc="""Whatever the eviction policy answers must be distinct members of what it was given; the scheduler works out
    itself what remains missing, and the plan frees the victims in the order chosen. A policy is trusted with a choice, not
    with arithmetic. Example: asked about containers 1 and 2, it answers 1, 1: an error, not a double credit.""",
    seed=SEED,
    checks=(with_trace(_asked_for_victims, _victims_are_candidates),),
)


CLAUSES = (RECL_1, RECL_2, RECL_3, RECL_4, RECL_5, RECL_6, RECL_7, RECL_8)
