"""Which code a theorem runs, and the hash of it: an unchanged proof need not be run again."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import importlib.util
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from gaugeblock_proofs.registry import home_of
from gaugeblock_proofs.theorem import Part, Theorem

ROOTS = ("gaugeblock", "gaugeblock_proofs", "gaugeblock_specs")
TRUSTED = ("z3-solver", "msgspec")
"""What proofs stand on besides the interpreter."""
NOT_RUN = ("gaugeblock_proofs.registry",)
"""Imported by no theorem; it imports all of them."""


def key(theorem: Theorem, part: Part) -> str:
    """Return a hash of the part's name, what it runs on, and the source of every module that the theorem can reach."""
    digest = hashlib.sha256()
    platform = f"python {sys.version_info[:3]}, {', '.join(map(_version, TRUSTED))}"
    for text in (
        theorem.id,
        part.name,
        platform,
        closure_digest((home_of(theorem), "gaugeblock_proofs.proving", *theorem.modules)),
    ):
        digest.update(text.encode())
        digest.update(b"\0")
    return digest.hexdigest()


@cache
def _version(package: str) -> str:
    return f"{package} {importlib.metadata.version(package)}"


@cache
def closure_digest(roots: tuple[str, ...]) -> str:
    """Return a hash of the source of every module that the roots can reach."""
    digest = hashlib.sha256()
    for name in closure(roots):
        path = path_of(name)
        if path is not None:
            digest.update(f"{name} {file_digest(path)}\n".encode())
    return digest.hexdigest()


@cache
def closure(roots: tuple[str, ...]) -> tuple[str, ...]:
    """Return the dotted names of the modules of ours that importing ``roots`` and calling into them can run, sorted."""
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name in found or name in NOT_RUN or path_of(name) is None:
            continue
        found.add(name)
        waiting += _imports(name)
        waiting += [name.rpartition(".")[0]] if "." in name else []
    return tuple(sorted(found))


@cache
def _imports(name: str) -> tuple[str, ...]:
    """Return what a module imports of ours, at its top or inside functions; a name that is no module is dropped later."""
    path = path_of(name)
    tree = ast.parse(path.read_bytes()) if path is not None else ast.Module([], [])
    found: list[str] = []
    for node in _statements(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ROOTS:
            found += [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        elif isinstance(node, ast.Import):
            found += [each.name for each in node.names if each.name.split(".")[0] in ROOTS]
    return tuple(found)


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield every statement: no import is part of an expression, and expressions are most of a tree."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, field, ())


@cache
def path_of(name: str) -> Path | None:
    """Return the source of a module of ours without importing it, or None if there is no such module."""
    head, *rest = name.split(".")
    if head not in ROOTS:
        return None
    spec = importlib.util.find_spec(head)
    if spec is None or not spec.submodule_search_locations:
        return None
    base = Path(spec.submodule_search_locations[0]).joinpath(*rest)
    for candidate in (base / "__init__.py", base.with_name(base.name + ".py") if rest else base / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


@cache
def file_digest(path: Path) -> str:
    """Return a hash of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
