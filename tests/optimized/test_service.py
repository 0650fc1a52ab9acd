"""The optimized service beside the reference service: after every event the same state, decisions, fates and errors."""

import os

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from recorded_policies import Capricious
from twins import compare, compare_history, twin_machine

from gaugeblock.model import (
    InvocationId,
    ObservedState,
    Opening,
    PolicyKind,
    ServiceState,
    Submit,
    WakeUp,
    replace,
)
from gaugeblock.optimized.model import OptimizedService
from gaugeblock.policies.errors import PolicyContractError
from gaugeblock.scheduler import GreedyScheduler, scheduler_from
from gaugeblock.service import step
from gaugeblock.strategies.reach import Reach
from gaugeblock.strategies.seeded_histories import drive, random_opening

THOROUGH = os.environ.get("GAUGEBLOCK_PROFILE") == "thorough"


@pytest.mark.parametrize("seed", range(60))
def test_seeded_histories_go_alike(seed: int) -> None:
    """SERV-0 to SERV-6: with strays, failures, batches of foreign schedulers and all built-in policies."""
    compare_history(OptimizedService, drive(seed, 60, step, scheduler_from))


def test_no_history_tells_the_two_services_apart() -> None:
    """SERV-0 to SERV-6: for every history that Hypothesis can think of."""
    reach = Reach()
    run_state_machine_as_test(twin_machine(reach), settings=settings(stateful_step_count=30))
    assert not (THOROUGH and reach.missing), f"never reached: {', '.join(reach.missing)}"


@pytest.mark.parametrize("seed", range(10))
def test_policy_values_are_served_alike(seed: int) -> None:
    """SERV-1, ROUND-9: the general path, driven by the values of the built-in policies."""
    service: OptimizedService | None = None
    for opening, happening, before, result in drive(seed, 40, step, scheduler_from):
        service = service or OptimizedService(
            ServiceState(opening.now, opening.catalog, opening.nodes), scheduler_from(opening.policies), opening.settings
        )
        compare(service, happening, before, result)
        service.check_indexes()


def unlawful(opening: Opening, seed: int) -> GreedyScheduler:
    """Return a scheduler that breaks a contract sooner or later."""
    policies = {kind.value: Capricious(kind, seed, unlawful=True) for kind in PolicyKind}
    scheduler: GreedyScheduler = replace(scheduler_from(opening.policies), **policies)
    return scheduler


def test_a_broken_contract_leaves_the_service_as_it_was() -> None:
    """POL: the event whose round failed has not happened, and what follows goes well."""
    broken = 0
    for seed in range(20):
        opening = random_opening(seed)
        state = ServiceState(opening.now, opening.catalog, opening.nodes)
        service = OptimizedService(state, unlawful(opening, seed), opening.settings)
        for number, function in enumerate(opening.catalog.functions * 4):
            before = service.state()
            try:
                service.step(Submit(opening.now, number, InvocationId(number), function.name))
            except PolicyContractError:
                broken += 1
                assert service.state() == before
            service.check_indexes()
    assert broken > 5


def test_the_observed_state_is_what_the_round_was_shown() -> None:
    """ROUND-1: between events, ``observed`` is what a round would be shown."""
    for opening, happening, before, _ in drive(3, 20, step, scheduler_from, foreign_percent=0):
        service = OptimizedService(before, opening.policies, opening.settings)
        assert service.observed() == ObservedState(before.now, before.catalog, before.nodes, before.pending)
        assert happening.decisions is None


def test_a_service_can_start_from_any_state() -> None:
    """SERV-0: nothing of the past is needed but the state."""
    for opening, happening, before, result in drive(5, 60, step, scheduler_from):
        compare(OptimizedService(before, opening.policies, opening.settings), happening, before, result)


def test_the_standing_wakeup_is_told() -> None:
    """SERV-6: a driver need not ask for the state to know when to wake the service."""
    told = 0
    for seed in range(40):
        service = OptimizedService.opened(random_opening(seed))
        taken = service.step(WakeUp(service.state().now, 0))
        assert taken.wakeup == service.state().wakeup
        told += taken.wakeup is not None
    assert told > 0
