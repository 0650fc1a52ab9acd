"""All theorems, by family and by clause."""

from __future__ import annotations

import importlib
from difflib import get_close_matches
from functools import cache

from gaugeblock.model import GaugeblockError
from gaugeblock_proofs.theorem import Part, Theorem

FAMILY_MODULES = (
    "accounting",
    "initial",
    "conservation",
    "reclamation",
    "candidates",
    "completeness",
    "eviction_policies",
    "plan_selection",
    "ordering",
    "scaling",
    "wakeups",
    "prewarming",
    "eligibility",
    "passes",
    "phases",
    "placement",
    "rounds",
    "composition",
    "induction",
    "service",
    "enumeration",
    "application",
    "equivalence",
    "optimized_reclamation",
    "optimized_ranking",
    "optimized_classes",
    "optimized_rounds",
    "optimized_planning",
)
"""The modules of this package that hold theorems, each in its ``THEOREMS``."""

MOST_LISTED = 20
"""Of more names than these a message lists those like the one that was given."""


class UnknownTheorem(GaugeblockError):
    """No theorem has the id, belongs to the family, or is about the clause."""

    def __init__(self, what: str, found: str, known: tuple[str, ...]) -> None:
        super().__init__(f"found {what} {found!r}; expected {_expected(found, known)}")
        self.what = what
        self.found = found
        self.known = known


def _expected(found: str, known: tuple[str, ...]) -> str:
    """Return what could have been meant: all that is known, or of very many those like it."""
    if len(known) <= MOST_LISTED:
        return f"one of {', '.join(known)}"
    like = tuple(each for each in known if each.casefold().startswith(found.casefold())) if found else ()
    near = like or tuple(get_close_matches(found, known, cutoff=0.5))
    return f"one of {len(known)}, such as {', '.join((near or known)[:MOST_LISTED])}"


@cache
def all_theorems() -> tuple[Theorem, ...]:
    """Return every theorem, family by family."""
    modules = [importlib.import_module(f"gaugeblock_proofs.{name}") for name in FAMILY_MODULES]
    return tuple(theorem for module in modules for theorem in module.THEOREMS)


def by_id(identifier: str) -> Theorem:
    """Return the theorem of that id; raises `UnknownTheorem` if there is none."""
    for theorem in all_theorems():
        if theorem.id == identifier:
            return theorem
    raise UnknownTheorem("theorem", identifier, tuple(theorem.id for theorem in all_theorems()))


def part_of(theorem: Theorem, name: str) -> Part:
    """Return the part of that name; raises `UnknownTheorem` if the theorem has none."""
    for part in theorem.parts:
        if part.name == name:
            return part
    raise UnknownTheorem(f"part of {theorem.id}", name, tuple(part.name for part in theorem.parts))


def home_of(theorem: Theorem) -> str:
    """Return the dotted name of the module that holds the theorem."""
    for name in FAMILY_MODULES:
        dotted = f"gaugeblock_proofs.{name}"
        if any(each is theorem for each in importlib.import_module(dotted).THEOREMS):
            return dotted
    raise UnknownTheorem("theorem", theorem.id, tuple(each.id for each in all_theorems()))


def select(families: tuple[str, ...] = (), clauses: tuple[str, ...] = (), ids: tuple[str, ...] = ()) -> tuple[Theorem, ...]:
    """Return the theorems that belong to one of the families, are about one of the clauses, or have one of the ids.

    Raises:
        UnknownTheorem: when one of the names selects nothing.
    """
    theorems = all_theorems()
    known_families = tuple(dict.fromkeys(theorem.family for theorem in theorems))
    known_clauses = tuple(dict.fromkeys(clause for theorem in theorems for clause in theorem.clauses))
    known_ids = tuple(theorem.id for theorem in theorems)
    for what, names, known in (
        ("family", families, known_families),
        ("clause", clauses, known_clauses),
        ("theorem", ids, known_ids),
    ):
        for name in names:
            if name not in known:
                raise UnknownTheorem(what, name, known)
    if not (families or clauses or ids):
        return theorems
    return tuple(
        theorem
        for theorem in theorems
        if theorem.family in families or theorem.id in ids or any(clause in clauses for clause in theorem.clauses)
    )
