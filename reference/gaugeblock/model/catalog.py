"""What can be run: layers, images made of layers, and functions that run in containers of an image."""

from gaugeblock.model.names import FunctionName, ImageName, LayerName
from gaugeblock.model.value import Value


class Layer(Value, frozen=True):
    """An image layer, with its footprints in bytes on disk and in RAM."""

    name: LayerName
    disk_bytes: int
    ram_bytes: int


class Image(Value, frozen=True):
    """An ordered list of distinct layers, base first (AMB-9)."""

    name: ImageName
    layers: tuple[Layer, ...]


class Function(Value, frozen=True):
    """A function: its image, the private RAM and disk (bytes) of one container, and how many invocations that may hold."""

    name: FunctionName
    image: Image
    ram_bytes: int
    disk_bytes: int
    max_invocations_per_container: int


class Catalog(Value, frozen=True):
    """All layers, images and functions. The order of ``layers`` is their creation order, which breaks ties."""

    layers: tuple[Layer, ...] = ()
    images: tuple[Image, ...] = ()
    functions: tuple[Function, ...] = ()
