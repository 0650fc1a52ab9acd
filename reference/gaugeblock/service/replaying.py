"""Running a whole history through a service."""

from collections.abc import Iterator

from gaugeblock.model import (
    Decisions,
    Event,
    History,
    ObservedState,
    RoundTrace,
    Scheduler,
    ServiceError,
    ServiceState,
    Step,
    StepFunction,
    Value,
)
from gaugeblock.service.observing import opening_state
from gaugeblock.service.step import step


class GivenDecisions(Value, frozen=True):
    """A foreign scheduler whose next answer is known beforehand; it tells no story."""

    decisions: Decisions

    def schedule(self, observed: ObservedState) -> tuple[Decisions, RoundTrace | None]:
        """Return the given decisions, whatever is observed."""
        return self.decisions, None


def replay(
    history: History, scheduler: Scheduler, take: StepFunction = step
) -> Iterator[tuple[ServiceState, Event, Step | ServiceError]]:
    """Yield for each event of the history the state before it, the event, and the step taken, or why it was refused.

    ``scheduler`` decides every round for which the history gives no decisions.
    """
    state = opening_state(history.opening)
    for happening in history.happenings:
        decider = scheduler if happening.decisions is None else GivenDecisions(happening.decisions)
        try:
            taken = take(state, happening.event, decider, history.opening.settings)
        except ServiceError as error:
            yield state, happening.event, error
        else:
            yield state, happening.event, taken
            state = taken.state
