"""What a policy of each kind must offer. The scheduler depends on these protocols alone.

A policy is an immutable value and a pure function of what it is given. ``kind`` says which slot of the scheduler it fills;
``name`` is how documents and messages call it. Every policy may report a wake-up date (WAKE-1).
"""

from typing import ClassVar, Protocol, TypeAlias

from gaugeblock.model import (
    Container,
    ContainerId,
    Deficits,
    Failure,
    Invocation,
    LayerName,
    NodeName,
    Plan,
    PolicyKind,
    Prewarm,
    ResidentLayer,
    ReuseCandidate,
    ScalingRequests,
    WorkingNode,
    WorkingState,
)


class AnyPolicy(Protocol):
    """What all eight kinds share."""

    kind: ClassVar[PolicyKind]
    name: ClassVar[str]

    def wakeup(self, state: WorkingState) -> float | None:
        """Return the date (seconds) at which another round is wanted, strictly after ``state.now``, or None (WAKE-1)."""
        ...


class InvocationFailingPolicy(AnyPolicy, Protocol):
    """Names the invocations to fail (ROUND-2)."""

    def failures(self, state: WorkingState) -> tuple[Failure, ...]:
        """Return distinct members of ``state.worklist`` to fail, each with a reason for people to read."""
        ...


class NodeScalingPolicy(AnyPolicy, Protocol):
    """Asks for nodes to be activated and deactivated (ROUND-3)."""

    def scale(self, state: WorkingState) -> ScalingRequests:
        """Return deactivated nodes to activate and nodes that SERV-4 would let go, none in both."""
        ...


class InvocationOrderingPolicy(AnyPolicy, Protocol):
    """Orders the surviving worklist (ROUND-4)."""

    def order(self, state: WorkingState) -> tuple[Invocation, ...]:
        """Return a permutation of ``state.worklist``."""
        ...


class NodeSelectionPolicy(AnyPolicy, Protocol):
    """Gives the set of nodes that may serve an invocation (PLACE)."""

    def select(self, state: WorkingState, invocation: Invocation) -> frozenset[NodeName]:
        """Return names of nodes of ``state``; a set, not a ranking."""
        ...


class ReusableContainerPolicy(AnyPolicy, Protocol):
    """Picks a container that takes the invocation (PLACE-1)."""

    def pick(self, state: WorkingState, invocation: Invocation, candidates: tuple[ReuseCandidate, ...]) -> ContainerId | None:
        """Return the id of one candidate (given in traversal order, then by id; at least one), or None."""
        ...


class EvictionPolicy(AnyPolicy, Protocol):
    """Picks victims, one step of reclamation at a time (RECL-2). Candidates come in creation order, never none."""

    def containers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[Container, ...], deficits: Deficits
    ) -> tuple[ContainerId, ...]:
        """Return distinct candidates to end; each frees its private RAM and disk and one position."""
        ...

    def ram_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        """Return distinct candidates to evict from RAM."""
        ...

    def disk_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        """Return distinct candidates to evict from disk, and from RAM where they are resident there (RECL-6)."""
        ...


class PlanSelectionPolicy(AnyPolicy, Protocol):
    """Picks among the alternatives of one pass (PLACE-7)."""

    def choose(self, state: WorkingState, invocation: Invocation, alternatives: tuple[Plan, ...]) -> NodeName | None:
        """Return the node of one alternative (at least one is given, at most one a node), or None for none (AMB-7)."""
        ...


class ContainerPrewarmPolicy(AnyPolicy, Protocol):
    """Proposes containers to start without an invocation (PREW)."""

    def propose(self, state: WorkingState) -> tuple[Prewarm, ...]:
        """Return a batch that fits jointly, one entry a container (PREW-2, PREW-4)."""
        ...


Policy: TypeAlias = (
    InvocationFailingPolicy
    | NodeScalingPolicy
    | InvocationOrderingPolicy
    | NodeSelectionPolicy
    | ReusableContainerPolicy
    | EvictionPolicy
    | PlanSelectionPolicy
    | ContainerPrewarmPolicy
)


class Policies(Protocol):
    """One policy of each kind, as the scheduler holds them."""

    @property
    def invocation_failing(self) -> InvocationFailingPolicy: ...  # noqa: D102
    @property
    def node_scaling(self) -> NodeScalingPolicy: ...  # noqa: D102
    @property
    def invocation_ordering(self) -> InvocationOrderingPolicy: ...  # noqa: D102
    @property
    def node_selection(self) -> NodeSelectionPolicy: ...  # noqa: D102
    @property
    def reusable_container(self) -> ReusableContainerPolicy: ...  # noqa: D102
    @property
    def eviction(self) -> EvictionPolicy: ...  # noqa: D102
    @property
    def plan_selection(self) -> PlanSelectionPolicy: ...  # noqa: D102
    @property
    def container_prewarm(self) -> ContainerPrewarmPolicy: ...  # noqa: D102
