"""Symbolic integers, dates and truth values: stand-ins that the code under proof computes with.

None is a subclass of the number it stands for. Sums, differences and multiples by whole numbers stay linear expressions;
comparisons give symbolic truth values; and taking such a truth value as a condition forks the run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Number
from typing import ClassVar, NoReturn, Protocol, Self, cast

from gaugeblock_proofs.engine import linear
from gaugeblock_proofs.engine.errors import TheoremMisuse
from gaugeblock_proofs.engine.formulas import Formula, compare_at_most, compare_equal_zero, join, negate_formula
from gaugeblock_proofs.engine.linear import Linear
from gaugeblock_proofs.engine.unsupported import Refusing


class Decider(Protocol):
    """The path that a symbol belongs to."""

    def decide(self, formula: Formula) -> bool:
        """Return the formula's truth value on the path."""

    def refuse(self, operation: str, subject: str) -> NoReturn:
        """Record and raise an `UnsupportedOperation`."""


class SymbolicBoolean(Refusing):
    """A condition that is not decided yet; used as a truth value it forks the run."""

    __slots__ = ("formula", "path")

    def __init__(self, path: Decider, formula: Formula) -> None:
        self.path = path
        self.formula = formula

    def __bool__(self) -> bool:
        return self.path.decide(self.formula)

    def __repr__(self) -> str:
        return f"<symbolic condition {self.formula}>"

    def refuse(self, operation: str) -> NoReturn:
        """Record the refusal on the path and raise it."""
        self.path.refuse(operation, "symbolic condition")


Condition = bool | SymbolicBoolean
"""What a comparison returns: decided already, or depending on symbols."""


class SymbolicNumber(Refusing):
    """What symbolic integers and dates share: linear arithmetic, and comparisons that do not decide yet."""

    __slots__ = ("expression", "path")
    integral: ClassVar[bool]
    subject: ClassVar[str]

    def __init__(self, path: Decider, expression: Linear) -> None:
        self.path = path
        self.expression = expression

    def refuse(self, operation: str) -> NoReturn:
        """Record the refusal on the path and raise it."""
        self.path.refuse(operation, self.subject)

    def __repr__(self) -> str:
        return f"<{self.subject} {self.expression}>"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: dict[int, object]) -> Self:
        return self

    def __neg__(self) -> Self:
        return self._like(linear.scale(self.expression, -1))

    def __pos__(self) -> Self:
        return self

    def __add__(self, other: object) -> Self:
        operand = self._operand(other, "__add__")
        return NotImplemented if operand is None else self._like(linear.add(self.expression, operand))

    def __radd__(self, other: object) -> Self:
        return self.__add__(other)

    def __sub__(self, other: object) -> Self:
        operand = self._operand(other, "__sub__")
        return NotImplemented if operand is None else self._like(linear.subtract(self.expression, operand))

    def __rsub__(self, other: object) -> Self:
        operand = self._operand(other, "__rsub__")
        return NotImplemented if operand is None else self._like(linear.subtract(operand, self.expression))

    def __mul__(self, other: object) -> Self:
        if not isinstance(other, int):
            self.refuse("__mul__ by anything but a whole number")
        return self._like(linear.scale(self.expression, other))

    def __rmul__(self, other: object) -> Self:
        return self.__mul__(other)

    def __lt__(self, other: object) -> Condition:
        return self._ordered(other, "__lt__", below=True, strict=True)

    def __le__(self, other: object) -> Condition:
        return self._ordered(other, "__le__", below=True, strict=False)

    def __gt__(self, other: object) -> Condition:
        return self._ordered(other, "__gt__", below=False, strict=True)

    def __ge__(self, other: object) -> Condition:
        return self._ordered(other, "__ge__", below=False, strict=False)

    # `object` promises a plain bool here; a symbolic one becomes plain only by forking.
    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        operand = self._comparand(other, "__eq__")
        if operand is None:
            return NotImplemented
        if isinstance(operand, float):
            return False
        formula = compare_equal_zero(linear.subtract(self.expression, operand), self.integral)
        return formula if isinstance(formula, bool) else SymbolicBoolean(self.path, formula)

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else negate(equal)

    def __hash__(self) -> int:
        self.refuse("__hash__")

    def _like(self, expression: Linear) -> Self:
        return type(self)(self.path, expression)

    def _ordered(self, other: object, operation: str, below: bool, strict: bool) -> Condition:
        """Return whether this is below the other, or above it; they may be equal unless ``strict``."""
        operand = self._comparand(other, operation)
        if operand is None:
            return cast("Condition", NotImplemented)
        if isinstance(operand, float):
            return operand > 0.0 if below else operand < 0.0
        left, right = (self.expression, operand) if below else (operand, self.expression)
        formula = compare_at_most(left, right, strict, self.integral)
        return formula if isinstance(formula, bool) else SymbolicBoolean(self.path, formula)

    def _operand(self, other: object, operation: str) -> Linear | None:
        """Return the other side of an addition as an expression; `None` for what is no number at all."""
        if type(other) is type(self):
            if other.path is not self.path:
                self.refuse(f"{operation} with a symbol of another path")
            return other.expression
        if isinstance(other, int):
            return linear.constant(int(other))
        if isinstance(other, float):
            return self._float_operand(other, operation)
        if isinstance(other, Refusing | Number):
            self.refuse(f"{operation} with {type(other).__name__}")
        return None

    def _float_operand(self, other: float, operation: str) -> Linear:
        if self.integral or not math.isfinite(other):
            self.refuse(f"{operation} with the float {other}")
        return linear.exactly(other)

    def _comparand(self, other: object, operation: str) -> Linear | float | None:
        """Return the other side of a comparison; unlike a sum, one of an integer and a float is exact.

        An infinite or undefined float is returned as it is: it compares alike with every finite number.
        """
        if isinstance(other, float):
            return linear.exactly(other) if math.isfinite(other) else other
        return self._operand(other, operation)


class SymbolicInteger(SymbolicNumber):
    """A whole number that is not fixed; compared with floats exactly, but never added to one."""

    __slots__ = ()
    integral = True
    subject = "symbolic integer"


class SymbolicDate(SymbolicNumber):
    """A date or a duration in seconds that is not fixed: a finite *real*, standing for a float without its rounding."""

    __slots__ = ()
    integral = False
    subject = "symbolic date"


def all_of(*conditions: Condition) -> Condition:
    """Return whether all conditions hold, without forking."""
    return _joined(conditions, conjunctive=True)


def any_of(*conditions: Condition) -> Condition:
    """Return whether at least one condition holds, without forking."""
    return _joined(conditions, conjunctive=False)


def negate(condition: Condition) -> Condition:
    """Return whether the condition fails, without forking."""
    if isinstance(condition, SymbolicBoolean):
        return SymbolicBoolean(condition.path, negate_formula(condition.formula))
    return not as_condition(condition)


def implies(premise: Condition, conclusion: Condition) -> Condition:
    """Return whether the conclusion holds or the premise fails, without forking."""
    return any_of(negate(premise), conclusion)


def same_truth(left: Condition, right: Condition) -> Condition:
    """Return whether both conditions hold or both fail, without forking."""
    return all_of(implies(left, right), implies(right, left))


def as_condition(value: object) -> Condition:
    """Return the value if it is a truth value, plain or symbolic; anything else is a mistake in the theorem."""
    if isinstance(value, bool | SymbolicBoolean):
        return value
    raise TheoremMisuse(f"expected a truth value, not a {type(value).__name__}")


def _joined(conditions: Iterable[Condition], conjunctive: bool) -> Condition:
    parts: list[Formula | bool] = []
    path: Decider | None = None
    for condition in map(as_condition, conditions):
        if isinstance(condition, SymbolicBoolean):
            path = path or condition.path
            if condition.path is not path:
                condition.refuse("a combination with a condition of another path")
            parts.append(condition.formula)
        else:
            parts.append(condition)
    formula = join(parts, conjunctive)
    # Without a path no part is symbolic, and the plain ones have come together to a plain one.
    return formula is True if path is None or isinstance(formula, bool) else SymbolicBoolean(path, formula)


def as_integer(symbol: SymbolicInteger) -> int:
    """Pass a symbol off as an `int` to the type checker: the code under proof is annotated for numbers."""
    return cast("int", symbol)


def as_float(symbol: SymbolicDate) -> float:
    """Pass a symbol off as a `float` to the type checker."""
    return cast("float", symbol)
