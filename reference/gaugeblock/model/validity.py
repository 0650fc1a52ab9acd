"""The validity check: every rule that a state must obey (formats, "A round is valid only if").

The check compares quantities and never formats or hashes them, so that proofs can run it on symbolic sizes: the only thing
that a theorem may assume of a state is that this check accepts it.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from gaugeblock.model import problems as broken
from gaugeblock.model.catalog import Catalog, Function, Image, Layer
from gaugeblock.model.names import LARGEST_DATE, LARGEST_INTEGER
from gaugeblock.model.nodes import Container, ContainerStatus, Node, NodeStatus, ResidentLayer
from gaugeblock.model.problems import InvalidState, Problem
from gaugeblock.model.structure import structure_problems

if TYPE_CHECKING:
    from gaugeblock.model.state import Invocation, ObservedState

Positions: TypeAlias = dict[str, int]


def require_valid(state: "ObservedState") -> None:
    """Raise :class:`InvalidState` with every problem of ``state``, or return if it has none."""
    found = tuple(problems_of(state))
    if found:
        raise InvalidState(found)


def problems_of(state: "ObservedState") -> Iterator[Problem]:
    """Yield the problems of a state: catalogue first, then nodes in traversal order, then pending invocations."""
    from gaugeblock.model.state import ObservedState  # its construction needs this module

    structural = tuple(structure_problems(state, ObservedState, "$"))
    if structural:
        yield from structural
        return
    yield from _date("$.now", state.now, LARGEST_DATE)
    yield from catalog_problems(state.catalog)
    yield from _unique("$.nodes", ((node.name, ".name") for node in state.nodes))
    yield from _unique_container_ids(state.nodes)
    layers: Positions = {layer.name: position for position, layer in enumerate(state.catalog.layers)}
    functions: Positions = {function.name: position for position, function in enumerate(state.catalog.functions)}
    for index, node in enumerate(state.nodes):
        yield from _node(f"$.nodes[{index}]", node, state, layers, functions)
    yield from _unique("$.pending", ((invocation.id, ".id") for invocation in state.pending))
    for index, invocation in enumerate(state.pending):
        yield from _invocation(f"$.pending[{index}]", invocation, state, functions)


def catalog_problems(catalog: Catalog, path: str = "$.catalog") -> Iterator[Problem]:
    """Yield the problems of a catalogue: names unique, sizes in range, references to what it holds, no layer twice."""
    yield from _unique(f"{path}.layers", ((layer.name, ".name") for layer in catalog.layers))
    yield from _unique(f"{path}.images", ((image.name, ".name") for image in catalog.images))
    yield from _unique(f"{path}.functions", ((function.name, ".name") for function in catalog.functions))
    for index, layer in enumerate(catalog.layers):
        where = f"{path}.layers[{index}]"
        yield from _integer(f"{where}.disk_bytes", layer.disk_bytes)
        yield from _integer(f"{where}.ram_bytes", layer.ram_bytes)
    layers: Positions = {layer.name: position for position, layer in enumerate(catalog.layers)}
    for index, image in enumerate(catalog.images):
        yield from _image(f"{path}.images[{index}]", image, catalog, layers)
    images: Positions = {image.name: position for position, image in enumerate(catalog.images)}
    for index, function in enumerate(catalog.functions):
        yield from _function(f"{path}.functions[{index}]", function, catalog, images)


def _integer(path: str, value: int, least: int = 0) -> Iterator[Problem]:
    if not least <= value <= LARGEST_INTEGER:
        yield broken.OutOfRange(path, value, f"an integer from {least} to 2^63-1")


def _date(path: str, value: float, now: float) -> Iterator[Problem]:
    if not -LARGEST_DATE <= value <= LARGEST_DATE:
        yield broken.BadDate(path, value, "a finite date")
    elif not value <= now:
        yield broken.BadDate(path, value, "a date that is not after now")


def _unique(path: str, names: Iterable[tuple[object, str]]) -> Iterator[Problem]:
    seen: set[object] = set()
    for index, (name, field) in enumerate(names):
        if name in seen:
            yield broken.DuplicateName(f"{path}[{index}]{field}", repr(name), "a name or id not used before")
        seen.add(name)


def _unique_container_ids(nodes: tuple[Node, ...]) -> Iterator[Problem]:
    owners: dict[int, int] = {}
    for index, node in enumerate(nodes):
        for place, container in enumerate(node.containers):
            owner = owners.setdefault(container.id, index)
            if owner != index:
                path = f"$.nodes[{index}].containers[{place}].id"
                yield broken.DuplicateName(path, container.id, f"an id that $.nodes[{owner}] does not use")


def _image(path: str, image: Image, catalog: Catalog, layers: Positions) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, layer in enumerate(image.layers):
        yield from _known(f"{path}.layers[{index}]", layer, catalog.layers, layers)
        if layer.name in seen:
            yield broken.RepeatedLayer(f"{path}.layers[{index}]", repr(layer.name), "each layer at most once")
        seen.add(layer.name)


def _function(path: str, function: Function, catalog: Catalog, images: Positions) -> Iterator[Problem]:
    yield from _known(f"{path}.image", function.image, catalog.images, images)
    yield from _integer(f"{path}.ram_bytes", function.ram_bytes)
    yield from _integer(f"{path}.disk_bytes", function.disk_bytes)
    yield from _integer(f"{path}.max_invocations_per_container", function.max_invocations_per_container, least=1)


Named: TypeAlias = Layer | Image | Function


def _known(path: str, value: Named, all_known: tuple[Named, ...], positions: Positions) -> Iterator[Problem]:
    """The catalogue must hold this very value, not merely one of its name."""
    position = positions.get(value.name)
    if position is None:
        yield broken.UnknownReference(path, repr(value.name), "a name that the catalogue holds")
    elif all_known[position] is not value and all_known[position] != value:
        yield broken.UnknownReference(path, repr(value.name), "the same value that the catalogue holds under this name")


def _node(path: str, node: Node, state: "ObservedState", layers: Positions, functions: Positions) -> Iterator[Problem]:
    for field in ("ram_bytes", "disk_bytes", "max_invocations", "max_containers"):
        yield from _integer(f"{path}.{field}", getattr(node, field))
    yield from _residents(f"{path}.disk_layers", node.disk_layers, state, layers)
    yield from _residents(f"{path}.ram_layers", node.ram_layers, state, layers)
    yield from _layers(f"{path}.copying", node.copying, state, layers)
    yield from _layers(f"{path}.loading", node.loading, state, layers)
    yield from _residency(path, node)
    yield from _containers(f"{path}.containers", node, state, functions)
    yield from _availabilities(path, node)
    yield from _activity(path, node)


def _residents(path: str, residents: tuple[ResidentLayer, ...], state: "ObservedState", layers: Positions) -> Iterator[Problem]:
    yield from _layers(path, tuple(resident.layer for resident in residents), state, layers)
    for resident in residents:
        yield from _date(f"{path}[{resident.layer.name!r}]", resident.last_access, state.now)


def _layers(path: str, listed: tuple[Layer, ...], state: "ObservedState", layers: Positions) -> Iterator[Problem]:
    latest = -1
    for index, layer in enumerate(listed):
        yield from _known(f"{path}[{index}]", layer, state.catalog.layers, layers)
        position = layers.get(layer.name, latest + 1)
        if position == latest:
            yield broken.RepeatedLayer(f"{path}[{index}]", repr(layer.name), "each layer at most once")
        elif position < latest:
            yield broken.WrongOrder(f"{path}[{index}]", repr(layer.name), "layers in catalogue order")
        latest = position


def _residency(path: str, node: Node) -> Iterator[Problem]:
    on_disk = {resident.layer.name for resident in node.disk_layers}
    in_ram = {resident.layer.name for resident in node.ram_layers}
    for resident in node.ram_layers:
        if resident.layer.name not in on_disk:
            yield broken.NotOnDisk(f"{path}.ram_layers", repr(resident.layer.name), "a layer of disk_layers")
    for layer in node.loading:
        if layer.name in in_ram:
            yield broken.OverlappingResidency(f"{path}.loading", repr(layer.name), "a layer that is not in ram_layers")
        if layer.name not in on_disk:
            yield broken.NotOnDisk(f"{path}.loading", repr(layer.name), "a layer of disk_layers")
    for layer in node.copying:
        if layer.name in on_disk:
            yield broken.OverlappingResidency(f"{path}.copying", repr(layer.name), "a layer that is not in disk_layers")


def _containers(path: str, node: Node, state: "ObservedState", functions: Positions) -> Iterator[Problem]:
    in_ram = {resident.layer.name for resident in node.ram_layers}
    latest = -1
    for index, container in enumerate(node.containers):
        where = f"{path}[{index}]"
        yield from _integer(f"{where}.id", container.id)
        if container.id == latest:
            yield broken.DuplicateName(f"{where}.id", container.id, "an id not used before")
        elif container.id < latest:
            yield broken.WrongOrder(f"{where}.id", container.id, "containers by ascending id")
        latest = container.id
        yield from _known(f"{where}.function", container.function, state.catalog.functions, functions)
        yield from _date(f"{where}.last_used", container.last_used, state.now)
        yield from _in_flight(f"{where}.in_flight", container)
        for layer in container.function.image.layers:
            if layer.name not in in_ram:
                yield broken.ContainerWithoutLayers(where, repr(layer.name), "every layer of it resident on disk and in RAM")


def _in_flight(path: str, container: Container) -> Iterator[Problem]:
    yield from _integer(path, container.in_flight)
    if container.in_flight > container.function.max_invocations_per_container:
        yield broken.TooManyInFlight(path, container.in_flight, "at most max_invocations_per_container")
    elif container.status is ContainerStatus.STARTING and container.in_flight > 1:
        yield broken.TooManyInFlight(path, container.in_flight, "at most 1 in a starting container")


def _availabilities(path: str, node: Node) -> Iterator[Problem]:
    if node.ram_available < 0:
        yield broken.NegativeAvailability(f"{path}.ram_bytes", node.ram_available, "RAM in use within the capacity")
    if node.disk_available < 0:
        yield broken.NegativeAvailability(f"{path}.disk_bytes", node.disk_available, "disk in use within the capacity")
    if node.invocations_available < 0:
        yield broken.NegativeAvailability(f"{path}.max_invocations", node.invocations_available, "invocations within capacity")
    if node.positions_available < 0:
        yield broken.NegativeAvailability(f"{path}.max_containers", node.positions_available, "containers within the positions")


def _activity(path: str, node: Node) -> Iterator[Problem]:
    if node.status is NodeStatus.ACTIVATED:
        return
    for field in ("containers", "ram_layers", "loading", "copying"):
        held = len(getattr(node, field))
        if held:
            found = f"{held} on a node that is {node.status.value}"
            yield broken.InactiveNodeInUse(f"{path}.{field}", found, "none unless activated")


def _invocation(path: str, invocation: "Invocation", state: "ObservedState", functions: Positions) -> Iterator[Problem]:
    yield from _integer(f"{path}.id", invocation.id)
    yield from _known(f"{path}.function", invocation.function, state.catalog.functions, functions)
    yield from _date(f"{path}.submitted", invocation.submitted, state.now)
