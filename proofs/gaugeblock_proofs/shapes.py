"""Shapes of whole rounds: which layers are where, what stands on each node and what is pending; all numbers stay symbolic."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from types import SimpleNamespace
from typing import Any, NamedTuple

from gaugeblock.model import (
    Catalog,
    Container,
    ContainerStatus,
    Function,
    Layer,
    LayerName,
    Node,
    NodeName,
    NodeStatus,
    ObservedState,
    PolicyNames,
    ResidentLayer,
    WorkingNode,
)
from gaugeblock_proofs.building import any_working_node, container, function, invocation, layer
from gaugeblock_proofs.engine import Source
from gaugeblock_proofs.states import valid_state
from gaugeblock_proofs.theorem import Setting

ABSENT, COPYING, ON_DISK, LOADING, IN_RAM = "absent", "copying", "on disk", "loading", "in RAM"
PLACES = (ABSENT, COPYING, ON_DISK, LOADING, IN_RAM)
"""Where a layer can be on an activated node. What is being loaded, or is in RAM, is on disk as well."""

LAYERS = ("a", "b")

Image = tuple[int, ...]
"""The layers of an image, by position."""

IMAGES: tuple[Image, ...] = ((), (0,), (1,), (0, 1))
"""Every image of two layers, up to the order in which it lists them."""


class Held(NamedTuple):
    """A container of a function, by position; how many invocations it holds is symbolic."""

    function: int
    status: ContainerStatus = ContainerStatus.READY


class NodeShape(NamedTuple):
    """A node: where each layer is, its containers, its status."""

    places: tuple[str, ...]
    containers: tuple[Held, ...] = ()
    status: NodeStatus = NodeStatus.ACTIVATED


class RoundShape(NamedTuple):
    """A round: the image of each function, the nodes in traversal order, the function of each pending invocation.

    The names of the nodes descend where ``names_descend``, so that the order of names and of traversal differ.
    """

    images: tuple[Image, ...]
    nodes: tuple[NodeShape, ...]
    pending: tuple[int, ...]
    names_descend: bool = False


def build(setting: Setting, shape: RoundShape, policies: PolicyNames | None = None) -> ObservedState:
    """Return the valid state of a shape, with any sizes, capacities and dates."""
    symbols = setting.symbols
    layers = tuple(layer(symbols, name) for name in LAYERS)
    functions = tuple(
        function(symbols, f"f{number}", *(layers[position] for position in image)) for number, image in enumerate(shape.images)
    )
    names = [NodeName(f"n{number}") for number in range(len(shape.nodes))]
    if shape.names_descend:
        names.reverse()
    nodes = tuple(
        _node(setting, name, number, each, layers, functions)
        for number, (name, each) in enumerate(zip(names, shape.nodes, strict=True))
    )
    pending = tuple(invocation(symbols, number + 1, functions[wanted]) for number, wanted in enumerate(shape.pending))
    catalog = Catalog(layers, tuple(each.image for each in functions), functions)
    return valid_state(setting, catalog, nodes, pending, policies=policies)


def _node(
    setting: Setting, name: NodeName, number: int, shape: NodeShape, layers: tuple[Layer, ...], functions: tuple[Function, ...]
) -> Node:
    symbols = setting.symbols
    placed = tuple(zip(layers, shape.places, strict=True))
    on_disk = [each for each, place in placed if place in (ON_DISK, LOADING, IN_RAM)]
    in_ram = [each for each, place in placed if place == IN_RAM]
    return Node(
        name,
        shape.status,
        symbols.integer(f"{name}.ram_bytes"),
        symbols.integer(f"{name}.disk_bytes"),
        symbols.integer(f"{name}.max_invocations"),
        symbols.integer(f"{name}.max_containers"),
        tuple(ResidentLayer(each, symbols.date(f"{name}.{each.name}.last_access")) for each in on_disk),
        tuple(ResidentLayer(each, symbols.date(f"{name}.{each.name}.last_access_in_ram")) for each in in_ram),
        tuple(each for each, place in placed if place == COPYING),
        tuple(each for each, place in placed if place == LOADING),
        _containers(setting, number, shape, functions),
    )


def placed_node(
    symbols: Source,
    name: NodeName,
    placed: tuple[tuple[Layer, str], ...],
    status: NodeStatus = NodeStatus.ACTIVATED,
    selected_for_deactivation: bool = False,
    **known: Any,
) -> WorkingNode:
    """Return a working node with the layers in their places, what is ``known``, and nothing to evict."""

    def there(*places: str) -> frozenset[LayerName]:
        return frozenset(each.name for each, place in placed if place in places)

    return any_working_node(
        symbols,
        observed=SimpleNamespace(name=name, status=status, ram_layers=(), disk_layers=()),
        resident_in_ram=there(IN_RAM),
        resident_on_disk=there(ON_DISK, LOADING, IN_RAM),
        loading=there(LOADING),
        copying=there(COPYING),
        protected=frozenset(),
        planned=(),
        selected_for_deactivation=selected_for_deactivation,
        **known,
    )


def _containers(setting: Setting, number: int, shape: NodeShape, functions: tuple[Function, ...]) -> tuple[Container, ...]:
    """Return the node's containers; the ids of the first node are 0, 1 ..., those of the second 10, 11 ..."""
    return tuple(
        container(setting.symbols, 10 * number + position, functions[held.function], held.status)
        for position, held in enumerate(shape.containers)
    )


def node_shapes(images: tuple[Image, ...]) -> Iterator[NodeShape]:
    """Yield every node with at most one container of one of these functions, in every status.

    A container needs its layers in RAM, and only an activated node holds containers, RAM layers or transfers; every other
    node would be turned down by the validity check.
    """
    for places in product(PLACES, repeat=len(LAYERS)):
        yield NodeShape(places)
        for number, image in enumerate(images):
            if all(places[position] == IN_RAM for position in image):
                yield from (NodeShape(places, (Held(number, status),)) for status in ContainerStatus)
    for status in (NodeStatus.ACTIVATING, NodeStatus.DEACTIVATING, NodeStatus.DEACTIVATED):
        yield from (NodeShape(places, (), status) for places in product((ABSENT, ON_DISK), repeat=len(LAYERS)))


def renamed(shape: RoundShape) -> RoundShape:
    """Return the same shape with its two layers renamed into each other; images keep their lists in layer order."""
    images = tuple(tuple(sorted(1 - position for position in image)) for image in shape.images)
    nodes = tuple(each._replace(places=each.places[::-1]) for each in shape.nodes)
    return shape._replace(images=images, nodes=nodes)


def up_to_renaming(shapes: Iterator[RoundShape]) -> Iterator[RoundShape]:
    """Yield one of each pair of shapes that differ by nothing but the names of the two layers."""
    seen: set[RoundShape] = set()
    for shape in shapes:
        if renamed(shape) not in seen:
            seen.add(shape)
            yield shape


def two_invocations_on_one_node() -> Iterator[RoundShape]:
    """Yield every round of one node and two invocations, of one function or of two; another function may have run before."""
    for image in IMAGES:
        yield from (RoundShape((image,), (node,), (0, 0)) for node in node_shapes((image,)))
    for image, other in product(IMAGES, repeat=2):
        images = (image, other)
        yield from (RoundShape(images, (node,), (0, 0)) for node in node_shapes(images) if _runs(node, 1))
        yield from (RoundShape(images, (node,), (0, 1)) for node in node_shapes(images))


def one_invocation_on_two_nodes(image: Image) -> Iterator[RoundShape]:
    """Yield every round of two nodes and one invocation of a function of this image; another function may have run before.

    The order of names tells only between alternatives, so between activated nodes: there it is tried both ways.
    """
    yield from _pairs((image,), _any_two((image,)))
    for other in IMAGES:
        images = (image, other)
        yield from _pairs(images, (pair for pair in _any_two(images) if _runs(pair[0], 1) or _runs(pair[1], 1)))


def _any_two(images: tuple[Image, ...]) -> Iterator[tuple[NodeShape, NodeShape]]:
    nodes = tuple(node_shapes(images))
    return product(nodes, nodes)


def _runs(node: NodeShape, function: int) -> bool:
    return any(held.function == function for held in node.containers)


def _pairs(images: tuple[Image, ...], pairs: Iterator[tuple[NodeShape, NodeShape]]) -> Iterator[RoundShape]:
    for first, second in pairs:
        yield RoundShape(images, (first, second), (0,))
        if first.status is second.status is NodeStatus.ACTIVATED:
            yield RoundShape(images, (first, second), (0,), names_descend=True)
