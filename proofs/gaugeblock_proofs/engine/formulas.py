"""Conditions on linear expressions, normalised so that the same condition is always the same value.

Strict inequalities over reals are kept as bounds with an infinitesimal part: `x < c` is `x <= (c, -1)`. Over the
integers every strict inequality becomes a weak one, so the infinitesimal part is always zero there.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, gcd

import msgspec

from gaugeblock_proofs.engine.linear import RESULTS_KEPT, Exact, Linear, Terms, subtract, weighted_sum

Bound = tuple[Exact, int]
"""A number and a count of infinitesimals, compared in that order."""


class Relation(IntEnum):
    """How an expression is compared with its bound; a number, since formulas are looked up by their hash all the time."""

    AT_MOST = 0
    EQUAL = 1


class Comparison(msgspec.Struct, frozen=True, gc=False):
    """`terms relation bound`, or its denial when `positive` is false.

    The terms have no common divisor and a positive first coefficient; `integral` says that all variables are whole.
    """

    terms: Terms
    integral: bool
    relation: Relation
    bound: Bound
    positive: bool


class Junction(msgspec.Struct, frozen=True):
    """All of the parts (`conjunctive`), or at least one of them; there are always two parts or more."""

    conjunctive: bool
    parts: tuple[Formula, ...]


Formula = Comparison | Junction


@lru_cache(RESULTS_KEPT)
def compare_at_most(left: Linear, right: Linear, strict: bool, integral: bool) -> Formula | bool:
    """Return `left <= right` (`<` when strict), folded to a plain truth value if it has no variables."""
    return compare_at_most_zero(subtract(left, right), strict, integral)


def compare_at_most_zero(expression: Linear, strict: bool, integral: bool) -> Formula | bool:
    """Return `expression <= 0` (`< 0` when strict), folded to a plain truth value if it has no variables."""
    if not expression.terms:
        return expression.constant < 0 if strict else expression.constant <= 0
    terms, divisor = _primitive(expression.terms)
    if integral:
        limit = ceil(-expression.constant) - 1 if strict else floor(-expression.constant)
        return _whole(terms, limit // divisor)
    limit_exact = _quotient(-expression.constant, divisor)
    return _real(terms, limit_exact, strict)


def compare_equal_zero(expression: Linear, integral: bool) -> Formula | bool:
    """Return `expression == 0`, folded to a plain truth value if variables cannot influence it."""
    if not expression.terms:
        return expression.constant == 0
    terms, divisor = _primitive(expression.terms)
    value = _quotient(-expression.constant, divisor)
    if integral and value != floor(value):
        return False
    if terms[0][1] < 0:
        terms, value = _opposite(terms), -value
    return Comparison(terms, integral, Relation.EQUAL, (value, 0), True)


def negate_formula(formula: Formula) -> Formula:
    """Return the denial, with negations pushed down to the comparisons."""
    if isinstance(formula, Comparison):
        return Comparison(formula.terms, formula.integral, formula.relation, formula.bound, not formula.positive)
    return Junction(not formula.conjunctive, tuple(negate_formula(part) for part in formula.parts))


def join(conditions: Iterable[Formula | bool], conjunctive: bool) -> Formula | bool:
    """Return the conjunction or disjunction of the conditions, flattened, without repetitions or plain truth values."""
    parts: dict[Formula, None] = {}
    for condition in conditions:
        if isinstance(condition, bool):
            if condition is not conjunctive:
                return condition
        elif isinstance(condition, Junction) and condition.conjunctive is conjunctive:
            parts.update(dict.fromkeys(condition.parts))
        else:
            parts[condition] = None
    if not parts:
        return conjunctive
    return next(iter(parts)) if len(parts) == 1 else Junction(conjunctive, tuple(parts))


def holds(formula: Formula, values: list[Exact]) -> bool:
    """Return whether the formula is true where variable `i` has the value `values[i]`."""
    if isinstance(formula, Junction):
        return (all if formula.conjunctive else any)(holds(part, values) for part in formula.parts)
    value: Bound = (weighted_sum(formula.terms, values), 0)
    answer = value <= formula.bound if formula.relation is Relation.AT_MOST else value == formula.bound
    return answer is formula.positive


def _whole(terms: Terms, limit: int) -> Comparison:
    """Return `terms <= limit` over integers, turned round if the first coefficient is negative."""
    if terms[0][1] > 0:
        return Comparison(terms, True, Relation.AT_MOST, (limit, 0), True)
    return Comparison(_opposite(terms), True, Relation.AT_MOST, (-limit - 1, 0), False)


def _real(terms: Terms, limit: Exact, strict: bool) -> Comparison:
    """Return `terms <= limit` or `terms < limit` over reals, turned round if the first coefficient is negative."""
    if terms[0][1] > 0:
        return Comparison(terms, False, Relation.AT_MOST, (limit, -1 if strict else 0), True)
    return Comparison(_opposite(terms), False, Relation.AT_MOST, (-limit, 0 if strict else -1), False)


def _primitive(terms: Terms) -> tuple[Terms, int]:
    """Return the terms divided by their greatest common divisor, and that divisor."""
    divisor = gcd(*(coefficient for _, coefficient in terms))
    if divisor == 1:
        return terms, 1
    return tuple((index, coefficient // divisor) for index, coefficient in terms), divisor


def _opposite(terms: Terms) -> Terms:
    return tuple((index, -coefficient) for index, coefficient in terms)


def _quotient(value: Exact, divisor: int) -> Exact:
    """Divide exactly; whole results stay plain integers, so that equal conditions compare equal."""
    if divisor == 1:
        return value
    quotient = Fraction(value, divisor)
    return quotient.numerator if quotient.denominator == 1 else quotient
