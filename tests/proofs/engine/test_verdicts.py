"""Whatever falls short of a proof is reported as such, with its reason."""

from __future__ import annotations

import pytest

from gaugeblock_proofs.engine import (
    Budget,
    NotProved,
    Path,
    Reason,
    Source,
    TheoremMisuse,
    Verdict,
    explore,
)


def transitivity(symbols: Source, path: Path) -> None:
    """A true theorem that needs the solver for its property."""
    a, b, c = (symbols.integer(name) for name in "abc")
    if a <= b and b <= c:
        path.prove(a <= c)


def test_a_true_theorem_is_proved() -> None:
    """All paths are explored and the property holds on each."""
    report = explore(transitivity)
    assert report.verdict is Verdict.PROVED
    assert (report.paths, report.silent, report.reached) == (3, 2, (("property", 1),))
    report.require_proved()


def test_an_undecided_fork_is_no_proof() -> None:
    """A solver that gives up on the other side of a comparison may have missed paths."""
    report = explore(transitivity, Budget(resources_per_query=1))
    assert (report.verdict, report.reasons) == (Verdict.NOT_PROVED, (Reason.SOLVER_UNKNOWN,))


def test_an_undecided_fork_counts_by_itself() -> None:
    """Even where every property is plainly true, unexplored sides are no proof."""

    def theorem(symbols: Source, path: Path) -> None:
        path.prove(bool(symbols.integer("a") <= symbols.integer("b")) in (True, False))

    report = explore(theorem, Budget(resources_per_query=1))
    assert (report.paths, report.reasons) == (1, (Reason.SOLVER_UNKNOWN,))


def test_an_undecided_property_is_no_proof() -> None:
    """A solver that gives up on the property has not proved it."""

    def theorem(symbols: Source, path: Path) -> None:
        a, b = symbols.integer("a"), symbols.integer("b")
        path.prove(3 * a + 5 * b != 1)

    report = explore(theorem, Budget(resources_per_query=1))
    assert (report.paths, report.reasons) == (1, (Reason.SOLVER_UNKNOWN,))


@pytest.mark.parametrize(
    ("budget", "limit"),
    [
        (Budget(paths=2), "paths"),
        (Budget(queries=1), "queries"),
        (Budget(decisions_per_path=1), "decisions on one path"),
    ],
)
def test_an_exhausted_budget_is_no_proof(budget: Budget, limit: str) -> None:
    """Each limit is named when it is reached."""
    report = explore(transitivity, budget)
    assert (report.verdict, report.reasons) == (Verdict.NOT_PROVED, (Reason.BUDGET_EXHAUSTED,))
    assert report.detail == f"limit on {limit}"


def test_a_budget_whose_end_is_swallowed_is_no_proof() -> None:
    """Code that returns from a ``finally`` block does not make it forgotten."""

    def count(value: int) -> int:
        found = 0
        try:
            if value > 3:
                found = 1
        finally:
            return found  # noqa: B012

    def theorem(symbols: Source, path: Path) -> None:
        path.prove(sum(count(symbols.integer(f"x{index}")) for index in range(6)) < 6)

    report = explore(theorem, Budget(decisions_per_path=5))
    assert (report.verdict, report.reasons) == (Verdict.NOT_PROVED, (Reason.BUDGET_EXHAUSTED,))


def test_code_that_leaves_the_program_is_refuted() -> None:
    """It would take the prover with it, and look like success."""

    def theorem(symbols: Source, path: Path) -> None:
        if symbols.integer("x") > 3:
            raise SystemExit(0)
        path.prove(True)

    report = explore(theorem)
    assert report.counterexample is not None
    assert (report.counterexample.label, report.counterexample.confirmed) == ("raises SystemExit", True)


def test_a_budget_that_just_suffices_is_a_proof() -> None:
    """The limits are inclusive."""
    needed = explore(transitivity)
    budget = Budget(paths=needed.paths, queries=needed.queries, decisions_per_path=2)
    assert explore(transitivity, budget).verdict is Verdict.PROVED


def test_an_endless_loop_over_a_symbol_ends_at_the_budget() -> None:
    """Counting down from any number has no bounded path."""

    def theorem(symbols: Source, path: Path) -> None:
        left = symbols.integer("x")
        while left != 0:
            left = left - 1
        path.prove(True)

    assert explore(theorem, Budget(paths=50)).reasons == (Reason.BUDGET_EXHAUSTED,)


def test_an_assertion_that_no_path_reaches_is_no_proof() -> None:
    """A property behind an impossible condition proves nothing."""

    def theorem(symbols: Source, path: Path) -> None:
        a, b = symbols.integer("a"), symbols.integer("b")
        if a < b and b < a:
            path.prove(False)

    report = explore(theorem)
    assert (report.verdict, report.reasons) == (Verdict.NOT_PROVED, (Reason.NO_ASSERTION_REACHED,))


def test_each_announced_assertion_must_be_reached() -> None:
    """One reached assertion does not stand in for another."""

    def theorem(symbols: Source, path: Path) -> None:
        path.prove(True, "reached")
        if symbols.integer("a") < 0:
            path.prove(False, "unreachable")

    report = explore(theorem, assertions=("reached", "unreachable"))
    assert (report.reasons, report.detail) == ((Reason.NO_ASSERTION_REACHED,), "not reached: unreachable")


def test_an_assertion_on_discarded_paths_does_not_count() -> None:
    """Outside the assumption nothing is asserted, yet what was asserted before is still checked."""

    def theorem(symbols: Source, path: Path) -> None:
        if symbols.integer("a") > 5:
            path.prove(True, "early")
            path.assume_accepted(lambda: ["problem"])

    assert explore(theorem, assertions=("early",)).reasons == (Reason.NO_ASSERTION_REACHED,)


def test_unsatisfiable_assumptions_are_no_proof() -> None:
    """A check that accepts nothing makes every property hold vacuously."""

    def theorem(symbols: Source, path: Path) -> None:
        a = symbols.integer("a")
        path.assume_accepted(lambda: ["too small"] if a < 5 else ["too large"])
        path.prove(True)

    report = explore(theorem)
    assert (report.verdict, report.reasons) == (Verdict.NOT_PROVED, (Reason.UNSATISFIABLE_ASSUMPTIONS,))
    assert (report.paths, report.discarded) == (0, 2)


def test_a_shortfall_raises_where_a_proof_is_required() -> None:
    """The error carries the description."""
    with pytest.raises(NotProved, match="limit on paths"):
        explore(transitivity, Budget(paths=1)).require_proved()


def test_a_property_must_be_a_truth_value() -> None:
    """A forgotten comparison is a mistake in the theorem, not a proof."""

    def theorem(_symbols: Source, path: Path) -> None:
        path.prove(["non-empty"])  # type: ignore[arg-type]

    with pytest.raises(TheoremMisuse):
        explore(theorem)


def test_one_name_has_one_range() -> None:
    """A symbol declared again with another range is a mistake in the theorem."""

    def theorem(symbols: Source, path: Path) -> None:
        path.prove(symbols.integer("a", 0, 1) <= symbols.integer("a", 0, 2))

    with pytest.raises(TheoremMisuse, match="different ranges"):
        explore(theorem)


def test_an_empty_range_is_a_mistake() -> None:
    """A symbol without values would prove everything."""

    def theorem(symbols: Source, path: Path) -> None:
        path.prove(symbols.integer("a", 2, 1) < 0)

    with pytest.raises(TheoremMisuse, match="empty range"):
        explore(theorem)


def test_the_description_names_what_matters() -> None:
    """Verdict, tallies, reasons and details are all there."""
    text = explore(transitivity, Budget(queries=1), name="order").describe()
    assert "order: not proved" in text
    assert "because a budget was exhausted" in text
