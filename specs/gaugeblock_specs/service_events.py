"""SERV-0 told as changes of facts: which rule an event breaks, and which facts one that breaks none changes."""

from gaugeblock.model import (
    LARGEST_DATE,
    LARGEST_INTEGER,
    Container,
    ContainerFailed,
    ContainerId,
    ContainerStarted,
    ContainerStatus,
    CopyCompleted,
    CopyFailed,
    Event,
    IdleAlarm,
    IdleTimeout,
    Invocation,
    InvocationFailed,
    InvocationFinished,
    LoadCompleted,
    LoadFailed,
    NodeActivated,
    NodeDeactivated,
    NodeStatus,
    ServiceError,
    ServiceSettings,
    ServiceState,
    Submit,
    WakeUp,
    refused,
    replace,
)
from gaugeblock_specs.derive import is_idle
from gaugeblock_specs.service_facts import Ledger


def rule_broken(before: ServiceState, ledger: Ledger, event: Event) -> type[ServiceError] | None:
    """Return the error class of the first rule that ``event`` breaks in the state ``before``, or None."""
    if not -LARGEST_DATE <= event.date <= LARGEST_DATE:
        return refused.BadEventDate
    if not (before.now, before.sequence) < (event.date, event.sequence):
        return refused.OutOfOrder
    match event:
        case Submit():
            return _rule_of_submission(ledger, event)
        case CopyCompleted() | CopyFailed() | LoadCompleted() | LoadFailed():
            return _rule_of_transfers(ledger, event)
        case ContainerStarted() | ContainerFailed():
            return _rule_of_starts(ledger, event)
        case InvocationFinished() | InvocationFailed():
            return _rule_of_ends(ledger, event)
        case NodeActivated() | NodeDeactivated():
            return _rule_of_status(ledger, event)
        case IdleTimeout():
            return _rule_of_alarms(ledger, event)
    return None


def book_event(ledger: Ledger, event: Event, settings: ServiceSettings) -> None:
    """Change the facts that an event which breaks no rule changes, and no others."""
    match event:
        case Submit():
            ledger.pending[event.invocation] = Invocation(event.invocation, ledger.functions[event.function], event.date)
            ledger.submitted |= {event.invocation}
        case CopyCompleted():
            ledger.disk[event.node, event.layer] = event.date
        case CopyFailed():
            del ledger.disk[event.node, event.layer]
        case LoadCompleted():
            ledger.ram[event.node, event.layer] = event.date
        case LoadFailed():
            del ledger.ram[event.node, event.layer]
        case ContainerStarted():
            _book_container(ledger, event.container, event.date, settings, ready=True)
        case ContainerFailed():
            _book_failed_start(ledger, event.container)
        case InvocationFinished() | InvocationFailed():
            container, _ = ledger.running.pop(event.invocation)
            _book_container(ledger, container, event.date, settings, freed=1)
        case NodeActivated():
            ledger.status[event.node] = NodeStatus.ACTIVATED
        case NodeDeactivated():
            ledger.status[event.node] = NodeStatus.DEACTIVATED
        case IdleTimeout() if not is_stale(ledger, event):
            del ledger.containers[event.container], ledger.alarms[event.container]
        case WakeUp() if ledger.wakeup is not None and ledger.wakeup <= event.date:
            ledger.wakeup = None


def is_stale(ledger: Ledger, event: IdleTimeout) -> bool:
    """Whether the alarm was set for an idle spell that is over."""
    return event.container not in ledger.alarms or ledger.alarms[event.container].generation != event.generation


def _rule_of_submission(ledger: Ledger, event: Submit) -> type[ServiceError] | None:
    if event.function not in ledger.functions:
        return refused.UnknownFunction
    if event.invocation < 0 or event.invocation > LARGEST_INTEGER:
        return refused.BadInvocationId
    return refused.RepeatedInvocation if event.invocation in ledger.submitted else None


def _rule_of_transfers(
    ledger: Ledger, event: CopyCompleted | CopyFailed | LoadCompleted | LoadFailed
) -> type[ServiceError] | None:
    if event.node not in ledger.status:
        return refused.UnknownNode
    copied = isinstance(event, CopyCompleted | CopyFailed)
    in_progress = [place for place, date in (ledger.disk if copied else ledger.ram).items() if date is None]
    if (event.node, event.layer) in in_progress:
        return None
    return refused.NotCopying if copied else refused.NotLoading


def _rule_of_starts(ledger: Ledger, event: ContainerStarted | ContainerFailed) -> type[ServiceError] | None:
    if event.container not in ledger.containers:
        return refused.UnknownContainer
    starting = ledger.containers[event.container][1].status is ContainerStatus.STARTING
    return None if starting else refused.NotStarting


def _rule_of_ends(ledger: Ledger, event: InvocationFinished | InvocationFailed) -> type[ServiceError] | None:
    if event.invocation not in ledger.running:
        return refused.NotRunning
    container, _ = ledger.running[event.invocation]
    held = ledger.containers.get(container)
    return None if held is not None and held[1].status is ContainerStatus.READY else refused.StillStarting


def _rule_of_status(ledger: Ledger, event: NodeActivated | NodeDeactivated) -> type[ServiceError] | None:
    if event.node not in ledger.status:
        return refused.UnknownNode
    if isinstance(event, NodeActivated):
        return None if ledger.status[event.node] is NodeStatus.ACTIVATING else refused.NotActivating
    return None if ledger.status[event.node] is NodeStatus.DEACTIVATING else refused.NotDeactivating


def _rule_of_alarms(ledger: Ledger, event: IdleTimeout) -> type[ServiceError] | None:
    if event.container < 0 or event.container >= ledger.next_container:
        return refused.UnknownContainer
    if event.generation < 0 or event.generation >= ledger.next_generation:
        return refused.UnknownGeneration
    if is_stale(ledger, event):
        return None
    due = ledger.alarms[event.container].date
    return refused.EarlyIdleTimeout if due is None or due > event.date else None


def _book_container(
    ledger: Ledger,
    container_id: ContainerId,
    date: float,
    settings: ServiceSettings,
    *,
    ready: bool = False,
    freed: int = 0,
) -> None:
    """A container became ready or let go of an invocation: used now, and idle from now on if it holds nothing."""
    node, container = ledger.containers[container_id]
    status = ContainerStatus.READY if ready else container.status
    after: Container = replace(container, status=status, in_flight=container.in_flight - freed, last_used=date)
    ledger.containers[container_id] = node, after
    if is_idle(after):
        due = date + settings.idle_timeout
        ledger.alarms[container_id] = IdleAlarm(container_id, ledger.next_generation, due if due <= LARGEST_DATE else None)
        ledger.next_generation += 1


def _book_failed_start(ledger: Ledger, container_id: ContainerId) -> None:
    del ledger.containers[container_id]
    for invocation_id, (container, invocation) in tuple(ledger.running.items()):
        if container == container_id:
            del ledger.running[invocation_id]
            ledger.pending[invocation_id] = invocation
