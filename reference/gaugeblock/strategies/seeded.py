"""Rounds and policies from a seed: fast, the same for ever for a given release, and without Hypothesis."""

from gaugeblock.model import Catalog, ObservedState, PolicyNames
from gaugeblock.strategies.building import build_round
from gaugeblock.strategies.choices import SeededChoices
from gaugeblock.strategies.naming_policies import build_policy_names
from gaugeblock.strategies.tuning import MIXED, Tuning


def random_round(seed: int, tuning: Tuning = MIXED) -> ObservedState:
    """Return the round that belongs to ``seed`` and ``tuning``."""
    return build_round(SeededChoices(f"round {seed}"), tuning)


def random_policy_names(seed: int, catalog: Catalog, *, random_policies: bool = False) -> PolicyNames:
    """Return the policies that belong to ``seed`` for rounds over ``catalog``; deterministic ones unless asked otherwise."""
    return build_policy_names(SeededChoices(f"policies {seed}"), catalog, random_policies)
