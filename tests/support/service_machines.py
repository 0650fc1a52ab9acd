"""The stateful machine of the strategies, judged by every clause: the form in which the tests run it."""

from typing import ClassVar

from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from gaugeblock.conformance.replaying import breaches_of_service, violated
from gaugeblock.model import (
    Decisions,
    Event,
    ObservedState,
    PolicyNames,
    RoundTrace,
    Scheduler,
    ServiceError,
    ServiceSettings,
    ServiceState,
    Step,
    StepFunction,
)
from gaugeblock.scheduler import scheduler_from
from gaugeblock.service import step
from gaugeblock.strategies.history_machine import HistoryMachine
from gaugeblock.strategies.reach import Reach
from gaugeblock.wire.histories import encode_history


class BrokenHistory(AssertionError):
    """A history broke a clause, or the service itself; the message holds the history, as ``gaugeblock replay`` takes it."""


class Asked:
    """A scheduler that counts how often it was asked."""

    def __init__(self, scheduler: Scheduler) -> None:
        """Pass every question on to ``scheduler``."""
        self._scheduler = scheduler
        self.times = 0

    def schedule(self, observed: ObservedState) -> tuple[Decisions, RoundTrace | None]:
        """Count the question and pass it on."""
        self.times += 1
        return self._scheduler.schedule(observed)


class JudgedMachine(HistoryMachine):
    """A machine that drives ``service`` and judges it after every event; ``reach`` counts what was reached, if given.

    Where the rounds are known to be right, ``judges_rounds`` can be switched off to save time.
    """

    service: ClassVar[StepFunction] = staticmethod(step)
    judges_rounds: ClassVar[bool] = True
    reach: ClassVar[Reach | None] = None

    def take(self, state: ServiceState, event: Event, scheduler: Scheduler, settings: ServiceSettings) -> Step:
        """Take one event, and see that a round follows exactly if it is accepted."""
        asked = Asked(scheduler)
        try:
            taken = type(self).service(state, event, asked, settings)
        except ServiceError:
            self._require(asked.times == 0, "a round followed an event that was refused")
            raise
        except Exception as error:
            raise BrokenHistory(self._told(f"the service broke down: {error!r}")) from error
        self._require(asked.times == 1, f"{asked.times} rounds followed one event")
        return taken

    def scheduler_for(self, policies: PolicyNames) -> Scheduler:
        """Return the reference's scheduler."""
        return scheduler_from(policies)

    def judge(self, before: ServiceState, event: Event, result: Step | ServiceError, *, foreign: bool) -> None:
        """Evaluate every clause."""
        if self.judges_rounds:
            found = violated(before, event, result, self.opening.settings, None if foreign else self.opening.policies)
        else:
            found = breaches_of_service(before, event, result, self.opening.settings, abiding=not foreign)
        lines = [f"{each.clause}: {witness.message}" for each in found for witness in each.witnesses]
        self._require(not found, "\n".join(lines))
        if self.reach is not None:
            self.reach.note(before, event, result, self.opening.policies)

    def _require(self, holds: bool, message: str) -> None:
        if not holds:
            raise BrokenHistory(self._told(message))

    def _told(self, message: str) -> str:
        return f"{message}\nThe history, for gaugeblock replay:\n{encode_history(self.history).decode()}"


def run_machine(service: StepFunction, chosen: settings, reach: Reach | None = None, *, judges_rounds: bool = True) -> None:
    """Let Hypothesis run the machine on a service with the chosen settings.

    Raises:
        BrokenHistory: when it finds a history that breaks a clause.
    """
    run_state_machine_as_test(machine(service, reach, judges_rounds=judges_rounds), settings=chosen)


def machine(service: StepFunction, reach: Reach | None = None, *, judges_rounds: bool = True) -> type[JudgedMachine]:
    """Return the machine for one service."""
    fields: dict[str, object] = {"service": staticmethod(service), "reach": reach, "judges_rounds": judges_rounds}
    return type("Machine", (JudgedMachine,), fields)
