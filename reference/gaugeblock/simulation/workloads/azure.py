"""Arrivals from tables of the Azure Functions trace of 2019: ``invocations.csv``, ``durations.csv`` and ``memory.csv``.

What is real: how often each function was invoked in each minute, the percentiles of its durations, its memory. What is made up
from the seed: the image of each function (a random one of those given), when in its minute an invocation comes (uniformly),
how long it takes (interpolated between the percentiles of the function's averages). A container takes as private RAM the
function's largest recorded memory, with MB read as 10^6 bytes. The trace knows no disk; that is an option.
"""

from bisect import bisect_right
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from gaugeblock.model import Catalog, Function, FunctionName, Image
from gaugeblock.simulation.scenarios import Arrival, Workload
from gaugeblock.simulation.workloads.draws import pick, stream
from gaugeblock.simulation.workloads.tables import Row, by_key, read_table

SECONDS_A_MINUTE: Final = 60.0
PERCENTS: Final = (0, 1, 25, 50, 75, 99, 100)
DURATIONS: Final = tuple(f"percentile_Average_{percent}" for percent in PERCENTS)
MEMORY: Final = "AverageAllocatedMb_pct100"
LENGTH_OF_NAME: Final = 16


class Minutes(NamedTuple):
    """Minutes of the day, both ends included, named as the columns of ``invocations.csv`` are."""

    first: int
    last: int

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(str(minute) for minute in range(self.first, self.last + 1))


class Extras(NamedTuple):
    """What the trace does not tell of functions: the private disk of a container in bytes, and how many it may hold at once."""

    disk_bytes: int
    concurrency: int


class Traced(NamedTuple):
    """A function of the trace: its invocations minute by minute, and its durations in seconds at ``PERCENTS``."""

    function: Function
    counts: tuple[int, ...]
    durations: tuple[float, ...]


def azure(directory: Path, images: tuple[Image, ...], minutes: Minutes, extras: Extras, seed: int) -> Workload:
    """Return the workload of these minutes; date 0 is the beginning of the first.

    Raises:
        UnreadableTrace, InvalidTrace: when a table is missing or not as documented.
    """
    traced = _traced(directory, images, minutes, extras, stream(seed, "pairing"))
    used = tuple({each.function.image.name: each.function.image for each in traced}.values())
    layers = {layer.name: layer for image in used for layer in image.layers}
    catalog = Catalog(tuple(layers.values()), used, tuple(each.function for each in traced))
    total = sum(sum(each.counts) for each in traced)
    label = (
        f"Azure Functions 2019, minutes {minutes.first} to {minutes.last}: {total} invocations of {len(traced)} functions; "
        f"synthetic pairing with images, dates within the minute and durations (seed {seed})"
    )
    return Workload(label, catalog, total, lambda: _arrivals(traced, minutes, seed))


def _traced(directory: Path, images: tuple[Image, ...], minutes: Minutes, extras: Extras, random: Random) -> list[Traced]:
    """Return the functions invoked in these minutes; the others draw an image, too: one pairing for every hour."""
    rows = by_key(read_table(directory / "invocations.csv", ("HashFunction", *minutes.columns)), "HashFunction")
    durations = by_key(read_table(directory / "durations.csv", ("HashFunction", *DURATIONS)), "HashFunction")
    memories = by_key(read_table(directory / "memory.csv", ("HashFunction", MEMORY)), "HashFunction")
    traced = []
    for row in rows.values():
        image = pick(random, images)
        counts = tuple(row.integer(column) for column in minutes.columns)
        if any(counts):
            ram = ceil(_row_of(row, memories, "memory.csv").amount(MEMORY) * 10**6)
            function = Function(FunctionName(_name(row, rows)), image, ram, extras.disk_bytes, extras.concurrency)
            traced.append(Traced(function, counts, _durations(_row_of(row, durations, "durations.csv"))))
    if not traced:
        raise next(iter(rows.values())).problem(minutes.columns[0], "an invocation in one of these minutes in some row")
    return traced


def _name(row: Row, rows: dict[str, Row]) -> str:
    """Return the beginning of the hash, or all of it where two begin alike."""
    key = row.text("HashFunction")
    short = key[:LENGTH_OF_NAME]
    return short if sum(other.startswith(short) for other in rows) == 1 else key


def _row_of(row: Row, others: dict[str, Row], table: str) -> Row:
    key = row.text("HashFunction")
    if key not in others:
        raise row.problem("HashFunction", f"a function that {table} has, too")
    return others[key]


def _durations(row: Row) -> tuple[float, ...]:
    milliseconds = [row.amount(column) for column in DURATIONS]
    for column, earlier, later in zip(DURATIONS[1:], milliseconds, milliseconds[1:], strict=False):
        if later < earlier:
            raise row.problem(column, f"at least the percentile before it, {earlier:g}")
    return tuple(each / 1000.0 for each in milliseconds)


def _arrivals(traced: list[Traced], minutes: Minutes, seed: int) -> Iterator[Arrival]:
    random = stream(seed, "arrivals")
    for minute in range(len(minutes.columns)):
        arrivals = [
            Arrival((minute + random.random()) * SECONDS_A_MINUTE, each.function.name, _duration(each, random))
            for each in traced
            for _ in range(each.counts[minute])
        ]
        yield from sorted(arrivals, key=lambda arrival: arrival.date)


def _duration(traced: Traced, random: Random) -> float:
    percent = random.random() * 100.0
    place = bisect_right(PERCENTS, percent)
    low, high = PERCENTS[place - 1], PERCENTS[place]
    before, after = traced.durations[place - 1], traced.durations[place]
    return before + (after - before) * (percent - low) / (high - low)
