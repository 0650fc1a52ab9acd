"""Little functions have as many paths as one counts by hand."""

from __future__ import annotations

import itertools

import msgspec
import pytest

from gaugeblock_proofs.engine import (
    Budget,
    Exploration,
    Path,
    Source,
    Verdict,
    all_of,
    any_of,
    explore,
    implies,
    negate,
)


class Box(msgspec.Struct, frozen=True):
    """Two sizes in one value, as the model has them."""

    ram: int
    disk: int


def proved(report: Exploration, paths: int) -> None:
    """Check that the theorem holds with this number of paths."""
    assert report.verdict is Verdict.PROVED, report.describe()
    assert report.paths == paths


def test_a_deficit_has_two_paths() -> None:
    """`max(0, a - b)` compares once."""

    def theorem(symbols: Source, path: Path) -> None:
        needed, available = symbols.integer("needed"), symbols.integer("available")
        deficit = max(0, needed - available)
        path.prove(all_of(deficit >= 0, deficit + available >= needed))

    proved(explore(theorem), 2)


def test_straight_line_code_has_one_path() -> None:
    """Sums and differences do not fork, nor does the property."""

    def theorem(symbols: Source, path: Path) -> None:
        a, b = symbols.integer("a"), symbols.integer("b")
        path.prove(all_of(sum([a, b, 3]) == 3 + b + a, 10 - a == -(a - 10), 2 * a - a == +a))

    report = explore(theorem)
    proved(report, 1)
    assert report.queries == 0


def test_a_comparison_forks_only_once() -> None:
    """The same condition, and whatever follows from its bounds, is known from then on."""

    def theorem(symbols: Source, path: Path) -> None:
        a, b = symbols.integer("a"), symbols.integer("b")
        first = bool(a <= b)
        path.prove(bool(a <= b) == first and bool(b >= a) == first and bool(a > b) != first and (not first or a <= b + 1))

    proved(explore(theorem), 2)


def test_declared_ranges_decide_without_a_fork() -> None:
    """Conditions that the ranges force need neither a path nor a query."""

    def theorem(symbols: Source, path: Path) -> None:
        small, large = symbols.integer("small", 0, 9), symbols.integer("large", 10, 20)
        path.prove(small < large and small + large <= 29 and small + 11 != large + large + 10)

    report = explore(theorem)
    proved(report, 1)
    assert report.queries == 0


@pytest.mark.parametrize(("count", "orders"), [(2, 2), (3, 6), (4, 24)])
def test_sorting_has_a_path_for_each_order(count: int, orders: int) -> None:
    """Distinct values are sorted along as many paths as there are permutations, each tie falling to one of them."""

    def theorem(symbols: Source, path: Path) -> None:
        ordered = sorted(symbols.integer(f"x{index}") for index in range(count))
        path.prove_all(left <= right for left, right in itertools.pairwise(ordered))

    proved(explore(theorem), orders)


def test_infeasible_sides_are_pruned() -> None:
    """What contradicts the path by transitivity is no path."""

    def theorem(symbols: Source, path: Path) -> None:
        a, b, c = (symbols.integer(name) for name in "abc")
        if a < b and b < c:
            path.prove(bool(a < c))
        else:
            path.prove(True)

    report = explore(theorem)
    proved(report, 3)
    assert report.pruned == 1


def test_a_condition_made_of_others_forks_once() -> None:
    """A combined condition used in an `if` is one decision."""

    def theorem(symbols: Source, path: Path) -> None:
        a, b = symbols.integer("a"), symbols.integer("b")
        if any_of(a > 5, b > 5):
            path.prove(implies(a <= 5, b > 5))
        else:
            path.prove(all_of(negate(a > 5), b <= 5))

    proved(explore(theorem), 2)


def test_equal_values_fork_on_equality() -> None:
    """Comparing frozen values of the model compares their fields: equal, or different in the first, or the second."""

    def theorem(symbols: Source, path: Path) -> None:
        left = Box(symbols.integer("a"), symbols.integer("b"))
        right = Box(symbols.integer("c"), symbols.integer("d"))
        same = left == right
        path.prove(all_of(left.ram == right.ram, left.disk == right.disk) if same else True)

    proved(explore(theorem), 3)


def test_integers_leave_no_room_between_neighbours() -> None:
    """Strict bounds are rounded inwards, common divisors are divided out."""

    def theorem(symbols: Source, path: Path) -> None:
        a = symbols.integer("a")
        path.prove(not (a > 3 and a < 4) and 2 * a != 7)

    proved(explore(theorem), 2)


def test_a_loop_over_a_bounded_symbol_unrolls() -> None:
    """A loop that counts a symbol down has one path for each value."""

    def theorem(symbols: Source, path: Path) -> None:
        left, rounds = symbols.integer("x", 0, 4), 0
        while left > 0:
            left, rounds = left - 1, rounds + 1
        path.prove(symbols.integer("x", 0, 4) == rounds)

    proved(explore(theorem, Budget(decisions_per_path=5)), 5)


def test_a_symbol_first_declared_on_a_later_path_is_ranged() -> None:
    """The solver learns of new symbols in the middle of an exploration."""

    def theorem(symbols: Source, path: Path) -> None:
        if symbols.integer("a") > 5:
            path.prove(bool(symbols.integer("b", 7, 8) >= 7) and bool(symbols.date("t", 1.0, 2.0) > 1.0) in (True, False))
        else:
            path.prove(True)

    proved(explore(theorem), 3)
