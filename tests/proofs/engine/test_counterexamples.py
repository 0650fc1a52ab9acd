"""Wrong functions are refuted by the smallest input, which misbehaves in fact."""

from __future__ import annotations

import itertools
from fractions import Fraction

import msgspec
import pytest

from gaugeblock_proofs.engine import (
    Assignment,
    Budget,
    ConcreteSource,
    Counterexample,
    Path,
    Source,
    Theorem,
    TheoremMisuse,
    Verdict,
    any_of,
    explore,
    replay,
)


class Demand(msgspec.Struct, frozen=True):
    """A need and what meets it."""

    needed: int
    available: int


def build(symbols: Source) -> Demand:
    """Build the same value from symbols or from numbers."""
    return Demand(symbols.integer("needed"), symbols.integer("available"))


def careless_deficit(demand: Demand) -> int:
    """Compute a deficit wrongly: surpluses of a hundred and more count."""
    gap = demand.needed - demand.available
    return -gap if gap < -99 else max(0, gap)


def careless(symbols: Source, path: Path) -> None:
    """Claim that the careless deficit is right."""
    demand = build(symbols)
    deficit = careless_deficit(demand)
    path.prove(deficit <= demand.needed, "no deficit beyond the need")


def refuted(theorem: Theorem, budget: Budget | None = None) -> Counterexample:
    """Return the counterexample of a theorem that must be refuted."""
    report = explore(theorem, budget)
    assert report.verdict is Verdict.REFUTED, report.describe()
    assert report.counterexample is not None
    return report.counterexample


def test_the_counterexample_is_the_smallest_input() -> None:
    """No input with a smaller sum fails."""
    found = refuted(careless)
    assert found.assignment == Assignment((("needed", 0), ("available", 100)))
    assert (found.label, found.minimal, found.confirmed) == ("no deficit beyond the need", True, True)


def test_the_counterexample_rebuilds_the_concrete_value() -> None:
    """The builder makes plain integers of it, on which the shipped function errs."""
    demand = build(ConcreteSource(refuted(careless).assignment))
    assert demand == Demand(0, 100)
    assert careless_deficit(demand) == 100


def test_the_replay_fails_alike() -> None:
    """Running the theorem on the numbers gives the false label."""
    outcome = replay(careless, refuted(careless).assignment)
    assert outcome.failed == ("no deficit beyond the need",)


def test_the_replay_of_a_harmless_input_fails_nothing() -> None:
    """The concrete run does not cry wolf."""
    outcome = replay(careless, Assignment.of({"needed": 5, "available": 7}))
    assert (outcome.failed, outcome.reached) == ((), ("no deficit beyond the need",))


def test_the_smallest_input_may_lie_on_a_later_path() -> None:
    """The search goes on for smaller inputs after the first failing path."""

    def theorem(symbols: Source, path: Path) -> None:
        size = symbols.integer("size", 1)
        if size >= 3:
            path.prove(size < 1000 if size >= 10 else size < 7)
        else:
            path.prove(True)

    assert refuted(theorem).assignment.value("size") == 7


def test_paths_with_different_symbols_are_compared_by_one_measure() -> None:
    """The search for a smaller input ends although each path declares a symbol that the other lacks."""

    def theorem(symbols: Source, path: Path) -> None:
        if path.choose((True, False)):
            path.prove(symbols.integer("x") < 9)
        else:
            path.prove(symbols.integer("y") < 5)

    assert refuted(theorem).assignment == Assignment((("y", 5),), (1,))


@pytest.mark.parametrize("threshold", [*range(1, 20), 255, 256, 257, 2**62 + 1])
def test_the_least_failing_number_is_found_exactly(threshold: int) -> None:
    """The search for it skips none."""

    def theorem(symbols: Source, path: Path) -> None:
        path.prove(symbols.integer("x") < threshold)

    assert refuted(theorem).assignment.value("x") == threshold


def test_a_disjunction_on_the_path_is_no_conjunction() -> None:
    """Knowing that one of two numbers is large does not make the first one large."""

    def theorem(symbols: Source, path: Path) -> None:
        a, b = symbols.integer("a"), symbols.integer("b")
        if any_of(a > 5, b > 5):
            path.prove(a > 5)

    assert refuted(theorem).assignment.values == (("a", 0), ("b", 6))


def test_a_minimisation_without_budget_says_so() -> None:
    """The counterexample remains one, but is not called the smallest."""
    found = refuted(careless, Budget(minimisation_queries=2))
    assert (found.minimal, found.confirmed) == (False, True)


def test_an_escaping_exception_is_a_counterexample() -> None:
    """Raising is a failure of its own kind."""

    def theorem(symbols: Source, path: Path) -> None:
        ram = symbols.integer("ram")
        if ram > 41:
            raise KeyError("layer")
        path.prove(True)

    found = refuted(theorem)
    assert (found.label, found.message, found.confirmed) == ("raises KeyError", "'layer'", True)
    assert found.assignment.value("ram") == 42


def test_an_expected_exception_is_none() -> None:
    """A theorem may say that a call raises; if it does not, that is the failure."""

    def check(ram: int) -> None:
        if ram > 41:
            raise ValueError

    def theorem(symbols: Source, path: Path) -> None:
        ram = symbols.integer("ram", 40)
        path.prove_raises(ValueError, lambda: check(ram), "refused")

    assert refuted(theorem).assignment == Assignment((("ram", 40),))


def test_an_expected_exception_that_is_not_such_is_none() -> None:
    """A theorem may say more of the exception than its class."""

    def fail() -> None:
        raise ValueError("one")

    def theorem(_symbols: Source, path: Path) -> None:
        path.prove_raises(ValueError, fail, "says two", such=lambda error: str(error) == "two")

    assert refuted(theorem).label == "says two"


def test_an_unexpected_exception_is_not_the_expected_one() -> None:
    """Only the expected class counts."""

    def theorem(_symbols: Source, path: Path) -> None:
        path.prove_raises(ValueError, lambda: next(iter(())))

    assert refuted(theorem).label == "raises StopIteration"


def test_an_error_of_the_engine_is_never_the_expected_one() -> None:
    """However broad the expectation, a mistake in the theorem stays one."""

    def theorem(_symbols: Source, path: Path) -> None:
        path.prove_raises(Exception, lambda: path.choose(()))

    with pytest.raises(TheoremMisuse):
        explore(theorem)


def test_the_first_false_obligation_names_the_failure() -> None:
    """Obligations that are asked about together are told apart."""

    def theorem(symbols: Source, path: Path) -> None:
        a, b = symbols.integer("a"), symbols.integer("b")
        path.prove(a + b >= a, "true")
        path.prove(a + b != 7, "false")

    found = refuted(theorem)
    assert (found.label, found.assignment) == ("false", Assignment((("a", 0), ("b", 7))))


def test_a_property_that_forks_is_refuted_too() -> None:
    """Plain Python predicates are run on the path like the code under proof."""

    def ascending(values: list[int]) -> bool:
        return all(left <= right for left, right in itertools.pairwise(values))

    def theorem(symbols: Source, path: Path) -> None:
        path.prove(ascending([symbols.integer(name, 1) for name in "abc"]))

    assert refuted(theorem).assignment.values == (("a", 1), ("b", 2), ("c", 1))


def test_negative_ranges_shrink_towards_zero() -> None:
    """The magnitude counts, whatever the sign."""

    def theorem(symbols: Source, path: Path) -> None:
        below, around = symbols.integer("below", -50, -3), symbols.integer("around", -50, 50)
        path.prove(below + around > -20)

    assert refuted(theorem).assignment.values == (("below", -3), ("around", -17))


def test_the_solver_finds_what_the_first_model_misses() -> None:
    """A failure at one value in 2**63 is found by the property's query."""

    def theorem(symbols: Source, path: Path) -> None:
        path.prove(3 * symbols.integer("a") != 3 * 123_456_789_012)

    assert refuted(theorem).assignment.value("a") == 123_456_789_012


@pytest.mark.parametrize("assignment", [Assignment(), Assignment.of({"needed": -1, "available": 0})])
def test_an_assignment_that_does_not_fit_is_refused(assignment: Assignment) -> None:
    """Missing values and values out of range are mistakes, not inputs."""
    with pytest.raises(TheoremMisuse):
        build(ConcreteSource(assignment))


def test_a_rational_is_no_quantity() -> None:
    """Bytes are whole."""
    with pytest.raises(TheoremMisuse, match="whole number"):
        build(ConcreteSource(Assignment.of({"needed": Fraction(1, 2), "available": 0})))
