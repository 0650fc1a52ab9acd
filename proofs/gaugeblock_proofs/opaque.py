"""Stand-ins for what a function does not look at: a proof with them holds whatever stands in their place."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, cast


class LookedAt(TypeError):
    """The code under proof looked at what its theorem says that it does not look at."""


class Opaque:
    """Something of which nothing is known; whatever is asked of it raises, and so refutes the theorem.

    That it is itself is all that anyone can tell.
    """

    def __init__(self, label: str) -> None:
        self._label = label

    def __bool__(self) -> bool:
        raise LookedAt(f"the truth of {self!r}")

    def __eq__(self, other: object) -> bool:
        if other is self:
            return True
        raise LookedAt(f"whether {self!r} is equal to something")

    def __hash__(self) -> int:
        raise LookedAt(f"the hash of {self!r}")

    def __repr__(self) -> str:
        return f"<any {self._label}>"


class OpaqueNames:
    """A set of names of which nothing is known but what was added to it and removed from it, in order."""

    def __init__(self, label: str, changes: tuple[tuple[str, frozenset[str]], ...] = ()) -> None:
        self._label = label
        self._changes = changes

    def __or__(self, names: Set[str]) -> OpaqueNames:
        return OpaqueNames(self._label, (*self._changes, ("added", frozenset(names))))

    def __sub__(self, names: Set[str]) -> OpaqueNames:
        return OpaqueNames(self._label, (*self._changes, ("removed", frozenset(names))))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpaqueNames):
            raise LookedAt(f"whether {self!r} is equal to something known")
        return (self._label, self._changes) == (other._label, other._changes)

    def __bool__(self) -> bool:
        raise LookedAt(f"whether there is one of {self!r}")

    def __hash__(self) -> int:
        return hash((self._label, self._changes))

    def __repr__(self) -> str:
        return f"<any {self._label}, changed by {self._changes}>"


def anything(label: str) -> Any:
    """Return an opaque value, passed off to the type checker as whatever is wanted."""
    return cast("Any", Opaque(label))


def any_names(label: str) -> Any:
    """Return an opaque set of names, passed off to the type checker as a frozen set."""
    return cast("Any", OpaqueNames(label))
