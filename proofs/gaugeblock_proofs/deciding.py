"""A shipped scheduler decides the round of a shape: the act that theorems about whole rounds have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gaugeblock.model import Decisions, ObservedState, PolicyKind, PolicyName, PolicyNames, RoundTrace
from gaugeblock_proofs.any_policies import any_policy
from gaugeblock_proofs.shapes import RoundShape, build
from gaugeblock_proofs.theorem import Setting

SCHEDULER = "gaugeblock.scheduler.GreedyScheduler"
LRU = "gaugeblock.policies.builtin.eviction.LeastRecentlyUsed"

ONE_AFTER_THE_OTHER = (
    PolicyKind.INVOCATION_FAILING,
    PolicyKind.NODE_SCALING,
    PolicyKind.INVOCATION_ORDERING,
    PolicyKind.NODE_SELECTION,
)
"""The kinds of policy that say what is planned for, where and in which order."""

AMONG_PLANS = (PolicyKind.REUSABLE_CONTAINER, PolicyKind.EVICTION, PolicyKind.PLAN_SELECTION)
"""The kinds of policy that pick containers, victims and plans."""

PREWARMING = (PolicyKind.CONTAINER_PREWARM,)
"""The kind that starts containers on its own account, and here asks for another round as well."""


class Decided(NamedTuple):
    """A round, what was decided, and the story of it; ``names`` are the policies, None where some answer arbitrarily."""

    observed: ObservedState
    decisions: Decisions
    trace: RoundTrace
    names: PolicyNames | None


def decided(setting: Setting, shape: RoundShape, arbitrary: tuple[PolicyKind, ...] = (), eviction: str = "fewest") -> Decided:
    """Decide the round of a shape by the defaults, by ``lru`` if asked for, and by any answers of the ``arbitrary`` kinds."""
    names = PolicyNames(eviction=PolicyName(eviction))
    observed = build(setting, shape, names)
    scheduler: Any = setting.shipped.scheduler.GreedyScheduler()
    if eviction == "lru":
        scheduler = scheduler.with_policy(setting.shipped.policies.builtin.eviction.LeastRecentlyUsed())
    for kind in arbitrary:
        scheduler = scheduler.with_policy(any_policy(kind, setting.path, setting.symbols))
    decisions, trace = scheduler.schedule(observed)
    return Decided(observed, decisions, trace, None if arbitrary else names)


def once_decided(
    *obligations: Callable[[Setting, Decided], None], arbitrary: tuple[PolicyKind, ...] = (), eviction: str = "fewest"
) -> Callable[[Setting, RoundShape], None]:
    """Return the body that decides the round of a shape like that, and obliges the path to all of these of it."""

    def body(setting: Setting, shape: RoundShape) -> None:
        round_ = decided(setting, shape, arbitrary, eviction)
        for oblige in obligations:
            oblige(setting, round_)

    return body
