"""What the facts of a path decide without the solver, and what they must leave open."""

from __future__ import annotations

import pytest

from gaugeblock_proofs.engine.facts import Facts
from gaugeblock_proofs.engine.formulas import Formula, compare_at_most_zero, compare_equal_zero, join, negate_formula
from gaugeblock_proofs.engine.linear import Exact, Linear, Terms

X: Terms = ((0, 1),)
Y: Terms = ((1, 1),)
BOTH: Terms = ((0, 1), (1, 1))


def at_most(terms: Terms, bound: Exact, strict: bool = False, integral: bool = False) -> Formula:
    """Return that the terms are at most (or less than) the bound."""
    formula = compare_at_most_zero(Linear(terms, -bound), strict, integral)
    assert not isinstance(formula, bool)
    return formula


def equal(terms: Terms, bound: Exact, integral: bool = False) -> Formula:
    """Return that the terms equal the bound."""
    formula = compare_equal_zero(Linear(terms, -bound), integral)
    assert not isinstance(formula, bool)
    return formula


def facts(*learned: Formula) -> Facts:
    """Return the facts about two variables between 0 and 10 after learning."""
    known = Facts()
    for index in (0, 1):
        known.declare(index, 0, 10)
    for formula in learned:
        known.learn(formula)
    return known


def test_a_strict_lower_bound_excludes_its_end() -> None:
    """More than five is not five."""
    assert facts(negate_formula(at_most(X, 5))).decide(equal(X, 5)) is False


def test_a_strict_upper_bound_excludes_its_end() -> None:
    """Less than five is not five."""
    assert facts(at_most(X, 5, strict=True)).decide(equal(X, 5)) is False


def test_inequality_at_an_end_of_a_real_range_leaves_its_neighbourhood() -> None:
    """At most ten, and not ten, is less than ten, but may be more than nine."""
    known = facts(negate_formula(equal(X, 10)))
    assert known.decide(at_most(X, 10, strict=True)) is True
    assert known.decide(at_most(X, 9)) is None


def test_inequality_at_an_end_of_a_whole_range_moves_the_end() -> None:
    """At most ten, and not ten, is at most nine."""
    known = facts(negate_formula(equal(X, 10, integral=True)), negate_formula(equal(Y, 0, integral=True)))
    assert known.decide(at_most(X, 9, integral=True)) is True
    assert known.decide(at_most(Y, 0, integral=True)) is False


def test_inequality_inside_a_range_is_remembered() -> None:
    """What is not five is not five."""
    known = facts(negate_formula(equal(X, 5)))
    assert known.decide(equal(X, 5)) is False
    assert known.decide(equal(X, 6)) is None


def test_a_sum_of_open_ends_is_open() -> None:
    """Two numbers below five have a sum below ten."""
    known = facts(at_most(X, 5, strict=True), at_most(Y, 5, strict=True))
    assert known.decide(at_most(BOTH, 10, strict=True)) is True
    assert known.decide(at_most(BOTH, 9)) is None


def test_a_disjunction_says_nothing_of_its_parts() -> None:
    """One of them holds, which one is open."""
    parts = [at_most(X, 3), at_most(Y, 3)]
    either = join(parts, conjunctive=False)
    assert not isinstance(either, bool)
    known = facts(either)
    assert known.decide(either) is True
    assert [known.decide(part) for part in parts] == [None, None]


def test_a_conjunction_gives_its_parts() -> None:
    """All of them hold."""
    parts = [at_most(X, 3), at_most(Y, 3)]
    both = join(parts, conjunctive=True)
    assert not isinstance(both, bool)
    assert [facts(both).decide(part) for part in parts] == [True, True]


@pytest.mark.parametrize("formula", [at_most(X, 3), at_most(BOTH, 3), equal(X, 3), negate_formula(equal(BOTH, 3))])
def test_undoing_forgets(formula: Formula) -> None:
    """After the undo the condition is as open as before."""
    known = facts()
    mark = known.mark()
    known.learn(formula)
    assert known.decide(formula) is True
    known.undo(mark)
    assert known.decide(formula) is None


def test_different_spellings_are_the_same_condition() -> None:
    """Divisors and signs are normalised away."""
    doubled, opposite = ((0, 2), (1, -2)), ((0, -1), (1, 1))
    assert equal(doubled, 4) == equal(opposite, -2)
    assert at_most(doubled, 5, integral=True) == at_most(((0, 1), (1, -1)), 2, integral=True)
    assert at_most(opposite, 3, integral=True) == negate_formula(at_most(((0, 1), (1, -1)), -4, integral=True))
