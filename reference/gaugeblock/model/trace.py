"""The trace: the whole story of one round, told by the scheduler beside its decisions.

Everything that a policy was asked and answered stands in it, and every alternative or the reason why there was none.
"""

from enum import Enum

from gaugeblock.model.decisions import Failure, Prewarm
from gaugeblock.model.names import ContainerId, InvocationId, LayerName, NodeName
from gaugeblock.model.plans import Deficits, Need, PlacementPass, Plan
from gaugeblock.model.policies import PolicyKind, ReuseCandidate, ScalingRequests
from gaugeblock.model.state import ObservedState
from gaugeblock.model.value import Value
from gaugeblock.model.working import WorkingState


class ReclamationStepKind(Enum):
    """The three steps of reclamation, in order (RECL-2). The value names the method of the eviction policy."""

    CONTAINERS = "containers"
    RAM_LAYERS = "ram_layers"
    DISK_LAYERS = "disk_layers"


class ReclamationStep(Value, frozen=True):
    """One call of the eviction policy: the deficits then remaining, the candidates in creation order, the victims chosen.

    ``candidates`` and ``victims`` are container ids in the first step, layer names in the others.
    """

    kind: ReclamationStepKind
    deficits: Deficits
    candidates: tuple[ContainerId, ...] | tuple[LayerName, ...]
    victims: tuple[ContainerId, ...] | tuple[LayerName, ...]


class ReclamationTrace(Value, frozen=True):
    """How one alternative was made room for: the need, the deficits at first, the steps, the deficits left (RECL)."""

    need: Need
    deficits: Deficits
    steps: tuple[ReclamationStep, ...]
    remaining: Deficits


class NodeFinding(Value, frozen=True):
    """What one of the passes 2 to 6 found on one eligible node.

    ``blocking`` are the required layers that rule the pass out here. ``layers`` are those the pass would load, copy or wait
    for; a pass other than the cold dispatch is also ruled out when there are none. ``reclamation`` tells how room was sought
    where the pass looked for it. ``plan`` is the alternative, or None if there is none.
    """

    node: NodeName
    blocking: tuple[LayerName, ...] = ()
    layers: tuple[LayerName, ...] = ()
    reclamation: ReclamationTrace | None = None
    plan: Plan | None = None


class PassTrace(Value, frozen=True):
    """One pass tried for one invocation.

    The reuse pass fills ``candidates`` (what the reusable-container policy was given; it is not asked when there are none),
    the others ``findings``, in traversal order; the waiting passes look no further than the first node that qualifies.
    ``chosen`` is the plan that was selected, or None, and then the next pass is tried (PLACE-7).
    """

    placement_pass: PlacementPass
    candidates: tuple[ReuseCandidate, ...] = ()
    findings: tuple[NodeFinding, ...] = ()
    chosen: Plan | None = None


class PlacementTrace(Value, frozen=True):
    """What was done for one invocation: the nodes selected, those eligible, the passes, the plan, the state before and after.

    ``selected`` holds the node-selection policy's answer in traversal order, ``eligible`` what the scheduler kept of it.
    """

    invocation: InvocationId
    selected: tuple[NodeName, ...]
    eligible: tuple[NodeName, ...]
    passes: tuple[PassTrace, ...]
    plan: Plan | None
    before: WorkingState
    after: WorkingState


class WakeupReport(Value, frozen=True):
    """The date (seconds) that one policy reported, or None (WAKE-1)."""

    kind: PolicyKind
    date: float | None


class RoundTrace(Value, frozen=True):
    """The story of one round, phase by phase (ROUND-1 to ROUND-7).

    ``initial`` is the fresh working state; ``ordered`` the one with the surviving worklist in the order of placement, nodes
    selected for deactivation marked; ``placements`` one entry per invocation of that worklist; ``placed`` the working state
    after placement; ``prewarms`` the proposals in order; ``final`` the state after their positions were accounted for.
    """

    observed: ObservedState
    initial: WorkingState
    failures: tuple[Failure, ...]
    scaling: ScalingRequests
    ordered: WorkingState
    placements: tuple[PlacementTrace, ...]
    placed: WorkingState
    prewarms: tuple[Prewarm, ...]
    final: WorkingState
    wakeups: tuple[WakeupReport, ...]
    wakeup: float | None
