"""Making a counterexample small: first on its own path, then among all paths that fail alike."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from gaugeblock_proofs.engine.errors import BudgetExhausted
from gaugeblock_proofs.engine.formulas import Formula, compare_at_most_zero, compare_equal_zero, join
from gaugeblock_proofs.engine.linear import Exact, Linear, add, constant, scale, subtract, variable
from gaugeblock_proofs.engine.replay import Theorem
from gaugeblock_proofs.engine.search import Search, Violation
from gaugeblock_proofs.engine.solver import Answer, Solver
from gaugeblock_proofs.engine.variables import Registry, Sort, Variable
from gaugeblock_proofs.engine.verdicts import Budget

_DATE_GRAINS = (1, 2, 4, 8)
"""Dates are sought among whole seconds first, then halves, quarters and eighths: all exact as floats."""


def smallest(theorem: Theorem, registry: Registry, violation: Violation, budget: Budget) -> tuple[Violation, bool]:
    """Return the smallest violation with the same label, and whether the budget sufficed to know that it is."""
    best = violation
    queries = budget.minimisation_queries
    try:
        while True:
            solver = Solver(registry, queries, budget.resources_per_query)
            best = _Shrinking(registry, solver, best).shrunk()
            smaller = _smaller_elsewhere(theorem, registry, solver, best, budget)
            if smaller is None:
                return best, True
            best = smaller
            queries -= solver.queries
    except (BudgetExhausted, _Undecided):
        return best, False


class _Undecided(Exception):
    """The solver did not decide a query of the minimisation."""


def _smaller_elsewhere(
    theorem: Theorem, registry: Registry, solver: Solver, best: Violation, budget: Budget
) -> Violation | None:
    """Search all paths for a violation of the same label whose total is smaller."""
    total = _total(registry)
    limit = total.evaluate(registry.completed(list(best.values)))
    root = compare_at_most_zero(subtract(total, constant(limit)), strict=True, integral=True)
    if isinstance(root, bool):
        return None
    search = Search(theorem, registry, solver, budget.decisions_per_path, root)
    search.run(budget.minimisation_paths, best.label)
    if search.violation is None and (search.undecided or search.tree.unknown or search.refusal):
        raise _Undecided
    return search.violation


def _total(registry: Registry) -> Linear:
    """Return the sum of magnitudes of all integers whose ranges do not straddle zero.

    Symbols that a path does not declare count as well: nothing keeps them from their least magnitude, and only a measure
    that is the same on all paths decreases from one violation to the next.
    """
    total = constant(0)
    for index, symbol in enumerate(registry.variables):
        if symbol.sort is Sort.INTEGER and symbol.low >= 0:
            total = add(total, variable(index))
        elif symbol.sort is Sort.INTEGER and symbol.high <= 0:
            total = subtract(total, variable(index))
    return total


class _Shrinking:
    """Tightens one path's model: the total first, then the magnitude of every symbol in order of declaration."""

    def __init__(self, registry: Registry, solver: Solver, violation: Violation) -> None:
        self._registry = registry
        self._solver = solver
        self._violation = violation
        self._conditions = list(violation.conditions)
        self._values = registry.completed(list(violation.values))

    def shrunk(self) -> Violation:
        """Return the violation with its smallest values."""
        total = _total(self._registry)
        if total.terms:
            self._least((total,), total.evaluate(self._values), integral=True)
        for index in self._violation.declared:
            self._shrink_variable(index, self._registry.variables[index])
        old = self._violation
        return Violation(old.label, old.conditions, tuple(self._values), old.choices, old.declared)

    def _shrink_variable(self, index: int, symbol: Variable) -> None:
        both = (variable(index), scale(variable(index), -1))
        integral = symbol.sort is Sort.INTEGER
        ceiling = ceil(max(self._values[index], -self._values[index]))
        self._least(both, ceiling, integral)
        if not integral:
            self._settle_date(index)
        self._keep(compare_equal_zero(subtract(variable(index), constant(self._values[index])), integral))

    def _least(self, expressions: Sequence[Linear], known: Exact, integral: bool) -> None:
        """Find the least whole limit that all the expressions can stay within, and keep it."""
        low, high = 0, int(known)
        step = 0
        while low < high:
            # Small limits are likely, so gallop from below before halving what is left.
            probe = min(low + step, (low + high) // 2)
            if self._possible(_within(expressions, probe, integral)):
                high = probe
            else:
                low = probe + 1
                step = 2 * step + 1
        self._keep(_within(expressions, high, integral))

    def _settle_date(self, index: int) -> None:
        """Prefer the roundest value near the one found, so that the float is exact."""
        for grain in _DATE_GRAINS:
            found = Fraction(self._values[index])
            steps = found * grain
            for whole in dict.fromkeys((int(steps), floor(steps), ceil(steps))):
                difference = subtract(variable(index), constant(Fraction(whole, grain)))
                if self._possible(compare_equal_zero(difference, integral=False)):
                    return

    def _possible(self, condition: Formula | bool) -> bool:
        if isinstance(condition, bool):
            return condition
        answer = self._solver.check([*self._conditions, condition])
        if answer is Answer.UNKNOWN:
            raise _Undecided
        if answer is Answer.SATISFIABLE:
            self._values = self._solver.values()
        return answer is Answer.SATISFIABLE

    def _keep(self, condition: Formula | bool) -> None:
        if not isinstance(condition, bool):
            self._conditions.append(condition)


def _within(expressions: Sequence[Linear], limit: Exact, integral: bool) -> Formula | bool:
    """Return that every expression is at most the limit."""
    bound = constant(limit)
    return join([compare_at_most_zero(subtract(each, bound), False, integral) for each in expressions], conjunctive=True)
