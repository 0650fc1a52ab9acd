"""The shipped modules that a theorem is about: the very ones that users run, or for a mutant a private copy with one edit."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

from gaugeblock_proofs.engine import TheoremMisuse

ROOT = "gaugeblock"


class Shipped:
    """Modules by their dotted names below ``gaugeblock``: ``shipped.round.accounting`` is ``gaugeblock.round.accounting``.

    It holds the modules of the functions that a theorem names and no others, so that the list in the theorem is complete.
    """

    def __init__(self, modules: Mapping[str, ModuleType], path: str = ROOT) -> None:
        self.modules = modules
        self._path = path

    def __getattr__(self, name: str) -> Any:
        """Return the module or package of that name; raises `TheoremMisuse` for one that the theorem does not name."""
        dotted = f"{self._path}.{name}"
        if dotted in self.modules:
            return self.modules[dotted]
        if any(known.startswith(f"{dotted}.") for known in self.modules):
            return Shipped(self.modules, dotted)
        raise TheoremMisuse(f"the theorem uses {dotted}, but names no function of it among those that it runs")


def as_shipped(names: Iterable[str]) -> Shipped:
    """Return the modules of these dotted names as they ship."""
    return Shipped({name: importlib.import_module(name) for name in names})
