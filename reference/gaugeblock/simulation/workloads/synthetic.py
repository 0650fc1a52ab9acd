"""The embedded workload: made up from a seed, of a shape that makes every pass and reclamation happen.

Layers come in three tiers: few base layers that many images share, some runtimes on top of them, and for each function a layer
of its own. A few functions get most of the invocations (popularity falls as 1/rank). Arrivals are Poisson, with a rate that
swings by half around its mean every five minutes; every three minutes some function gets what comes in four seconds, at once.
"""

from bisect import bisect
from collections.abc import Iterator
from itertools import accumulate, islice
from math import pi, sin
from random import Random
from typing import Final

from gaugeblock.model import Catalog, Function, FunctionName, Image, ImageName, Layer, LayerName, Value
from gaugeblock.simulation.errors import InvalidScenario
from gaugeblock.simulation.scenarios import Arrival, Workload
from gaugeblock.simulation.workloads.draws import exponential, log_uniform, pick, stream

MEBIBYTE: Final = 2**20
BASES: Final = 3
RUNTIMES: Final = 9
SWING_SECONDS: Final = 300.0
BURST_SECONDS: Final = 180.0
BURST_OF_SECONDS: Final = 4.0
MOST_INVOCATIONS: Final = 10**9
MOST_FUNCTIONS: Final = 100_000


class Shape(Value, frozen=True):
    """How much is asked for: invocations in all, different functions, invocations a second on average.

    Raises:
        InvalidScenario: when a quantity is out of its range.
    """

    invocations: int = 2000
    functions: int = 24
    rate: float = 5.0
    concurrency: int = 1

    def __post_init__(self) -> None:
        """Refuse what gives no workload."""
        for name, most in (("invocations", MOST_INVOCATIONS), ("functions", MOST_FUNCTIONS), ("concurrency", 2**31)):
            if not 1 <= getattr(self, name) <= most:
                raise InvalidScenario(name, getattr(self, name), f"an integer from 1 to {most}")
        if not 0 < self.rate <= 1e9:
            raise InvalidScenario("rate", self.rate, "invocations a second, positive and at most 1e9")


def synthetic(shape: Shape, seed: int) -> Workload:
    """Return the workload of this shape and seed."""
    functions = _functions(shape, stream(seed, "functions"))
    layers = {layer.name: layer for function in functions for layer in function.image.layers}
    catalog = Catalog(tuple(layers.values()), tuple(function.image for function in functions), functions)
    label = f"synthetic: {shape.invocations} invocations of {shape.functions} functions, {shape.rate:g} a second, seed {seed}"
    return Workload(label, catalog, shape.invocations, lambda: _arrivals(shape, functions, seed))


def _functions(shape: Shape, random: Random) -> tuple[Function, ...]:
    bases = [_layer(f"base-{number}", random, 32, 128) for number in range(BASES)]
    runtimes = [(pick(random, bases), _layer(f"runtime-{number}", random, 64, 384)) for number in range(RUNTIMES)]
    functions = []
    for number in range(shape.functions):
        own = _layer(f"code-{number}", random, 2, 96)
        image = Image(ImageName(f"image-{number}"), (*pick(random, runtimes), own))
        ram = int(log_uniform(random, 96, 768)) * MEBIBYTE
        disk = int(log_uniform(random, 16, 256)) * MEBIBYTE
        functions.append(Function(FunctionName(f"function-{number}"), image, ram, disk, shape.concurrency))
    return tuple(functions)


def _layer(name: str, random: Random, least: float, most: float) -> Layer:
    disk = int(log_uniform(random, least, most) * MEBIBYTE)
    return Layer(LayerName(name), disk, int(disk * (0.4 + 0.6 * random.random())))


def _arrivals(shape: Shape, functions: tuple[Function, ...], seed: int) -> Iterator[Arrival]:
    return islice(_endless(shape, tuple(function.name for function in functions), stream(seed, "arrivals")), shape.invocations)


def _endless(shape: Shape, names: tuple[FunctionName, ...], random: Random) -> Iterator[Arrival]:
    """Yield single arrivals as they come, and between them each burst when its time has come."""
    means = [log_uniform(random, 0.05, 4.0) for _ in names]
    popularity = list(accumulate(1.0 / rank for rank in range(1, len(names) + 1)))
    date, next_burst = 0.0, BURST_SECONDS
    while True:
        date += exponential(random, 1.0 / (shape.rate * (1.0 + 0.5 * sin(2.0 * pi * date / SWING_SECONDS))))
        while next_burst < date:
            function = int(random.random() * len(names))
            for _ in range(1 + int(shape.rate * BURST_OF_SECONDS)):
                yield Arrival(next_burst, names[function], exponential(random, means[function]))
            next_burst += BURST_SECONDS
        function = bisect(popularity, random.random() * popularity[-1])
        yield Arrival(date, names[function], exponential(random, means[function]))
