"""The stateful machine: Hypothesis chooses what happens to a service, and everything is judged after every step.

It knows no service. A test derives a class that says which step to take, which scheduler to ask and what to judge.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from hypothesis.strategies import DataObject, DrawFn

from gaugeblock.model import (
    Event,
    Happening,
    History,
    Opening,
    PolicyNames,
    Scheduler,
    ServiceError,
    ServiceSettings,
    ServiceState,
    Step,
    replace,
)
from gaugeblock.strategies.choices import Choices, SeededChoices, chance
from gaugeblock.strategies.foreign import ForeignScheduler, build_batch
from gaugeblock.strategies.histories import (
    COMMON,
    HistoryTuning,
    build_alarm,
    build_event,
    build_opening,
    build_outcome,
    build_submission,
    build_wakeup,
    outstanding,
)
from gaugeblock.strategies.hypothesis_strategies import DrawnChoices
from gaugeblock.strategies.strays import build_stray

Built = TypeVar("Built")


class HistoryMachine(RuleBasedStateMachine):
    """Histories by rules; what is under way, read from the state, says which rules can be taken.

    A subclass gives :meth:`take`, :meth:`scheduler_for` and :meth:`judge`, and may change ``tuning``.
    """

    tuning: HistoryTuning = COMMON

    def __init__(self) -> None:
        """Begin without a history; the first rule opens one."""
        super().__init__()
        self.opening: Opening
        self.state: ServiceState
        self.scheduler: Scheduler
        self.happenings: tuple[Happening, ...] = ()

    def take(self, state: ServiceState, event: Event, scheduler: Scheduler, settings: ServiceSettings) -> Step:
        """Take one event; the step function of the service under test."""
        raise NotImplementedError

    def scheduler_for(self, policies: PolicyNames) -> Scheduler:
        """Return our own scheduler with these policies."""
        raise NotImplementedError

    def judge(self, before: ServiceState, event: Event, result: Step | ServiceError, *, foreign: bool) -> None:
        """Raise an error if anything is wrong with what became of the event."""
        raise NotImplementedError

    @property
    def history(self) -> History:
        """All that happened so far, the event at hand included."""
        return History(self.opening, self.happenings)

    @initialize(data=st.data(), seed=st.none() | st.integers(0, 2**32 - 1))
    def open(self, data: DataObject, seed: int | None) -> None:
        """Choose the opening: piece by piece, so that it can be made small, or by a seed, so that it is seldom small."""
        drawn = _built(partial(build_opening, tuning=self.tuning))
        self.opening = data.draw(drawn) if seed is None else build_opening(SeededChoices(seed), self.tuning)
        self.state = ServiceState(self.opening.now, self.opening.catalog, self.opening.nodes)
        self.scheduler = self.scheduler_for(self.opening.policies)

    @rule(data=st.data())
    @precondition(lambda self: len(self.state.pending) < self.tuning.most_pending)
    def somebody_submits(self, data: DataObject) -> None:
        """Submit one invocation."""
        self.happens(data.draw(_built(partial(build_submission, state=self.state))))

    @rule(data=st.data(), number=st.integers(2, 4))
    @precondition(lambda self: len(self.state.pending) < self.tuning.most_pending)
    def many_submit_at_once(self, data: DataObject, number: int) -> None:
        """Submit several invocations at one date."""
        for _ in range(number):
            submission = data.draw(_built(partial(build_submission, state=self.state)))
            stamp = {"date": self.state.now, "sequence": self.state.sequence + 1}
            self.happens(replace(submission, **stamp))

    @rule(data=st.data(), number=st.integers(1, 6))
    @precondition(lambda self: outstanding(self.state).outcomes > 0)
    def things_go_well(self, data: DataObject, number: int) -> None:
        """Report some of what is under way as done."""
        for _ in range(number):
            event = data.draw(_built(partial(build_outcome, state=self.state, failing=False)))
            if event is not None:
                self.happens(event)

    @rule(data=st.data())
    @precondition(lambda self: outstanding(self.state).outcomes > 0)
    def something_fails(self, data: DataObject) -> None:
        """Report one thing that is under way as failed."""
        event = data.draw(_built(partial(build_outcome, state=self.state, failing=True)))
        if event is not None:
            self.happens(event)

    @rule(data=st.data())
    @precondition(lambda self: self.state.next_generation > 0)
    def an_alarm_rings(self, data: DataObject) -> None:
        """Let an idle alarm ring, current or stale."""
        event = data.draw(_built(partial(build_alarm, state=self.state)))
        if event is not None:
            self.happens(event)

    @rule(data=st.data())
    def somebody_wakes_it(self, data: DataObject) -> None:
        """Let the standing wake-up fire, or an unfounded one."""
        self.happens(data.draw(_built(partial(build_wakeup, state=self.state))))

    @rule(data=st.data())
    def a_stray_comes(self, data: DataObject) -> None:
        """Report what was not due."""
        self.happens(data.draw(_built(partial(build_stray, state=self.state))))

    @rule(data=st.data(), number=st.integers(2, 5))
    def life_goes_on(self, data: DataObject, number: int) -> None:
        """Let several events of all kinds happen, weighted by what is outstanding."""
        for _ in range(number):
            self.happens(data.draw(_built(partial(build_event, state=self.state, tuning=self.tuning, strays=build_stray))))

    @rule(seed=st.integers(0, 2**32 - 1), number=st.integers(10, 40))
    def a_busy_stretch_follows(self, seed: int, number: int) -> None:
        """Let many events happen at the cost of two choices: a seed stands for what happens."""
        choices = SeededChoices(seed)
        for _ in range(number):
            foreign = ForeignScheduler(partial(build_batch, choices)) if chance(choices, 10) else None
            self.happens(build_event(choices, self.state, self.tuning, build_stray), foreign)

    @rule(seed=st.integers(0, 2**32 - 1), number=st.integers(10, 40))
    def a_busy_stretch_of_our_own_follows(self, seed: int, number: int) -> None:
        """Let many events happen without any foreign scheduler."""
        choices = SeededChoices(seed)
        for _ in range(number):
            self.happens(build_event(choices, self.state, self.tuning, build_stray))

    @rule(data=st.data())
    def a_foreigner_decides(self, data: DataObject) -> None:
        """Let a foreign scheduler decide the round after an event."""
        event = data.draw(_built(partial(build_event, state=self.state, tuning=self.tuning, strays=build_stray)))
        self.happens(event, ForeignScheduler(lambda observed: data.draw(_built(partial(build_batch, observed=observed)))))

    def happens(self, event: Event, foreign: ForeignScheduler | None = None) -> None:
        """Give the event to the service, and have the result judged."""
        before, told = self.state, self.happenings
        result: Step | ServiceError
        self.happenings = (*told, Happening(event))
        try:
            result = self.take(before, event, foreign or self.scheduler, self.opening.settings)
        except ServiceError as error:
            result = error
        finally:
            self.happenings = (*told, Happening(event, None if foreign is None else foreign.answered))
        if isinstance(result, Step):
            self.state = result.state
        self.judge(before, event, result, foreign=foreign is not None)


@st.composite
def _built(draw: DrawFn, build: Callable[[Choices], Built]) -> Built:
    return build(DrawnChoices(draw))
