"""The built-in node-scaling policies on the indexed cluster (POL)."""

from gaugeblock.model import NodeName, NodeStatus
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.nodes import NodeRecord


def activations(cluster: Cluster) -> tuple[NodeName, ...]:
    """Return the first deactivated node, if no node takes invocations and none is coming up."""
    if cluster.open:
        return ()
    if any(node.status is NodeStatus.ACTIVATING for node in cluster.nodes):
        return ()
    return tuple(node.name for node in cluster.nodes if node.status is NodeStatus.DEACTIVATED)[:1]


class IdleDates:
    """Since when each node that may leave is unused, looked up again only where the node has changed.

    Invariant: an entry is right while its stamp is the node's; the dates of containers and layers and all that SERV-4 asks for
    change with the stamp.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._kept: list[tuple[int, float | None]] = [(-1, None)] * len(cluster.nodes)

    def unused(self, now: float, seconds: float) -> list[NodeRecord]:
        """Return the nodes that may leave and that nothing has used for so many seconds, in traversal order."""
        return [self._cluster.nodes[turn] for turn, date in self._dates() if date + seconds <= now]

    def next_date(self, now: float, seconds: float) -> float | None:
        """Return the least date after now at which a node will have been unused for so many seconds."""
        return min((date + seconds for _, date in self._dates() if date + seconds > now), default=None)

    def _dates(self) -> list[tuple[int, float]]:
        kept = self._kept
        for node in self._cluster.nodes:
            if kept[node.turn][0] != node.stamp:
                kept[node.turn] = (node.stamp, latest_date(node) if may_leave(node) else None)
        return [(turn, date) for turn, (_, date) in enumerate(kept) if date is not None]


def may_leave(node: NodeRecord) -> bool:
    """Whether the node is activated and holds no invocation, no starting container and no transfer (SERV-4)."""
    if node.status is not NodeStatus.ACTIVATED or node.loading or node.copying:
        return False
    return all(slot.ready and slot.in_flight == 0 for slot in node.containers.values())


def latest_date(node: NodeRecord) -> float | None:
    """Return the latest date of a container or layer on the node, or None if it has none."""
    dates = [slot.last_used for slot in node.containers.values()]
    return max((*dates, *node.ram_dates.values(), *node.disk_dates.values()), default=None)
