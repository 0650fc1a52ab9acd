"""How long things take. The only place where a date is computed from a cost.

- **Copies** leave the head node one after another, in the order in which they were decided, at ``head_bandwidth``; all nodes
  share it by waiting their turn. Each node takes in its copies one after another at ``node_bandwidth``. A copy is done when
  both have passed all its bytes, and ``transfer_latency`` later.
- **Loads** from a node's disk into its RAM likewise follow one another at ``load_bandwidth``, node by node.
- Containers take ``startup``, nodes ``activation`` and ``deactivation``, whatever their size.

A layer moves its disk footprint when copied and its RAM footprint when loaded.
"""

from collections import defaultdict

from gaugeblock.model import LARGEST_DATE, Layer, NodeName, Value
from gaugeblock.simulation.errors import InvalidScenario


class CostModel(Value, frozen=True):
    """Bandwidths in bytes a second (positive), delays in seconds (not negative), all finite.

    Raises:
        InvalidScenario: when one is out of its range.
    """

    head_bandwidth: float = 1.25e9
    node_bandwidth: float = 2.5e8
    load_bandwidth: float = 1.0e9
    transfer_latency: float = 0.005
    startup: float = 0.25
    activation: float = 30.0
    deactivation: float = 10.0

    def __post_init__(self) -> None:
        """Refuse a bandwidth of nothing and a delay into the past."""
        for name in ("head_bandwidth", "node_bandwidth", "load_bandwidth"):
            if not 0 < getattr(self, name) <= LARGEST_DATE:
                raise InvalidScenario(name, getattr(self, name), "bytes a second, positive and finite")
        for name in ("transfer_latency", "startup", "activation", "deactivation"):
            require_seconds(name, getattr(self, name))


class Line:
    """Something that bytes pass through one transfer after another, at ``bandwidth`` bytes a second."""

    __slots__ = ("bandwidth", "free_at")

    def __init__(self, bandwidth: float) -> None:
        self.bandwidth = bandwidth
        self.free_at = -LARGEST_DATE

    def begin(self, now: float) -> float:
        """Return when a transfer asked for at ``now`` begins."""
        return max(now, self.free_at)

    def send(self, now: float, size: int) -> float:
        """Return when ``size`` bytes that come at ``now`` have passed; the line is taken until then."""
        self.free_at = self.begin(now) + size / self.bandwidth
        return self.free_at


class Lines:
    """The lines of a cluster: one out of the head node, and into each node one to its disk and one to its RAM."""

    def __init__(self, costs: CostModel) -> None:
        self.latency = costs.transfer_latency
        self.head = Line(costs.head_bandwidth)
        self.disks: defaultdict[NodeName, Line] = defaultdict(lambda: Line(costs.node_bandwidth))
        self.memories: defaultdict[NodeName, Line] = defaultdict(lambda: Line(costs.load_bandwidth))

    def copy(self, now: float, node: NodeName, layer: Layer) -> float:
        """Return when a copy that is begun at ``now`` is complete."""
        leaves = self.head.begin(now)
        left = self.head.send(now, layer.disk_bytes)
        return max(left, self.disks[node].send(leaves, layer.disk_bytes)) + self.latency

    def load(self, now: float, node: NodeName, layer: Layer) -> float:
        """Return when a load that is begun at ``now`` is complete."""
        return self.memories[node].send(now, layer.ram_bytes) + self.latency


def require_seconds(name: str, value: float) -> None:
    """Raise :class:`InvalidScenario` unless ``value`` is a finite number of seconds, zero or more."""
    if not 0 <= value <= LARGEST_DATE:
        raise InvalidScenario(name, value, "seconds, not negative and finite")
