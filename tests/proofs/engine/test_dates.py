"""Dates are finite reals that stand for floats, and every report says so."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

from gaugeblock_proofs.engine import Assignment, Path, Reason, Source, Verdict, all_of, explore, replay


def test_the_report_marks_that_reals_stood_for_floats() -> None:
    """The names of the dates are listed."""

    def theorem(symbols: Source, path: Path) -> None:
        symbols.integer("ram")
        path.prove(symbols.date("now") <= symbols.date("later", 5.0) or True)

    report = explore(theorem)
    assert report.dates == ("now", "later")
    assert "reals stood for floats: now, later" in report.describe()


def test_dates_are_dense() -> None:
    """Between two different dates there is a third, unlike with integers."""

    def theorem(symbols: Source, path: Path) -> None:
        t = symbols.date("t", 0.0, 10.0)
        path.prove(not (t > 3 and t < 4))

    report = explore(theorem)
    assert report.counterexample is not None
    assert report.counterexample.assignment.value("t") == Fraction(7, 2)
    assert report.counterexample.confirmed


def test_floats_are_converted_exactly() -> None:
    """Ten times the float 0.1 is not one, and the sum knows it."""

    def theorem(symbols: Source, path: Path) -> None:
        t = symbols.date("t")
        path.prove(all_of(t + 0.1 > t, 10 * (t + 0.1) - 10 * t > 1, t + 0.5 + 0.5 == 1 + t))

    assert explore(theorem).verdict is Verdict.PROVED


def test_strict_and_weak_bounds_differ() -> None:
    """Less than and at most part at one date, which is where the wrong claim fails."""

    def theorem(symbols: Source, path: Path) -> None:
        now, due = symbols.date("now", 0.0), symbols.date("due", 0.0)
        if now <= due:
            path.prove(now < due)
        else:
            path.prove(due < now)

    report = explore(theorem)
    assert report.counterexample is not None
    assert report.counterexample.assignment == Assignment((("now", 0), ("due", 0)))


def test_open_intervals_are_remembered() -> None:
    """A strict bound decides the weak one, and excludes its end."""

    def theorem(symbols: Source, path: Path) -> None:
        t = symbols.date("t")
        if t < 5:
            path.prove(bool(t <= 5) and t != 5 and not t >= 5)
        else:
            path.prove(bool(t >= 5) and (t == 5 or t > 5))

    report = explore(theorem)
    assert (report.verdict, report.paths) == (Verdict.PROVED, 3)


def test_dates_are_finite() -> None:
    """Comparisons with infinities and with no number are decided; finiteness is checked by comparing."""

    def theorem(symbols: Source, path: Path) -> None:
        t = symbols.date("t")
        largest = sys.float_info.max
        path.prove(t < math.inf and t > -math.inf and t != math.inf and not t <= math.nan and t != math.nan)
        path.prove(-largest <= t <= largest, "finite")

    report = explore(theorem)
    assert (report.verdict, report.paths, report.queries) == (Verdict.PROVED, 1, 0)


def test_an_infinite_sum_is_refused() -> None:
    """No real stands for infinity."""

    def theorem(symbols: Source, path: Path) -> None:
        path.prove(symbols.date("t") + math.inf > 0)

    assert explore(theorem).reasons == (Reason.UNSUPPORTED_OPERATION,)


def test_a_failure_of_reals_alone_is_marked_unconfirmed() -> None:
    """Where floats round, the concrete run does not fail, and the counterexample says so."""

    def theorem(symbols: Source, path: Path) -> None:
        t = symbols.date("t", 2.0**60, 2.0**60 + 1024)
        path.prove(t + 0.25 == t)

    report = explore(theorem)
    assert report.counterexample is not None
    assert not report.counterexample.confirmed
    assert "NOT CONFIRMED" in report.describe()


def test_a_concrete_run_that_strays_is_marked_unconfirmed() -> None:
    """Rounding may lead to a symbol that the failing path never declared; that is no crash of the exploration."""

    def theorem(symbols: Source, path: Path) -> None:
        t = symbols.date("t", 2.0**60, 2.0**60 + 1024)
        if t + 0.25 == t:
            path.prove(symbols.integer("stray") >= 0)
        path.prove(t + 0.25 == t)

    report = explore(theorem)
    assert report.counterexample is not None
    assert not report.counterexample.confirmed


def test_an_integer_compares_exactly_with_a_float() -> None:
    """Two and a half lies between two and three."""

    def theorem(symbols: Source, path: Path) -> None:
        n = symbols.integer("n", -9, 9)
        if n <= 2.5:
            path.prove(all_of(n != 2.5, n <= 2, n < 2.5))
        else:
            path.prove(all_of(n >= 3, n > 2.0))

    report = explore(theorem)
    assert (report.verdict, report.paths) == (Verdict.PROVED, 2)


def test_a_replayed_date_is_a_float() -> None:
    """The builder receives what shipped code receives."""
    kinds: list[type] = []

    def theorem(symbols: Source, path: Path) -> None:
        kinds.append(type(symbols.date("t")))
        path.prove(True)

    replay(theorem, Assignment.of({"t": Fraction(1, 3)}))
    assert kinds == [float]
