"""The first part of the validity check: every field holds what it is declared to hold, so that the rules can be asked at all.

What a field is declared to hold is read from the declarations themselves. Proofs run the check on symbolic numbers, which are
of no type that Python counts among its numbers; they are told by what adds them to a sum.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from numbers import Number
from typing import Any, Final, NamedTuple, get_args, get_origin, get_type_hints

from gaugeblock.model.nodes import ContainerStatus, NodeStatus
from gaugeblock.model.problems import Problem, WrongType


class Declared(NamedTuple):
    """A field, and the type of what it holds; of each member where it holds a tuple of ``many``."""

    name: str
    kind: type
    many: bool


def is_text(value: object) -> bool:
    """Whether it is a text that UTF-8 can hold: one without halves of surrogate pairs."""
    return isinstance(value, str) and (value.isascii() or not any("\ud800" <= each <= "\udfff" for each in value))


def is_integer(value: object) -> bool:
    """Whether it is an integer, and no truth value."""
    return type(value) is int or _is_symbolic(value)


def is_date(value: object) -> bool:
    """Whether it is a number that can be a date."""
    return type(value) is float or is_integer(value)


PLAIN: Final = frozenset({int, float, NodeStatus, ContainerStatus})
"""Types of which every value is right where the type is due."""

SCALARS: Final[dict[type, tuple[Callable[[object], bool], str]]] = {
    str: (is_text, "a text without halves of surrogate pairs"),
    int: (is_integer, "an integer"),
    float: (is_date, "a date in seconds"),
}


def structure_problems(value: object, kind: type, path: str) -> Iterator[Problem]:
    """Yield a problem for each field of ``value``, and of all that it holds, which is not what ``kind`` declares."""
    if not _has_sound_fields(value, kind, set()):
        yield from _problems(value, kind, path)


def _has_sound_fields(value: object, kind: type, seen: set[int]) -> bool:
    """Whether there is no problem; what several places share, such as a function, is looked at once."""
    for name, held_kind, many in _fields(kind):
        held = getattr(value, name)
        if many and not isinstance(held, tuple):
            return False
        for each in held if many else (held,):
            if type(each) is held_kind and (held_kind in PLAIN or id(each) in seen):
                continue
            if not _is_sound(each, held_kind, seen):
                return False
    seen.add(id(value))
    return True


def _is_sound(value: object, kind: type, seen: set[int]) -> bool:
    if kind in SCALARS:
        return SCALARS[kind][0](value)
    return isinstance(value, kind) and (issubclass(kind, Enum) or _has_sound_fields(value, kind, seen))


def _problems(value: object, kind: type, path: str) -> Iterator[Problem]:
    for name, held_kind, many in _fields(kind):
        held, where = getattr(value, name), f"{path}.{name}"
        if not many:
            yield from _problems_at(held, held_kind, where)
        elif not isinstance(held, tuple):
            yield WrongType(where, type(held).__name__, "a tuple")
        else:
            for index, each in enumerate(held):
                yield from _problems_at(each, held_kind, f"{where}[{index}]")


def _problems_at(value: object, kind: type, path: str) -> Iterator[Problem]:
    if kind in SCALARS:
        is_right, expected = SCALARS[kind]
        if not is_right(value):
            yield WrongType(path, repr(value), expected)
    elif not isinstance(value, kind):
        yield WrongType(path, repr(value) if isinstance(value, str) else type(value).__name__, f"a value of {kind.__name__}")
    elif not issubclass(kind, Enum):
        yield from _problems(value, kind, path)


@cache
def _fields(kind: type) -> tuple[Declared, ...]:
    return tuple(_declared(name, hint) for name, hint in get_type_hints(kind).items())


def _declared(name: str, hint: Any) -> Declared:
    many = get_origin(hint) is tuple
    held = get_args(hint)[0] if many else hint
    return Declared(name, getattr(held, "__supertype__", held), many)  # a name or id is of the type below its own


def _is_symbolic(value: object) -> bool:
    return not isinstance(value, Number) and hasattr(type(value), "__radd__")
