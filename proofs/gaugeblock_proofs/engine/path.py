"""What a theorem does on one path: choose, assume by a shipped check, and prove.

The same theorem runs symbolically (`SymbolicPath`) and on the numbers of a counterexample (`ConcretePath`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn, TypeVar

from gaugeblock_proofs.engine.errors import EngineError, PathDiscarded, TheoremMisuse, UnsupportedOperation
from gaugeblock_proofs.engine.formulas import Formula
from gaugeblock_proofs.engine.symbols import Condition, SymbolicBoolean, all_of, as_condition
from gaugeblock_proofs.engine.tree import DecisionTree
from gaugeblock_proofs.engine.variables import Variable

Alternative = TypeVar("Alternative")
Raised = TypeVar("Raised", bound=Exception)

DEFAULT_LABEL = "property"


class Path(ABC):
    """One run of a theorem."""

    @abstractmethod
    def pick(self, count: int) -> int:
        """Return a number below `count`; every such number is picked on some path."""

    @abstractmethod
    def prove(self, condition: Condition, label: str = DEFAULT_LABEL) -> None:
        """Oblige the condition to hold for all inputs of this path; it does not fork."""

    def prove_all(self, conditions: Iterable[Condition], label: str = DEFAULT_LABEL) -> None:
        """Oblige every condition to hold, as one obligation; of no conditions it holds."""
        self.prove(all_of(*conditions), label)

    def prove_raises(
        self,
        expected: type[Raised],
        action: Callable[[], object],
        label: str = DEFAULT_LABEL,
        such: Callable[[Raised], Condition] = lambda error: True,
    ) -> None:
        """Oblige the action to raise the expected exception, and that to be ``such``; any other one escapes as usual."""
        try:
            action()
        except EngineError:
            raise
        except expected as error:
            self.prove(such(error), label)
        else:
            self.prove(False, label)

    def assume_accepted(
        self,
        check: Callable[[], Iterable[object] | None],
        rejection: type[Exception] | tuple[type[Exception], ...] = (),
    ) -> None:
        """Go on only where the shipped check accepts: it neither raises a `rejection` nor returns a problem.

        Elsewhere the path is discarded, as lying outside the assumption. A lazy check is read up to its first problem.
        """
        try:
            problems = check()
            rejected = problems is not None and _has_any(problems)
        except EngineError:
            raise
        except rejection:
            rejected = True
        if rejected:
            raise PathDiscarded

    def accepted(
        self, build: Callable[[], Alternative], rejection: type[Exception] | tuple[type[Exception], ...]
    ) -> Alternative:
        """Return the value that is built, where its own shipped check accepts it; elsewhere the path is discarded."""
        try:
            return build()
        except EngineError:
            raise
        except rejection:
            raise PathDiscarded from None

    def choose(self, alternatives: Sequence[Alternative]) -> Alternative:
        """Return one of the alternatives; each of them is returned on some path."""
        if not alternatives:
            raise TheoremMisuse("a choice needs at least one alternative")
        return alternatives[self.pick(len(alternatives)) if len(alternatives) > 1 else 0]

    def choose_subset(self, items: Sequence[Alternative]) -> tuple[Alternative, ...]:
        """Return any subset of the items, in their order."""
        return tuple(item for item in items if self.pick(2))

    def choose_permutation(self, items: Sequence[Alternative]) -> tuple[Alternative, ...]:
        """Return the items in any order."""
        remaining = list(items)
        return tuple(remaining.pop(self.pick(len(remaining)) if len(remaining) > 1 else 0) for _ in items)

    def choose_arrangement(self, items: Sequence[Alternative]) -> tuple[Alternative, ...]:
        """Return any subset of the items in any order."""
        return self.choose_permutation(self.choose_subset(items))


class Obligation:
    """A condition to be proved where its path ends."""

    __slots__ = ("formula", "label")

    def __init__(self, label: str, formula: Formula | bool) -> None:
        self.label = label
        self.formula = formula


class SymbolicPath(Path):
    """A run over symbols; obligations are collected and settled when the run has ended."""

    def __init__(self, tree: DecisionTree) -> None:
        self.tree = tree
        self.obligations: list[Obligation] = []
        self.declared: dict[int, None] = {}
        self._open = True
        self._checking = False
        tree.begin_run()

    def close(self) -> None:
        """End the run: symbols that outlive it refuse to be compared."""
        self._open = False

    def decide(self, formula: Formula) -> bool:
        """Return the formula's truth value on this path, forking if it is open."""
        if not self._open:
            self.refuse("a comparison after the end of the path", "symbolic condition")
        return self.tree.decide(formula)

    def refuse(self, operation: str, subject: str) -> NoReturn:
        """Raise `UnsupportedOperation`, and keep the first one in case the code under proof swallows it."""
        refusal = UnsupportedOperation(operation, subject)
        # Kept with the tree, since a symbol of an earlier path may be the one that refuses.
        self.tree.refusal = self.tree.refusal or refusal
        raise refusal

    def pick(self, count: int) -> int:
        """Return the number that this path picks."""
        self._require_no_check("pick")
        return self.tree.choose(count)

    def declare(self, variable: Variable) -> int:
        """Return the index of a symbol of this path."""
        self._require_no_check("declare a symbol")
        index = self.tree.declare(variable)
        self.declared[index] = None
        return index

    def _require_no_check(self, what: str) -> None:
        if self._checking:
            raise TheoremMisuse(f"a check only looks, since it is not asked again on every path; it may not {what}")

    def assume_accepted(
        self,
        check: Callable[[], Iterable[object] | None],
        rejection: type[Exception] | tuple[type[Exception], ...] = (),
    ) -> None:
        """Go on only where the check accepts; it is not asked again about what this path has in common with the last."""
        self._require_no_check("make another one")
        if self.tree.is_accepted_again():
            return
        self._checking = True
        try:
            super().assume_accepted(check, rejection)
        finally:
            self._checking = False
        self.tree.note_accepted()

    def prove(self, condition: Condition, label: str = DEFAULT_LABEL) -> None:
        """Note the obligation."""
        self._require_no_check("prove")
        checked = as_condition(condition)
        if isinstance(checked, SymbolicBoolean) and checked.path is not self:
            self.refuse("a proof about another path", "symbolic condition")
        formula = checked.formula if isinstance(checked, SymbolicBoolean) else checked
        self.obligations.append(Obligation(label, formula))


def _has_any(problems: Iterable[object]) -> bool:
    """Say whether a check reported a problem; a truth value would leave open which one means acceptance."""
    if isinstance(problems, bool | SymbolicBoolean):
        raise TheoremMisuse("a check must raise, or return its problems, not a truth value")
    return any(True for _ in problems)
