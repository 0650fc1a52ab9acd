"""Node scaling: ``activate-one-when-no-free-slot`` (the default), ``never`` and ``deactivate-idle`` (POL)."""

from typing import ClassVar

from gaugeblock.model import (
    LARGEST_DATE,
    ContainerStatus,
    Node,
    NodeName,
    NodeStatus,
    PolicyKind,
    ScalingRequests,
    WorkingState,
)
from gaugeblock.policies.builtin.base import BuiltinPolicy
from gaugeblock.policies.builtin.parameters import Seconds


class ActivateOneWhenNoFreeSlot(BuiltinPolicy, frozen=True):
    """POL-activate-one-when-no-free-slot: one node more when work is pending and no activated node has capacity (AMB-2)."""

    kind: ClassVar[PolicyKind] = PolicyKind.NODE_SCALING
    name: ClassVar[str] = "activate-one-when-no-free-slot"

    def scale(self, state: WorkingState) -> ScalingRequests:
        """Request the first deactivated node in traversal order, if one is wanted and none is on its way."""
        return ScalingRequests(activations=node_to_activate(state))


class NeverScale(BuiltinPolicy, frozen=True):
    """POL-never: requests nothing."""

    kind: ClassVar[PolicyKind] = PolicyKind.NODE_SCALING
    name: ClassVar[str] = "never"

    def scale(self, state: WorkingState) -> ScalingRequests:
        """Return no request."""
        return ScalingRequests()


class DeactivateIdle(BuiltinPolicy, frozen=True):
    """POL-deactivate-idle: as the default; and with nothing pending, lets go the nodes unused for ``seconds``."""

    kind: ClassVar[PolicyKind] = PolicyKind.NODE_SCALING
    name: ClassVar[str] = "deactivate-idle"

    seconds: Seconds

    def scale(self, state: WorkingState) -> ScalingRequests:
        """Request activation as the default does; with an empty worklist, deactivation of every node idle long enough."""
        if state.worklist:
            return ScalingRequests(activations=node_to_activate(state))
        idle = [node for node in releasable(state) if self._due(node, state.now)]
        return ScalingRequests(deactivations=tuple(node.name for node in idle))

    def wakeup(self, state: WorkingState) -> float | None:
        """Report the least later date at which a node that could be let go has been unused for ``seconds``; else none."""
        dates = [date + self.seconds for node in releasable(state) for date in latest_date(node)]
        later = [date for date in dates if state.now < date < LARGEST_DATE]
        return min(later) if later else None

    def _due(self, node: Node, now: float) -> bool:
        return any(date + self.seconds <= now for date in latest_date(node))


def node_to_activate(state: WorkingState) -> tuple[NodeName, ...]:
    """Return the first deactivated node where work is pending, nothing has invocation capacity left, and none is activating."""
    if not state.worklist or any(has_free_slot_or_will(node.observed) for node in state.nodes):
        return ()
    deactivated = (node.observed.name for node in state.nodes if node.observed.status is NodeStatus.DEACTIVATED)
    return tuple(name for name in [next(deactivated, None)] if name is not None)


def has_free_slot_or_will(node: Node) -> bool:
    """Whether the node is activating, or is activated with invocation capacity left."""
    if node.status is NodeStatus.ACTIVATED:
        return node.invocations_available > 0
    return node.status is NodeStatus.ACTIVATING


def releasable(state: WorkingState) -> tuple[Node, ...]:
    """Return the observed nodes whose deactivation SERV-4 would accept, in traversal order."""
    return tuple(node.observed for node in state.nodes if _is_releasable(node.observed))


def _is_releasable(node: Node) -> bool:
    if node.status is not NodeStatus.ACTIVATED or node.loading or node.copying:
        return False
    return all(each.status is ContainerStatus.READY and each.in_flight == 0 for each in node.containers)


def latest_date(node: Node) -> tuple[float, ...]:
    """Return the latest date of the node's containers and layers, or nothing for a node without any."""
    dates = [container.last_used for container in node.containers]
    dates += [resident.last_access for resident in (*node.ram_layers, *node.disk_layers)]
    return (max(dates),) if dates else ()
