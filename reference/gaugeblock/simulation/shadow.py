"""The shadow: the reference takes a share of the events again, from the same state, and everything must come out the same."""

from random import Random
from typing import Final

from gaugeblock.model import (
    Decisions,
    Event,
    Failure,
    ObservedState,
    Opening,
    OperationKind,
    Outcome,
    ServiceState,
    Step,
    Value,
    replace,
)
from gaugeblock.scheduler import scheduler_from
from gaugeblock.service import step
from gaugeblock.simulation.errors import InvalidScenario
from gaugeblock.simulation.services import Reply, Service

MOST_KEPT: Final = 100


class Divergence(Value, frozen=True):
    """An event that the service took otherwise than the reference.

    ``round`` is the event's number from 0; ``fields`` names what differs: categories of decisions, outcomes, alarms, state.
    """

    round: int
    date: float
    fields: tuple[str, ...]
    observed: ObservedState
    expected: Decisions
    found: Decisions


class Shadow:
    """Watches a run and keeps the first divergences; which events it looks at depends on seed and event number alone.

    Raises:
        InvalidScenario: when ``share`` is not from 0 to 1.
    """

    def __init__(self, service: Service, opening: Opening, share: float, seed: int) -> None:
        if not 0 <= share <= 1:
            raise InvalidScenario("shadow", share, "a share from 0 to 1")
        self._service = service
        self._opening = opening
        self._scheduler = scheduler_from(opening.policies)
        self._share = share
        self._random = Random(f"{seed}/shadow")
        self._before: ServiceState | None = None
        self.rounds = 0
        self.diverging = 0
        self.kept: list[Divergence] = []

    def before(self, event: Event) -> None:
        """Keep the state that the event finds, if this is one of the events to look at."""
        self._before = self._service.state() if self._random.random() < self._share else None

    def after(self, event: Event, reply: Reply) -> None:
        """Let the reference take the event from the state kept, and compare."""
        if self._before is None:
            return
        expected = step(self._before, event, self._scheduler, self._opening.settings)
        fields = tuple(differences(expected, reply, self._service.state()))
        self.rounds += 1
        if fields:
            self.diverging += 1
            found = Divergence(event.sequence, event.date, fields, expected.observed, expected.decisions, reply.decisions)
            self.kept += [found] if len(self.kept) < MOST_KEPT else []


def differences(expected: Step, reply: Reply, after: ServiceState) -> list[str]:
    """Return the names of what differs, in the order of application. The text of a failure's reason is not compared."""
    wanted, found = _without_reasons(expected.decisions), _without_reasons(reply.decisions)
    fields = [kind.value for kind in OperationKind if getattr(wanted, kind.value) != getattr(found, kind.value)]
    if not fields and _fates(expected.outcomes) != _fates(reply.outcomes):
        fields.append("outcomes")
    if expected.alarms != reply.alarms:
        fields.append("alarms")
    if expected.state != after:
        fields.append("state")
    return fields


def _without_reasons(decisions: Decisions) -> Decisions:
    return replace(decisions, failures=tuple(Failure(each.invocation, "") for each in decisions.failures))


def _fates(outcomes: tuple[Outcome, ...]) -> list[tuple[object, ...]]:
    return [(each.kind, each.refusal, each.container) for each in outcomes]
