"""Images from tables of Docker layers: ``layers.csv`` and ``images.csv`` in one directory.

A layer takes its compressed size on disk, for so it is copied, and its uncompressed size in RAM. Where ``images.csv`` marks
images of language runtimes (column ``runtime``), only these are used.
"""

from pathlib import Path

from gaugeblock.model import Image, ImageName, Layer, LayerName
from gaugeblock.simulation.workloads.tables import Row, by_key, read_table


def read_images(directory: Path) -> tuple[Image, ...]:
    """Return the images in the order of the table.

    Raises:
        UnreadableTrace, InvalidTrace: when a table is missing or not as documented.
    """
    rows = by_key(read_table(directory / "layers.csv", ("layer_id", "compressed_bytes", "uncompressed_bytes")), "layer_id")
    layers = {
        key: Layer(LayerName(f"layer-{key}"), row.integer("compressed_bytes"), row.integer("uncompressed_bytes"))
        for key, row in rows.items()
    }
    images = by_key(read_table(directory / "images.csv", ("image", "layer_ids")), "image")
    runtimes = {name: row for name, row in images.items() if row.values.get("runtime") == "1"}
    return tuple(Image(ImageName(name), _layers(row, layers)) for name, row in (runtimes or images).items())


def _layers(row: Row, layers: dict[str, Layer]) -> tuple[Layer, ...]:
    keys = row.text("layer_ids").split()
    if not all(key in layers for key in keys) or len(set(keys)) != len(keys):
        raise row.problem("layer_ids", "ids of layers.csv with blanks between them, each once")
    return tuple(layers[key] for key in keys)
