"""Loads a private copy of the shipped modules with one fault in it; the real modules are neither changed nor replaced.

The copy lives under a name of its own (``gaugeblock_miniature_`` and the fault's). It holds the faulty module and those that
depend on it; within it their imports of each other lead to the copies, and all other imports to the real modules, so that
values are of the same classes everywhere.
"""

import ast
import sys
from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from itertools import chain
from pkgutil import walk_packages
from types import CodeType, ModuleType

from gaugeblock.miniatures.fault import Fault, StaleFault
from gaugeblock.miniatures.loops import ROUNDS, LimitedLoops, rounds

PREFIX = "gaugeblock_miniature_"
REAL = "gaugeblock"


def load(fault: Fault, module: str) -> ModuleType:
    """Return ``module`` (by its real name) with ``fault`` in reach of it, loading the copy when it is first needed.

    A module that the fault does not reach is the real one.

    Raises:
        StaleFault: when the text that the fault replaces does not occur exactly once.
    """
    copy = _COPIES.setdefault(private_root(fault), fault)
    if copy != fault:
        raise ValueError(f"two faults are named {fault.name!r}")
    faulty_text(fault)
    if _FINDER not in sys.meta_path:
        sys.meta_path.append(_FINDER)
    return import_module(private_name(fault, module) if is_copied(fault, module) else module)


def private_root(fault: Fault) -> str:
    """Return the name of the package that holds the fault's copy."""
    return PREFIX + fault.name.replace("-", "_")


def private_name(fault: Fault, module: str) -> str:
    """Return the name of a copied module, or of a package above one, within the fault's copy."""
    return private_root(fault) + module.removeprefix(REAL)


def original_text(module: str) -> str:
    """Return the source text of an installed module, found as Python finds it."""
    spec = find_spec(module)
    loader = None if spec is None else spec.loader
    if not isinstance(loader, InspectLoader):
        raise ImportError(f"{module} has no source text", name=module)
    text = loader.get_source(module)
    if text is None:
        raise ImportError(f"{module} has no source text", name=module)
    return text


def faulty_text(fault: Fault) -> str:
    """Return the text of the fault's module with the fault in it.

    Raises:
        StaleFault: when the text that it replaces does not occur exactly once.
    """
    text = original_text(fault.module)
    occurrences = text.count(fault.original)
    if occurrences != 1:
        raise StaleFault(fault, occurrences)
    return text.replace(fault.original, fault.faulty)


class _CopiedModule(InspectLoader):
    """Gives a module of a copy its text: the real one's, or the faulty one, with imports that stay within the copy."""

    def __init__(self, fault: Fault, real: str) -> None:
        self._fault = fault
        self._real = real

    def get_source(self, fullname: str) -> str:
        """Return the text; packages that merely lead to a copied one are empty."""
        if self._real == self._fault.module:
            return faulty_text(self._fault)
        return original_text(self._real) if is_copied(self._fault, self._real) else ""

    def is_package(self, fullname: str) -> bool:
        """Whether the real module is a package."""
        return _is_package(self._real)

    def get_code(self, fullname: str) -> CodeType:
        """Return the code, with imports redirected and loops limited where the fault says so."""
        tree = _Redirection(self._fault).visit(ast.parse(self.get_source(fullname)))
        if self._fault.loop_limit is not None:
            tree = LimitedLoops().visit(tree)
        ast.fix_missing_locations(tree)
        code: CodeType = compile(tree, f"<miniature {self._fault.name}: {self._real}>", "exec", dont_inherit=True)
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code, which finds there what limits its loops."""
        if self._fault.loop_limit is not None:
            module.__dict__[ROUNDS] = partial(rounds, self._fault.loop_limit)
        super().exec_module(module)


class _Redirection(ast.NodeTransformer):
    """Makes imports of copied modules lead to the copies."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def visit_Import(self, node: ast.Import) -> ast.Import:
        """Refuse the one form that cannot be redirected without changing the name that it binds."""
        for alias in node.names:
            if is_copied(self._fault, alias.name):
                raise ImportError(f"import {alias.name}: write it as an import from", name=alias.name)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.ImportFrom]:
        """Split the import into what comes from the copy and what is shared."""
        module = node.module or ""
        if is_copied(self._fault, module):
            return [ast.ImportFrom(private_name(self._fault, module), node.names, 0)]
        copied = [alias for alias in node.names if is_copied(self._fault, f"{module}.{alias.name}")]
        shared = [alias for alias in node.names if alias not in copied]
        found = [ast.ImportFrom(private_name(self._fault, module), copied, 0)] if copied else []
        return found + ([ast.ImportFrom(node.module, shared, node.level)] if shared else [])


class _Finder(MetaPathFinder):
    """Finds the modules of copies, by their private names."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a copied module, or None for every name that is not within a copy."""
        root, _, rest = fullname.partition(".")
        fault = _COPIES.get(root)
        if fault is None:
            return None
        real = f"{REAL}.{rest}" if rest else REAL
        loader = _CopiedModule(fault, real)
        return ModuleSpec(fullname, loader, is_package=_is_package(real))


def is_copied(fault: Fault, module: str) -> bool:
    """Whether the fault's copy has its own version of the module."""
    return module in copied_modules(fault)


@cache
def copied_modules(fault: Fault) -> frozenset[str]:
    """Return the modules that the fault reaches: its own, and within its roots those that import one that it reaches."""
    reached = frozenset((fault.module,))
    candidates = tuple(chain.from_iterable(map(_modules_of, fault.roots)))
    while True:
        further = reached | {module for module in candidates if _imports_of(module) & reached}
        if further == reached:
            return reached
        reached = further


@cache
def _modules_of(root: str) -> tuple[str, ...]:
    spec = find_spec(root)
    folders = () if spec is None else spec.submodule_search_locations or ()
    return (root, *(each.name for each in walk_packages(folders, f"{root}.")))


@cache
def _imports_of(module: str) -> frozenset[str]:
    """Return the names that could be modules among all that a module imports, at whatever depth of its text."""
    froms = [node for node in ast.walk(ast.parse(original_text(module))) if isinstance(node, ast.ImportFrom) and node.module]
    named = {f"{node.module}.{alias.name}" for node in froms for alias in node.names}
    return frozenset(named | {str(node.module) for node in froms})


def _is_package(module: str) -> bool:
    spec = find_spec(module)
    return spec is not None and spec.submodule_search_locations is not None


_COPIES: dict[str, Fault] = {}
_FINDER = _Finder()
