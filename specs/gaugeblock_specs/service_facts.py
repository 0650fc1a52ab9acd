"""What a service state says, fact by fact. The judge keeps such a ledger of its own and compares it with what it is shown."""

from dataclasses import dataclass

from gaugeblock.model import (
    Catalog,
    Container,
    ContainerId,
    Function,
    FunctionName,
    IdleAlarm,
    Invocation,
    InvocationId,
    Layer,
    LayerName,
    Node,
    NodeName,
    NodeStatus,
    ServiceState,
)
from gaugeblock_specs.derive import disk_left, invocations_left, positions_left, ram_left

Place = tuple[NodeName, LayerName]


@dataclass
class Facts:
    """What a scheduler can see. A layer is under its node with the date of its last access, or with None while in progress."""

    status: dict[NodeName, NodeStatus]
    disk: dict[Place, float | None]
    ram: dict[Place, float | None]
    containers: dict[ContainerId, tuple[NodeName, Container]]
    pending: dict[InvocationId, Invocation]


@dataclass
class Ledger(Facts):
    """What the service knows besides; ``capacities`` are the nodes as they were, of which only the capacities are read."""

    running: dict[InvocationId, tuple[ContainerId, Invocation]]
    alarms: dict[ContainerId, IdleAlarm]
    next_container: ContainerId
    next_generation: int
    wakeup: float | None
    submitted: frozenset[InvocationId]
    layers: dict[LayerName, Layer]
    functions: dict[FunctionName, Function]
    capacities: dict[NodeName, Node]

    def containers_on(self, node: NodeName) -> tuple[Container, ...]:
        """Return the containers of a node."""
        return tuple(container for holder, container in self.containers.values() if holder == node)

    def holder_of(self, container: ContainerId) -> NodeName | None:
        """Return the node that holds a container, or None."""
        return self.containers[container][0] if container in self.containers else None

    def is_used(self, node: NodeName, layer: LayerName) -> bool:
        """Whether a container on the node needs the layer."""
        return any(needed.name == layer for each in self.containers_on(node) for needed in each.function.image.layers)

    def ram_left(self, node: NodeName) -> int:
        """Bytes of RAM that no layer, resident or coming, and no container takes."""
        layers = sum(self.layers[layer].ram_bytes for holder, layer in self.ram if holder == node)
        return self.capacities[node].ram_bytes - layers - sum(each.function.ram_bytes for each in self.containers_on(node))

    def disk_left(self, node: NodeName) -> int:
        """Bytes of disk that no layer, resident or coming, and no container takes."""
        layers = sum(self.layers[layer].disk_bytes for holder, layer in self.disk if holder == node)
        return self.capacities[node].disk_bytes - layers - sum(each.function.disk_bytes for each in self.containers_on(node))

    def invocations_left(self, node: NodeName) -> int:
        """How many more invocations the node may hold."""
        return self.capacities[node].max_invocations - sum(each.in_flight for each in self.containers_on(node))

    def positions_left(self, node: NodeName) -> int:
        """How many more containers the node may hold."""
        return self.capacities[node].max_containers - len(self.containers_on(node))


def facts_of(nodes: tuple[Node, ...], pending: tuple[Invocation, ...]) -> Facts:
    """Return what the nodes and the pending invocations say."""
    facts = Facts({}, {}, {}, {}, {each.id: each for each in pending})
    for node in nodes:
        facts.status[node.name] = node.status
        facts.disk.update({(node.name, each.layer.name): each.last_access for each in node.disk_layers})
        facts.disk.update({(node.name, layer.name): None for layer in node.copying})
        facts.ram.update({(node.name, each.layer.name): each.last_access for each in node.ram_layers})
        facts.ram.update({(node.name, layer.name): None for layer in node.loading})
        facts.containers.update({each.id: (node.name, each) for each in node.containers})
    return facts


def ledger_of(state: ServiceState) -> Ledger:
    """Return what the service state says."""
    facts, catalog = facts_of(state.nodes, state.pending), state.catalog
    return Ledger(
        **vars(facts),
        running={each.invocation.id: (each.container, each.invocation) for each in state.running},
        alarms={each.container: each for each in state.alarms},
        next_container=state.next_container,
        next_generation=state.next_generation,
        wakeup=state.wakeup,
        submitted=state.submitted,
        layers=_layers(catalog),
        functions={function.name: function for function in catalog.functions},
        capacities={node.name: node for node in state.nodes},
    )


def overdrawn(node: Node) -> bool:
    """Whether more of something is in use on the node than it has."""
    return ram_left(node) < 0 or disk_left(node) < 0 or invocations_left(node) < 0 or positions_left(node) < 0


def _layers(catalog: Catalog) -> dict[LayerName, Layer]:
    return {layer.name: layer for layer in catalog.layers}
