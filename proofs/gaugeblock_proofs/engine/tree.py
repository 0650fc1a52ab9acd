"""The tree of decisions that the runs of one theorem walk, depth first, each leaf once.

A run follows the current model: a comparison that the path's facts leave open is answered as the model answers it, and
noted. After the run the deepest noted answer is turned round; only then is the solver asked whether that is possible.
The established facts answer a re-execution's comparisons. Every decision that it shares with the run before has to be met
again, in order: a run that does not come by one of them, or comes to another one first, is not a function of its symbols.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from gaugeblock_proofs.engine.errors import BudgetExhausted, NondeterministicTheorem, UnsupportedOperation
from gaugeblock_proofs.engine.facts import Facts
from gaugeblock_proofs.engine.formulas import Formula, holds, negate_formula
from gaugeblock_proofs.engine.linear import Exact
from gaugeblock_proofs.engine.solver import Answer, Solver
from gaugeblock_proofs.engine.variables import Registry, Variable


@dataclass(frozen=True, slots=True)
class Fork:
    """A comparison that was answered; `turned` when its other answer has been explored already.

    `asked` is the comparison as it was asked, `condition` what holds on the path: that, or its denial.
    """

    asked: Formula
    condition: Formula
    turned: bool
    mark: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of `count` alternatives, taken under a model that remains valid for the later ones."""

    taken: int
    count: int
    mark: tuple[int, int]
    values: list[Exact]


class DecisionTree:
    """The current path through the tree, the facts it establishes, and a model of them.

    Invariant: `_accepted` holds the numbers of the checks that have accepted on what runs have in common with the next one,
    each with how many decisions had been taken by then; they are all still there. `_met` is how many of the decisions this
    run has come by.
    """

    def __init__(self, registry: Registry, solver: Solver, decisions_per_path: int, root: Formula | None = None) -> None:
        self.registry = registry
        self.solver = solver
        self.facts = Facts()
        self.conditions: list[Formula] = []
        self.values: list[Exact] = []
        self.pruned = 0
        self.unknown = 0
        self.refusal: UnsupportedOperation | None = None
        self.failure: BudgetExhausted | NondeterministicTheorem | None = None
        self._decisions_per_path = decisions_per_path
        self._decisions: list[Fork | Choice] = []
        self._choices: list[Choice] = []
        self._next_choice = 0
        self._met = 0
        self._accepted: list[tuple[int, int]] = []
        self._checks = 0
        for index, variable in enumerate(registry.variables):
            self.facts.declare(index, variable.low, variable.high)
        self._root = root

    def plant(self) -> bool:
        """Find the first model; false if the root condition has none (or the solver cannot say)."""
        self.values = self.registry.completed([])
        if self._root is None:
            return True
        found = self._ask(self._root)
        if found:
            self._assert(self._root)
        return found

    def begin_run(self) -> None:
        """Get ready for the theorem to be run from its start."""
        self._next_choice = self._met = self._checks = 0

    def end_run(self) -> None:
        """Raise what the code under proof may have swallowed, or that a shared decision was not met."""
        if self.failure is None and self.refusal is None and self._met < len(self._decisions):
            self._fail(NondeterministicTheorem("a run ended before a decision that it shares with the one before"))
        if self.failure is not None:
            raise self.failure

    def is_accepted_again(self) -> bool:
        """Say whether the check now asked accepted on the last run and all that it went by is the same on this one."""
        self._checks += 1
        for number, decisions in self._accepted:
            if number == self._checks:
                self._met = max(self._met, decisions)
                return True
        return False

    def note_accepted(self) -> None:
        """Note that the check just asked accepted after the decisions that have been taken by now."""
        self._accepted.append((self._checks, len(self._decisions)))

    def declare(self, variable: Variable) -> int:
        """Return the variable's index; a new one starts at its value nearest to zero."""
        index, new = self.registry.declare(variable)
        if new:
            self.facts.declare(index, variable.low, variable.high)
            self.values = self.registry.completed(self.values)
        return index

    def decide(self, formula: Formula) -> bool:
        """Return the formula's truth value on this path, noting a fork if the facts leave it open."""
        known = self.facts.decide(formula)
        if known is not None:
            self._meet(formula)
            return known
        answer = holds(formula, self.values)
        self._note(Fork(formula, formula if answer else negate_formula(formula), False, self.facts.mark()))
        return answer

    def choose(self, count: int) -> int:
        """Return the position of the alternative that this path takes at its next choice."""
        position = self._next_choice
        self._next_choice += 1
        if position == len(self._choices):
            self._note(Choice(0, count, self.facts.mark(), self.values))
            return 0
        choice = self._choices[position]
        if choice.count != count:
            self._fail(NondeterministicTheorem(f"choice {position} was among {choice.count} alternatives, now {count}"))
        self._met += self._met < len(self._decisions) and self._decisions[self._met] is choice
        return choice.taken

    def _meet(self, formula: Formula) -> None:
        """Count the next shared decision as met if it is about this formula."""
        if self._met < len(self._decisions):
            expected = self._decisions[self._met]
            self._met += isinstance(expected, Fork) and expected.asked == formula

    def choices_taken(self) -> tuple[int, ...]:
        """Return the alternatives that the current run has taken, in order."""
        return tuple(choice.taken for choice in self._choices[: self._next_choice])

    def advance(self) -> bool:
        """Move to the next path that is feasible; false when none is left."""
        while self._decisions:
            last = self._retract()
            while self._accepted and self._accepted[-1][1] > len(self._decisions):
                self._accepted.pop()
            if isinstance(last, Choice):
                if last.taken + 1 < last.count:
                    self.values = self.registry.completed(last.values)
                    self._push(Choice(last.taken + 1, last.count, last.mark, self.values))
                    return True
            elif not last.turned:
                other = negate_formula(last.condition)
                if self._ask(other):
                    self._push(Fork(last.asked, other, True, last.mark))
                    return True
        return False

    def _ask(self, condition: Formula) -> bool:
        """Say whether the path can go on under the condition; if so, `values` is a model of it."""
        answer = self.solver.check([*self.conditions, condition])
        if answer is Answer.SATISFIABLE:
            self.values = self.solver.values()
        elif answer is Answer.UNSATISFIABLE:
            self.pruned += 1
        else:
            self.unknown += 1
        return answer is Answer.SATISFIABLE

    def _note(self, decision: Fork | Choice) -> None:
        """Add a decision that this run is the first to take."""
        if self._met < len(self._decisions):
            self._fail(NondeterministicTheorem("a run came to a new decision before one that it shares with the one before"))
        if len(self._decisions) >= self._decisions_per_path:
            self._fail(BudgetExhausted("decisions on one path"))
        self._met += 1
        self._push(decision)

    def _fail(self, failure: BudgetExhausted | NondeterministicTheorem) -> NoReturn:
        """Raise what ends the exploration, and keep it in case the code under proof swallows it."""
        self.failure = self.failure or failure
        raise failure

    def _push(self, decision: Fork | Choice) -> None:
        self._decisions.append(decision)
        if isinstance(decision, Fork):
            self._assert(decision.condition)
        else:
            self._choices.append(decision)

    def _assert(self, condition: Formula) -> None:
        self.conditions.append(condition)
        self.facts.learn(condition)

    def _retract(self) -> Fork | Choice:
        last = self._decisions.pop()
        self.facts.undo(last.mark)
        if isinstance(last, Fork):
            self.conditions.pop()
        else:
            self._choices.pop()
        return last
