"""A symbol never turns silently into a number: what it does not support raises."""

from __future__ import annotations

import contextlib
import copy
import math
import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import pytest

from gaugeblock_proofs.engine import Condition, Path, Reason, Source, UnsupportedOperation, Verdict, all_of, explore

OPERATIONS: dict[str, Callable[[int], object]] = {
    "hash": hash,
    "comparison with a decimal": lambda x: x == Decimal(7),
    "membership among decimals": lambda x: x in (Decimal(7),),
    "comparison with a fraction": lambda x: x != Fraction(7, 2),
    "dictionary key": lambda x: {x: 1},
    "set member": lambda x: {x},
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "str": str,
    "format": lambda x: f"{x}",
    "format with specification": lambda x: f"{x:d}",
    "percent formatting": lambda x: "%d" % x,  # noqa: UP031
    "str.format": lambda x: "{}".format(x),  # noqa: UP032
    "list index": lambda x: [1, 2, 3][x],
    "range": range,
    "repetition": lambda x: "a" * x,
    "round": round,
    "abs": abs,
    "ceil": math.ceil,
    "floor": math.floor,
    "trunc": math.trunc,
    "isfinite": math.isfinite,
    "floor division": lambda x: x // 2,
    "reflected floor division": lambda x: 7 // x,
    "true division": lambda x: x / 2,
    "remainder": lambda x: x % 2,
    "divmod": lambda x: divmod(x, 2),
    "power": lambda x: x**2,
    "left shift": lambda x: x << 1,
    "right shift": lambda x: x >> 1,
    "bitwise and": lambda x: x & 1,
    "bitwise or": lambda x: 1 | x,
    "bitwise exclusive or": lambda x: x ^ 1,
    "bitwise not": lambda x: ~x,
    "product of symbols": lambda x: x * x,
    "product with a float": lambda x: x * 0.5,
    "sum with a float": lambda x: x + 0.5,
    "bit_length": lambda x: x.bit_length(),
    "numerator": lambda x: x.numerator,
    "pickle": pickle.dumps,
    "hash of a condition": lambda x: hash(x > 3),
    "sum of conditions": lambda x: sum([x > 3, x > 5]),
    "equality of conditions": lambda x: (x > 3) == (x > 5),
    "text of a condition": lambda x: f"{x > 3}",
    "index by a condition": lambda x: [1, 2][x > 3],
}


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_an_unsupported_operation_raises(operation: Callable[[int], object]) -> None:
    """The operation raises the typed error, and the exploration is no proof because of it."""

    def theorem(symbols: Source, path: Path) -> None:
        with pytest.raises(UnsupportedOperation):
            operation(symbols.integer("x"))
        path.prove(True)

    report = explore(theorem)
    assert (report.verdict, report.reasons) == (Verdict.NOT_PROVED, (Reason.UNSUPPORTED_OPERATION,))
    assert "is not supported on the symbolic" in report.detail


def test_a_swallowed_refusal_is_still_reported() -> None:
    """Code that catches every exception cannot hide that it asked a symbol for a number."""

    def theorem(symbols: Source, path: Path) -> None:
        try:
            answer = int(symbols.integer("x"))
        except Exception:
            answer = 0
        path.prove(answer == 0)

    assert explore(theorem).reasons == (Reason.UNSUPPORTED_OPERATION,)


def test_a_refusal_that_escapes_is_reported() -> None:
    """The exploration ends with the reason instead of raising."""

    def theorem(symbols: Source, path: Path) -> None:
        path.prove(hash(symbols.integer("x")) == 0)

    assert explore(theorem).detail == "__hash__ is not supported on the symbolic integer"


def test_a_symbol_is_no_number_to_isinstance() -> None:
    """Neither `int` nor `float` nor `bool` claims a symbol."""

    def theorem(symbols: Source, path: Path) -> None:
        quantity = symbols.integer("x")
        kinds: tuple[object, ...] = (quantity, quantity > 1)
        path.prove(not any(isinstance(each, int | float) for each in kinds))

    assert explore(theorem).verdict is Verdict.PROVED


def test_a_symbol_is_copied_as_itself() -> None:
    """Copies, deep ones too, are the same symbol, as with numbers."""

    def theorem(symbols: Source, path: Path) -> None:
        quantity = symbols.integer("x")
        path.prove(copy.copy(quantity) is quantity and copy.deepcopy([quantity])[0] is quantity)

    assert explore(theorem).verdict is Verdict.PROVED


def test_a_symbol_that_outlives_its_path_refuses_comparison() -> None:
    """A symbol kept from an earlier path would bring in that path's facts."""
    kept: list[int] = []

    def theorem(symbols: Source, path: Path) -> None:
        quantity = symbols.integer("x")
        kept.append(quantity)
        path.prove(quantity >= 0)

    explore(theorem)
    with pytest.raises(UnsupportedOperation, match="after the end of the path"):
        bool(kept[0] > 5)


def test_symbols_of_two_paths_do_not_mix() -> None:
    """The sum of symbols of different paths is refused."""
    kept: list[int] = []

    def theorem(symbols: Source, path: Path) -> None:
        kept.append(symbols.integer("x"))
        path.prove(sum(kept) >= 0 if path.choose((1, 2)) == 1 else sum(kept) >= 1)

    assert explore(theorem).reasons == (Reason.UNSUPPORTED_OPERATION,)


@pytest.mark.parametrize("combined", [True, False])
def test_conditions_of_two_paths_do_not_mix(combined: bool) -> None:
    """A condition kept from another path proves nothing here, alone or in combination."""
    kept: list[Condition] = []

    def theorem(symbols: Source, path: Path) -> None:
        kept.append(symbols.integer("x") >= path.choose((0, 1)))
        path.prove(all_of(kept[-1], kept[0]) if combined else kept[0])

    report = explore(theorem)
    assert Reason.UNSUPPORTED_OPERATION in report.reasons


def test_a_swallowed_refusal_of_an_earlier_symbol_is_still_reported() -> None:
    """The record of refusals outlives the path whose symbol refused."""
    kept: list[int] = []

    def theorem(symbols: Source, path: Path) -> None:
        kept.append(symbols.integer("x"))
        path.choose((1, 2))
        with contextlib.suppress(UnsupportedOperation):
            bool(kept[0] > 5)
        path.prove(True)

    assert explore(theorem).reasons == (Reason.UNSUPPORTED_OPERATION,)


def test_a_quantity_and_a_date_do_not_mix() -> None:
    """Bytes plus seconds is a mistake, and so is their comparison."""

    def theorem(symbols: Source, path: Path) -> None:
        with pytest.raises(UnsupportedOperation):
            bool(symbols.integer("bytes") < symbols.date("seconds"))
        symbols.integer("bytes") + symbols.date("seconds")

    assert explore(theorem).reasons == (Reason.UNSUPPORTED_OPERATION,)


def test_comparison_with_what_is_no_number_behaves_as_with_an_int() -> None:
    """A quantity equals no text and no `None`, and has no order with them."""

    def theorem(symbols: Source, path: Path) -> None:
        quantity: object = symbols.integer("x")
        path.prove(quantity != "x" and quantity is not None and quantity != None)  # noqa: E711
        path.prove_raises(TypeError, lambda: quantity < "x", "no order")  # type: ignore[operator]

    assert explore(theorem).verdict is Verdict.PROVED
