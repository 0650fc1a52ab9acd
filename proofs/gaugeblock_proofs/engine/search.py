"""Running a theorem along every feasible path, up to its first violation."""

from __future__ import annotations

from collections import Counter

import msgspec

from gaugeblock_proofs.engine.errors import BudgetExhausted, EngineError, PathDiscarded, UnsupportedOperation
from gaugeblock_proofs.engine.formulas import Formula, holds, join, negate_formula
from gaugeblock_proofs.engine.linear import Exact
from gaugeblock_proofs.engine.path import Obligation, SymbolicPath
from gaugeblock_proofs.engine.replay import Theorem, raised_label
from gaugeblock_proofs.engine.solver import Answer, Solver
from gaugeblock_proofs.engine.sources import SymbolicSource
from gaugeblock_proofs.engine.tree import DecisionTree
from gaugeblock_proofs.engine.variables import Registry


class Violation(msgspec.Struct, frozen=True):
    """A failing path: its conditions (the failure included), values that satisfy them, and its choices."""

    label: str
    conditions: tuple[Formula, ...]
    values: tuple[Exact, ...]
    choices: tuple[int, ...]
    declared: tuple[int, ...]


class Search:
    """One walk through the tree of a theorem's decisions, with its tallies."""

    def __init__(
        self, theorem: Theorem, registry: Registry, solver: Solver, decisions_per_path: int, root: Formula | None = None
    ) -> None:
        self.tree = DecisionTree(registry, solver, decisions_per_path, root)
        self.paths = 0
        self.discarded = 0
        self.silent = 0
        self.undecided = 0
        self.reached: Counter[str] = Counter()
        self.violation: Violation | None = None
        self.refusal: UnsupportedOperation | None = None
        self._theorem = theorem

    def run(self, path_limit: int, wanted: str | None = None) -> None:
        """Walk until a violation (of the wanted label, if given), a refusal or the end; raises `BudgetExhausted`."""
        if not self.tree.plant():
            return
        runs = 0
        while True:
            if runs == path_limit:
                raise BudgetExhausted("paths")
            runs += 1
            violation = self._run_once()
            if self.refusal is not None:
                return
            if violation is not None and wanted in (None, violation.label):
                self.violation = violation
                return
            if not self.tree.advance():
                return

    def _run_once(self) -> Violation | None:
        """Run the theorem on the current path and settle what it is obliged to."""
        path = SymbolicPath(self.tree)
        raised: BaseException | None = None
        discarded = False
        try:
            self._theorem(SymbolicSource(path), path)
        except PathDiscarded:
            discarded = True
        except UnsupportedOperation as refusal:
            self.tree.refusal = self.tree.refusal or refusal
        except EngineError:
            raise
        except (Exception, SystemExit) as error:
            raised = error
        path.close()
        self.tree.end_run()
        self.refusal = self.tree.refusal
        if self.refusal is not None:
            return None
        self._count(path, discarded)
        violation = self._settle(path)
        if violation is None and raised is not None:
            return self._violation(path, raised_label(raised), None)
        return violation

    def _count(self, path: SymbolicPath, discarded: bool) -> None:
        if discarded:
            self.discarded += 1
            return
        self.paths += 1
        self.silent += not path.obligations
        self.reached.update({obligation.label for obligation in path.obligations})

    def _settle(self, path: SymbolicPath) -> Violation | None:
        """Return the first obligation that can fail on the path, asking the solver once for all open ones."""
        tree = self.tree
        open_obligations: list[Obligation] = []
        for obligation in path.obligations:
            formula = obligation.formula
            if isinstance(formula, bool):
                if not formula:
                    return self._violation(path, obligation.label, None)
            elif tree.facts.decide(formula) is not True:
                if not holds(formula, tree.values):
                    return self._violation(path, obligation.label, formula)
                open_obligations.append(obligation)
        return self._ask(path, open_obligations) if open_obligations else None

    def _ask(self, path: SymbolicPath, obligations: list[Obligation]) -> Violation | None:
        formulas = [obligation.formula for obligation in obligations]
        failure = join([negate_formula(formula) for formula in formulas if not isinstance(formula, bool)], conjunctive=False)
        if isinstance(failure, bool):
            return None  # Only a disjunction of nothing folds, and there is no failure in nothing.
        answer = self.tree.solver.check([*self.tree.conditions, failure])
        if answer is Answer.UNKNOWN:
            self.undecided += 1
        if answer is not Answer.SATISFIABLE:
            return None
        self.tree.values = self.tree.solver.values()
        failed = next(each for each in obligations if not _true(each.formula, self.tree.values))
        return self._violation(path, failed.label, failed.formula)

    def _violation(self, path: SymbolicPath, label: str, property_: Formula | bool | None) -> Violation:
        failure = () if property_ is None or isinstance(property_, bool) else (negate_formula(property_),)
        return Violation(
            label,
            (*self.tree.conditions, *failure),
            tuple(self.tree.values),
            self.tree.choices_taken(),
            tuple(path.declared),
        )


def _true(formula: Formula | bool, values: list[Exact]) -> bool:
    return formula if isinstance(formula, bool) else holds(formula, values)
