"""All mutants of the functions that theorems run, by name; the same in every run."""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import cache

from gaugeblock.miniatures.fault import ROUND_ROOTS, Fault
from gaugeblock.miniatures.loader import is_copied, load, original_text
from gaugeblock.model import Value
from gaugeblock_proofs.mutants.operators import edits
from gaugeblock_proofs.shipped import Shipped, as_shipped
from gaugeblock_proofs.theorem import Theorem

COPIED = (*ROUND_ROOTS, "gaugeblock.service", "gaugeblock.optimized")
"""What a mutant has a private copy of."""
ROUNDS_OF_A_LOOP = 1_000
"""No loop of the shipped code goes round so often on the shapes of a theorem: one that does has lost what ends it."""


class Mutant(Value, frozen=True):
    """One edit of one function, the one of that ``number``; ``was`` and ``became`` are the text around it."""

    name: str
    operator: str
    function: str
    module: str
    number: int
    line: int
    was: str
    became: str

    def __str__(self) -> str:
        return f"{self.name} (line {self.line}): {self.was}  ->  {self.became}"


def shipped_with(mutant: Mutant, names: tuple[str, ...]) -> Shipped:
    """Return the modules of these names in a private copy that has the edit; what is not copied is as it ships."""
    identity = hashlib.sha256(mutant.name.encode()).hexdigest()[:16]
    whole, mutated = original_text(mutant.module), mutated_text(mutant)
    fault = Fault(
        f"mutant-{identity}", str(mutant), (), mutant.module, whole, mutated, roots=COPIED, loop_limit=ROUNDS_OF_A_LOOP
    )
    real = tuple(name for name in names if not is_copied(fault, name))
    modules = {name: load(fault, name) for name in names if name not in real}
    return Shipped({**modules, **as_shipped(real).modules})


def targets(theorem: Theorem) -> tuple[str, ...]:
    """Return the dotted names of the functions that the theorem runs, with what these use of their own modules.

    Errors are not among them: they are shared between a private copy and the rest, like the model.
    """
    found: list[str] = []
    waiting = list(reversed(theorem.runs))
    while waiting:
        name = waiting.pop()
        module, _, attribute = name.rpartition(".")
        if name in found or not _is_copied(module) or attribute not in _definitions(module):
            continue
        found.append(name)
        waiting += [f"{module}.{used}" for used in _used(module, attribute)]
    return tuple(found)


@cache
def mutants_of(target: str) -> tuple[Mutant, ...]:
    """Return all mutants of a function, or of a class's methods, in the order of the text."""
    module, _, attribute = target.rpartition(".")
    return tuple(each for name, function in _functions(module, attribute) for each in _mutants(module, name, function))


def _is_copied(module: str) -> bool:
    return any(module == root or module.startswith(f"{root}.") for root in COPIED)


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(original_text(module))


@cache
def _definitions(module: str) -> dict[str, ast.FunctionDef | ast.ClassDef]:
    return {each.name: each for each in _tree(module).body if isinstance(each, ast.FunctionDef | ast.ClassDef)}


def _used(module: str, name: str) -> list[str]:
    known = _definitions(module)
    names = [node.id for node in ast.walk(known[name]) if isinstance(node, ast.Name)]
    return [each for each in dict.fromkeys(names) if each in known and each != name]


def _functions(module: str, name: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    definition = _definitions(module)[name]
    if isinstance(definition, ast.FunctionDef):
        yield name, definition
        return
    for each in definition.body:
        if isinstance(each, ast.FunctionDef):
            yield f"{name}.{each.name}", each


def _mutants(module: str, name: str, function: ast.FunctionDef) -> Iterator[Mutant]:
    numbers: Counter[str] = Counter()
    for number in range(len(list(edits(copy.deepcopy(function))))):
        edit = list(edits(copy.deepcopy(function)))[number]
        was, line = _shown(edit.node), getattr(edit.node, "lineno", function.lineno)
        edit.apply()
        numbers[edit.operator] += 1
        label = f"{module.removeprefix('gaugeblock.')}.{name}: {edit.operator} {numbers[edit.operator]}"
        yield Mutant(label, edit.operator, f"{module}.{name}", module, number, line, was, _shown(edit.node))


def mutated_text(mutant: Mutant) -> str:
    """Return the text of the mutant's whole module, with the edit."""
    tree = copy.deepcopy(_tree(mutant.module))
    path = mutant.function.removeprefix(f"{mutant.module}.").split(".")
    scope: ast.Module | ast.ClassDef = tree
    for name in path[:-1]:
        scope = next(each for each in scope.body if isinstance(each, ast.ClassDef) and each.name == name)
    function = next(each for each in scope.body if isinstance(each, ast.FunctionDef) and each.name == path[-1])
    list(edits(function))[mutant.number].apply()
    return ast.unparse(ast.fix_missing_locations(tree))


def _shown(node: ast.AST) -> str:
    text = ast.unparse(node).strip().split("\n")
    return text[0] + (" ..." if len(text) > 1 else "")
