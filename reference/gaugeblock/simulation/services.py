"""The services that a simulation can drive, behind one small protocol."""

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from gaugeblock.model import Decisions, Event, IdleAlarm, Opening, Outcome, Scheduler, ServiceState
from gaugeblock.optimized.model import OptimizedService
from gaugeblock.policies.registry import all_builtin
from gaugeblock.scheduler import scheduler_from
from gaugeblock.service import opening_state, step


class Reply(NamedTuple):
    """What one event led to: the round's decisions, the fate of each operation, new idle alarms, the standing wake-up."""

    decisions: Decisions
    outcomes: tuple[Outcome, ...]
    alarms: tuple[IdleAlarm, ...]
    wakeup: float | None


class Service(Protocol):
    """A service with a state of its own. Events are given in order; one that breaks a rule raises a ServiceError."""

    def step(self, event: Event) -> Reply:
        """Take one event, decide a round, apply it."""
        ...

    def state(self) -> ServiceState:
        """Return the state at this moment. It may be costly: only shadows and tests ask for it."""
        ...


class ReferenceService:
    """The reference service, and a scheduler: the one of the opening's policies unless another is given."""

    def __init__(self, opening: Opening, scheduler: Scheduler | None = None) -> None:
        self._settings = opening.settings
        self._scheduler: Scheduler = scheduler or scheduler_from(opening.policies)
        self._state = opening_state(opening)

    def step(self, event: Event) -> Reply:
        """Take one event with the pure step (SERV)."""
        taken = step(self._state, event, self._scheduler, self._settings)
        self._state = taken.state
        return Reply(taken.decisions, taken.outcomes, taken.alarms, taken.state.wakeup)

    def state(self) -> ServiceState:
        """Return the state after the last event."""
        return self._state


class OptimizedModel:
    """The optimized service model; with policies that are not built in, by its general and slower way."""

    def __init__(self, opening: Opening) -> None:
        scheduler = scheduler_from(opening.policies)  # which also refuses parameters that are out of range
        policies = opening.policies if all_builtin(opening.policies) else scheduler
        self._service = OptimizedService(opening_state(opening), policies, opening.settings)

    def step(self, event: Event) -> Reply:
        """Take one event (SERV)."""
        taken = self._service.step(event)
        return Reply(taken.decisions, taken.outcomes, taken.alarms, taken.wakeup)

    def state(self) -> ServiceState:
        """Return the state after the last event."""
        return self._service.state()


SERVICES: Final[dict[str, Callable[[Opening], Service]]] = {"optimized": OptimizedModel, "reference": ReferenceService}
"""What makes each service, by name; the first is the one to prefer."""
