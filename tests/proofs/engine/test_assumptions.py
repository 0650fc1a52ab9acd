"""The only assumption is that a shipped check accepts the state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from gaugeblock_proofs.engine import Path, Source, TheoremMisuse, Verdict, explore, replay
from gaugeblock_proofs.engine.assignment import Assignment


class Rejected(Exception):
    """A shipped check's own refusal."""


def test_a_check_that_raises_discards_the_path() -> None:
    """The rest of the theorem holds under the check only."""

    def check(used: int, capacity: int) -> None:
        if used > capacity:
            raise Rejected

    def theorem(symbols: Source, path: Path) -> None:
        used, capacity = symbols.integer("used"), symbols.integer("capacity")
        path.assume_accepted(lambda: check(used, capacity), Rejected)
        path.prove(capacity - used >= 0)

    report = explore(theorem)
    assert report.verdict is Verdict.PROVED
    assert (report.paths, report.discarded) == (1, 1)


def test_a_check_that_returns_problems_discards_the_path() -> None:
    """No problem means acceptance."""

    def theorem(symbols: Source, path: Path) -> None:
        used, capacity = symbols.integer("used"), symbols.integer("capacity")
        path.assume_accepted(lambda: [problem for problem in ("over",) if used > capacity])
        path.prove(used <= capacity)

    report = explore(theorem)
    assert (report.verdict, report.paths, report.discarded) == (Verdict.PROVED, 1, 1)


def test_a_check_is_not_asked_again_for_what_comes_after_it() -> None:
    """Paths that part after the check share its answer."""
    asked: list[bool] = []

    def check(used: int) -> list[str]:
        asked.append(bool(used > 5))
        return ["over"] if asked[-1] else []

    def theorem(symbols: Source, path: Path) -> None:
        used, late = symbols.integer("used"), symbols.integer("late")
        path.assume_accepted(lambda: check(used))
        path.prove(used <= 5 if late > 3 else used < 6)

    report = explore(theorem)
    assert (report.verdict, report.paths, report.discarded) == (Verdict.PROVED, 2, 1)
    assert asked == [False, True]


@pytest.mark.parametrize("checks", [1, 2])
def test_a_check_is_asked_anew_after_runs_that_ended_before_it(checks: int) -> None:
    """However many decisions these had taken: none of them is one that the check went by."""

    def over(used: int, limit: int) -> list[str]:
        return ["over"] if used > limit else []

    def theorem(symbols: Source, path: Path) -> None:
        hurried = path.pick(2)
        used, late = symbols.integer("used"), symbols.integer("late")
        if hurried and not [late > bound for bound in range(9) if late > bound][8:]:
            path.prove(used >= 0)
            return
        for limit in range(checks, 0, -1):
            path.assume_accepted(partial(over, used, limit))
        path.prove(used <= 1)

    assert explore(theorem).verdict is Verdict.PROVED


def test_a_check_that_ends_otherwise_does_not_stand_for_the_next() -> None:
    """One that raises what is no rejection has not accepted, and is asked again."""

    def check(used: int) -> None:
        if used <= 5:
            raise ValueError

    def theorem(symbols: Source, path: Path) -> None:
        used, late = symbols.integer("used"), symbols.integer("late")
        small = False
        try:
            path.assume_accepted(lambda: check(used), Rejected)
        except ValueError:
            small = True
        path.assume_accepted(lambda: ())
        path.prove(not small if late > 3 else True)

    report = explore(theorem)
    assert report.counterexample is not None
    assert report.counterexample.confirmed
    assert report.counterexample.assignment.values == (("used", 0), ("late", 4))


WITHIN: dict[str, Callable[[Source, Path], object]] = {
    "picks": lambda symbols, path: path.pick(2),
    "makes a check": lambda symbols, path: path.assume_accepted(lambda: ()),
    "proves": lambda symbols, path: path.prove(True),
    "declares a symbol": lambda symbols, path: symbols.integer("more"),
}


@pytest.mark.parametrize("within", WITHIN.values(), ids=WITHIN)
def test_a_check_only_looks(within: Callable[[Source, Path], object]) -> None:
    """It is not asked again on every path, so that what else it does would be missing there."""

    def theorem(symbols: Source, path: Path) -> None:
        path.assume_accepted(lambda: [problem for problem in ("none",) if within(symbols, path) is problem])
        path.prove(True)

    with pytest.raises(TheoremMisuse, match="a check only looks"):
        explore(theorem)


def test_a_lazy_check_is_read_up_to_its_first_problem() -> None:
    """Ten independent rules cost ten discarded paths instead of a thousand."""

    def problems(values: list[int]) -> Iterator[str]:
        for value in values:
            if value > 5:
                yield "over"

    def theorem(symbols: Source, path: Path) -> None:
        values = [symbols.integer(f"x{index}") for index in range(10)]
        path.assume_accepted(lambda: problems(values))
        path.prove(sum(values) <= 50)

    report = explore(theorem)
    assert (report.verdict, report.paths, report.discarded) == (Verdict.PROVED, 1, 10)


def test_a_value_that_checks_itself_is_returned_where_accepted() -> None:
    """A constructor that validates is a check too."""

    class Share:
        def __init__(self, used: int, capacity: int) -> None:
            if used > capacity:
                raise Rejected
            self.free = capacity - used

    def theorem(symbols: Source, path: Path) -> None:
        used, capacity = symbols.integer("used"), symbols.integer("capacity")
        path.prove(path.accepted(lambda: Share(used, capacity), Rejected).free >= 0)

    report = explore(theorem)
    assert (report.verdict, report.paths, report.discarded) == (Verdict.PROVED, 1, 1)


def test_another_exception_of_a_check_is_a_failure() -> None:
    """Only its own refusals discard; a bug in the check does not hide states."""

    def broken(value: int) -> None:
        if value > 3:
            raise KeyError(value)

    def theorem(symbols: Source, path: Path) -> None:
        value = symbols.integer("x")
        path.assume_accepted(lambda: broken(value), Rejected)
        path.prove(True)

    report = explore(theorem)
    assert report.counterexample is not None
    assert report.counterexample.label == "raises KeyError"


def test_a_check_with_a_truth_value_is_a_mistake() -> None:
    """Whether `True` means accepted or rejected would be a guess."""

    def theorem(_symbols: Source, path: Path) -> None:
        path.assume_accepted(lambda: True)  # type: ignore[arg-type, return-value]

    with pytest.raises(TheoremMisuse):
        explore(theorem)


def test_an_obligation_before_the_assumption_is_not_weakened_by_it() -> None:
    """What was claimed before the check must hold on the discarded paths too."""

    def theorem(symbols: Source, path: Path) -> None:
        x = symbols.integer("x")
        path.prove(x < 5)
        path.assume_accepted(lambda: ["large"] if x >= 5 else [])

    assert explore(theorem).verdict is Verdict.REFUTED


def test_a_replay_outside_the_assumption_is_discarded() -> None:
    """The concrete run reports that the check rejected its input."""

    def theorem(symbols: Source, path: Path) -> None:
        x = symbols.integer("x")
        path.assume_accepted(lambda: ["large"] if x >= 5 else [])
        path.prove(False)

    assert replay(theorem, Assignment.of({"x": 5})).discarded
    assert replay(theorem, Assignment.of({"x": 4})).failed == ("property",)
