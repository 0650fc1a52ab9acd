"""The optimized model beside the reference, round by round and event by event: what tests and campaigns compare."""

from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar

from gaugeblock.model import (
    Decisions,
    Event,
    Failure,
    Happening,
    ObservedState,
    Opening,
    OperationKind,
    Outcome,
    PolicyNames,
    Scheduler,
    ServiceError,
    ServiceSettings,
    ServiceState,
    Step,
    replace,
)
from gaugeblock.optimized.checks import StaleIndex
from gaugeblock.optimized.model import OptimizedService, OptimizedStep
from gaugeblock.scheduler import scheduler_from
from gaugeblock.service import step
from gaugeblock.strategies.history_machine import HistoryMachine
from gaugeblock.strategies.reach import Reach
from gaugeblock.wire.histories import encode_history

Decide = Callable[[ObservedState, PolicyNames], Decisions]
Taken = tuple[Opening, Happening, ServiceState, Step | ServiceError]


class Differs(AssertionError):
    """The two did not do the same; the message says where."""


def without_reasons(decisions: Decisions) -> Decisions:
    """Blank the texts of failures, which are never compared."""
    return replace(decisions, failures=tuple(replace(each, reason="") for each in decisions.failures))


def story(result: Step | OptimizedStep | ServiceError, state: ServiceState) -> object:
    """Return all that is compared of a step: the fate of each operation decided, alarms and state; or the error."""
    if isinstance(result, ServiceError):
        return type(result), result.field, result.event, state
    return tuple(map(_without_reason, result.outcomes)), result.decisions.wakeup, result.alarms, state


def compare(service: OptimizedService, happening: Happening, before: ServiceState, result: Step | ServiceError) -> None:
    """Let happen to ``service`` what happened to the reference; state, decisions in order, fates and errors must be the same.

    Raises:
        Differs: when they are not.
    """
    after = result.state if isinstance(result, Step) else before
    found = _take(service, happening.event, happening.decisions)
    if story(found, service.state()) != story(result, after):
        raise Differs(f"after {happening.event}:\n{story(found, service.state())}\nbut the reference:\n{story(result, after)}")


def compare_history(model: type[OptimizedService], taken: Iterable[Taken], *, check_indexes: bool = True) -> None:
    """Let happen to a service of ``model`` all that happened to the reference.

    Raises:
        Differs: when it goes another way.
        StaleIndex: when an index is out of date after an event, if they are to be checked.
    """
    service: OptimizedService | None = None
    for opening, happening, before, result in taken:
        service = service or model.opened(opening)
        compare(service, happening, before, result)
        if check_indexes:
            service.check_indexes()


def differing(decide: Decide, rounds: Iterable[tuple[ObservedState, PolicyNames, Decisions]]) -> Iterator[int]:
    """Yield the numbers, from 1, of the rounds that ``decide`` does not decide as the reference does, or breaks down over."""
    for number, (observed, policies, right) in enumerate(rounds, start=1):
        try:
            same = without_reasons(decide(observed, policies)) == without_reasons(right)
        except Exception:  # a wrong model may come to grief over its fault
            same = False
        if not same:
            yield number


class TwinMachine(HistoryMachine):
    """The machine of histories, with an optimized service that goes through all that the reference goes through."""

    model: ClassVar[type[OptimizedService]] = OptimizedService
    reach: ClassVar[Reach | None] = None

    def take(self, state: ServiceState, event: Event, scheduler: Scheduler, settings: ServiceSettings) -> Step:
        """Take one event with the reference."""
        return step(state, event, scheduler, settings)

    def scheduler_for(self, policies: PolicyNames) -> Scheduler:
        """Return the reference's scheduler."""
        return scheduler_from(policies)

    def judge(self, before: ServiceState, event: Event, result: Step | ServiceError, *, foreign: bool) -> None:
        """Let the twin take the event too."""
        if not hasattr(self, "twin"):
            self.twin = self.model.opened(self.opening)
        try:
            compare(self.twin, self.happenings[-1], before, result)
            self.twin.check_indexes()
        except (Differs, StaleIndex) as error:
            raise Differs(f"{error}\nThe history, for gaugeblock replay:\n{encode_history(self.history).decode()}") from error
        if self.reach is not None:
            self.reach.note(before, event, result, self.opening.policies)


def twin_machine(reach: Reach | None = None) -> type[TwinMachine]:
    """Return the machine, counting what it reaches if ``reach`` is given."""
    return type("Twins", (TwinMachine,), {"reach": reach})


def _take(service: OptimizedService, event: Event, given: Decisions | None) -> OptimizedStep | ServiceError:
    try:
        return service.step(event, given)
    except ServiceError as error:
        return error


def _without_reason(outcome: Outcome) -> Outcome:
    if outcome.kind is not OperationKind.FAILURE:
        return outcome
    assert isinstance(outcome.operation, Failure)
    return replace(outcome, operation=replace(outcome.operation, reason=""))
