"""From the document of a round to the observed state: names become what they name, unordered lists get their canonical order.

A name that the catalogue does not hold becomes a stand-in of that name. The validity check of the model then reports it, with
everything else that is wrong, and what remains is to say each problem in the places of the document.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from gaugeblock.model import (
    LARGEST_INTEGER,
    Catalog,
    Container,
    Function,
    FunctionName,
    Image,
    ImageName,
    InvalidState,
    Invocation,
    Layer,
    LayerName,
    Node,
    ObservedState,
    Problem,
    ResidentLayer,
)
from gaugeblock.wire.documents import CatalogDocument, ContainerDocument, FunctionDocument, NodeDocument, RoundDocument
from gaugeblock.wire.errors import DocumentProblem, InvalidDocument
from gaugeblock.wire.paths import element_path, entry_path

Name = TypeVar("Name", bound=str)
Thing = TypeVar("Thing")

_ON_A_NODE: Final = re.compile(r"\$\.nodes\[(\d+)\]\.(disk_layers|ram_layers|copying|loading|containers)\[(\d+)\]")


class Named(dict[Name, Thing]):
    """Things by name; asked for a name that it does not hold, it makes a stand-in."""

    def __init__(self, things: Iterable[tuple[Name, Thing]], stand_in: Callable[[Name], Thing]) -> None:
        super().__init__(things)
        self._stand_in = stand_in

    def __missing__(self, name: Name) -> Thing:
        """Return the stand-in for ``name``: one that no rule but that of unknown names objects to."""
        return self._stand_in(name)


class Names:
    """What the names of one catalogue stand for, and the position of each layer in it (its creation order)."""

    def __init__(self, catalog: CatalogDocument) -> None:
        layers = tuple([Layer(each.name, each.disk_bytes, each.ram_bytes) for each in catalog.layers])
        self.layers: Named[LayerName, Layer] = Named([(each.name, each) for each in layers], _unknown_layer)
        self.positions: Named[LayerName, int] = Named(
            [(each.name, position) for position, each in enumerate(layers)], lambda name: len(layers)
        )
        images = tuple([Image(each.name, tuple([self.layers[name] for name in each.layers])) for each in catalog.images])
        self.images: Named[ImageName, Image] = Named([(each.name, each) for each in images], _unknown_image)
        functions = tuple([self._function(each) for each in catalog.functions])
        self.functions: Named[FunctionName, Function] = Named([(each.name, each) for each in functions], _unknown_function)
        self.catalog = Catalog(layers, images, functions)

    def _function(self, each: FunctionDocument) -> Function:
        image = self.images[each.image]
        return Function(each.name, image, each.ram_bytes, each.disk_bytes, each.max_invocations_per_container)


def observed_state(document: RoundDocument, path: str = "$") -> ObservedState:
    """Return the state that ``document``, which stands at ``path``, describes.

    Raises:
        InvalidDocument: with every rule of validity that it breaks, dangling names among them.
    """
    names = Names(document.catalog)
    functions = names.functions
    nodes = tuple([_node(node, names) for node in document.nodes])
    pending = tuple([Invocation(each.id, functions[each.function], each.submitted) for each in document.pending])
    try:
        return ObservedState(document.now, names.catalog, nodes, pending)
    except InvalidState as error:
        places = Places(document, names)
        raise InvalidDocument(tuple([_in_document(problem, places, path) for problem in error.problems])) from error


def _node(node: NodeDocument, names: Names) -> Node:
    return Node(
        node.name,
        node.status,
        node.ram_bytes,
        node.disk_bytes,
        node.max_invocations,
        node.max_containers,
        _residents(node.disk_layers, names),
        _residents(node.ram_layers, names),
        _transfers(node.copying, names),
        _transfers(node.loading, names),
        _containers(node.containers, names),
    )


def _residents(dates: Mapping[LayerName, float], names: Names) -> tuple[ResidentLayer, ...]:
    layers = names.layers
    return tuple([ResidentLayer(layers[name], dates[name]) for name in _layers_in_order(dates, names)])


def _transfers(listed: Sequence[LayerName], names: Names) -> tuple[Layer, ...]:
    layers = names.layers
    return tuple([layers[name] for name in _layers_in_order(listed, names)])


def _containers(containers: tuple[ContainerDocument, ...], names: Names) -> tuple[Container, ...]:
    functions = names.functions
    return tuple(
        [
            Container(each.id, functions[each.function], each.status, each.in_flight, each.last_used)
            for each in sorted(containers, key=_container_id)
        ]
    )


def _layers_in_order(listed: Iterable[LayerName], names: Names) -> list[LayerName]:
    return sorted(listed, key=names.positions.__getitem__)


def _container_id(container: ContainerDocument) -> int:
    return container.id


def _unknown_layer(name: LayerName) -> Layer:
    return Layer(name, 0, 0)


def _unknown_image(name: ImageName) -> Image:
    return Image(name, ())


def _unknown_function(name: FunctionName) -> Function:
    return Function(name, _unknown_image(ImageName(name)), 0, 0, LARGEST_INTEGER)


class Places:
    """Where in the document an element stands that has an index in canonical order; each list is sorted once, when needed."""

    def __init__(self, document: RoundDocument, names: Names) -> None:
        self._document = document
        self._names = names
        self._places: dict[str, list[str]] = {}

    def original(self, node: int, field: str, index: int) -> str:
        """Return the path of the element at ``index`` in the canonical order of a node's ``field``."""
        path = f"$.nodes[{node}].{field}"
        if path not in self._places:
            self._places[path] = self._in_canonical_order(self._document.nodes[node], field, path)
        return self._places[path][index]

    def _in_canonical_order(self, node: NodeDocument, field: str, path: str) -> list[str]:
        if field == "containers":
            ids = [container.id for container in node.containers]
            return [element_path(path, place) for place in sorted(range(len(ids)), key=ids.__getitem__)]
        listed: list[LayerName] = list(getattr(node, field))
        positions = [self._names.positions[name] for name in listed]
        order = sorted(range(len(listed)), key=positions.__getitem__)
        if field in ("copying", "loading"):
            return [element_path(path, place) for place in order]
        return [entry_path(path, listed[place]) for place in order]


def _in_document(problem: Problem, places: Places, path: str) -> DocumentProblem:
    """Say a problem of the state in the places of the document: where its lists have their own order, and under ``path``."""
    place = _ON_A_NODE.match(problem.path)
    where = problem.path
    if place is not None:
        where = places.original(int(place[1]), place[2], int(place[3])) + where[place.end() :]
    expected = problem.expected.replace("$.", f"{path}.")
    return DocumentProblem(path + where[1:], str(problem.found), expected)
