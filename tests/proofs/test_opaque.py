"""What a theorem calls opaque cannot be looked at: the attempt raises, and so refutes the theorem."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import gaugeblock
from gaugeblock_proofs.opaque import LookedAt, any_names, anything

LOOKS: dict[str, Callable[[Any], object]] = {
    "truth": bool,
    "negation": lambda it: not it,
    "choice": lambda it: it or 1,
    "equality": lambda it: it == 1,
    "inequality": lambda it: it != "a",
    "membership": lambda it: it in (1, 2),
    "order": lambda it: it < 1,
    "arithmetic": lambda it: it + 1,
    "attribute": lambda it: it.name,
    "length": len,
    "elements": list,
    "number": int,
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize("opaque", [anything, any_names])
def test_whoever_looks_is_told(opaque: Callable[[str], object], look: Callable[[Any], object]) -> None:
    """No branch is taken on it in silence."""
    with pytest.raises((LookedAt, TypeError, AttributeError)):
        look(opaque("field"))


def test_an_opaque_value_is_no_key() -> None:
    """A dictionary would tell it from others."""
    with pytest.raises(LookedAt):
        hash(anything("field"))


def test_that_it_is_itself_may_be_told() -> None:
    """A step that passes it on has not touched it."""
    field, names = anything("field"), any_names("names")
    assert field == field
    assert names | {"a"} == names | {"a"}
    assert names | {"a"} != names


ROOMS = ("model", "round", "policies", "service", "optimized")
NUMBERS = {"int", "float", "bool", "complex", "Number", "Real", "Integral"}
KNOWN = {
    ("model/structure.py", "type(value) is int"),
    ("model/structure.py", "type(value) is float"),
    ("model/structure.py", "isinstance(value, Number)"),
    ("optimized/contracts.py", "isinstance(date, int | float)"),
    ("optimized/contracts.py", "type(each) is not int"),
    ("round/contracts.py", "type(name) not in (str, int)"),
}
"""The validity check asks whether a field holds a number, and lets symbols pass (docs/assurance.md).

The contracts look at dates and ids that a policy of one's own reports, before these count as such; no theorem runs that on
symbols.
"""


def test_the_code_under_proof_does_not_ask_a_number_what_it_is() -> None:
    """A symbol cannot refuse these questions, and would answer that it is no number."""
    found = {(path, ast.unparse(node)) for path, node in _nodes(ROOMS) if _asks_for_a_number(node)}
    assert found == KNOWN


def test_the_code_under_proof_does_not_show_or_identify_what_may_be_a_number() -> None:
    """Neither ``repr`` nor ``id`` is called, but where the model's messages show names and its check keeps objects apart."""
    assert not [(path, ast.unparse(node)) for path, node in _nodes(ROOMS[1:]) if _calls(node, "id", "repr")]


@pytest.mark.parametrize("asking", ["isinstance(size, int)", "type(size) is not int", "type(size) in (int, float)"])
def test_every_way_to_ask_for_a_number_is_noticed(asking: str) -> None:
    """By a call, or by a comparison of types."""
    assert _asks_for_a_number(ast.parse(asking, mode="eval").body)


def test_a_call_that_shows_a_number_is_noticed() -> None:
    """By its name."""
    assert _calls(ast.parse("repr(size)", mode="eval").body, "id", "repr")


def _nodes(rooms: tuple[str, ...]) -> Iterator[tuple[str, ast.AST]]:
    """Yield every piece of code of these rooms, with the path of its file."""
    root = Path(gaugeblock.__file__).parent
    for room in rooms:
        for path in sorted((root / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                yield str(path.relative_to(root)), node


def _calls(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _asks_for_a_number(node: ast.AST) -> bool:
    """Whether it asks whether something is a number."""
    if isinstance(node, ast.MatchClass):
        return ast.unparse(node.cls) in NUMBERS
    if isinstance(node, ast.Compare):
        return ast.unparse(node.left).startswith("type(") and _names_a_number(*node.comparators)
    return isinstance(node, ast.Call) and _calls(node, "isinstance") and _names_a_number(node.args[1])


def _names_a_number(*asked: ast.expr) -> bool:
    return any(isinstance(each, ast.Name) and each.id in NUMBERS for one in asked for each in ast.walk(one))
