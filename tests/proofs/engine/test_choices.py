"""A nondeterministic policy gives every answer on some path."""

from __future__ import annotations

from math import factorial

import pytest

from gaugeblock_proofs.engine import (
    Assignment,
    NondeterministicTheorem,
    Path,
    Source,
    TheoremMisuse,
    Verdict,
    explore,
    replay,
)


def answers(how: str, items: tuple[str, ...]) -> list[object]:
    """Return what the named choice gives on each path, in order."""
    seen: list[object] = []

    def theorem(_symbols: Source, path: Path) -> None:
        seen.append(getattr(path, how)(items))
        path.prove(True)

    assert explore(theorem).verdict is Verdict.PROVED
    return seen


def test_each_alternative_is_chosen_once() -> None:
    """The alternatives come in order."""
    assert answers("choose", ("a", "b", "c")) == ["a", "b", "c"]


def test_each_subset_is_chosen_once() -> None:
    """There are two to the power of the number of items."""
    assert sorted(map(str, answers("choose_subset", ("a", "b")))) == ["('a', 'b')", "('a',)", "('b',)", "()"]


def test_each_permutation_is_chosen_once() -> None:
    """There are as many as the factorial says, all different."""
    seen = answers("choose_permutation", ("a", "b", "c", "d"))
    assert len(seen) == len(set(seen)) == factorial(4)


def test_each_arrangement_is_chosen_once() -> None:
    """Ordered subsets of three: one, three, six and six."""
    seen = answers("choose_arrangement", ("a", "b", "c"))
    assert len(seen) == len(set(seen)) == 16


def test_a_choice_among_nothing_is_a_mistake() -> None:
    """A path without alternatives would vanish without being noticed."""
    with pytest.raises(TheoremMisuse):
        answers("choose", ())


def test_choices_and_comparisons_combine() -> None:
    """Every choice meets every feasible outcome of the comparisons before and after it."""

    def theorem(symbols: Source, path: Path) -> None:
        a = symbols.integer("a", 0, 10)
        low = bool(a < 5)
        limit = path.choose((3, 5, 7))
        path.prove(low or not a < limit or limit == 7)

    # Low: 3 forks again, 5 and 7 do not. High: only 7 forks again. The short-circuit skips the low ones.
    assert explore(theorem).paths == 3 + 3 + 1


def test_a_counterexample_records_its_choices() -> None:
    """The concrete run follows them to the same failure."""

    def theorem(symbols: Source, path: Path) -> None:
        limit = path.choose((0, 10, 20))
        subset = path.choose_subset(("a", "b"))
        path.prove(symbols.integer("x", 0, 15) >= limit - 10 or subset != ("b",))

    report = explore(theorem)
    assert report.counterexample is not None
    assert report.counterexample.assignment == Assignment((("x", 0),), (2, 0, 1))
    assert report.counterexample.confirmed


def test_a_replay_without_the_choices_is_a_mistake() -> None:
    """An assignment must say which alternatives were taken."""

    def theorem(_symbols: Source, path: Path) -> None:
        path.prove(path.choose((True, False)))

    with pytest.raises(TheoremMisuse):
        replay(theorem, Assignment())


def test_a_theorem_that_changes_its_choices_is_refused() -> None:
    """What lives on between runs would make the exploration meaningless."""
    runs: list[int] = []

    def theorem(_symbols: Source, path: Path) -> None:
        runs.append(1)
        path.choose((1, 2)) if len(runs) == 1 else path.choose((1, 2, 3))
        path.prove(True)

    with pytest.raises(NondeterministicTheorem):
        explore(theorem)
