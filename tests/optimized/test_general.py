"""Policies of one's own: the same calls in the same order with the same views, the same answer, the same errors."""

import pytest
from recorded_policies import Capricious, Log, Recorded

from gaugeblock.model import GaugeblockError, ObservedState, PolicyKind, replace
from gaugeblock.optimized.rounds import decide
from gaugeblock.policies.errors import PolicyContractError
from gaugeblock.scheduler import GreedyScheduler, scheduler_from
from gaugeblock.strategies import ALL_TUNINGS, Tuning, random_policy_names, random_round

TUNINGS = pytest.mark.parametrize("tuning", ALL_TUNINGS, ids=range(len(ALL_TUNINGS)))


def capricious(seed: int, log: Log, *, unlawful: bool) -> GreedyScheduler:
    """Return a scheduler with a recorded capricious policy of each kind."""
    policies = {kind.value: Recorded(Capricious(kind, seed, unlawful=unlawful), log) for kind in PolicyKind}
    scheduler: GreedyScheduler = replace(GreedyScheduler(), **policies)
    return scheduler


def recorded(scheduler: GreedyScheduler, log: Log) -> GreedyScheduler:
    """Return the scheduler with each policy recorded."""
    policies = {kind.value: Recorded(getattr(scheduler, kind.value), log) for kind in PolicyKind}
    changed: GreedyScheduler = replace(scheduler, **policies)
    return changed


def outcome_of(observed: ObservedState, scheduler: GreedyScheduler, *, optimized: bool) -> object:
    """Return the decisions, or what identifies the error."""
    try:
        return decide(observed, scheduler) if optimized else scheduler.schedule(observed)[0]
    except PolicyContractError as error:
        return type(error), error.kind, error.policy, error.clause


@TUNINGS
def test_built_in_values_are_asked_as_the_reference_asks_them(tuning: Tuning) -> None:
    """ROUND-1 to ROUND-9: every policy call, its input included, and the decisions."""
    for seed in range(12):
        observed = random_round(seed, tuning)
        scheduler = scheduler_from(random_policy_names(seed, observed.catalog, random_policies=True))
        expected: Log = []
        found: Log = []
        assert decide(observed, recorded(scheduler, found)) == recorded(scheduler, expected).schedule(observed)[0]
        assert found == expected
        assert len(found) >= 12


@TUNINGS
@pytest.mark.parametrize("unlawful", [False, True], ids=["lawful", "unlawful"])
def test_capricious_policies_are_asked_as_the_reference_asks_them(tuning: Tuning, unlawful: bool) -> None:
    """ROUND-9, RECL-8, PLACE-7: victims too few, no plan chosen, nodes left out; and the clause of each broken contract."""
    for seed in range(25):
        observed = random_round(seed, tuning)
        expected: Log = []
        found: Log = []
        wanted = outcome_of(observed, capricious(seed, expected, unlawful=unlawful), optimized=False)
        assert outcome_of(observed, capricious(seed, found, unlawful=unlawful), optimized=True) == wanted
        assert found == expected


def test_contracts_are_broken_in_several_ways_here() -> None:
    """POL: the test above is about contract errors of more than one kind."""
    clauses = set()
    for tuning in ALL_TUNINGS:
        for seed in range(25):
            result = outcome_of(random_round(seed, tuning), capricious(seed, [], unlawful=True), optimized=True)
            if isinstance(result, tuple):
                clauses.add(result[3])
    assert clauses >= {"PLACE-1", "PREW-2", "RECL-8", "ROUND-4", "SERV-4", "WAKE-2"}


def test_an_error_of_a_policy_is_one_of_ours() -> None:
    """POL: a broken contract is a GaugeblockError that names policy and clause."""

    def decide_until_it_breaks() -> None:
        for seed in range(200):
            decide(random_round(seed), capricious(seed, [], unlawful=True))

    with pytest.raises(GaugeblockError, match=r"'capricious' breaks [A-Z]+-\d"):
        decide_until_it_breaks()
