"""The ways in which a function is made wrong. Each operator yields edits of a syntax tree, in the order of the text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
SWAPPED_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
OTHER_RESOURCE = {
    "ram": "disk",
    "ram_bytes": "disk_bytes",
    "ram_available": "disk_available",
    "ram_layers": "disk_layers",
    "resident_in_ram": "resident_on_disk",
    "loading": "copying",
    "ram_evictions": "disk_evictions",
}
OTHER_RESOURCE |= {other: name for name, other in OTHER_RESOURCE.items()}

DELETIONS = ("dropped term", "dropped statement", "missing guard", "missing branch")
"""The operators that take something away."""


class Edit(NamedTuple):
    """A change of one node, in place, and what it is called."""

    operator: str
    apply: Callable[[], None]
    node: ast.AST


def edits(function: ast.FunctionDef) -> Iterator[Edit]:
    """Yield every edit of a function's statements; applying one changes the tree that ``function`` belongs to."""
    bound = {argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)}
    for node in _nodes(function):
        for make in OPERATORS:
            yield from make(node)
        yield from _dropped_statement(node, bound)
        if isinstance(node, ast.Assign):
            bound |= {target.id for target in node.targets if isinstance(target, ast.Name)}


def _nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes below the function in the order of the text, without its docstring, annotations and messages."""
    statements = function.body[1:] if ast.get_docstring(function) is not None else function.body
    waiting: list[ast.AST] = list(reversed(statements))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr):
            continue
        yield node
        children = [child for name, child in _children(node) if name not in ("annotation", "returns")]
        waiting += reversed(children)


def _children(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else (value,):
            if isinstance(child, ast.AST):
                yield name, child


def become(node: ast.AST, other: ast.AST) -> None:
    """Turn a node into another one where it stands; its parent need not be known."""
    node.__class__ = other.__class__
    node.__dict__.clear()
    node.__dict__.update(other.__dict__)


def _comparisons(node: ast.AST) -> Iterator[Edit]:
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return
    (was,) = node.ops
    yield Edit("flipped comparison", lambda: node.__setattr__("ops", [FLIPPED[type(was)]()]), node)
    if type(was) in BOUNDARY:
        yield Edit("off by one", lambda: node.__setattr__("ops", [BOUNDARY[type(was)]()]), node)


def _chained(node: ast.AST) -> Iterator[Edit]:
    """Drop one end of ``a < b < c``."""
    if isinstance(node, ast.Compare) and len(node.ops) == 2:
        first, second = (ast.Compare(node.left, node.ops[:1], node.comparators[:1]), _last_of(node))
        yield Edit("missing guard", lambda: become(node, first), node)
        yield Edit("missing guard", lambda: become(node, second), node)


def _last_of(node: ast.Compare) -> ast.Compare:
    return ast.Compare(node.comparators[0], node.ops[1:], node.comparators[1:])


def _guards(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.BoolOp):
        for operand in node.values:
            rest = [each for each in node.values if each is not operand]
            kept = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
            yield Edit("missing guard", partial(become, node, kept), node)
    if isinstance(node, ast.IfExp):
        yield Edit("missing guard", lambda: become(node, node.body), node)
        yield Edit("missing branch", lambda: become(node, node.orelse), node)
    if isinstance(node, ast.If):
        yield Edit("missing guard", lambda: node.__setattr__("test", ast.Constant(True)), node)
        yield Edit("missing branch", lambda: node.__setattr__("test", ast.Constant(False)), node)
    if isinstance(node, ast.comprehension) and node.ifs:
        yield Edit("missing guard", lambda: node.__setattr__("ifs", []), node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield Edit("flipped comparison", lambda: become(node, node.operand), node)


def _terms(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.BitOr):
        yield Edit("dropped term", lambda: become(node, node.left), node)
        if not isinstance(node.op, ast.Sub):
            yield Edit("dropped term", lambda: become(node, node.right), node)
        if isinstance(node.op, ast.Add | ast.Sub):
            other = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            yield Edit("flipped sign", lambda: node.__setattr__("op", other), node)
    if isinstance(node, ast.Tuple) and any(isinstance(each, ast.Starred) for each in node.elts):
        for element in node.elts:
            rest = [each for each in node.elts if each is not element]
            yield Edit("dropped term", partial(setattr, node, "elts", rest), node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield Edit("flipped sign", lambda: become(node, node.operand), node)


def _calls(node: ast.AST) -> Iterator[Edit]:
    if not isinstance(node, ast.Call):
        return
    called = node.func.id if isinstance(node.func, ast.Name) else ""
    if called in SWAPPED_CALLS:
        yield Edit(f"swapped {called}", lambda: node.__setattr__("func", ast.Name(SWAPPED_CALLS[called])), node)
    if called in ("min", "max") and len(node.args) == 2:
        yield Edit("dropped term", lambda: become(node, node.args[1]), node)
    for keyword in node.keywords:
        rest = [each for each in node.keywords if each is not keyword]
        yield Edit("dropped term", partial(setattr, node, "keywords", rest), node)


def _numbers(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool):
        more = node.value + 1
        yield Edit("off by one", lambda: node.__setattr__("value", more), node)


def _resources(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Attribute) and node.attr in OTHER_RESOURCE:
        yield Edit("wrong resource", lambda: node.__setattr__("attr", OTHER_RESOURCE[node.attr]), node)
    if isinstance(node, ast.Call):
        given = [each.arg for each in node.keywords]
        for keyword in node.keywords:
            other = OTHER_RESOURCE.get(keyword.arg or "")
            if other is not None and other not in given:
                yield Edit("wrong resource", partial(setattr, keyword, "arg", other), node)


def _dropped_statement(node: ast.AST, bound: set[str]) -> Iterator[Edit]:
    """Drop a call made for its effect, a loop, or an assignment to a name that has a value already."""
    again = isinstance(node, ast.Assign) and all(isinstance(each, ast.Name) and each.id in bound for each in node.targets)
    if again or isinstance(node, ast.Expr | ast.For | ast.AugAssign):
        yield Edit("dropped statement", lambda: become(node, ast.Pass()), node)


OPERATORS: tuple[Callable[[ast.AST], Iterator[Edit]], ...] = (
    _comparisons,
    _chained,
    _guards,
    _terms,
    _calls,
    _numbers,
    _resources,
)
