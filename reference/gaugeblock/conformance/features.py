"""The features that a subject may lack, and by which property of a round each is needed.

A subject that does not declare a feature is not asked about the rounds that need it; they are skipped, with the feature as
the reason. A feature is needed only where leaving it out could change the decisions:

===================  ==================================================================================================
feature              needed when
===================  ==================================================================================================
positions            an activated node has fewer container positions left than there are pending invocations and
                     containers that the prewarming policy is told to keep
shared-containers    a ready container is of a function whose containers may hold more than one invocation
node-status          a node is not activated, or the node-scaling policy is one that may deactivate nodes
failing              the failing policy is not ``never``
prewarming           the prewarming policy is not ``never``
wakeups              a policy is installed that may report a date
integers-64          an integer of the round is beyond 2^53, or the catalogue's disk or RAM footprints add up to more
===================  ==================================================================================================

The invocation capacity of nodes is no feature: every subject must count it.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Final, TypeAlias

from gaugeblock.model import ContainerStatus, Node, NodeStatus, ObservedState, PolicyKind, PolicyName, PolicyNames

LARGEST_EXACT_DOUBLE: Final = 2**53
"""Up to here every integer is exact in a double."""

WITHOUT_WAKEUPS: Final[Mapping[PolicyKind, frozenset[str]]] = {
    PolicyKind.INVOCATION_FAILING: frozenset({"never"}),
    PolicyKind.NODE_SCALING: frozenset({"activate-one-when-no-free-slot", "never"}),
    PolicyKind.INVOCATION_ORDERING: frozenset({"fcfs", "random"}),
    PolicyKind.NODE_SELECTION: frozenset({"select-all-possible"}),
    PolicyKind.REUSABLE_CONTAINER: frozenset({"first-fit"}),
    PolicyKind.EVICTION: frozenset({"fewest", "lru"}),
    PolicyKind.PLAN_SELECTION: frozenset({"eviction-averse", "random"}),
    PolicyKind.CONTAINER_PREWARM: frozenset({"never", "warm-pool"}),
}
"""The built-in policies that never report a date (POL, WAKE-1); of any other one it is assumed that it may."""

Need: TypeAlias = Callable[[ObservedState, PolicyNames], bool]


def needs_positions(state: ObservedState, policies: PolicyNames) -> bool:
    """Whether container positions may run out in this round: each placement and each prewarmed container takes at most one."""
    demand = len(state.pending) + _prewarm_demand(policies.container_prewarm)
    return any(node.positions_available < demand for node in state.nodes if node.status is NodeStatus.ACTIVATED)


def needs_shared_containers(state: ObservedState, policies: PolicyNames) -> bool:
    """Whether a container is there that may hold several invocations."""
    return any(
        container.status is ContainerStatus.READY and container.function.max_invocations_per_container > 1
        for node in state.nodes
        for container in node.containers
    )


def needs_node_status(state: ObservedState, policies: PolicyNames) -> bool:
    """Whether a node is, or in this round could be, anything but activated."""
    if any(node.status is not NodeStatus.ACTIVATED for node in state.nodes):
        return True
    return policies.node_scaling.name not in ("never", "activate-one-when-no-free-slot")


def needs_failing(state: ObservedState, policies: PolicyNames) -> bool:
    """Whether invocations may be failed."""
    return policies.invocation_failing.name != "never"


def needs_prewarming(state: ObservedState, policies: PolicyNames) -> bool:
    """Whether containers may be prewarmed."""
    return policies.container_prewarm.name != "never"


def needs_wakeups(state: ObservedState, policies: PolicyNames) -> bool:
    """Whether a policy is installed that may report a date."""
    return any(getattr(policies, kind.value).name not in names for kind, names in WITHOUT_WAKEUPS.items())


def needs_integers_64(state: ObservedState, policies: PolicyNames) -> bool:
    """Whether a double would be too narrow for an integer of the round, or for the sum of the layers that an image may need."""
    layers = state.catalog.layers
    totals = (sum(layer.disk_bytes for layer in layers), sum(layer.ram_bytes for layer in layers))
    return max(chain(totals, _integers(state))) > LARGEST_EXACT_DOUBLE


FEATURES: Final[Mapping[str, Need]] = {
    "positions": needs_positions,
    "shared-containers": needs_shared_containers,
    "node-status": needs_node_status,
    "failing": needs_failing,
    "prewarming": needs_prewarming,
    "wakeups": needs_wakeups,
    "integers-64": needs_integers_64,
}
"""Every feature by its name on the wire, and the property of a round that needs it."""


def needed(state: ObservedState, policies: PolicyNames) -> tuple[str, ...]:
    """Return the names of the features that the round needs, in the order of the table above."""
    return tuple(name for name, need in FEATURES.items() if need(state, policies))


def _prewarm_demand(policy: PolicyName) -> int:
    counts = (value for _, value in policy.parameters if isinstance(value, tuple))
    return sum(count for pairs in counts for _, count in pairs)


def _integers(state: ObservedState) -> Iterator[int]:
    for function in state.catalog.functions:
        yield from (function.ram_bytes, function.disk_bytes, function.max_invocations_per_container)
    for node in state.nodes:
        yield from _node_integers(node)
    yield from (invocation.id for invocation in state.pending)


def _node_integers(node: Node) -> Iterator[int]:
    yield from (node.ram_bytes, node.disk_bytes, node.max_invocations, node.max_containers)
    yield from (container.id for container in node.containers)
