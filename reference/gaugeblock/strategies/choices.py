"""Where the choices of a generated value come from.

One construction serves two sources: Hypothesis, which remembers its choices and shrinks them, and a seeded generator of
random numbers, which is fast. The first of all options (the lowest number, no, the first of a list) is the simplest one.
"""

from collections.abc import Callable
from random import Random
from typing import Protocol, TypeVar

Option = TypeVar("Option")
Built = TypeVar("Built")


class Choices(Protocol):
    """A source of choices."""

    def integer(self, low: int, high: int) -> int:
        """Return an integer from ``low`` to ``high``, both included; the simplest is ``low``."""
        ...

    def many(self, low: int, high: int, build: Callable[["Choices", int], Built]) -> tuple[Built, ...]:
        """Return from ``low`` to ``high`` values that ``build`` makes of a source of choices and the value's index."""
        ...


def chance(choices: Choices, percent: int) -> bool:
    """Return True with a chance of ``percent`` in a hundred; the simplest is False."""
    return choices.integer(0, 99) >= 100 - percent


def pick(choices: Choices, options: tuple[Option, ...]) -> Option:
    """Return one of ``options``; the simplest is the first."""
    return options[choices.integer(0, len(options) - 1)]


class SeededChoices:
    """Choices of a seeded generator of random numbers."""

    def __init__(self, seed: int | str) -> None:
        """Start the stream that belongs to ``seed``."""
        self._random = Random(seed)

    def integer(self, low: int, high: int) -> int:
        """Return an integer from ``low`` to ``high``, all equally likely."""
        return low + int(self._random.random() * (high - low + 1))

    def many(self, low: int, high: int, build: Callable[[Choices, int], Built]) -> tuple[Built, ...]:
        """Return from ``low`` to ``high`` values; larger counts are likelier, since more happens in larger rounds."""
        count = max(self.integer(low, high), self.integer(low, high))
        return tuple(build(self, index) for index in range(count))
