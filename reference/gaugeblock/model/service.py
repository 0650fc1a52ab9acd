"""The state of the service around a scheduler, and what one of its steps gives (SERV)."""

from collections.abc import Callable
from enum import Enum
from typing import Protocol, TypeAlias

from gaugeblock.model.catalog import Catalog
from gaugeblock.model.decisions import Decisions, Dispatch, Eviction, Failure, Prewarm, Termination, Transfer
from gaugeblock.model.events import Event
from gaugeblock.model.names import ContainerId, InvocationId, NodeName
from gaugeblock.model.nodes import Node
from gaugeblock.model.state import Invocation, ObservedState
from gaugeblock.model.trace import RoundTrace
from gaugeblock.model.value import Value


class ServiceSettings(Value, frozen=True):
    """What the service is told: after how many idle seconds (not negative) a container is ended."""

    idle_timeout: float


class Running(Value, frozen=True):
    """An invocation that a container holds; whole, so that it can be pending again under its first date (SERV-0)."""

    invocation: Invocation
    container: ContainerId


class IdleAlarm(Value, frozen=True):
    """The time-out of one idle spell of a container: its generation, and when it is due (seconds).

    ``date`` is None where the sum of date and time-out is not finite: then it never rings.
    """

    container: ContainerId
    generation: int
    date: float | None


class ServiceState(Value, frozen=True):
    """All that the service knows at date ``now`` (seconds), after the event numbered ``sequence`` of that date.

    ``nodes`` stand in traversal order. ``pending`` stands in the order of joining: a submitted invocation joins at the end, and
    so does one whose container did not start. ``running`` stands in the order of dispatch. ``alarms`` holds one entry for each
    idle container, by ascending id. ``next_container`` and ``next_generation`` are the ids given out next; both are global
    and never reused. ``wakeup`` is the standing wake-up date. ``submitted`` holds every id ever submitted, for membership only.
    """

    now: float
    catalog: Catalog
    nodes: tuple[Node, ...]
    pending: tuple[Invocation, ...] = ()
    running: tuple[Running, ...] = ()
    alarms: tuple[IdleAlarm, ...] = ()
    next_container: ContainerId = ContainerId(0)
    next_generation: int = 0
    wakeup: float | None = None
    submitted: frozenset[InvocationId] = frozenset()
    sequence: int = -1


class OperationKind(Enum):
    """The categories of a batch in the order in which the service applies them (SERV). The value is the field of Decisions."""

    FAILURE = "failures"
    DEACTIVATION = "deactivations"
    ACTIVATION = "activations"
    TERMINATION = "terminations"
    RAM_EVICTION = "ram_evictions"
    DISK_EVICTION = "disk_evictions"
    DISPATCH = "dispatches"
    LOAD = "loads"
    COPY = "copies"
    PREWARM = "prewarms"
    WAKEUP = "wakeup"


Operation: TypeAlias = Failure | NodeName | Termination | Eviction | Dispatch | Transfer | Prewarm | float
"""One entry of a batch: a node's name in the two scaling categories, a date in the last."""


class RefusalReason(Enum):
    """Why an operation was refused (SERV-2). Where several apply, the first in this order is given."""

    UNKNOWN_NODE = "no node has this name"
    UNKNOWN_CONTAINER = "the node holds no such container"
    UNKNOWN_LAYER = "the catalogue has no such layer"
    UNKNOWN_FUNCTION = "the catalogue has no such function"
    NOT_PENDING = "the invocation is not pending"
    NODE_NOT_ACTIVATED = "the node is not activated"
    NODE_NOT_DEACTIVATED = "the node is not deactivated"
    NODE_HOLDS_INVOCATION = "the node holds an invocation"
    NODE_STARTS_CONTAINER = "the node is starting a container"
    NODE_HAS_TRANSFER = "the node has a transfer in progress"
    CONTAINER_NOT_IDLE = "the container is not idle"
    CONTAINER_NOT_READY = "the container is still starting"
    CONTAINER_NOT_COMPATIBLE = "the container is of another function"
    CONTAINER_FULL = "the container holds all the invocations that it may"
    LAYER_NOT_ON_DISK = "a layer is not resident on disk"
    LAYER_NOT_IN_RAM = "a layer is not resident in RAM"
    LAYER_ON_DISK = "the layer is resident on disk already"
    LAYER_IN_RAM = "the layer is resident in RAM"
    LAYER_COPYING = "the layer is being copied"
    LAYER_LOADING = "the layer is being loaded"
    LAYER_IN_USE = "a container on the node uses the layer"
    NO_INVOCATION_CAPACITY = "the node holds all the invocations that it may"
    NO_POSITION = "the node has no container position left"
    NO_RAM = "the node has too little RAM left"
    NO_DISK = "the node has too little disk left"
    WAKEUP_NOT_LATER = "the wake-up date is not finite or not later than now"


class Outcome(Value, frozen=True):
    """What became of one operation of a batch: accepted, or refused with a reason (SERV-1).

    ``container`` is the id given to the container that an accepted cold dispatch or prewarm starts, else None.
    """

    kind: OperationKind
    operation: Operation
    refusal: RefusalReason | None = None
    container: ContainerId | None = None


class Step(Value, frozen=True):
    """One accepted event and the round that followed it.

    ``observed`` is what the round was shown: the state after the event's own effect. ``outcomes`` tells the fate of every
    operation of the decisions, in the order of application, and ``state`` is the one after that. ``alarms`` are those newly
    set, for the driver to deliver. ``trace`` is the scheduler's story, None where it tells none.
    """

    observed: ObservedState
    decisions: Decisions
    trace: RoundTrace | None
    outcomes: tuple[Outcome, ...]
    alarms: tuple[IdleAlarm, ...]
    state: ServiceState


class Scheduler(Protocol):
    """Anything that decides rounds."""

    def schedule(self, observed: ObservedState) -> tuple[Decisions, RoundTrace | None]:
        """Return the decisions of one round, and its story or None."""
        ...


StepFunction: TypeAlias = Callable[[ServiceState, Event, Scheduler, ServiceSettings], Step]
"""A service: takes an accepted event to a step, and raises a ServiceError for one that it refuses."""
