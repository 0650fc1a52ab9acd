"""What the sets and families of the corpus are, and where the decisions of their cases come from."""

from collections.abc import Mapping
from typing import Final

from gaugeblock.corpus import Family, Provenance

SETS: Final = ("wrench-shared", "wrench-quirks", "derived")

_WRENCH: Final = (
    "decided by WRENCH's C++ GreedyServerlessScheduler, revisions 6340056/fbc4157/177f5d1 of wrench-project/wrench, "
    "under seven allocation orders with equal results"
)

PROVENANCES: Final = (
    Provenance(
        "wrench-shared",
        f"Generated rounds, {_WRENCH}. That revision takes a slot of the node for waits and transfers too, so the capacities "
        "here are too large (1,000) for any count to bind.",
    ),
    Provenance(
        "wrench-quirks",
        f"Tiny rounds written to show one easily mistaken behaviour each, {_WRENCH}. Capacities are too large to bind.",
    ),
    Provenance(
        "derived",
        "Worked out by hand from the numbered clauses, before any implementation was looked at; each case carries its "
        "derivation. The round of derived/optimality was found by the prover; its decisions were worked out by hand as well.",
    ),
)

_ABOUT_WRENCH: Final = {
    "a": "one pending invocation",
    "b": "batches with room",
    "c": "batches on tight RAM",
    "d": "batches on tight disk",
    "e": "batches on tight RAM and disk, with shared layers",
    "f": "least recently used eviction, dates distinct and tied",
    "g": "many transfers",
    "h": "larger rounds",
    "k": "choice among containers",
    "p": "waiting for transfers in progress",
    "w": "waiting for transfers in progress",
    "y": "layers of zero bytes",
    "z": "layers of zero bytes",
}

_ABOUT_DERIVED: Final = {
    "scenario": "faults known from comparable systems",
    "positions": "container positions, alone and beside missing bytes",
    "invocations": "a node's invocation capacity",
    "shared": "containers that hold several invocations",
    "starting": "containers that are not ready yet",
    "status": "nodes that are not activated",
    "scaling": "requests to activate and to deactivate nodes",
    "failing": "pending invocations that time out",
    "prewarm": "the warm pool, beside and after placement",
    "wakeup": "the date at which another round is wanted",
    "zero": "footprints, capacities and collections of zero",
    "names": "names by code point",
    "reclaim": "eviction, protection, waits, precedence and limits",
    "optimality": "a round that the prover found: the rule of fewest is not the optimum",
}

ABOUT: Final[Mapping[str, str]] = {
    **{f"wrench-shared/{letter}": about for letter, about in _ABOUT_WRENCH.items()},
    "wrench-quirks": "one easily mistaken behaviour each",
    **{f"derived/{word}": about for word, about in _ABOUT_DERIVED.items()},
}


def family_of(set_name: str, case_id: str) -> str:
    """Return the family of a case: the first word of its id, or the word after ``derived``; the quirks are one family.

    Raises:
        ValueError: when there is no such family, so that a new one gets its description.
    """
    words = case_id.split("-")
    word = words[1] if words[0] == "derived" else words[0]
    family = set_name if set_name == "wrench-quirks" else f"{set_name}/{word}"
    if family not in ABOUT:
        raise ValueError(f"case {case_id!r} is of family {family!r}, which corpus_families.py does not describe")
    return family


def families_of(names: set[str]) -> tuple[Family, ...]:
    """Return the families of these names, in the order in which they are described above."""
    return tuple(Family(name, about) for name, about in ABOUT.items() if name in names)
