"""The discrete-event driver: takes the next event to the service, and puts on the agenda what its decisions lead to.

Nothing here reads a clock. Two runs of one scenario are the same, event for event.
"""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from gaugeblock.model import (
    ContainerId,
    ContainerStarted,
    CopyCompleted,
    Dispatch,
    Event,
    IdleTimeout,
    InvocationFinished,
    InvocationId,
    LoadCompleted,
    NodeActivated,
    NodeDeactivated,
    NodeName,
    OperationKind,
    Outcome,
    Prewarm,
    Submit,
    Termination,
    Transfer,
    WakeUp,
)
from gaugeblock.simulation.agenda import Agenda
from gaugeblock.simulation.costs import Lines
from gaugeblock.simulation.scenarios import Arrival, Scenario
from gaugeblock.simulation.services import Reply, Service


class Observer(Protocol):
    """Somebody who watches a run."""

    def before(self, event: Event) -> None:
        """Called with each event before the service takes it."""
        ...

    def after(self, event: Event, reply: Reply) -> None:
        """Called with each event that the service took."""
        ...


class Driver:
    """One run of a workload through a service.

    An invocation runs from its dispatch, or if its container is a cold one from when that has started. An idle alarm whose
    spell a dispatch or a termination has ended is not delivered; one whose container went down with its node is, and is stale.

    A run is over when nothing is left to happen. A service can keep itself busy for ever, though: a warm pool starts a
    container for each that times out, and two functions that fit nowhere can evict each other's layers in turn (SERV-5 claims
    no termination). So it is over, too, when for ``tail`` seconds nothing moved on and nothing will: no invocation is to come,
    starts or runs, and no node changes its status.
    """

    def __init__(self, scenario: Scenario, service: Service, observers: tuple[Observer, ...]) -> None:
        workload, costs = scenario.workload, scenario.costs
        self._service = service
        self._costs = costs
        self._tail = scenario.tail
        self._observers = observers
        self._layers = {layer.name: layer for layer in workload.catalog.layers}
        self._arrivals: Iterator[Arrival] = iter(workload.arrivals())
        self._agenda = Agenda()
        self._lines = Lines(costs)
        self._durations: dict[InvocationId, float] = {}
        self._starting: dict[ContainerId, InvocationId] = {}
        self._spells: dict[ContainerId, int] = {}
        self._next_wakeup: float | None = None
        self._submitted = 0
        self._under_way = 0
        self._latest_move = 0.0
        self.events = 0
        self.now = 0.0
        self._applications: dict[OperationKind, Callable[[Outcome, Any], None]] = {
            OperationKind.DEACTIVATION: self._deactivate,
            OperationKind.ACTIVATION: self._activate,
            OperationKind.TERMINATION: self._terminate,
            OperationKind.DISPATCH: self._dispatch,
            OperationKind.LOAD: self._load,
            OperationKind.COPY: self._copy,
            OperationKind.PREWARM: self._prewarm,
        }

    def run(self, stop: Callable[[], bool]) -> bool:
        """Run until nothing is left to happen, or ``stop`` says so between two events; return whether it was the former.

        Raises:
            ServiceError: when the service refuses an event: driver and service disagree about what is under way.
            PolicyContractError: when a policy breaks its contract.
        """
        self._next_arrival()
        for date, _, kind, fields in self._agenda:
            if stop():
                return False
            if kind is IdleTimeout and self._spells.get(fields[0]) != fields[1]:
                continue
            if self._under_way == 0 and date - self._latest_move > self._tail:
                break
            self._take(kind(date, self.events, *fields))
        return True

    def _expect(self, date: float, kind: type[Event], *fields: Any) -> None:
        """Put something on the agenda that moves the run on."""
        self._under_way += 1
        self._agenda.put(date, kind, *fields)

    def _moved_on(self) -> None:
        self._under_way -= 1
        self._latest_move = self.now

    def _take(self, event: Event) -> None:
        for observer in self._observers:
            observer.before(event)
        reply = self._service.step(event)
        self.events += 1
        self.now = event.date
        self._follow(event)
        for outcome in reply.outcomes:
            application = self._applications.get(outcome.kind)
            if outcome.refusal is None and application is not None:
                application(outcome, outcome.operation)
        for alarm in reply.alarms:
            if alarm.date is not None:
                self._spells[alarm.container] = alarm.generation
                self._agenda.put(alarm.date, IdleTimeout, alarm.container, alarm.generation)
        self._arm(reply.wakeup)
        for observer in self._observers:
            observer.after(event, reply)

    # What an event leads to by itself.

    def _follow(self, event: Event) -> None:
        if isinstance(event, IdleTimeout):
            del self._spells[event.container]
        elif isinstance(event, WakeUp):
            self._next_wakeup = None if self._next_wakeup == event.date else self._next_wakeup
        elif isinstance(event, ContainerStarted):
            invocation = self._starting.pop(event.container, None)
            if invocation is not None:
                self._moved_on()
                self._begin(invocation)
        elif not isinstance(event, (CopyCompleted, LoadCompleted)):
            self._moved_on()
            if isinstance(event, Submit):
                self._next_arrival()

    def _next_arrival(self) -> None:
        arrival = next(self._arrivals, None)
        if arrival is not None:
            invocation = InvocationId(self._submitted)
            self._submitted += 1
            self._durations[invocation] = arrival.duration
            self._expect(arrival.date, Submit, invocation, arrival.function)

    def _begin(self, invocation: InvocationId) -> None:
        self._expect(self.now + self._durations.pop(invocation), InvocationFinished, invocation)

    def _arm(self, date: float | None) -> None:
        if date is not None and (self._next_wakeup is None or date < self._next_wakeup):
            self._next_wakeup = date
            self._agenda.put(date, WakeUp)

    # What an accepted operation leads to.

    def _deactivate(self, outcome: Outcome, node: NodeName) -> None:
        self._expect(self.now + self._costs.deactivation, NodeDeactivated, node)

    def _activate(self, outcome: Outcome, node: NodeName) -> None:
        self._expect(self.now + self._costs.activation, NodeActivated, node)

    def _terminate(self, outcome: Outcome, termination: Termination) -> None:
        self._spells.pop(termination.container, None)

    def _dispatch(self, outcome: Outcome, dispatch: Dispatch) -> None:
        if dispatch.container is not None:
            self._spells.pop(dispatch.container, None)
            self._begin(dispatch.invocation)
        elif outcome.container is not None:
            self._starting[outcome.container] = dispatch.invocation
            self._expect(self.now + self._costs.startup, ContainerStarted, outcome.container)

    def _prewarm(self, outcome: Outcome, prewarm: Prewarm) -> None:
        self._agenda.put(self.now + self._costs.startup, ContainerStarted, outcome.container)

    def _load(self, outcome: Outcome, load: Transfer) -> None:
        done = self._lines.load(self.now, load.node, self._layers[load.layer])
        self._agenda.put(done, LoadCompleted, load.node, load.layer)

    def _copy(self, outcome: Outcome, copy: Transfer) -> None:
        done = self._lines.copy(self.now, copy.node, self._layers[copy.layer])
        self._agenda.put(done, CopyCompleted, copy.node, copy.layer)
