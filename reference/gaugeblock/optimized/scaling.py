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


def deactivations(cluster: Cluster, now: float, seconds: float) -> list[NodeRecord]:
    """Return the nodes that SERV-4 would let go and that nothing has used for so many seconds, in traversal order."""
    found: list[NodeRecord] = []
    for node in cluster.nodes:
        if may_leave(node):
            date = latest_date(node)
            if date is not None and date + seconds <= now:
                found.append(node)
    return found


def next_idle_date(cluster: Cluster, now: float, seconds: float) -> float | None:
    """Return the least date after now at which a node will have been unused for so many seconds."""
    sums = [date + seconds for node in cluster.nodes if may_leave(node) and (date := latest_date(node)) is not None]
    return min((date for date in sums if date > now), default=None)


def may_leave(node: NodeRecord) -> bool:
    """Whether the node is activated and holds no invocation, no starting container and no transfer (SERV-4)."""
    if node.status is not NodeStatus.ACTIVATED or node.loading or node.copying:
        return False
    return all(slot.ready and slot.in_flight == 0 for slot in node.containers.values())


def latest_date(node: NodeRecord) -> float | None:
    """Return the latest date of a container or layer on the node, or None if it has none."""
    dates = [slot.last_used for slot in node.containers.values()]
    return max((*dates, *node.ram_dates.values(), *node.disk_dates.values()), default=None)
