"""The only module that talks to Z3: an incremental stack of path conditions, one query at a time, no clock.

Each instance has its own Z3 context, fixed seeds and a resource limit per query (Z3's `rlimit`, a count of elementary
steps), so that the same questions get the same answers in every run.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from typing import Any

import z3
from z3 import z3core

from gaugeblock_proofs.engine.errors import BudgetExhausted
from gaugeblock_proofs.engine.formulas import Comparison, Formula, Relation
from gaugeblock_proofs.engine.linear import Exact
from gaugeblock_proofs.engine.variables import Registry, Sort

Z3Expression = Any
"""Z3 publishes no types; nothing of this type leaves this module."""


_TRANSLATIONS_KEPT = 20_000
"""Most properties' comparisons occur on one path only; keeping all of them would fill the memory."""


class Answer(Enum):
    """What the solver says about a set of conditions."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    UNKNOWN = "unknown"


class Solver:
    """A stack of conditions over the registry's variables, kept aligned with the path that is asked about."""

    def __init__(self, registry: Registry, queries: int, resources_per_query: int) -> None:
        self.queries = 0
        self._query_limit = queries
        self._resources_per_query = resources_per_query
        self._registry = registry
        self._context: Z3Expression = z3.Context()
        self._solver: Z3Expression = None
        self._constants: list[Z3Expression] = []
        self._stack: list[Formula] = []
        self._translations: dict[Comparison, Z3Expression] = {}

    def check(self, conditions: Sequence[Formula]) -> Answer:
        """Say whether the declared ranges and the conditions can hold together; raises `BudgetExhausted`."""
        if self.queries >= self._query_limit:
            raise BudgetExhausted("queries")
        self.queries += 1
        self._align(conditions)
        result = self._solver.check()
        if result == z3.sat:
            return Answer.SATISFIABLE
        return Answer.UNSATISFIABLE if result == z3.unsat else Answer.UNKNOWN

    def values(self) -> list[Exact]:
        """Return a value for every variable, from the model of the query just found satisfiable."""
        model = self._solver.model().model
        reference = self._context.ref()
        values: list[Exact] = []
        for constant, variable in zip(self._constants, self._registry.variables, strict=True):
            numeral = z3core.Z3_model_get_const_interp(reference, model, constant.declaration)
            # A variable without interpretation may have any value of its range.
            values.append(_exact(z3core.Z3_get_numeral_string(reference, numeral)) if numeral else variable.nearest_to_zero)
        return values

    def _align(self, conditions: Sequence[Formula]) -> None:
        """Pop what does not belong to the conditions and push what is missing."""
        if self._solver is None or len(self._constants) < len(self._registry.variables):
            self._restart()
        shared = 0
        for asserted, wanted in zip(self._stack, conditions, strict=False):
            if asserted is not wanted:
                break
            shared += 1
        if shared < len(self._stack):
            self._solver.pop(len(self._stack) - shared)
            del self._stack[shared:]
        for condition in conditions[shared:]:
            self._solver.push()
            self._assert(self._translated(condition))
            self._stack.append(condition)

    def _restart(self) -> None:
        """Start an empty stack under the ranges of all variables, in the smallest logic that has their sorts."""
        variables = self._registry.variables
        for variable in variables[len(self._constants) :]:
            self._constants.append(_Constant(variable.name, variable.sort, self._context))
        sorts = {variable.sort for variable in variables}
        logic = "QF_LIRA" if len(sorts) > 1 else "QF_LRA" if sorts == {Sort.REAL} else "QF_LIA"
        self._solver = z3.SolverFor(logic, ctx=self._context)
        self._solver.set("random_seed", 0)
        self._solver.set("rlimit", self._resources_per_query)
        self._stack = []
        for constant, variable in zip(self._constants, variables, strict=True):
            self._solver.add(constant.symbol >= self._numeral(variable.low, variable.sort is Sort.INTEGER))
            self._solver.add(constant.symbol <= self._numeral(variable.high, variable.sort is Sort.INTEGER))

    def _assert(self, expression: Z3Expression) -> None:
        """Assert a truth value as it is; Z3's own method would first look for what it can coerce."""
        z3core.Z3_solver_assert(self._context.ref(), self._solver.solver, expression.ast)

    def _translated(self, formula: Formula) -> Z3Expression:
        if isinstance(formula, Comparison):
            return self._translated_comparison(formula)
        parts = [self._translated(part) for part in formula.parts]
        asts = (z3.Ast * len(parts))(*[part.ast for part in parts])
        make = z3core.Z3_mk_and if formula.conjunctive else z3core.Z3_mk_or
        return z3.BoolRef(make(self._context.ref(), len(parts), asts), self._context)

    def _translated_comparison(self, comparison: Comparison) -> Z3Expression:
        """Translate a comparison once; junctions are not kept, since nearly every path has its own."""
        known = self._translations.get(comparison)
        if known is None:
            if len(self._translations) >= _TRANSLATIONS_KEPT:
                self._translations.clear()
            known = self._translations[comparison] = self._translate_comparison(comparison)
        return known

    def _translate_comparison(self, comparison: Comparison) -> Z3Expression:
        total = z3.Sum([coefficient * self._constants[index].symbol for index, coefficient in comparison.terms])
        bound = self._numeral(comparison.bound[0], comparison.integral)
        if comparison.relation is Relation.EQUAL:
            return total == bound if comparison.positive else total != bound
        strict = comparison.bound[1] < 0
        if comparison.positive:
            return total < bound if strict else total <= bound
        return total >= bound if strict else total > bound

    def _numeral(self, value: Exact, integral: bool) -> Z3Expression:
        return z3.IntVal(value, self._context) if integral else z3.RealVal(str(value), self._context)


class _Constant:
    """A Z3 constant with its declaration at hand, since looking that up per model is slow."""

    def __init__(self, name: str, sort: Sort, context: Z3Expression) -> None:
        self.symbol: Z3Expression = z3.Int(name, context) if sort is Sort.INTEGER else z3.Real(name, context)
        self._declaration_owner: Z3Expression = self.symbol.decl()
        self.declaration: Z3Expression = self._declaration_owner.ast


def _exact(numeral: str) -> Exact:
    """Read Z3's numeral, `7` or `-7/2`."""
    if "/" not in numeral:
        return int(numeral)
    return Fraction(numeral)
