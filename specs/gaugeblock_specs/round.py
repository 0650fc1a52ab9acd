"""ROUND: the phases of one scheduling round, and what its result is."""

from collections.abc import Iterator

from gaugeblock.model import (
    Decisions,
    Dispatch,
    Failure,
    InvocationId,
    NodeStatus,
    PolicyKind,
    RoundTrace,
    WorkingState,
    replace,
)
from gaugeblock_specs.clause import Clause, safety, with_trace
from gaugeblock_specs.context import Batch, Context
from gaugeblock_specs.derive import fresh, may_be_deactivated, repeated
from gaugeblock_specs.result import ROUND_10
from gaugeblock_specs.subjects import the_trace
from gaugeblock_specs.verdicts import Witness

SEED = "Scheduling round"


def failures(context: Context) -> Iterator[Failure]:
    """Yield the failures that the answer asks for."""
    yield from context.decisions.failures


def batches(context: Context) -> Iterator[Batch]:
    """Yield what is asked of each node that something is asked of."""
    yield from context.batches


# ROUND-1


def _starts_afresh(context: Context, trace: RoundTrace) -> Iterator[Witness]:
    if trace.observed != context.observed:
        yield Witness("the round observed another state than the one it was given")
    expected = fresh(context.observed)
    if replace(trace.initial, nodes=()) != replace(expected, nodes=()):
        yield Witness("the initial working state has another date, catalogue or worklist than the observed state")
    if len(trace.initial.nodes) != len(expected.nodes):
        yield Witness("the initial working state has another number of nodes than the observed state")
    for found, due in zip(trace.initial.nodes, expected.nodes, strict=False):
        if found != due:
            yield Witness("the initial working node is not what follows from the observed node", node=due.observed.name)


ROUND_1 = Clause(
    id="ROUND-1",
    title="Every round starts from a fresh working state",
    doc="""A round plans on a copy that it derives from the observed state alone, and changes nothing observed. Nothing is
    carried over from the round before: a scheduler that remembers what it promised last time sees room that is gone, or
    misses room that a failed operation gave back. Example: a node of 10 bytes of RAM with one container of 4 starts the
    round with 6 available, whatever an earlier round had reserved there.""",
    seed=SEED,
    checks=(with_trace(the_trace, _starts_afresh, reads_any_trace=True),),
)


# ROUND-2


def _fails_a_pending_invocation_once(context: Context, failure: Failure) -> Iterator[Witness]:
    if failure.invocation in context.dispatched:
        yield Witness("the invocation is failed and dispatched in one batch", invocation=failure.invocation)
    if context.times_failed[failure.invocation] > 1:
        yield Witness("the invocation is failed more than once", invocation=failure.invocation)
    if failure.invocation not in context.pending:
        yield Witness("the failed invocation is not pending", invocation=failure.invocation)


def _failed_leave_the_worklist(context: Context, trace: RoundTrace) -> Iterator[Witness]:
    named = tuple(failure.invocation for failure in trace.failures)
    for invocation in repeated(named):
        yield Witness(f"the failing policy names invocation {invocation} twice")
    if tuple(failure.invocation for failure in context.decisions.failures) != named:
        yield Witness("the failures decided are not those that the failing policy named, in that order")
    for ordered in trace.ordered.worklist:
        if ordered.id in named:
            yield Witness("a failed invocation is still on the worklist", invocation=ordered.id)


ROUND_2 = Clause(
    id="ROUND-2",
    title="Failed invocations are recorded and planned no further",
    doc="""First, the failing policy names members of the worklist; exactly those are failed, once each, and leave the
    worklist. A failed invocation that were dispatched as well would answer its client twice. Example: with invocations 1
    and 2 pending and 1 failed, the batch may dispatch 2 but not 1.""",
    seed=SEED,
    checks=(safety(failures, _fails_a_pending_invocation_once), with_trace(the_trace, _failed_leave_the_worklist)),
)


# ROUND-3


def _some_scaling_or_operation(context: Context) -> Iterator[Decisions]:
    decisions = context.decisions
    if decisions.activations or decisions.deactivations or context.batches:
        yield decisions


def _scales_as_the_service_allows(context: Context, decisions: Decisions) -> Iterator[Witness]:
    for name in decisions.activations:
        node = context.nodes.get(name)
        if node is not None and node.status is not NodeStatus.DEACTIVATED:
            yield Witness(f"activation of a node that is {node.status.value}", node=name)
        if name in context.deactivated:
            yield Witness("one node is to be activated and deactivated", node=name)
    for name in decisions.deactivations:
        node = context.nodes.get(name)
        if node is not None and not may_be_deactivated(node):
            yield Witness("deactivation of a node that the service would not let go (SERV-4)", node=name)
    for batch in context.batches:
        if not context.is_usable(batch.node):
            yield Witness("an operation on a node that is not activated, or is selected for deactivation", node=batch.node.name)


def _scaling_is_recorded(context: Context, trace: RoundTrace) -> Iterator[Witness]:
    asked = trace.scaling
    decisions = context.decisions
    if decisions.activations != asked.activations:
        yield Witness("the activations decided are not those that the node-scaling policy asked for")
    if decisions.deactivations != asked.deactivations:
        yield Witness("the deactivations decided are not those that the node-scaling policy asked for")
    for before, after in zip(trace.initial.nodes, trace.ordered.nodes, strict=True):
        name = before.observed.name
        marked = replace(before, selected_for_deactivation=name in asked.deactivations)
        if after is not marked and after != marked:
            yield Witness("before placement a node changes by nothing but the mark of its deactivation", node=name)


ROUND_3 = Clause(
    id="ROUND-3",
    title="Scaling requests are recorded, and close a node for the rest of the round",
    doc="""The node-scaling policy may ask for deactivated nodes to be activated and for nodes at rest to be deactivated. A
    node selected for deactivation receives nothing more in this round, prewarming included, and an activation makes nothing
    usable yet; otherwise the service would be told to start a container on a node that it has just let go. Example: N1 is
    to be deactivated and holds an idle container of f; a pending f must go elsewhere.""",
    seed=SEED,
    checks=(safety(_some_scaling_or_operation, _scales_as_the_service_allows), with_trace(the_trace, _scaling_is_recorded)),
)


# ROUND-4


def _orders_the_survivors(context: Context, trace: RoundTrace) -> Iterator[Witness]:
    named = frozenset(failure.invocation for failure in trace.failures)
    due = sorted(invocation.id for invocation in context.observed.pending if invocation.id not in named)
    if sorted(invocation.id for invocation in trace.ordered.worklist) != due:
        yield Witness("the ordered worklist is not a permutation of the surviving one")
    for invocation in trace.ordered.worklist:
        if invocation != context.pending[invocation.id]:
            yield Witness("the ordered worklist changes an invocation", invocation=invocation.id)
    if (trace.ordered.now, trace.ordered.catalog) != (context.observed.now, context.observed.catalog):
        yield Witness("ordering changes the date or the catalogue")


ROUND_4 = Clause(
    id="ROUND-4",
    title="The surviving worklist is ordered, and only ordered",
    doc="""The ordering policy permutes the invocations that were not failed: none is lost, none is added, none is changed.
    A lost one would wait for ever although there is room. Example: of pending 1, 2, 3 with 2 failed, the policy may give 3,
    1 but not 3 alone.""",
    seed=SEED,
    checks=(with_trace(the_trace, _orders_the_survivors),),
)


# ROUND-5


def _dispatches(context: Context) -> Iterator[Dispatch]:
    yield from context.decisions.dispatches


def _is_dispatched_once(context: Context, dispatch: Dispatch) -> Iterator[Witness]:
    if context.times_dispatched[dispatch.invocation] > 1:
        yield Witness("the invocation is dispatched more than once", invocation=dispatch.invocation, node=dispatch.node)


def _considers_each_once_in_order(context: Context, trace: RoundTrace) -> Iterator[Witness]:
    worklist = tuple(invocation.id for invocation in trace.ordered.worklist)
    placed = tuple(placement.invocation for placement in trace.placements)
    for invocation in repeated(placed):
        yield Witness(f"invocation {invocation} is considered more than once")
    for invocation in worklist:
        if invocation not in placed:
            yield Witness("an invocation of the worklist is never considered", invocation=invocation)
    if placed != worklist:
        yield Witness("invocations are not considered in the order of the worklist")


ROUND_5 = Clause(
    id="ROUND-5",
    title="Each invocation is considered once, in order, and none blocks another",
    doc="""Placement goes through the ordered worklist once. An invocation for which there is no plan stays pending, and the
    ones behind it are still considered: there is no head-of-line blocking. Example: the first needs 20 bytes where 10 are
    left, the second needs 1; the second is dispatched, the first stays.""",
    seed=SEED,
    checks=(safety(_dispatches, _is_dispatched_once), with_trace(the_trace, _considers_each_once_in_order)),
)


# ROUND-6


def _prewarms_after_placement(context: Context, trace: RoundTrace) -> Iterator[Witness]:
    last = trace.placements[-1].after if trace.placements else trace.ordered
    if trace.placed is not last and trace.placed != last:
        yield Witness("prewarming does not see the working state that the last placement left")
    for left, final in zip(last.nodes, trace.final.nodes, strict=True):
        if final is not left and final.planned[: len(left.planned)] != left.planned:
            yield Witness("the containers that placement planned are gone after prewarming", node=left.observed.name)


ROUND_6 = Clause(
    id="ROUND-6",
    title="Prewarming sees the working state after placement",
    doc="""Prewarming is evaluated when every invocation has had its turn, on what those have left; so it can never take
    room from a request of the same round. Example: 10 bytes of RAM, a pending f of 6 and a wish to keep a g of 6 warm: f is
    dispatched and no g is prewarmed.""",
    seed="Prewarming",
    checks=(with_trace(the_trace, _prewarms_after_placement),),
)


# ROUND-7


def _asks_every_policy_last(context: Context, trace: RoundTrace) -> Iterator[Witness]:
    asked = tuple(report.kind for report in trace.wakeups)
    if asked != tuple(PolicyKind):
        yield Witness("wake-ups are not collected from each of the eight policies once, in the order of their kinds")


ROUND_7 = Clause(
    id="ROUND-7",
    title="Wake-ups are collected last, from every policy",
    doc="""When all is planned each of the eight installed policies is asked once for a date, those included that the round
    had no other use for. A policy left out could miss its own deadline. Example: the failing policy names nobody now, and
    yet reports the date at which the oldest invocation will have waited too long.""",
    seed="Wakeups and execution",
    checks=(with_trace(the_trace, _asks_every_policy_last),),
)


# ROUND-8


def _rounds_without_work(context: Context) -> Iterator[RoundTrace]:
    if not context.trace.ordered.worklist:
        yield context.trace


def _still_evaluates_the_phases(context: Context, trace: RoundTrace) -> Iterator[Witness]:
    if trace.placements:
        yield Witness("an invocation is placed although the worklist is empty")
    if len(trace.wakeups) != len(PolicyKind):
        yield Witness(
            "with an empty worklist the policies are still asked for their wake-ups", numbers=(("asked", len(trace.wakeups)),)
        )
    if trace.placed != trace.ordered:
        yield Witness("the working state changes although there is nothing to place")


ROUND_8 = Clause(
    id="ROUND-8",
    title="An empty worklist skips placement only",
    doc="""Failing, scaling, ordering, prewarming and wake-ups take place even when nothing is pending; node selection,
    reuse, eviction and plan selection are only asked where a placement needs them. Otherwise nobody would prewarm or let
    nodes go exactly when there is time for it. Example: nothing is pending, a warm pool of one g is wanted, and one g is
    prewarmed.""",
    seed=SEED,
    checks=(with_trace(_rounds_without_work, _still_evaluates_the_phases),),
)


# ROUND-9


def _chain(context: Context) -> Iterator[tuple[str, InvocationId, WorkingState, WorkingState]]:
    state, whence = context.trace.ordered, "the ordered worklist"
    for placement in context.trace.placements:
        yield whence, placement.invocation, state, placement.before
        state, whence = placement.after, f"the placement of invocation {placement.invocation}"


def _goes_on_from_where_it_was(
    context: Context, link: tuple[str, InvocationId, WorkingState, WorkingState]
) -> Iterator[Witness]:
    whence, invocation, left, found = link
    if found is not left and found != left:
        yield Witness(f"the placement does not start from the working state that {whence} left", invocation=invocation)


ROUND_9 = Clause(
    id="ROUND-9",
    title="Earlier choices stand",
    doc="""Each placement starts from the working state that the one before it left; nothing chosen is undone or improved
    later. This is what makes the scheduler greedy, and its answers explicable one by one. Example: the first invocation
    ends a warm container that the second could have reused; the second starts a cold one.""",
    seed=SEED,
    checks=(with_trace(_chain, _goes_on_from_where_it_was),),
)


CLAUSES = (ROUND_1, ROUND_2, ROUND_3, ROUND_4, ROUND_5, ROUND_6, ROUND_7, ROUND_8, ROUND_9, ROUND_10)
