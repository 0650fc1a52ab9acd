"""The optimized service beside the reference service: after every event the same state, decisions, fates and errors."""

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from recorded_policies import Capricious

from gaugeblock.model import (
    Decisions,
    Event,
    Failure,
    Happening,
    InvocationId,
    ObservedState,
    Opening,
    OperationKind,
    Outcome,
    PolicyKind,
    PolicyNames,
    Scheduler,
    ServiceError,
    ServiceSettings,
    ServiceState,
    Step,
    Submit,
    WakeUp,
    replace,
)
from gaugeblock.optimized.model import OptimizedService, OptimizedStep
from gaugeblock.policies.errors import PolicyContractError
from gaugeblock.scheduler import GreedyScheduler, scheduler_from
from gaugeblock.service import step
from gaugeblock.strategies.history_machine import HistoryMachine
from gaugeblock.strategies.seeded_histories import drive, random_opening


def without_reason(outcome: Outcome) -> Outcome:
    """Blank the text of a failure, which is never compared."""
    if outcome.kind is not OperationKind.FAILURE:
        return outcome
    assert isinstance(outcome.operation, Failure)
    return replace(outcome, operation=replace(outcome.operation, reason=""))


def story(result: Step | OptimizedStep | ServiceError, state: ServiceState) -> object:
    """Return all that is compared of a step: the fate of each operation decided, alarms and state; or the error."""
    if isinstance(result, ServiceError):
        return type(result), result.field, result.event, state
    return tuple(map(without_reason, result.outcomes)), result.decisions.wakeup, result.alarms, state


def take(service: OptimizedService, event: Event, given: Decisions | None) -> OptimizedStep | ServiceError:
    """Take one event and check every index; an error is returned."""
    try:
        return service.step(event, given)
    except ServiceError as error:
        return error
    finally:
        service.check_indexes()


def compare(service: OptimizedService, happening: Happening, before: ServiceState, result: Step | ServiceError) -> None:
    """Let happen to ``service`` what happened to the reference, and compare."""
    after = result.state if isinstance(result, Step) else before
    found = take(service, happening.event, happening.decisions)
    assert story(found, service.state()) == story(result, after)


@pytest.mark.parametrize("seed", range(60))
def test_seeded_histories_go_alike(seed: int) -> None:
    """SERV-0 to SERV-6: with strays, failures, batches of foreign schedulers and all built-in policies."""
    service: OptimizedService | None = None
    for opening, happening, before, result in drive(seed, 60, step, scheduler_from):
        service = service or OptimizedService.opened(opening)
        compare(service, happening, before, result)
    assert service is not None


class TwinMachine(HistoryMachine):
    """The machine of histories, with an optimized service that goes through all that the reference goes through."""

    def open_twin(self) -> None:
        """Make the twin when the opening is known."""
        if not hasattr(self, "twin"):
            self.twin = OptimizedService.opened(self.opening)

    def take(self, state: ServiceState, event: Event, scheduler: Scheduler, settings: ServiceSettings) -> Step:
        """Take one event with the reference."""
        return step(state, event, scheduler, settings)

    def scheduler_for(self, policies: PolicyNames) -> Scheduler:
        """Return the reference's scheduler."""
        return scheduler_from(policies)

    def judge(self, before: ServiceState, event: Event, result: Step | ServiceError, *, foreign: bool) -> None:
        """Let the twin take the event too."""
        self.open_twin()
        compare(self.twin, self.happenings[-1], before, result)


def test_no_history_tells_the_two_services_apart() -> None:
    """SERV-0 to SERV-6: for every history that Hypothesis can think of."""
    run_state_machine_as_test(TwinMachine, settings=settings(stateful_step_count=30))


@pytest.mark.parametrize("seed", range(10))
def test_policy_values_are_served_alike(seed: int) -> None:
    """SERV-1, ROUND-9: the general path, driven by the values of the built-in policies."""
    service: OptimizedService | None = None
    for opening, happening, before, result in drive(seed, 40, step, scheduler_from):
        service = service or OptimizedService(
            ServiceState(opening.now, opening.catalog, opening.nodes), scheduler_from(opening.policies), opening.settings
        )
        compare(service, happening, before, result)


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
