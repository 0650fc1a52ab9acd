"""Workloads: made up, of traces, and of one's own; and everything that can be wrong with their files."""

import json
import os
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from gaugeblock.model import GaugeblockError
from gaugeblock.simulation.errors import InvalidScenario, InvalidTrace, UnreadableTrace
from gaugeblock.simulation.workloads import lines
from gaugeblock.simulation.workloads.azure import DURATIONS, MEMORY, Extras, Minutes, azure
from gaugeblock.simulation.workloads.docker import read_images
from gaugeblock.simulation.workloads.synthetic import Shape, synthetic
from gaugeblock.wire.errors import InvalidDocument

jsonschema: Any = import_module("jsonschema")  # untyped, for its type stubs are another package
TRACES = os.environ.get("GAUGEBLOCK_TRACES")
EXTRAS = Extras(1000, 1)
CATALOG = {
    "layers": [{"name": "l", "disk_bytes": 1, "ram_bytes": 1}],
    "images": [{"name": "i", "layers": ["l"]}],
    "functions": [{"name": "f", "image": "i", "ram_bytes": 1, "disk_bytes": 1, "max_invocations_per_container": 1}],
}
HEADER = {"version": 1, "catalog": CATALOG}


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """A directory with small tables of both traces, made up."""
    percentiles = "10,20,30,40,50,60,70"
    files = {
        "invocations.csv": "HashFunction,Trigger,7,8,9\naaa,timer,2,0,1\nbbb,http,0,3,0\nccc,http,0,0,0\n",
        "durations.csv": f"HashFunction,{','.join(DURATIONS)}\nbbb,{percentiles}\naaa,{percentiles}\nccc,{percentiles}\n",
        "memory.csv": f"HashFunction,{MEMORY}\naaa,1.5\nbbb,20.25\nccc,1\n",
        "layers.csv": "layer_id,compressed_bytes,uncompressed_bytes\n0,10,30\n2,20,50\n5,1,2\n",
        "images.csv": "image,runtime,layer_ids\nubuntu,0,0\npython,1,0 2\nruby,1,0 5\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def edit(directory: Path, name: str, old: str, new: str) -> None:
    """Change a text that stands in a file."""
    path = directory / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))


def test_the_synthetic_workload_follows_its_seed() -> None:
    """The same arrivals each time they are told and for each equal seed, others for another; as many as asked, in order."""
    one, again, other = (synthetic(Shape(500), seed) for seed in (3, 3, 4))
    told = list(one.arrivals())
    assert told == list(one.arrivals()) == list(again.arrivals()) != list(other.arrivals())
    assert len(told) == one.total == 500
    assert told == sorted(told, key=lambda arrival: arrival.date)
    assert one.catalog == again.catalog


@pytest.mark.parametrize("shape", [{"invocations": 0}, {"functions": 0}, {"rate": 0.0}, {"concurrency": 0}])
def test_a_shape_without_sense_is_refused(shape: dict[str, int]) -> None:
    """Each quantity is named."""
    with pytest.raises(InvalidScenario, match=next(iter(shape))):
        Shape(**shape)


def test_the_counts_of_the_trace_are_kept_minute_by_minute(tables: Path) -> None:
    """Arrivals lie in their own minute, from date 0 on; functions without invocations are left out."""
    found = azure(tables, read_images(tables), Minutes(7, 9), EXTRAS, 1)
    told = list(found.arrivals())
    assert Counter((int(each.date // 60), each.function) for each in told) == {(0, "aaa"): 2, (1, "bbb"): 3, (2, "aaa"): 1}
    assert found.total == len(told) == 6
    assert all(0.010 <= each.duration <= 0.070 for each in told)
    assert [(each.name, each.ram_bytes, each.disk_bytes) for each in found.catalog.functions] == [
        ("aaa", 1_500_000, 1000),
        ("bbb", 20_250_000, 1000),
    ]
    assert "synthetic pairing" in found.label


def test_the_pairing_is_that_of_the_seed_whatever_the_minutes(tables: Path) -> None:
    """A function has the same image in every hour."""
    images = read_images(tables)
    wide, narrow = (azure(tables, images, minutes, EXTRAS, 5) for minutes in (Minutes(7, 9), Minutes(8, 8)))
    paired = {each.name: each.image.name for each in wide.catalog.functions}
    assert [paired[each.name] for each in narrow.catalog.functions] == [each.image.name for each in narrow.catalog.functions]


def test_only_runtime_images_are_used_where_they_are_marked(tables: Path) -> None:
    """A layer takes its compressed size on disk and its uncompressed size in RAM."""
    images = read_images(tables)
    assert [image.name for image in images] == ["python", "ruby"]
    assert [(layer.disk_bytes, layer.ram_bytes) for layer in images[0].layers] == [(10, 30), (20, 50)]


@pytest.mark.parametrize(
    ("file", "old", "new", "place"),
    [
        ("invocations.csv", "aaa,timer,2", "aaa,timer,-2", "invocations.csv:2, column 7"),
        ("invocations.csv", "aaa,timer,2", "aaa,timer,2.0", "invocations.csv:2, column 7"),
        ("invocations.csv", "bbb,http", "aaa,http", "invocations.csv:3, column HashFunction"),
        ("invocations.csv", ",7,8,9", ",7,8,10", "invocations.csv:1"),
        ("invocations.csv", "0,3,0", "0,3", "invocations.csv:3"),
        ("durations.csv", "bbb,10", "bbb,nan", "durations.csv:2, column percentile_Average_0"),
        ("durations.csv", "bbb,10,20", "bbb,10,5", "durations.csv:2, column percentile_Average_1"),
        ("durations.csv", "aaa,", "zzz,", "invocations.csv:2, column HashFunction"),
        ("memory.csv", "20.25", "much", "memory.csv:3, column AverageAllocatedMb_pct100"),
        ("layers.csv", "0,10,30", "0,10,", "layers.csv:2, column uncompressed_bytes"),
        ("images.csv", "0 2", "0 0", "images.csv:3, column layer_ids"),
        ("images.csv", "0 2", "0 9", "images.csv:3, column layer_ids"),
        ("images.csv", "ubuntu", '"ubuntu', "images.csv"),
    ],
)
def test_a_bad_table_is_refused_where_it_is_bad(tables: Path, file: str, old: str, new: str, place: str) -> None:
    """The error names file, line and column."""
    edit(tables, file, old, new)
    with pytest.raises(InvalidTrace) as caught:
        azure(tables, read_images(tables), Minutes(7, 9), EXTRAS, 1)
    assert place in str(caught.value)


def test_minutes_without_any_invocation_are_refused(tables: Path) -> None:
    """A workload of nothing is a mistake."""
    edit(tables, "invocations.csv", "0,3,0", "0,0,0")
    with pytest.raises(InvalidTrace):
        azure(tables, read_images(tables), Minutes(8, 8), EXTRAS, 1)


@pytest.mark.parametrize("read", [read_images, lambda path: lines.read_workload(path / "none.jsonl")])
def test_a_missing_file_is_told(tmp_path: Path, read: Callable[[Path], object]) -> None:
    """As an error of ours."""
    with pytest.raises(UnreadableTrace):
        read(tmp_path)


@pytest.mark.skipif(TRACES is None, reason="NOT TESTED on real traces: GAUGEBLOCK_TRACES does not name their directory")
def test_the_real_hour_has_its_invocations() -> None:
    """Minutes 540 to 599: 40,002 invocations of 72 functions, as the README of the sample counts them."""
    root = Path(TRACES or "")
    found = azure(
        root / "azure-functions-2019-sample100", read_images(root / "docker-official-images-2016"), Minutes(540, 599), EXTRAS, 1
    )
    assert found.total == sum(1 for _ in found.arrivals()) == 40_002
    assert len(found.catalog.functions) == 72


def written(path: Path, *records: object) -> Path:
    """Write records as JSON lines."""
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def test_a_workload_of_ones_own_is_read(tmp_path: Path) -> None:
    """Catalogue first, then arrivals; every line is as the schema says."""
    records = (HEADER, {"date": 0.5, "function": "f", "duration": 1}, {"date": 0.5, "function": "f", "duration": 0})
    found = lines.read_workload(written(tmp_path / "w.jsonl", *records))
    assert list(found.arrivals()) == [(0.5, "f", 1.0), (0.5, "f", 0.0)]
    for record in records:
        jsonschema.validate(record, lines.schema())


@pytest.mark.parametrize(
    ("records", "place"),
    [
        ((), "$"),
        (({**HEADER, "version": 2},), "$.version"),
        (({**HEADER, "extra": 2},), "$.extra"),
        (({"version": 1, "catalog": {**CATALOG, "layers": []}},), "$.catalog.images[0].layers[0]"),
        ((HEADER, {"date": 1, "function": "g", "duration": 1}), "$.function"),
        ((HEADER, {"date": -1, "function": "f", "duration": 1}), "$.date"),
        ((HEADER, {"date": 1, "function": "f", "duration": "1"}), "$.duration"),
        ((HEADER, {"date": 1, "function": "f", "duration": -1}), "$.duration"),
        ((HEADER, {"date": 2, "function": "f", "duration": 1}, {"date": 1, "function": "f", "duration": 1}), "$.date"),
    ],
)
def test_a_bad_line_is_refused_where_it_is_bad(tmp_path: Path, records: tuple[object, ...], place: str) -> None:
    """The error names file, line and path."""
    with pytest.raises(InvalidDocument) as caught:
        lines.read_workload(written(tmp_path / "w.jsonl", *records))
    assert f"w.jsonl:{max(len(records), 1)}: {place}: " in str(caught.value)
    assert isinstance(caught.value, GaugeblockError)
