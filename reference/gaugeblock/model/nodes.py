"""Nodes as a scheduler observes them, with their containers and layers, and the four availabilities derived from those."""

from enum import Enum

from gaugeblock.model.catalog import Function, Layer
from gaugeblock.model.names import ContainerId, NodeName
from gaugeblock.model.value import Value


class NodeStatus(Enum):
    """Whether a node takes work: only an activated one does."""

    ACTIVATED = "activated"
    ACTIVATING = "activating"
    DEACTIVATING = "deactivating"
    DEACTIVATED = "deactivated"


class ContainerStatus(Enum):
    """Whether a container is still being started, or can run invocations."""

    STARTING = "starting"
    READY = "ready"


class Container(Value, frozen=True):
    """A container of ``function`` that holds ``in_flight`` invocations; ``last_used`` is a date in seconds."""

    id: ContainerId
    function: Function
    status: ContainerStatus
    in_flight: int
    last_used: float

    @property
    def is_idle(self) -> bool:
        """Whether it is ready and holds no invocation (semantics, Words)."""
        return self.status is ContainerStatus.READY and self.in_flight == 0


class ResidentLayer(Value, frozen=True):
    """A layer that is completely there, on a node's disk or in its RAM, and the date (seconds) of its last access."""

    layer: Layer
    last_access: float


class Node(Value, frozen=True):
    """A node as observed. Capacities are in bytes, invocations and container positions.

    ``disk_layers``, ``ram_layers``, ``copying`` (to disk) and ``loading`` (into RAM) stand in catalogue order,
    ``containers`` by ascending id.
    """

    name: NodeName
    status: NodeStatus
    ram_bytes: int
    disk_bytes: int
    max_invocations: int
    max_containers: int
    disk_layers: tuple[ResidentLayer, ...] = ()
    ram_layers: tuple[ResidentLayer, ...] = ()
    copying: tuple[Layer, ...] = ()
    loading: tuple[Layer, ...] = ()
    containers: tuple[Container, ...] = ()

    @property
    def ram_available(self) -> int:
        """Bytes of RAM left by layers resident or being loaded and by the private RAM of all containers (semantics, Words)."""
        return (
            self.ram_bytes
            - sum(resident.layer.ram_bytes for resident in self.ram_layers)
            - sum(layer.ram_bytes for layer in self.loading)
            - sum(container.function.ram_bytes for container in self.containers)
        )

    @property
    def disk_available(self) -> int:
        """Bytes of disk left by layers resident or being copied and by private disk of all containers (semantics, Words)."""
        return (
            self.disk_bytes
            - sum(resident.layer.disk_bytes for resident in self.disk_layers)
            - sum(layer.disk_bytes for layer in self.copying)
            - sum(container.function.disk_bytes for container in self.containers)
        )

    @property
    def invocations_available(self) -> int:
        """How many more invocations the node may hold (semantics, Words)."""
        return self.max_invocations - sum(container.in_flight for container in self.containers)

    @property
    def positions_available(self) -> int:
        """How many more containers the node may hold; starting ones count (semantics, Words)."""
        return self.max_containers - len(self.containers)
