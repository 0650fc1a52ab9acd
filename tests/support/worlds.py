"""Small worlds for tests, built in a line each. Sizes default to 1 and capacities to plenty."""

from gaugeblock.model import (
    Catalog,
    Container,
    ContainerId,
    ContainerStatus,
    Function,
    FunctionName,
    Image,
    ImageName,
    Invocation,
    InvocationId,
    Layer,
    LayerName,
    Node,
    NodeName,
    NodeStatus,
    ObservedState,
    ResidentLayer,
)

PLENTY = 1000
NOW = 100.0


def layer(name: str, disk: int = 1, ram: int = 1) -> Layer:
    """Return a layer with footprints in bytes."""
    return Layer(LayerName(name), disk, ram)


def function(name: str, *layers: Layer, ram: int = 1, disk: int = 1, capacity: int = 1) -> Function:
    """Return a function with an image of its own, made of ``layers``."""
    return Function(FunctionName(name), Image(ImageName(f"image-{name}"), layers), ram, disk, capacity)


def container(
    identifier: int,
    of: Function,
    status: ContainerStatus = ContainerStatus.READY,
    in_flight: int = 0,
    last_used: float = 1.0,
) -> Container:
    """Return a container of a function."""
    return Container(ContainerId(identifier), of, status, in_flight, last_used)


def node(
    name: str = "n",
    on_disk: tuple[Layer, ...] = (),
    in_ram: tuple[Layer, ...] = (),
    containers: tuple[Container, ...] = (),
    status: NodeStatus = NodeStatus.ACTIVATED,
    ram: int = PLENTY,
    disk: int = PLENTY,
    invocations: int = PLENTY,
    positions: int = PLENTY,
    copying: tuple[Layer, ...] = (),
    loading: tuple[Layer, ...] = (),
) -> Node:
    """Return a node whose layers were all accessed at date 1."""
    return Node(
        NodeName(name),
        status,
        ram,
        disk,
        invocations,
        positions,
        tuple(ResidentLayer(each, 1.0) for each in on_disk),
        tuple(ResidentLayer(each, 1.0) for each in in_ram),
        copying,
        loading,
        containers,
    )


def invocation(identifier: int, of: Function, submitted: float = 1.0) -> Invocation:
    """Return an invocation."""
    return Invocation(InvocationId(identifier), of, submitted)


def catalog(*functions: Function, layers: tuple[Layer, ...] = ()) -> Catalog:
    """Return the catalogue of ``layers`` and of what the functions need, in order of first mention."""
    known: dict[LayerName, Layer] = {each.name: each for each in layers}
    for each in functions:
        known.update({needed.name: needed for needed in each.image.layers if needed.name not in known})
    return Catalog(tuple(known.values()), tuple(each.image for each in functions), functions)


def world(of: Catalog, *nodes: Node, pending: tuple[Invocation, ...] = (), now: float = NOW) -> ObservedState:
    """Return the observed state at date ``now``."""
    return ObservedState(now, of, nodes, pending)
