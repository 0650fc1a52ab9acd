"""Where a theorem's builder takes its numbers from: fresh symbols, or the values of an assignment."""

from __future__ import annotations

import sys
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

from gaugeblock_proofs.engine import linear
from gaugeblock_proofs.engine.assignment import Assignment
from gaugeblock_proofs.engine.errors import TheoremMisuse
from gaugeblock_proofs.engine.linear import RESULTS_KEPT, Exact
from gaugeblock_proofs.engine.path import SymbolicPath
from gaugeblock_proofs.engine.symbols import SymbolicDate, SymbolicInteger, as_float, as_integer
from gaugeblock_proofs.engine.variables import Sort, Variable

LARGEST_QUANTITY = 2**63 - 1
LARGEST_DATE = sys.float_info.max


class Source(Protocol):
    """A supply of named numbers. Under symbols the results only pass for `int` and `float`; see `symbols`."""

    def integer(self, name: str, low: int = 0, high: int = LARGEST_QUANTITY) -> int:
        """Return the whole number of that name, from `low` to `high` inclusive."""

    def date(self, name: str, low: float = -LARGEST_DATE, high: float = LARGEST_DATE) -> float:
        """Return the finite date or duration of that name, in seconds, from `low` to `high` inclusive."""


class SymbolicSource:
    """Gives symbols that belong to one path."""

    def __init__(self, path: SymbolicPath) -> None:
        self._path = path

    def integer(self, name: str, low: int = 0, high: int = LARGEST_QUANTITY) -> int:
        """Return a symbolic integer."""
        index = self._path.declare(_whole(name, low, high))
        return as_integer(SymbolicInteger(self._path, linear.variable(index)))

    def date(self, name: str, low: float = -LARGEST_DATE, high: float = LARGEST_DATE) -> float:
        """Return a symbolic date; it ranges over reals, not floats."""
        index = self._path.declare(_real(name, low, high))
        return as_float(SymbolicDate(self._path, linear.variable(index)))


@lru_cache(RESULTS_KEPT)
def _whole(name: str, low: int, high: int) -> Variable:
    return Variable(name, Sort.INTEGER, low, high)


@lru_cache(RESULTS_KEPT)
def _real(name: str, low: float, high: float) -> Variable:
    return Variable(name, Sort.REAL, Fraction(low), Fraction(high))


class ConcreteSource:
    """Gives the numbers of an assignment; a missing one, or one out of range, is a `TheoremMisuse`."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment

    def integer(self, name: str, low: int = 0, high: int = LARGEST_QUANTITY) -> int:
        """Return the assigned whole number."""
        value = self._within(name, low, high)
        if not isinstance(value, int):
            raise TheoremMisuse(f"symbol {name!r} is to be a whole number, not {value}")
        return value

    def date(self, name: str, low: float = -LARGEST_DATE, high: float = LARGEST_DATE) -> float:
        """Return the float nearest to the assigned rational."""
        return float(self._within(name, Fraction(low), Fraction(high)))

    def _within(self, name: str, low: Exact, high: Exact) -> Exact:
        value = self._assignment.value(name)
        if not low <= value <= high:
            raise TheoremMisuse(f"symbol {name!r} ranges from {low} to {high}; {value} is outside")
        return value
