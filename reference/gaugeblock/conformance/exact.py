"""Exact judging: the decisions must be the expected ones, category by category, but for the text of a failure's reason."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, TypeAlias

import msgspec

from gaugeblock.conformance.verdicts import CategoryDifference
from gaugeblock.model import Decisions, Failure, NodeName, Value

Operation: TypeAlias = Value | NodeName

CATEGORIES: Final = (
    "failures",
    "activations",
    "deactivations",
    "terminations",
    "ram_evictions",
    "disk_evictions",
    "dispatches",
    "loads",
    "copies",
    "prewarms",
)
"""The categories that are lists, in the order of the wire format; ``wakeup`` is the eleventh."""


def differences(expected: Decisions, actual: Decisions, strict_order: bool = False) -> tuple[CategoryDifference, ...]:
    """Return how ``actual`` departs from ``expected``; nothing if they agree.

    Categories are compared as multisets, or with ``strict_order`` as lists (AMB-8).
    """
    return tuple(_differences(expected, actual, strict_order))


def operations(decisions: Decisions, category: str) -> tuple[Operation, ...]:
    """Return the operations of a category without what is never compared."""
    if category == "failures":
        return tuple(Failure(failure.invocation, "") for failure in decisions.failures)
    found: tuple[Operation, ...] = getattr(decisions, category)
    return found


def in_words(operation: Operation) -> str:
    """Return an operation in compact JSON, as the wire format has it."""
    if isinstance(operation, Failure):
        return f'{{"invocation":{operation.invocation}}}'
    return msgspec.json.encode(operation).decode()


def _differences(expected: Decisions, actual: Decisions, strict_order: bool) -> Iterator[CategoryDifference]:
    for category in CATEGORIES:
        if getattr(expected, category) != getattr(actual, category):
            yield from _category(category, operations(expected, category), operations(actual, category), strict_order)
    if expected.wakeup != actual.wakeup:
        yield CategoryDifference("wakeup", _date(expected.wakeup), _date(actual.wakeup))


def _category(
    name: str, expected: tuple[Operation, ...], actual: tuple[Operation, ...], strict_order: bool
) -> Iterator[CategoryDifference]:
    missing = Counter(expected) - Counter(actual)
    unexpected = Counter(actual) - Counter(expected)
    if missing or unexpected:
        yield CategoryDifference(name, _listed(missing), _listed(unexpected))
    elif strict_order and expected != actual:
        yield CategoryDifference(name, reordered=True)


def _listed(counted: "Counter[Operation]") -> tuple[str, ...]:
    return tuple(in_words(operation) for operation in counted.elements())


def _date(wakeup: float | None) -> tuple[str, ...]:
    return () if wakeup is None else (repr(wakeup),)
