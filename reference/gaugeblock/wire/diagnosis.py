"""All that keeps a plain JSON value from having the shape of a document, found by walking the two side by side.

``msgspec.convert`` decides whether a value has the shape, and stops at the first problem; this walk then names them all.
"""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import inspect

from gaugeblock.model import LARGEST_DATE, LARGEST_INTEGER
from gaugeblock.wire.errors import DocumentProblem
from gaugeblock.wire.paths import element_path, entry_path, key_path

Problems: TypeAlias = Iterator[DocumentProblem]
_WIDEST_PRINTED: Final = 256
"""Integers of more bits are described by their length."""

EXPECTED: Final[dict[type[inspect.Type], str]] = {
    inspect.AnyType: "any JSON value",
    inspect.BoolType: "true or false",
    inspect.DictType: "an object",
    inspect.FloatType: "a finite number",
    inspect.ListType: "a list",
    inspect.NoneType: "null",
    inspect.StrType: "a string",
    inspect.StructType: "an object",
    inspect.VarTupleType: "a list",
}


def describe(value: object) -> str:
    """Return a JSON value as a message shows it, never long because the value is."""
    match value:
        case None | bool():
            return "null" if value is None else str(value).lower()
        case int():
            bits = value.bit_length()
            return str(value) if bits <= _WIDEST_PRINTED else f"an integer of about {round(bits * 0.30103)} digits"
        case float() if not -LARGEST_DATE <= value <= LARGEST_DATE:
            return "a number beyond the range of double precision"
        case list():
            return f"a list of {len(value)}"
        case dict():
            return f"an object of {len(value)} keys"
    return repr(value)


def shape_problems(value: object, shape: type, path: str) -> tuple[DocumentProblem, ...]:
    """Return everything in which ``value``, which stands at ``path``, differs from the struct ``shape``."""
    return tuple(_problems(value, inspect.type_info(shape), path))


def _problems(value: object, due: inspect.Type, path: str) -> Problems:
    match due:
        case inspect.Metadata():
            yield from _problems(value, due.type, path)
        case inspect.StructType() if isinstance(value, dict):
            yield from _object(value, due, path)
        case inspect.VarTupleType() | inspect.ListType() if isinstance(value, list):
            for index, element in enumerate(value):
                yield from _problems(element, due.item_type, element_path(path, index))
        case inspect.DictType() if isinstance(value, dict):
            for key, entry in value.items():
                yield from _problems(entry, due.value_type, entry_path(path, key))
        case inspect.UnionType():
            yield from _union(value, due, path)
        case inspect.AnyType():
            yield from number_problems(value, path)
        case _ if not _is_scalar_of(value, due):
            yield DocumentProblem(path, describe(value), _expected(due))


def _object(value: dict[str, object], due: inspect.StructType, path: str) -> Problems:
    known = {field.encode_name: field for field in due.fields}
    for key in value:
        if key not in known:
            yield DocumentProblem(key_path(path, key), "an unknown key", f"one of the keys {', '.join(known)}")
    for name, field in known.items():
        where = key_path(path, name)
        if name in value:
            yield from _problems(value[name], field.type, where)
        elif field.required:
            yield DocumentProblem(where, "no such key", _expected(field.type))


def _union(value: object, due: inspect.UnionType, path: str) -> Problems:
    """The problems of the one member whose JSON type the value has, or that it has the type of none."""
    for member in due.types:
        found = tuple(_problems(value, member, path))
        if not found:
            return
        if type(value) in _json_types(member):
            yield from found
            return
    yield DocumentProblem(path, describe(value), _expected(due))


def _json_types(due: inspect.Type) -> tuple[type, ...]:
    match due:
        case inspect.IntType():
            return (int,)
        case inspect.FloatType():
            return (float,)
        case inspect.StructType() | inspect.DictType():
            return (dict,)
    return ()


def _is_scalar_of(value: object, due: inspect.Type) -> bool:
    match due:
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool) and _least(due) <= value <= LARGEST_INTEGER
        case inspect.FloatType():
            return isinstance(value, (int, float)) and not isinstance(value, bool) and -LARGEST_DATE <= value <= LARGEST_DATE
        case inspect.StrType():
            return isinstance(value, str)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.EnumType():
            return isinstance(value, str) and value in _choices(due)
        case inspect.LiteralType():
            return any(type(value) is type(choice) and value == choice for choice in due.values)
    return isinstance(due, inspect.NoneType) and value is None


def _expected(due: inspect.Type) -> str:
    match due:
        case inspect.Metadata():
            return _expected(due.type)
        case inspect.IntType():
            return f"an integer from {_least(due)} to 2^63-1"
        case inspect.EnumType():
            return _one_of(_choices(due))
        case inspect.LiteralType():
            return _one_of(due.values)
        case inspect.UnionType():
            return " or ".join(_expected(member) for member in due.types)
    return EXPECTED[type(due)]


def _one_of(choices: Sequence[object]) -> str:
    listed = ", ".join(repr(choice) for choice in choices)
    return f"one of {listed}" if len(choices) > 1 else listed


def _least(due: inspect.IntType) -> int:
    return due.ge or 0


def _choices(due: inspect.EnumType) -> tuple[str, ...]:
    return tuple(member.value for member in due.cls)


def number_problems(value: object, path: str) -> Problems:
    """Yield the numbers in ``value`` that are out of range: all that can be wrong where any JSON value may stand."""
    match value:
        case int() if not 0 <= value <= LARGEST_INTEGER:
            yield DocumentProblem(path, describe(value), "an integer from 0 to 2^63-1")
        case float() if not -LARGEST_DATE <= value <= LARGEST_DATE:
            yield DocumentProblem(path, describe(value), EXPECTED[inspect.FloatType])
        case list():
            for index, element in enumerate(value):
                yield from number_problems(element, element_path(path, index))
        case dict():
            for key, entry in value.items():
                yield from number_problems(entry, key_path(path, key))
