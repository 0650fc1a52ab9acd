"""POL: the rules of the built-in policies for failing, scaling and ordering, and the list of them all.

The policies that placement asks stand in ``choices.py`` and ``victims.py``, what is random in ``draws.py``, the warm pool in
``pools.py``.
"""

from collections.abc import Iterator
from itertools import pairwise

from gaugeblock.model import Decisions, Invocation, NodeName, NodeStatus, PolicyKind, PolicyName
from gaugeblock_specs.choices import EVICTION_AVERSE, FIRST_FIT, SELECT_ALL
from gaugeblock_specs.clause import Clause, with_policies, with_trace
from gaugeblock_specs.context import Context
from gaugeblock_specs.dates import latest_date, seconds_of
from gaugeblock_specs.derive import invocations_left, may_be_deactivated
from gaugeblock_specs.draws import RANDOM
from gaugeblock_specs.installed import installed, whenever
from gaugeblock_specs.pools import WARM_POOL
from gaugeblock_specs.turns import first_are_dispatched_first, rivals
from gaugeblock_specs.verdicts import Witness
from gaugeblock_specs.victims import FEWEST, LRU

SEED = "GreedyServerlessScheduler()"


# POL-never


def _nevers(context: Context) -> Iterator[PolicyKind]:
    kinds = (PolicyKind.INVOCATION_FAILING, PolicyKind.NODE_SCALING, PolicyKind.CONTAINER_PREWARM)
    return (kind for kind in kinds if installed(context, kind, "never"))


def _does_nothing(context: Context, kind: PolicyKind) -> Iterator[Witness]:
    decisions: Decisions = context.decisions
    asked = {
        PolicyKind.INVOCATION_FAILING: len(decisions.failures),
        PolicyKind.NODE_SCALING: len(decisions.activations) + len(decisions.deactivations),
        PolicyKind.CONTAINER_PREWARM: len(decisions.prewarms),
    }[kind]
    if asked > 0:
        yield Witness(f"the {kind.value} policy never asks for anything", numbers=(("asked", asked),))


NEVER = Clause(
    id="POL-never",
    title="never: asks for nothing",
    doc="""The policies called `never` fail no invocation, scale no node and prewarm no container, whatever the state.
    Example: an invocation has been pending for a day; with `never` it is not failed.""",
    seed=SEED,
    checks=(with_policies(_nevers, _does_nothing),),
)


# POL-pending-timeout


def _overdue(context: Context, policy: PolicyName) -> tuple[int, ...]:
    seconds, now = seconds_of(policy), context.observed.now
    return tuple(item.id for item in context.observed.pending if seconds is not None and item.submitted + seconds <= now)


def _fails_the_overdue(context: Context, policy: PolicyName) -> Iterator[Witness]:
    due = _overdue(context, policy)
    for invocation in context.observed.pending:
        if (invocation.id in due) is not (invocation.id in context.failed):
            numbers = (("submitted", invocation.submitted), ("now", context.observed.now))
            yield Witness("failed are exactly those that have waited long enough", invocation=invocation.id, numbers=numbers)


def _names_the_overdue_in_order(context: Context, policy: PolicyName) -> Iterator[Witness]:
    if tuple(failure.invocation for failure in context.trace.failures) != _overdue(context, policy):
        yield Witness("the failing policy does not name exactly the overdue members of the worklist, in its order")


PENDING_TIMEOUT = Clause(
    id="POL-pending-timeout",
    title="pending-timeout: fails what has waited for so many seconds",
    doc="""An invocation is failed when its submit date plus the seconds is not later than now; the same sum, over the
    invocations that survive, gives the wake-up (WAKE-1). Example: 5 seconds, now 10: one submitted at 5 is failed, one at
    5.5 is not, and the wake-up is 10.5.""",
    seed=SEED,
    checks=(
        with_policies(whenever(PolicyKind.INVOCATION_FAILING, "pending-timeout"), _fails_the_overdue),
        with_trace(
            whenever(PolicyKind.INVOCATION_FAILING, "pending-timeout"), _names_the_overdue_in_order, needs_policies=True
        ),
    ),
)


# POL-activate-one-when-no-free-slot and POL-deactivate-idle


def _activation_due(context: Context) -> tuple[NodeName, ...]:
    nodes = context.observed.nodes
    free = any(node.status is NodeStatus.ACTIVATED and invocations_left(node) > 0 for node in nodes)
    coming = any(node.status is NodeStatus.ACTIVATING for node in nodes)
    if not context.survivors or free or coming:
        return ()
    return tuple(node.name for node in nodes if node.status is NodeStatus.DEACTIVATED)[:1]


def _activates_one(context: Context, _: PolicyName) -> Iterator[Witness]:
    due = _activation_due(context)
    if context.decisions.activations != due:
        yield Witness(f"the activation due is {due!r}")


def _only_activates(context: Context, policy: PolicyName) -> Iterator[Witness]:
    yield from _activates_one(context, policy)
    for name in context.decisions.deactivations:
        yield Witness("the policy deactivates nothing", node=name)


ACTIVATE_ONE = Clause(
    id="POL-activate-one-when-no-free-slot",
    title="activate-one-when-no-free-slot: one more node when none has room",
    doc="""If something is pending after failures, no activated node has invocation capacity left and none is being
    activated, the first deactivated node in traversal order is to be activated; otherwise nothing is, and nothing is ever
    deactivated. Example: N1 full, N2 and N3 deactivated, one pending: activate N2 alone.""",
    seed=SEED,
    ambiguities=("AMB-2",),
    checks=(with_policies(whenever(PolicyKind.NODE_SCALING, "activate-one-when-no-free-slot"), _only_activates),),
)


def _deactivations_due(context: Context, policy: PolicyName) -> tuple[NodeName, ...]:
    seconds, now = seconds_of(policy), context.observed.now
    if context.survivors or seconds is None:
        return ()
    latest = ((node.name, latest_date(node)) for node in context.observed.nodes if may_be_deactivated(node))
    return tuple(name for name, date in latest if date is not None and date + seconds <= now)


def _lets_idle_nodes_go(context: Context, policy: PolicyName) -> Iterator[Witness]:
    yield from _activates_one(context, policy)
    due = _deactivations_due(context, policy)
    for name in context.nodes:
        if (name in due) is not (name in context.deactivated):
            yield Witness(
                "deactivated are exactly the nodes that have been at rest long enough while nothing is pending", node=name
            )


def _lets_them_go_in_order(context: Context, policy: PolicyName) -> Iterator[Witness]:
    due = _deactivations_due(context, policy)
    if context.trace.scaling.deactivations != due:
        yield Witness(f"the deactivations due, in traversal order, are {due!r}")


DEACTIVATE_IDLE = Clause(
    id="POL-deactivate-idle",
    title="deactivate-idle: lets go of nodes at rest while nothing is pending",
    doc="""It activates as the default policy does. If nothing is pending after failures, it deactivates every node that the
    service would let go and whose latest container or layer date plus the seconds is not later than now; a node without
    dates is kept. Example: 60 seconds, now 100: a node last used at 40 goes, one at 41 stays and gives the wake-up 101.""",
    seed=SEED,
    ambiguities=("AMB-2", "AMB-6"),
    checks=(
        with_policies(whenever(PolicyKind.NODE_SCALING, "deactivate-idle"), _lets_idle_nodes_go),
        with_trace(whenever(PolicyKind.NODE_SCALING, "deactivate-idle"), _lets_them_go_in_order, needs_policies=True),
    ),
)


# POL-fcfs


def _first_come(invocation: Invocation) -> tuple[float, int]:
    return invocation.submitted, invocation.id


def _rivals(context: Context) -> Iterator[tuple[Invocation, ...]]:
    if installed(context, PolicyKind.INVOCATION_ORDERING, "fcfs"):
        yield from rivals(context, _first_come)


def _is_ordered(context: Context, _: PolicyName) -> Iterator[Witness]:
    worklist = context.trace.ordered.worklist
    for earlier, later in pairwise(worklist):
        if not _first_come(earlier) < _first_come(later):
            numbers = (("before it", earlier.id), ("submitted", earlier.submitted), ("its own", later.submitted))
            yield Witness("the worklist is not ordered by submit date, then id", invocation=later.id, numbers=numbers)


FCFS = Clause(
    id="POL-fcfs",
    title="fcfs: by submit date, then by id",
    doc="""The worklist is ordered by submit date, and at one date by id, as numbers. Example: 10 and 9, both submitted at
    3: 9 goes first. From decisions alone, where the other policies are built in: of one function, no later invocation is
    dispatched while an earlier one is not.""",
    seed=SEED,
    checks=(
        with_policies(_rivals, first_are_dispatched_first),
        with_trace(whenever(PolicyKind.INVOCATION_ORDERING, "fcfs"), _is_ordered, needs_policies=True),
    ),
)


CLAUSES = (
    NEVER,
    PENDING_TIMEOUT,
    ACTIVATE_ONE,
    DEACTIVATE_IDLE,
    FCFS,
    SELECT_ALL,
    FIRST_FIT,
    FEWEST,
    LRU,
    EVICTION_AVERSE,
    RANDOM,
    WARM_POOL,
)
