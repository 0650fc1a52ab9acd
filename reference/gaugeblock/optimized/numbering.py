"""The catalogue by numbers: a layer is its position in the catalogue, a set of layers a bit set.

Invariant: ``layers[n].name`` has number ``n``, likewise for images and functions, and numbers follow creation order, so that
an ascending list of numbers is in the order that breaks ties. Only identities become bits; sizes stay as they are.
"""

from collections.abc import Iterable

from gaugeblock.model import Catalog, Function, FunctionName, LayerName


class NumberedImage:
    """An image: its number, its layers in image order, and the same as a bit set."""

    __slots__ = ("layers", "mask", "number")

    def __init__(self, number: int, layers: tuple[int, ...]) -> None:
        self.number = number
        self.layers = layers
        self.mask = sum(1 << layer for layer in layers)


class NumberedFunction:
    """A function: its number, its image, and the private needs (bytes) of one container."""

    __slots__ = ("disk_bytes", "function", "image", "limit", "name", "number", "ram_bytes")

    def __init__(self, number: int, function: Function, image: NumberedImage) -> None:
        self.number = number
        self.function = function
        self.name = function.name
        self.image = image
        self.ram_bytes = function.ram_bytes
        self.disk_bytes = function.disk_bytes
        self.limit = function.max_invocations_per_container


class Numbering:
    """All of a catalogue by numbers.

    ``weighty_in_ram`` and ``weighty_on_disk`` are the layers whose footprint there is not zero: no others are ever victims.
    ``images_with`` gives for each layer the numbers of the images that have it.
    """

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.layer_names: tuple[LayerName, ...] = tuple(layer.name for layer in catalog.layers)
        self.layer_number: dict[LayerName, int] = {name: number for number, name in enumerate(self.layer_names)}
        self._bits = tuple(1 << number for number in self.layer_number.values())
        self.ram_bytes: tuple[int, ...] = tuple(layer.ram_bytes for layer in catalog.layers)
        self.disk_bytes: tuple[int, ...] = tuple(layer.disk_bytes for layer in catalog.layers)
        self.weighty_in_ram = sum(1 << number for number, size in enumerate(self.ram_bytes) if size > 0)
        self.weighty_on_disk = sum(1 << number for number, size in enumerate(self.disk_bytes) if size > 0)
        self.images = [
            NumberedImage(number, tuple(self.layer_number[layer.name] for layer in image.layers))
            for number, image in enumerate(catalog.images)
        ]
        self.images_with: list[list[int]] = [[] for _ in self.layer_names]
        for numbered in self.images:
            for layer in numbered.layers:
                self.images_with[layer].append(numbered.number)
        by_name = {image.name: numbered for image, numbered in zip(catalog.images, self.images, strict=True)}
        self.functions = [
            NumberedFunction(number, function, by_name[function.image.name])
            for number, function in enumerate(catalog.functions)
        ]
        self.function_named: dict[FunctionName, NumberedFunction] = {each.name: each for each in self.functions}

    def as_set(self, layers: Iterable[int]) -> int:
        """Return distinct layers as a bit set: single bits add up to their union."""
        return sum(map(self._bits.__getitem__, layers))

    def names(self, layers: tuple[int, ...]) -> tuple[LayerName, ...]:
        """Return the names of layers in the order given."""
        return tuple(self.layer_names[layer] for layer in layers)
