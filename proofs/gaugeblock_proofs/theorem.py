"""A theorem as a value: what it says to a person, and the runs of shipped functions by which a machine proves the same.

To add one: write a body (a function of a `Setting`), give it a `Theorem` in the `THEOREMS` of its family's module, and name
every shipped function whose module the body uses, since only these modules are at hand in its setting.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from gaugeblock.model import ObservedState, PolicyNames, Value
from gaugeblock_proofs.engine import Budget, Path, Source, Verdict
from gaugeblock_proofs.shipped import Shipped


class Tier(Enum):
    """When a part is proved: always, or only when the deep set is asked for."""

    STANDARD = "standard"
    DEEP = "deep"


class ScopeKind(Enum):
    """How far a theorem reaches. Quantities (bytes, counts, dates) are symbolic in every kind."""

    UNBOUNDED = "unbounded"
    """No bound on the shape either: whatever the code does not look at is opaque."""
    SHAPES = "shapes"
    """The shapes listed, completely: every value of every quantity, and every choice listed."""
    COMPOSED = "composed"
    """From other theorems, by the argument that the scope's text gives."""


class Scope(Value, frozen=True):
    """How far a theorem reaches; ``text`` says it in full."""

    kind: ScopeKind
    text: str


class Setting:
    """What the body of a theorem is given: shipped modules, a source of numbers, and the path to oblige.

    ``round`` and ``policies`` are what a counterexample is written down as: the last state that the body built, and the
    policies that it meant to decide it with.
    """

    def __init__(self, shipped: Shipped, symbols: Source, path: Path) -> None:
        self.shipped = shipped
        self.symbols = symbols
        self.path = path
        self.round: ObservedState | None = None
        self.policies = PolicyNames()


Body = Callable[[Setting], None]
"""Builds a state, runs shipped functions on it, and obliges the path to properties of what they return."""


class Part(Value, frozen=True):
    """One exploration of a theorem, complete in itself: a shape or a case. Some assertion must be reached in it."""

    name: str
    body: Body
    tier: Tier = Tier.STANDARD
    budget: Budget = Budget()


class Theorem(Value, frozen=True):
    """A statement about shipped functions.

    ``id`` is the identifier of its first clause, a dot and a name. ``runs`` are dotted names of the shipped functions that its
    bodies call. ``assertions`` are the labels of which each must be reached in some standard part, so that none holds for want
    of a case. ``expected`` is ``REFUTED`` for a claim that is known to be false and whose smallest counterexample is published.
    """

    id: str
    statement: str
    clauses: tuple[str, ...]
    runs: tuple[str, ...]
    scope: Scope
    parts: tuple[Part, ...]
    assertions: tuple[str, ...]
    expected: Verdict = Verdict.PROVED

    @property
    def family(self) -> str:
        """The family of its first clause, such as ``ACCT``."""
        return self.id.split("-", 1)[0]

    @property
    def modules(self) -> tuple[str, ...]:
        """The dotted names of the shipped modules whose functions it runs."""
        return tuple(dict.fromkeys(name.rpartition(".")[0] for name in self.runs))


def unbounded(text: str) -> Scope:
    """Return a scope without any bound on shapes."""
    return Scope(ScopeKind.UNBOUNDED, text)


def shapes(text: str) -> Scope:
    """Return a scope of exactly the shapes that the text lists."""
    return Scope(ScopeKind.SHAPES, text)


def composed(text: str) -> Scope:
    """Return a scope that follows from other theorems as the text says."""
    return Scope(ScopeKind.COMPOSED, text)
