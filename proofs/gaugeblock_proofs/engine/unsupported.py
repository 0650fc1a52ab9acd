"""The operations of Python's numbers that a symbol refuses, so that nothing turns it silently into one number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn


class Refusing:
    """Base of the symbolic values: everything here raises `UnsupportedOperation`; subclasses support the rest."""

    __slots__ = ()

    def refuse(self, operation: str) -> NoReturn:
        """Record the refusal on the path and raise it."""
        raise NotImplementedError(operation)

    def __getattr__(self, name: str) -> NoReturn:
        if hasattr(int, name) or hasattr(float, name):
            self.refuse(f"attribute {name}")
        raise AttributeError(name)


def _refusal(operation: str) -> Callable[..., NoReturn]:
    def refused(self: Refusing, *_arguments: Any) -> NoReturn:
        self.refuse(operation)

    return refused


_CONVERSIONS = ("bool", "bytes", "complex", "float", "format", "hash", "index", "int", "str", "reduce_ex")
_ROUNDINGS = ("abs", "ceil", "floor", "invert", "round", "trunc")
_UNARY = ("neg", "pos")
_COMPARISONS = ("eq", "ge", "gt", "le", "lt", "ne")
_ARITHMETIC = (
    "add",
    "and",
    "divmod",
    "floordiv",
    "lshift",
    "mod",
    "mul",
    "or",
    "pow",
    "rshift",
    "sub",
    "truediv",
    "xor",
)

for _name in (*_CONVERSIONS, *_ROUNDINGS, *_UNARY, *_COMPARISONS, *_ARITHMETIC):
    setattr(Refusing, f"__{_name}__", _refusal(f"__{_name}__"))
for _name in _ARITHMETIC:
    setattr(Refusing, f"__r{_name}__", _refusal(f"__r{_name}__"))
