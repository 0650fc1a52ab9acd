"""The timeline and its picture."""

import importlib
import xml.etree.ElementTree as ElementTree

import pytest
from simulations import catalog, scenario, watched, workload
from worlds import function, layer

from gaugeblock.simulation.axes import clock_ticks, in_bytes, in_time, ticks
from gaugeblock.simulation.errors import PictureUnavailable
from gaugeblock.simulation.picture import Curve, png, svg
from gaugeblock.simulation.timeline import MOST_BUCKETS, Timeline
from gaugeblock.simulation.use import Use

F = function("f <&>", layer("a"))
RESULT = watched(scenario(workload(catalog(F), (0.0, "f <&>", 1.0), (90.0, "f <&>", 5.0)), idle_timeout=10.0))[1]


def test_a_bucket_holds_the_peak_and_carries_the_latest_level_on() -> None:
    """A spike within a bucket is not lost, and buckets in which nothing happens stay at the level."""
    line = Timeline(Use())
    line.record(0.01, Use(pending=5), 1)
    line.record(0.02, Use(pending=2), 2)
    line.record(0.40, Use(pending=0), 2)
    assert [use.pending for use in line.peaks] == [5, 2, 2, 2]
    assert line.cold_starts == [2, 0, 0, 0]


def test_long_runs_have_wider_buckets_and_lose_no_peak_and_no_cold_start() -> None:
    """The number of buckets is bounded, whatever the length."""
    line = Timeline(Use())
    for second in range(5000):
        line.record(float(second), Use(pending=second % 1000), second)
    assert len(line.peaks) <= MOST_BUCKETS
    assert max(use.pending for use in line.peaks) == 999
    assert sum(line.cold_starts) == 4999
    assert line.seconds >= 4999.0


def test_the_picture_is_well_formed_and_names_every_panel() -> None:
    """XML that parses, whatever the names hold."""
    root = ElementTree.fromstring(svg("a title <&>", [Curve("", RESULT.summary, RESULT.timeline)]))
    words = " ".join(text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text"))
    for panel in ("a title <&>", "RAM in use", "Disk in use", "Containers", "Pending invocations", "Cold starts"):
        assert panel in words


def test_variants_share_one_picture_with_a_legend() -> None:
    """Each is named."""
    curves = [Curve(name, RESULT.summary, RESULT.timeline) for name in ("fewest", "lru")]
    assert all(f">{name}</text>" in svg("two", curves) for name in ("fewest", "lru"))


def test_a_png_without_its_library_is_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the extra to install."""

    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(PictureUnavailable, match=r"gaugeblock\[pictures\]"):
        png("<svg/>")


def test_axes_end_in_round_numbers() -> None:
    """Powers of two for bytes, 1, 2 and 5 for counts, steps of a clock for time."""
    assert ticks(5 * 2**30, 4, binary=True) == [0, 2**31, 2**32, 3 * 2**31]
    assert ticks(23, 4, binary=False) == [0, 10, 20, 30]
    assert clock_ticks(700.0, 12) == [0, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 660]
    assert (in_bytes(1536), in_bytes(7), in_time(90.0), in_time(70.0), in_time(7200.0)) == (
        "1.5 KiB",
        "7 B",
        "1.5 min",
        "70 s",
        "2 h",
    )
