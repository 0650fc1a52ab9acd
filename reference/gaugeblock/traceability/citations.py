"""Where the tree cites clauses: identifiers in texts, in the docstrings of functions and classes, and in tests."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

FAMILIES: Final = ("ROUND", "PLACE", "ACCT", "RECL", "PREW", "WAKE", "EXEC", "SERV")
_NUMBERED: Final = re.compile(rf"\b({'|'.join(FAMILIES)})-(\d+)(?:\s+to\s+\1-(\d+))?")
_NAMED: Final = re.compile(r"\bPOL-[a-z]+(?:-[a-z]+)*")
_AMBIGUITY: Final = re.compile(r"\bAMB-\d+")

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Place(NamedTuple):
    """A function, method, class or test, by its dotted name or test id, and the identifiers that it cites."""

    name: str
    cited: frozenset[str]


def cited_in(text: str) -> frozenset[str]:
    """Return the identifiers in ``text``; ``RECL-4 to RECL-6`` cites all three."""
    return frozenset(_cited_in(text))


def _cited_in(text: str) -> Iterator[str]:
    for family, first, last in _NUMBERED.findall(text):
        yield from (f"{family}-{number}" for number in range(int(first), int(last or first) + 1))
    yield from _NAMED.findall(text)
    yield from _AMBIGUITY.findall(text)


def citing_code(file: Path, module: str) -> Iterator[Place]:
    """Yield the functions, methods and classes of a module whose docstrings cite anything."""
    for name, definition in _definitions(ast.parse(file.read_text(encoding="utf-8")), module):
        cited = cited_in(ast.get_docstring(definition) or "")
        if cited:
            yield Place(name, cited)


def clauses_in(file: Path) -> Iterator[str]:
    """Yield the identifiers of the clauses that a module of ``specs/`` states: calls of a clause with a constant ``id``."""
    for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id.endswith("Clause"):
            for keyword in call.keywords:
                if keyword.arg == "id" and isinstance(keyword.value, ast.Constant):
                    yield str(keyword.value.value)


def citing_tests(file: Path, shown: str) -> Iterator[Place]:
    """Yield the tests of a file that can fail, by their ids, with what their docstrings, names and bodies cite.

    A test can fail that asserts something, expects an error, or calls a function of its file that does. In a body counts an
    identifier that stands alone as a text, as in ``found["RECL-5"]``; so do those in a table that the test is parametrised by.
    """
    tree = ast.parse(file.read_text(encoding="utf-8"))
    functions = {each.name: each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}
    failing = _able_to_fail(functions)
    tables = dict(_tables(tree))
    for name, function in functions.items():
        cited = cited_in(ast.get_docstring(function) or "") | _in_name(name) | _alone_in(function)
        cited = cited.union(*(tables.get(used, frozenset()) for used in _names_in_decorators(function)))
        if name.startswith("test_") and name in failing and cited:
            yield Place(f"{shown}::{name}", cited)


def _definitions(tree: ast.AST, prefix: str) -> Iterator[tuple[str, Definition]]:
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield f"{prefix}.{child.name}", child
            yield from _definitions(child, f"{prefix}.{child.name}")


def _in_name(name: str) -> frozenset[str]:
    """A test's name cites in lower case: ``test_recl_5_...``."""
    words = name.removeprefix("test_").upper().split("_")
    pairs = pairwise(words)
    return frozenset(f"{family}-{number}" for family, number in pairs if family in FAMILIES and number.isdecimal())


def _tables(tree: ast.Module) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the names that a module gives to values, with the identifiers that stand alone in each."""
    for statement in tree.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    yield target.id, _alone_in(statement.value)


def _names_in_decorators(function: ast.FunctionDef) -> set[str]:
    return {each.id for decorator in function.decorator_list for each in ast.walk(decorator) if isinstance(each, ast.Name)}


def _alone_in(node: ast.AST) -> frozenset[str]:
    texts = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str))
    return frozenset(text for text in texts if cited_in(text) == {text})


def _able_to_fail(functions: dict[str, ast.FunctionDef]) -> frozenset[str]:
    """Return the functions that check something themselves or call, in however many steps, one that does."""
    failing = {name for name, function in functions.items() if _checks(function)}
    while True:
        more = {name for name, function in functions.items() if name not in failing and _calls(function) & failing}
        if not more:
            return frozenset(failing)
        failing |= more


def _checks(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(each, (ast.Assert, ast.Raise)) or (isinstance(each, ast.Attribute) and each.attr in ("raises", "fail"))
        for each in ast.walk(function)
    )


def _calls(function: ast.FunctionDef) -> set[str]:
    """Return every name that the function uses, those of the functions that it calls among them."""
    return {each.id for each in ast.walk(function) if isinstance(each, ast.Name)}
