"""What one path has established so far: an interval for every expression it compared, with an undo trail.

Most comparisons of a re-execution, and many new ones, are answered here without a fork and without the solver.
"""

from __future__ import annotations

from gaugeblock_proofs.engine.formulas import Bound, Comparison, Formula, Junction, Relation, negate_formula
from gaugeblock_proofs.engine.linear import Exact, Terms

Interval = tuple[Bound, Bound]
"""Least and greatest value, both inclusive up to their infinitesimal parts."""


class Facts:
    """The established conditions, as intervals where possible and as remembered formulas otherwise."""

    def __init__(self) -> None:
        self._intervals: dict[Terms, Interval] = {}
        self._truths: dict[Formula, bool] = {}
        self._interval_trail: list[tuple[Terms, Interval | None]] = []
        self._truth_trail: list[Formula] = []

    def declare(self, index: int, low: Exact, high: Exact) -> None:
        """Record the declared range of a variable; it outlives every undo."""
        self._intervals[((index, 1),)] = ((low, 0), (high, 0))

    def mark(self) -> tuple[int, int]:
        """Return a point that `undo` can go back to."""
        return len(self._interval_trail), len(self._truth_trail)

    def undo(self, mark: tuple[int, int]) -> None:
        """Forget everything learned since the mark."""
        while len(self._interval_trail) > mark[0]:
            terms, previous = self._interval_trail.pop()
            if previous is None:
                del self._intervals[terms]
            else:
                self._intervals[terms] = previous
        while len(self._truth_trail) > mark[1]:
            del self._truths[self._truth_trail.pop()]

    def decide(self, formula: Formula) -> bool | None:
        """Return the truth value that the facts force on the formula, or `None` if they leave it open."""
        if isinstance(formula, Junction):
            return self._decide_junction(formula)
        interval = self._intervals.get(formula.terms)
        answer = None if interval is None else _answer(formula, interval)
        if answer is None and len(formula.terms) > 1:
            answer = _answer(formula, self._reach(formula.terms))
        if answer is None and formula.relation is Relation.EQUAL:
            answer = self._truths.get(formula)
        return answer

    def learn(self, formula: Formula) -> None:
        """Add a condition that holds from here on."""
        if isinstance(formula, Junction):
            self._learn_junction(formula)
            return
        low, high = self._intervals.get(formula.terms) or self._reach(formula.terms)
        new_low, new_high = _narrowed(formula, low, high)
        if (new_low, new_high) != (low, high):
            self._interval_trail.append((formula.terms, self._intervals.get(formula.terms)))
            self._intervals[formula.terms] = (new_low, new_high)
        if formula.relation is Relation.EQUAL:
            self._remember(formula)

    def _decide_junction(self, formula: Junction) -> bool | None:
        remembered = self._truths.get(formula)
        if remembered is not None:
            return remembered
        answers = [self.decide(part) for part in formula.parts]
        if (not formula.conjunctive) in answers:
            return not formula.conjunctive
        return None if None in answers else formula.conjunctive

    def _learn_junction(self, formula: Junction) -> None:
        self._remember(formula)
        if formula.conjunctive:
            for part in formula.parts:
                self.learn(part)

    def _remember(self, formula: Formula) -> None:
        for known, truth in ((formula, True), (negate_formula(formula), False)):
            if known not in self._truths:
                self._truths[known] = truth
                self._truth_trail.append(known)

    def _reach(self, terms: Terms) -> Interval:
        """Return the interval that the variables' own intervals allow the expression."""
        low: Bound = (0, 0)
        high: Bound = (0, 0)
        for index, coefficient in terms:
            smallest, largest = self._intervals[((index, 1),)]
            if coefficient < 0:
                smallest, largest = largest, smallest
            low = (low[0] + coefficient * smallest[0], low[1] + coefficient * smallest[1])
            high = (high[0] + coefficient * largest[0], high[1] + coefficient * largest[1])
        # A sum of open ends is one open end, however many took part.
        return (low[0], min(low[1], 1)), (high[0], max(high[1], -1))


def _answer(comparison: Comparison, interval: Interval) -> bool | None:
    """Return the truth value that is the same everywhere in the interval, if there is one."""
    low, high = interval
    bound = comparison.bound
    if comparison.relation is Relation.AT_MOST:
        if high <= bound:
            return comparison.positive
        return not comparison.positive if low > bound else None
    if low == high == bound:
        return comparison.positive
    return not comparison.positive if bound < low or bound > high else None


def _narrowed(comparison: Comparison, low: Bound, high: Bound) -> Interval:
    """Return the interval cut down to where the comparison holds."""
    bound = comparison.bound
    if comparison.relation is Relation.EQUAL:
        return _narrowed_equality(comparison, low, high)
    if comparison.positive:
        return low, min(high, bound)
    return max(low, _above(bound, comparison.integral)), high


def _narrowed_equality(comparison: Comparison, low: Bound, high: Bound) -> Interval:
    bound = comparison.bound
    if comparison.positive:
        return bound, bound
    value = bound[0]
    if bound == low:
        low = _above(bound, comparison.integral)
    if bound == high:
        high = (value - 1, 0) if comparison.integral else (value, -1)
    return low, high


def _above(bound: Bound, integral: bool) -> Bound:
    """Return the least bound greater than this one."""
    return (bound[0] + 1, 0) if integral else (bound[0], bound[1] + 1)
