"""SERV: one step of the service: an event, its effect, the round that follows, the application of what that decides."""

from gaugeblock.model import Event, Scheduler, ServiceSettings, ServiceState, Step
from gaugeblock.service.application import apply
from gaugeblock.service.effects import take
from gaugeblock.service.observing import observe


def step(state: ServiceState, event: Event, scheduler: Scheduler, settings: ServiceSettings) -> Step:
    """Take one event (SERV-0 to SERV-6). Pure: ``state`` is as it was, whatever happens.

    Raises:
        ServiceError: when the event breaks a rule; then there is no round.
        PolicyContractError: when a policy of our own scheduler breaks its contract.
    """
    effected = take(state, event, settings)
    observed = observe(effected)
    decisions, trace = scheduler.schedule(observed)
    after, outcomes = apply(effected, decisions)
    new = tuple(alarm for alarm in after.alarms if not alarm.generation < state.next_generation and alarm.date is not None)
    return Step(observed, decisions, trace, outcomes, new, after)
