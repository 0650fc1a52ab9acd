"""The variables that a theorem declares: named, ranged, numbered in order of first declaration."""

from __future__ import annotations

from enum import Enum

import msgspec

from gaugeblock_proofs.engine.errors import TheoremMisuse
from gaugeblock_proofs.engine.linear import Exact


class Sort(Enum):
    """What a variable ranges over."""

    INTEGER = "integer"
    REAL = "real"


class Variable(msgspec.Struct, frozen=True):
    """One declared symbol; `low` and `high` are inclusive."""

    name: str
    sort: Sort
    low: Exact
    high: Exact

    @property
    def nearest_to_zero(self) -> Exact:
        """The value of least magnitude in the range."""
        return max(self.low, min(self.high, 0))


class Registry:
    """All variables met so far in an exploration; an index, once given, stays."""

    def __init__(self) -> None:
        self.variables: list[Variable] = []
        self._index_by_name: dict[str, int] = {}

    def declare(self, variable: Variable) -> tuple[int, bool]:
        """Return the variable's index and whether it is new; the same name must come with the same range again."""
        known = self._index_by_name.get(variable.name)
        if known is not None:
            if self.variables[known] != variable:
                raise TheoremMisuse(f"symbol {variable.name!r} is declared twice with different ranges")
            return known, False
        if variable.low > variable.high:
            raise TheoremMisuse(f"symbol {variable.name!r} has an empty range: {variable.low} to {variable.high}")
        self._index_by_name[variable.name] = len(self.variables)
        self.variables.append(variable)
        return len(self.variables) - 1, True

    def completed(self, values: list[Exact]) -> list[Exact]:
        """Return the values extended by the value nearest to zero for each variable declared since."""
        return values + [variable.nearest_to_zero for variable in self.variables[len(values) :]]
