"""The choice of policies by name: built-in ones, with parameters that make sense in generated rounds."""

from gaugeblock.model import Catalog, FunctionName, PolicyName, PolicyNames
from gaugeblock.strategies.choices import Choices, chance, pick

FAILING = ("never", "never", "never", "pending-timeout")
SCALING = ("activate-one-when-no-free-slot", "never", "deactivate-idle")
EVICTION = ("fewest", "lru")
LONGEST_TIMEOUT = 8
"""The longest time-out, in units of a round's dates."""


def build_policy_names(choices: Choices, catalog: Catalog, random_policies: bool) -> PolicyNames:
    """Choose one built-in policy of each kind; with ``random_policies`` also those that draw from a seed."""
    return PolicyNames(
        invocation_failing=_timed(choices, pick(choices, FAILING)),
        node_scaling=_timed(choices, pick(choices, SCALING)),
        invocation_ordering=_or_random(choices, "fcfs", random_policies),
        eviction=PolicyName(pick(choices, EVICTION)),
        plan_selection=_or_random(choices, "eviction-averse", random_policies),
        container_prewarm=_prewarm(choices, catalog),
    )


def _timed(choices: Choices, name: str) -> PolicyName:
    if name not in ("pending-timeout", "deactivate-idle"):
        return PolicyName(name)
    unit = 0.1 if chance(choices, 50) else 1.0
    return PolicyName(name, (("seconds", choices.integer(0, LONGEST_TIMEOUT) * unit),))


def _or_random(choices: Choices, name: str, random_policies: bool) -> PolicyName:
    if random_policies and chance(choices, 50):
        return PolicyName("random", (("seed", choices.integer(0, 1000)),))
    return PolicyName(name)


def _prewarm(choices: Choices, catalog: Catalog) -> PolicyName:
    if not chance(choices, 50):
        return PolicyName("never")
    wanted: list[tuple[FunctionName, int]] = []
    for function in catalog.functions:
        if chance(choices, 60):
            wanted.append((function.name, choices.integer(0, 3)))
    return PolicyName("warm-pool", (("per_function", tuple(wanted)),))
