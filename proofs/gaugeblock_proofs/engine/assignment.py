"""One concrete input of a theorem: a value per symbol, and the alternatives taken at its choices."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from gaugeblock_proofs.engine.errors import TheoremMisuse
from gaugeblock_proofs.engine.linear import Exact


class Assignment(msgspec.Struct, frozen=True):
    """Values by symbol name in order of declaration, and positions among the alternatives in order of choice."""

    values: tuple[tuple[str, Exact], ...] = ()
    choices: tuple[int, ...] = ()

    @classmethod
    def of(cls, values: Mapping[str, Exact], choices: tuple[int, ...] = ()) -> Assignment:
        """Make an assignment from a mapping."""
        return cls(tuple(values.items()), choices)

    def value(self, name: str) -> Exact:
        """Return the value of the symbol; raises `TheoremMisuse` if it has none."""
        for known, value in self.values:
            if known == name:
                return value
        raise TheoremMisuse(f"the assignment has no value for the symbol {name!r}")

    def __str__(self) -> str:
        listed = ", ".join(f"{name}={value}" for name, value in self.values)
        return f"{listed or 'no symbols'}; choices {list(self.choices)}" if self.choices else listed or "no symbols"
