"""The construction of catalogues, nodes and rounds from choices: valid by construction, nothing is thrown away.

Capacities are what is in use plus some slack, so that no availability is negative. What a container needs is put on its node.
"""

from functools import partial

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
    Value,
)
from gaugeblock.strategies.choices import Choices, chance, pick
from gaugeblock.strategies.tuning import Tuning

FOREIGN_STEMS = ("é", "e\u0301", "～", "😀", "Ω", "node", "a b", "\u200b")
"""Starts of names that tell code points from UTF-16, from normalisation, and from alphabets of one's own."""

FIRST_NUMBERS = (0, 9, 1, 98)
"""Where the numbers in names start: "node-10" comes before "node-9"."""

UNITS = (1.0, 0.1)
"""Seconds between two dates. Tenths have no exact binary value, so that differently written sums differ."""


class Clock(Value, frozen=True):
    """The dates of a round: now is ``ticks`` units of ``unit`` seconds after ``origin`` (seconds)."""

    origin: float
    ticks: int
    unit: float

    def ago(self, ticks: int) -> float:
        """Return the date (seconds) that many units before now."""
        return self.origin + (self.ticks - ticks) * self.unit


class Naming(Value, frozen=True):
    """How a round names its things: the first number, and the chance of a foreign stem."""

    first: int
    foreign_percent: int

    def name(self, choices: Choices, stem: str, index: int) -> str:
        """Return a name that no other index has."""
        if self.foreign_percent > 0 and chance(choices, self.foreign_percent):
            stem = pick(choices, FOREIGN_STEMS)
        return f"{stem}-{self.first + index}"


class Setting(Value, frozen=True):
    """What all nodes of a round have in common.

    ``stride`` and ``rotation`` spread container ids over the nodes so that they follow neither traversal order nor names.
    """

    catalog: Catalog
    clock: Clock
    tuning: Tuning
    naming: Naming
    full: bool
    stride: int
    rotation: int

    def container_id(self, node: int, index: int) -> ContainerId:
        """Return the id of a node's container, by indexes; ascending on each node and unique in the round."""
        return ContainerId(1 + index * self.stride + (node + self.rotation) % self.stride)


def build_round(choices: Choices, tuning: Tuning) -> ObservedState:
    """Build a round."""
    naming = build_naming(choices, tuning)
    catalog = build_catalog(choices, tuning)
    clock = Clock(0.0, choices.integer(0, 40), pick(choices, UNITS))
    stride = tuning.most_nodes
    setting = Setting(
        catalog, clock, tuning, naming, chance(choices, tuning.full_percent), stride, choices.integer(0, stride - 1)
    )
    nodes = choices.many(tuning.fewest_nodes, tuning.most_nodes, partial(build_node, setting))
    pending = build_pending(choices, catalog, tuning, clock)
    kept = catalog if chance(choices, 60) else used_part(catalog, nodes, pending)
    return ObservedState(clock.ago(0), kept, nodes, pending)


def used_part(catalog: Catalog, nodes: tuple[Node, ...], pending: tuple[Invocation, ...]) -> Catalog:
    """Return the catalogue without what no node, container or invocation uses; so a failing round shrinks to what matters."""
    containers = [each.function for node in nodes for each in node.containers]
    used = {function.name for function in (*containers, *(each.function for each in pending))}
    functions = tuple(function for function in catalog.functions if function.name in used)
    images = tuple(image for image in catalog.images if any(function.image.name == image.name for function in functions))
    present = {layer.name for image in images for layer in image.layers}
    for node in nodes:
        present |= {each.layer.name for each in node.disk_layers} | {layer.name for layer in node.copying}
    return Catalog(tuple(layer for layer in catalog.layers if layer.name in present), images, functions)


def build_naming(choices: Choices, tuning: Tuning) -> Naming:
    """Choose how a round names its things; half of the rounds have plain names only."""
    foreign = tuning.foreign_name_percent if chance(choices, 50) else 0
    return Naming(pick(choices, FIRST_NUMBERS), min(100, 2 * foreign))


def build_catalog(choices: Choices, tuning: Tuning) -> Catalog:
    """Build a catalogue with at least one layer, image and function."""
    naming = build_naming(choices, tuning)
    layers = choices.many(1, tuning.most_layers, partial(_layer, tuning, naming))
    images = choices.many(1, tuning.most_images, partial(_image, tuning, naming, layers))
    functions = choices.many(1, tuning.most_functions, partial(_function, tuning, naming, images))
    return Catalog(layers, images, functions)


def build_pending(choices: Choices, catalog: Catalog, tuning: Tuning, clock: Clock) -> tuple[Invocation, ...]:
    """Build a batch of pending invocations, whose ids follow neither their dates nor their places."""
    rotation = choices.integer(0, tuning.most_pending)
    most = 0 if chance(choices, tuning.quiet_percent) else tuning.most_pending
    return choices.many(0, most, partial(_invocation, catalog, tuning, clock, rotation))


def build_node(setting: Setting, choices: Choices, index: int) -> Node:
    """Build a node: only an activated one holds more than layers on disk."""
    status = NodeStatus.ACTIVATED
    if chance(choices, setting.tuning.inactive_percent):
        status = pick(choices, (NodeStatus.DEACTIVATED, NodeStatus.ACTIVATING, NodeStatus.DEACTIVATING))
    containers: tuple[Container, ...] = ()
    if status is NodeStatus.ACTIVATED:
        containers = choices.many(0, setting.tuning.most_containers, partial(_container, setting, index))
    required = frozenset(layer.name for each in containers for layer in each.function.image.layers)
    contents = _contents(setting, choices, required, status is NodeStatus.ACTIVATED)
    return _with_capacities(setting, choices, setting.naming.name(choices, "node", index), status, contents, containers)


ABSENT, COPYING, ON_DISK, LOADING, IN_RAM = range(5)
"""How far a layer has come on a node."""


class Contents(Value, frozen=True):
    """The layers of a node, each list in catalogue order."""

    on_disk: tuple[ResidentLayer, ...]
    in_ram: tuple[ResidentLayer, ...]
    copying: tuple[Layer, ...]
    loading: tuple[Layer, ...]


def _contents(setting: Setting, choices: Choices, required: frozenset[LayerName], active: bool) -> Contents:
    """Choose for each layer how far it has come; those that containers need are in RAM."""
    stages = [
        (layer, IN_RAM if layer.name in required else _stage(setting, choices, active)) for layer in setting.catalog.layers
    ]
    return Contents(
        on_disk=tuple(ResidentLayer(layer, _date(setting, choices)) for layer, stage in stages if stage >= ON_DISK),
        in_ram=tuple(ResidentLayer(layer, _date(setting, choices)) for layer, stage in stages if stage == IN_RAM),
        copying=tuple(layer for layer, stage in stages if stage == COPYING),
        loading=tuple(layer for layer, stage in stages if stage == LOADING),
    )


def _stage(setting: Setting, choices: Choices, active: bool) -> int:
    """Choose how far a layer has come on a node; the simplest is that it is not there."""
    moving = setting.tuning.transfer_percent
    chosen = choices.integer(0, 999)
    limits = (35 * (100 - moving) // 10, 350, 350 + 30 * (100 - moving) // 10, 650)
    stage = next((stage for stage, limit in enumerate(limits) if chosen < limit), IN_RAM)
    return stage if active else {COPYING: ABSENT, LOADING: ON_DISK, IN_RAM: ON_DISK}.get(stage, stage)


def _with_capacities(
    setting: Setting, choices: Choices, name: str, status: NodeStatus, contents: Contents, containers: tuple[Container, ...]
) -> Node:
    """Give a node the capacities that its contents use, and some slack."""
    tuning = setting.tuning
    private_ram = sum(each.function.ram_bytes for each in containers)
    private_disk = sum(each.function.disk_bytes for each in containers)
    ram = sum(each.layer.ram_bytes for each in contents.in_ram) + sum(layer.ram_bytes for layer in contents.loading)
    disk = sum(each.layer.disk_bytes for each in contents.on_disk) + sum(layer.disk_bytes for layer in contents.copying)
    held = sum(each.in_flight for each in containers)
    return Node(
        name=NodeName(name),
        status=status,
        ram_bytes=private_ram + ram + choices.integer(0, tuning.ram_slack),
        disk_bytes=private_disk + disk + choices.integer(0, tuning.disk_slack),
        max_invocations=held + (0 if setting.full else choices.integer(0, tuning.invocation_slack)),
        max_containers=len(containers) + choices.integer(0, tuning.position_slack),
        disk_layers=contents.on_disk,
        ram_layers=contents.in_ram,
        copying=contents.copying,
        loading=contents.loading,
        containers=containers,
    )


def _container(setting: Setting, node: int, choices: Choices, index: int) -> Container:
    function = pick(choices, setting.catalog.functions)
    starting = chance(choices, 20)
    most = 1 if starting else function.max_invocations_per_container
    in_flight = choices.integer(1, most) if chance(choices, setting.tuning.busy_percent) else 0
    status = ContainerStatus.STARTING if starting else ContainerStatus.READY
    return Container(setting.container_id(node, index), function, status, in_flight, _date(setting, choices))


def _layer(tuning: Tuning, naming: Naming, choices: Choices, index: int) -> Layer:
    name = LayerName(naming.name(choices, "layer", index))
    return Layer(name, _size(choices, tuning, tuning.largest_layer), _size(choices, tuning, tuning.largest_layer))


def _image(tuning: Tuning, naming: Naming, layers: tuple[Layer, ...], choices: Choices, index: int) -> Image:
    taken = tuple(layer for layer in layers if chance(choices, tuning.image_percent))
    ordered = taken[::-1] if chance(choices, 30) else taken
    return Image(ImageName(naming.name(choices, "image", index)), ordered)


def _function(tuning: Tuning, naming: Naming, images: tuple[Image, ...], choices: Choices, index: int) -> Function:
    shared = tuning.most_shared > 1 and chance(choices, tuning.shared_percent)
    return Function(
        name=FunctionName(naming.name(choices, "function", index)),
        image=pick(choices, images),
        ram_bytes=_size(choices, tuning, tuning.largest_private),
        disk_bytes=_size(choices, tuning, tuning.largest_private),
        max_invocations_per_container=choices.integer(2, tuning.most_shared) if shared else 1,
    )


def _invocation(catalog: Catalog, tuning: Tuning, clock: Clock, rotation: int, choices: Choices, index: int) -> Invocation:
    identifier = InvocationId((index + rotation) % (tuning.most_pending + 1))
    return Invocation(identifier, pick(choices, catalog.functions), clock.ago(choices.integer(0, tuning.ages)))


def _size(choices: Choices, tuning: Tuning, largest: int) -> int:
    if tuning.zero_percent > 0 and chance(choices, tuning.zero_percent):
        return 0
    return choices.integer(0, largest)


def _date(setting: Setting, choices: Choices) -> float:
    return setting.clock.ago(choices.integer(0, setting.tuning.ages))
