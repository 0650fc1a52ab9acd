"""Generated rounds for everybody's tests: Hypothesis strategies, and a fast generator that needs no Hypothesis.

The strategies need the extra ``fuzz``; :func:`random_round`, :func:`random_policy_names` and the tunings do not, which is why
the strategies are imported only when they are asked for.
"""

from typing import TYPE_CHECKING

from gaugeblock.strategies.seeded import random_policy_names, random_round
from gaugeblock.strategies.tuning import (
    ALL_TUNINGS,
    CROWDED,
    IDLE_CONTAINERS,
    LARGE,
    MIXED,
    RESTING,
    SHARED_LAYERS,
    TIED,
    TIGHT,
    TIGHT_DISK,
    TIGHT_RAM,
    TRANSFERS,
    Tuning,
)

if TYPE_CHECKING:
    from gaugeblock.strategies.hypothesis_strategies import (
        catalogs,
        pending_batches,
        policy_names,
        rounds,
        rounds_with_policies,
    )

__all__ = [
    "ALL_TUNINGS",
    "CROWDED",
    "IDLE_CONTAINERS",
    "LARGE",
    "MIXED",
    "RESTING",
    "SHARED_LAYERS",
    "TIED",
    "TIGHT",
    "TIGHT_DISK",
    "TIGHT_RAM",
    "TRANSFERS",
    "Tuning",
    "catalogs",
    "pending_batches",
    "policy_names",
    "random_policy_names",
    "random_round",
    "rounds",
    "rounds_with_policies",
]

_NEEDS_HYPOTHESIS = frozenset(("catalogs", "pending_batches", "policy_names", "rounds", "rounds_with_policies"))


if not TYPE_CHECKING:  # so that a type checker still finds misspelt names

    def __getattr__(name: str) -> object:
        """Import a strategy when it is first asked for."""
        if name not in _NEEDS_HYPOTHESIS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from gaugeblock.strategies import hypothesis_strategies

        return getattr(hypothesis_strategies, name)
