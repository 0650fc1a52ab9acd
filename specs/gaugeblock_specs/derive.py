"""What can be derived from a state, worked out here afresh: a judge that asked the judged would prove nothing.

Only the words of the semantics page are at work here: availability, idle, in progress, resident, used.
"""

from collections.abc import Iterable, Iterator

from gaugeblock.model import (
    Container,
    ContainerStatus,
    Deficits,
    Function,
    Layer,
    LayerName,
    Need,
    Node,
    NodeStatus,
    ObservedState,
    WorkingContainer,
    WorkingNode,
    WorkingState,
)


def ram_in_use(node: Node) -> int:
    """Bytes of RAM taken by layers resident or being loaded, and by the private RAM of every container."""
    layers = [resident.layer for resident in node.ram_layers] + list(node.loading)
    return sum(layer.ram_bytes for layer in layers) + sum(container.function.ram_bytes for container in node.containers)


def disk_in_use(node: Node) -> int:
    """Bytes of disk taken by layers resident or being copied, and by the private disk of every container."""
    layers = [resident.layer for resident in node.disk_layers] + list(node.copying)
    return sum(layer.disk_bytes for layer in layers) + sum(container.function.disk_bytes for container in node.containers)


def ram_left(node: Node) -> int:
    """Bytes of RAM that nothing takes."""
    return node.ram_bytes - ram_in_use(node)


def disk_left(node: Node) -> int:
    """Bytes of disk that nothing takes."""
    return node.disk_bytes - disk_in_use(node)


def invocations_left(node: Node) -> int:
    """How many invocations the node can take besides those that its containers hold."""
    return node.max_invocations - sum(container.in_flight for container in node.containers)


def positions_left(node: Node) -> int:
    """How many containers fit beside those there are, starting ones included."""
    return node.max_containers - len(node.containers)


def is_idle(container: Container) -> bool:
    """Whether a container is ready and holds nothing."""
    return container.status is ContainerStatus.READY and container.in_flight == 0


def room_in(container: Container) -> int:
    """How many invocations fit in a container besides those it holds; whether it is ready is another question (AMB-10)."""
    return container.function.max_invocations_per_container - container.in_flight


def required(function: Function) -> tuple[Layer, ...]:
    """Return the layers that a container of ``function`` needs, in image order."""
    return function.image.layers


def required_names(function: Function) -> frozenset[LayerName]:
    """Return the names of the required layers, for membership only."""
    return frozenset(layer.name for layer in function.image.layers)


def in_ram(node: Node) -> frozenset[LayerName]:
    """Return the names of the layers resident in RAM."""
    return frozenset(resident.layer.name for resident in node.ram_layers)


def on_disk(node: Node) -> frozenset[LayerName]:
    """Return the names of the layers resident on disk."""
    return frozenset(resident.layer.name for resident in node.disk_layers)


def names(layers: Iterable[Layer]) -> frozenset[LayerName]:
    """Return the names of layers."""
    return frozenset(layer.name for layer in layers)


def used_by(containers: Iterable[Container]) -> frozenset[LayerName]:
    """Return the names of the layers that the given containers use, be they idle, busy or starting (AMB-4)."""
    return used_layers(container.function for container in containers)


def used_layers(functions: Iterable[Function]) -> frozenset[LayerName]:
    """Return the names of the layers that the given functions require."""
    return frozenset(layer.name for function in functions for layer in function.image.layers)


def may_be_deactivated(node: Node) -> bool:
    """Whether the service would let the node go: activated, nothing in flight, nothing starting, no transfer (SERV-4)."""
    at_rest = all(is_idle(container) for container in node.containers)
    return node.status is NodeStatus.ACTIVATED and at_rest and len(node.copying) == 0 and len(node.loading) == 0


def fresh(observed: ObservedState) -> WorkingState:
    """Describe the working state of a round in which nothing was decided yet."""
    return WorkingState(
        now=observed.now,
        catalog=observed.catalog,
        nodes=tuple(_fresh_node(node) for node in observed.nodes),
        worklist=observed.pending,
    )


def _fresh_node(node: Node) -> WorkingNode:
    return WorkingNode(
        observed=node,
        ram_available=ram_left(node),
        disk_available=disk_left(node),
        invocations_available=invocations_left(node),
        positions_available=positions_left(node),
        resident_in_ram=in_ram(node),
        resident_on_disk=on_disk(node),
        loading=names(node.loading),
        copying=names(node.copying),
        containers=tuple(WorkingContainer(container, room_in(container)) for container in node.containers),
        protected=names(node.loading) | names(node.copying),
    )


def missing(need: Need, node: WorkingNode) -> Deficits:
    """Return by how much a need exceeds what is available: RAM, disk, positions (RECL-1)."""
    return Deficits(
        ram_bytes=max(0, need.ram_bytes - node.ram_available),
        disk_bytes=max(0, need.disk_bytes - node.disk_available),
        positions=max(0, need.positions - node.positions_available),
    )


def less(deficits: Deficits, ram_bytes: int = 0, disk_bytes: int = 0, positions: int = 0) -> Deficits:
    """Return what remains of deficits once so much has been freed."""
    return Deficits(
        ram_bytes=max(0, deficits.ram_bytes - ram_bytes),
        disk_bytes=max(0, deficits.disk_bytes - disk_bytes),
        positions=max(0, deficits.positions - positions),
    )


def is_met(deficits: Deficits) -> bool:
    """Whether nothing is missing any more."""
    return not (deficits.ram_bytes != 0 or deficits.disk_bytes != 0 or deficits.positions != 0)


def repeated(items: Iterable[object]) -> Iterator[object]:
    """Yield each item that stood before, at every later place."""
    seen: set[object] = set()
    for item in items:
        if item in seen:
            yield item
        seen.add(item)
