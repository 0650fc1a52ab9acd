"""Round numbers for axes, and quantities as people read them."""

from collections.abc import Iterator
from itertools import count
from typing import Final

UNITS: Final = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
CLOCK_STEPS: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)


def in_bytes(size: float) -> str:
    """Return a size in the largest binary unit of which there is at least one."""
    unit = 0
    while abs(size) >= 1024 and unit < len(UNITS) - 1:
        size /= 1024
        unit += 1
    return f"{size:.0f} {UNITS[unit]}" if unit == 0 or size == int(size) else f"{size:.1f} {UNITS[unit]}"


def in_time(seconds: float) -> str:
    """Return a span of time in hours from two on, in minutes from one on, where a quarter of them is exact; else in seconds."""
    for least, length, unit in ((7200, 3600, "h"), (60, 60, "min")):
        if seconds >= least and 4 * seconds % length == 0:
            return f"{seconds / length:.4g} {unit}"
    return f"{seconds:.4g} s"


def ticks(largest: float, most: int, binary: bool) -> list[float]:
    """Return at most ``most`` steps from 0 on, of one round length, the last at ``largest`` or beyond."""
    step = next(each for each in (_powers_of_two() if binary else _decimal_steps()) if each * most >= largest)
    needed = 1
    while needed * step < largest:
        needed += 1
    return [index * step for index in range(needed + 1)]


def clock_ticks(seconds: float, most: int) -> list[float]:
    """Return at most ``most`` steps from 0 on that do not go past ``seconds``, of a length that clocks show."""
    step = next(each for each in _clock_steps() if each * most >= seconds)
    return [index * step for index in range(int(seconds / step) + 1)]


def _powers_of_two() -> Iterator[float]:
    return (2.0**power for power in count())


def _decimal_steps() -> Iterator[float]:
    return (digit * 10.0**power for power in count() for digit in (1, 2, 5))


def _clock_steps() -> Iterator[float]:
    yield from (float(each) for each in CLOCK_STEPS)
    yield from (86400.0 * 2**power for power in count(1))
