"""What is simulated: a workload, a cluster, what things cost, and who decides."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gaugeblock.model import (
    LARGEST_INTEGER,
    Catalog,
    FunctionName,
    Node,
    NodeName,
    NodeStatus,
    Opening,
    PolicyNames,
    ServiceSettings,
    Value,
)
from gaugeblock.simulation.costs import CostModel, require_seconds
from gaugeblock.simulation.errors import InvalidScenario

MOST_NODES = 100_000


class Arrival(NamedTuple):
    """Somebody asks for ``function`` at ``date``; it will run for ``duration``. Seconds both."""

    date: float
    function: FunctionName
    duration: float


class Workload(NamedTuple):
    """What is asked for: functions, and arrivals by ascending date, told anew by each call of ``arrivals``.

    ``total`` is how many there are. ``label`` says where they come from, and what about them is made up.
    """

    label: str
    catalog: Catalog
    total: int
    arrivals: Callable[[], Iterator[Arrival]]


class Cluster(Value, frozen=True):
    """Equal nodes, empty at the start; the first ``active`` of them are activated, the others deactivated.

    Sizes in bytes. Names are ``node-0``, ``node-1`` and so on, in traversal order.

    Raises:
        InvalidScenario: when a quantity is out of its range.
    """

    nodes: int
    active: int
    ram_bytes: int
    disk_bytes: int
    max_invocations: int
    max_containers: int

    def __post_init__(self) -> None:
        """Refuse a cluster without nodes and sizes that no document can hold."""
        if not 1 <= self.nodes <= MOST_NODES:
            raise InvalidScenario("nodes", self.nodes, f"an integer from 1 to {MOST_NODES}")
        if not 0 <= self.active <= self.nodes:
            raise InvalidScenario("active", self.active, f"an integer from 0 to the number of nodes, {self.nodes}")
        for name in ("ram_bytes", "disk_bytes", "max_invocations", "max_containers"):
            if not 0 <= getattr(self, name) <= LARGEST_INTEGER:
                raise InvalidScenario(name, getattr(self, name), "an integer from 0 to 2^63-1")

    def build(self) -> tuple[Node, ...]:
        """Return the nodes."""
        shape = (self.ram_bytes, self.disk_bytes, self.max_invocations, self.max_containers)
        return tuple(
            Node(
                NodeName(f"node-{turn}"),
                NodeStatus.ACTIVATED if turn < self.active else NodeStatus.DEACTIVATED,
                *shape,
            )
            for turn in range(self.nodes)
        )


class Scenario(NamedTuple):
    """A workload and all that decides what becomes of it; ``tail`` is how long a run goes on without work (:class:`Driver`)."""

    workload: Workload
    cluster: Cluster
    costs: CostModel
    idle_timeout: float
    policies: PolicyNames
    tail: float = 600.0

    def opening(self) -> Opening:
        """Return what the service starts from, at date 0.

        Raises:
            InvalidScenario: when the idle time-out or the tail is no number of seconds.
        """
        require_seconds("tail", self.tail)
        require_seconds("idle_timeout", self.idle_timeout)
        settings = ServiceSettings(self.idle_timeout)
        return Opening(0.0, self.workload.catalog, self.cluster.build(), self.policies, settings)
