"""Garbage is judged, not choked on: whatever stands in decisions or in policies' names, no clause raises."""

from collections.abc import Callable
from math import inf, nan
from random import Random
from typing import TypeVar

import pytest

from gaugeblock.model import (
    ContainerId,
    Decisions,
    Dispatch,
    Eviction,
    Failure,
    FunctionName,
    InvocationId,
    LayerName,
    NodeName,
    ObservedState,
    PolicyKind,
    PolicyName,
    PolicyNames,
    Prewarm,
    Termination,
    Transfer,
)
from gaugeblock.scheduler import scheduler_from
from gaugeblock.strategies import ALL_TUNINGS, random_policy_names, random_round
from gaugeblock_specs.evidence import Evidence
from gaugeblock_specs.judge import evaluate, summary
from gaugeblock_specs.registry import ALL

NAMES = ("", " ", "nobody", "\x00", "\U0001f600", "a" * 300)
NUMBERS = (-1, 0, 2**63 - 1, 2**63, 2**80, -(2**80))
DATES = (None, nan, inf, -inf, -1.0, 0.0, -0.0, 5.0, 1e308, 1.7976931348623157e308)
POLICIES = ("", "never", "random", "warm-pool", "fewest", "pending-timeout", "deactivate-idle", "fcfs", "eviction-averse")
PARAMETERS = (
    (),
    (("seconds", nan),),
    (("seconds", inf),),
    (("seconds", -1.0),),
    (("seconds", "5"),),
    (("seed", "x"),),
    (("seed", -(2**80)),),
    (("per_function", ((FunctionName("nobody"), -3),)),),
    (("per_function", 7),),
)

Item = TypeVar("Item")


class Garbage:
    """Draws names and ids that exist, and such as do not, in any combination and as often as it likes."""

    def __init__(self, seed: int, observed: ObservedState) -> None:
        self._random = Random(seed)
        self._nodes = [node.name for node in observed.nodes] + [NodeName(name) for name in NAMES]
        self._layers = [layer.name for layer in observed.catalog.layers] + [LayerName(name) for name in NAMES]
        self._functions = [each.name for each in observed.catalog.functions] + [FunctionName(name) for name in NAMES]
        self._pending = [each.id for each in observed.pending] + [InvocationId(number) for number in NUMBERS]
        known = [container.id for node in observed.nodes for container in node.containers]
        self._containers = known + [ContainerId(number) for number in NUMBERS]

    def _some(self, make: Callable[[], Item]) -> tuple[Item, ...]:
        return tuple(make() for _ in range(self._random.choice((0, 1, 1, 2, 6))))

    def decisions(self) -> Decisions:
        """Return garbage in every category."""
        pick = self._random.choice
        return Decisions(
            failures=self._some(lambda: Failure(pick(self._pending), "garbage")),
            activations=self._some(lambda: pick(self._nodes)),
            deactivations=self._some(lambda: pick(self._nodes)),
            terminations=self._some(lambda: Termination(pick(self._nodes), pick(self._containers))),
            ram_evictions=self._some(lambda: Eviction(pick(self._nodes), pick(self._layers))),
            disk_evictions=self._some(lambda: Eviction(pick(self._nodes), pick(self._layers))),
            dispatches=self._some(
                lambda: Dispatch(pick(self._pending), pick(self._nodes), pick((None, pick(self._containers))))
            ),
            loads=self._some(lambda: Transfer(pick(self._nodes), pick(self._layers))),
            copies=self._some(lambda: Transfer(pick(self._nodes), pick(self._layers))),
            prewarms=self._some(lambda: Prewarm(pick(self._nodes), pick(self._functions))),
            wakeup=pick(DATES),
        )

    def policies(self) -> PolicyNames:
        """Return policies of any name with any parameters."""
        pick = self._random.choice
        return PolicyNames(**{kind.value: PolicyName(pick(POLICIES), pick(PARAMETERS)) for kind in PolicyKind})


@pytest.mark.parametrize("seed", range(300))
def test_garbage_gets_a_verdict_on_every_clause(seed: int) -> None:
    """ROUND-10: decisions that make no sense are judged from themselves, under odd policies, and beside a right trace."""
    observed = random_round(seed, ALL_TUNINGS[seed % len(ALL_TUNINGS)])
    garbage = Garbage(seed, observed)
    decisions, policies = garbage.decisions(), random_policy_names(seed, observed.catalog)
    _, trace = scheduler_from(policies).schedule(observed)
    for evidence in (
        Evidence(observed, decisions),
        Evidence(observed, decisions, garbage.policies()),
        Evidence(observed, decisions, garbage.policies(), trace),
        Evidence(observed, decisions, policies, trace),
    ):
        assert [result.clause for result in evaluate(evidence)] == [clause.id for clause in ALL]


def test_garbage_is_violated_by_name() -> None:
    """ROUND-10: nearly all garbage names something that does not exist, and then this clause is violated."""
    violated = 0
    for seed in range(100):
        observed = random_round(seed)
        decisions = Garbage(seed, observed).decisions()
        violated += "ROUND-10" in summary(evaluate(Evidence(observed, decisions))).violated
    assert violated >= 90
