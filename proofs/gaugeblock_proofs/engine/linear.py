"""Linear expressions over numbered variables, in a normal form where equal expressions are equal values."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import msgspec

RESULTS_KEPT = 2**16
"""A theorem runs the same code on the same expressions path after path, so results are worth keeping."""

Exact = int | Fraction
"""An exact number: whole for quantities, rational for dates."""

Terms = tuple[tuple[int, int], ...]
"""Pairs of variable index and non-zero coefficient, ascending by index."""


class Linear(msgspec.Struct, frozen=True, gc=False):
    """A sum of scaled variables and a constant; without terms it is that constant."""

    terms: Terms
    constant: Exact

    def evaluate(self, values: list[Exact]) -> Exact:
        """Return the value of the expression where variable `i` has the value `values[i]`."""
        return weighted_sum(self.terms, values) + self.constant


def weighted_sum(terms: Terms, values: list[Exact]) -> Exact:
    """Return the sum of the scaled variables under `values`."""
    total: Exact = 0
    for index, coefficient in terms:
        total += coefficient * values[index]
    return total


def variable(index: int) -> Linear:
    """Return the expression that is just one variable."""
    return Linear(((index, 1),), 0)


def constant(value: Exact) -> Linear:
    """Return the expression that is just one number."""
    return Linear((), value)


@lru_cache(RESULTS_KEPT)
def exactly(value: float) -> Linear:
    """Return the expression that is just a finite float, as the rational that it is."""
    return constant(Fraction(value))


@lru_cache(RESULTS_KEPT)
def add(left: Linear, right: Linear) -> Linear:
    """Return `left + right`."""
    total = left.constant + right.constant
    if not right.terms:
        return Linear(left.terms, total)
    if not left.terms:
        return Linear(right.terms, total)
    return Linear(_merge(left.terms, right.terms, 1), total)


@lru_cache(RESULTS_KEPT)
def subtract(left: Linear, right: Linear) -> Linear:
    """Return `left - right`."""
    difference = left.constant - right.constant
    if not right.terms:
        return Linear(left.terms, difference)
    return Linear(_merge(left.terms, right.terms, -1), difference)


def scale(expression: Linear, factor: int) -> Linear:
    """Return the expression times a whole number."""
    if factor == 0:
        return Linear((), 0)
    terms = tuple((index, coefficient * factor) for index, coefficient in expression.terms)
    return Linear(terms, expression.constant * factor)


def _merge(left: Terms, right: Terms, sign: int) -> Terms:
    """Add `sign` times the right terms to the left ones, dropping what cancels."""
    merged = dict(left)
    for index, coefficient in right:
        total = merged.get(index, 0) + sign * coefficient
        if total:
            merged[index] = total
        else:
            del merged[index]
    return tuple(sorted(merged.items()))
