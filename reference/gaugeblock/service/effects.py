"""SERV-0: what each event does by itself, before any round. An event that breaks a rule raises and changes nothing."""

from collections.abc import Callable
from typing import Final, TypeAlias

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
    IdleTimeout,
    Invocation,
    InvocationFailed,
    InvocationFinished,
    Layer,
    LoadCompleted,
    LoadFailed,
    Node,
    NodeActivated,
    NodeDeactivated,
    NodeStatus,
    ServiceSettings,
    ServiceState,
    Submit,
    WakeUp,
    refused,
    replace,
)
from gaugeblock.service.changes import (
    add_resident,
    change_container,
    change_node,
    container_of,
    node_holding,
    node_named,
    remove_container,
    set_alarm,
    without_layer,
)

ContainerEvent: TypeAlias = ContainerStarted | ContainerFailed
InvocationEvent: TypeAlias = InvocationFinished | InvocationFailed
NodeEvent: TypeAlias = CopyCompleted | CopyFailed | LoadCompleted | LoadFailed | NodeActivated | NodeDeactivated


def take(state: ServiceState, event: Event, settings: ServiceSettings) -> ServiceState:
    """Return the state after the event's own effect; its date and sequence are taken (SERV-0).

    Raises:
        ServiceError: of the class of the rule that the event breaks.
    """
    if not -LARGEST_DATE <= event.date <= LARGEST_DATE:
        raise refused.BadEventDate(event, "date", "a finite date in seconds")
    if event.date < state.now:
        raise refused.OutOfOrder(event, "date", "a date not before the last event's")
    if event.date == state.now and not event.sequence > state.sequence:
        raise refused.OutOfOrder(event, "sequence", "a larger number than the last event of this date has")
    state = replace(state, now=event.date, sequence=event.sequence)
    return EFFECTS[type(event)](state, event, settings)


def submit(state: ServiceState, event: Submit, settings: ServiceSettings) -> ServiceState:
    """The invocation joins the pending ones under an id that is used up by it (SERV-0)."""
    function = next((each for each in state.catalog.functions if each.name == event.function), None)
    if function is None:
        raise refused.UnknownFunction(event, "function", "a function of the catalogue")
    if not 0 <= event.invocation <= LARGEST_INTEGER:
        raise refused.BadInvocationId(event, "invocation", "an integer from 0 to 2^63-1")
    if event.invocation in state.submitted:
        raise refused.RepeatedInvocation(event, "invocation", "an id never submitted before")
    pending = (*state.pending, Invocation(event.invocation, function, event.date))
    return replace(state, pending=pending, submitted=state.submitted | {event.invocation})


def complete_copy(state: ServiceState, event: CopyCompleted, settings: ServiceSettings) -> ServiceState:
    """The layer is resident on disk, dated now, and no longer in progress (SERV-0)."""
    layer = _copied_layer(state, event)

    def change(node: Node) -> Node:
        residents = add_resident(state, node.disk_layers, layer, state.now)
        return replace(node, copying=without_layer(node.copying, layer.name), disk_layers=residents)

    return change_node(state, event.node, change)


def fail_copy(state: ServiceState, event: CopyFailed, settings: ServiceSettings) -> ServiceState:
    """Mark and reserved space are cleared; the layer may be copied again (SERV-0)."""
    layer = _copied_layer(state, event)
    return change_node(state, event.node, lambda node: replace(node, copying=without_layer(node.copying, layer.name)))


def complete_load(state: ServiceState, event: LoadCompleted, settings: ServiceSettings) -> ServiceState:
    """The layer is resident in RAM, dated now, and no longer in progress (SERV-0)."""
    layer = _loaded_layer(state, event)

    def change(node: Node) -> Node:
        residents = add_resident(state, node.ram_layers, layer, state.now)
        return replace(node, loading=without_layer(node.loading, layer.name), ram_layers=residents)

    return change_node(state, event.node, change)


def fail_load(state: ServiceState, event: LoadFailed, settings: ServiceSettings) -> ServiceState:
    """Mark and reserved space are cleared; the layer may be loaded again (SERV-0)."""
    layer = _loaded_layer(state, event)
    return change_node(state, event.node, lambda node: replace(node, loading=without_layer(node.loading, layer.name)))


def start_container(state: ServiceState, event: ContainerStarted, settings: ServiceSettings) -> ServiceState:
    """The container is ready, used now, and idle if it was started without an invocation (SERV-0, SERV-3)."""
    _, container = _starting_container(state, event)
    ready = replace(container, status=ContainerStatus.READY, last_used=state.now)
    state = change_container(state, ready)
    return set_alarm(state, ready.id, settings) if ready.is_idle else state


def fail_container(state: ServiceState, event: ContainerFailed, settings: ServiceSettings) -> ServiceState:
    """The container goes, and its invocation is pending again under its first date (SERV-0)."""
    node, container = _starting_container(state, event)
    back = tuple(each.invocation for each in state.running if each.container == container.id)
    running = tuple(each for each in state.running if each.container != container.id)
    state = remove_container(state, node.name, container.id)
    return replace(state, pending=state.pending + back, running=running)


def end_invocation(state: ServiceState, event: InvocationEvent, settings: ServiceSettings) -> ServiceState:
    """One unit is freed and the container, used now, is kept; finished and failed alike (SERV-0)."""
    container = _container_running(state, event)
    held = replace(container, in_flight=container.in_flight - 1, last_used=state.now)
    running = tuple(each for each in state.running if each.invocation.id != event.invocation)
    state = replace(change_container(state, held), running=running)
    return set_alarm(state, held.id, settings) if held.is_idle else state


def activate_node(state: ServiceState, event: NodeActivated, settings: ServiceSettings) -> ServiceState:
    """An activating node is activated (SERV-0)."""
    if _node(state, event).status is not NodeStatus.ACTIVATING:
        raise refused.NotActivating(event, "node", "a node that is activating")
    return change_node(state, event.node, lambda node: replace(node, status=NodeStatus.ACTIVATED))


def deactivate_node(state: ServiceState, event: NodeDeactivated, settings: ServiceSettings) -> ServiceState:
    """A deactivating node is deactivated (SERV-0)."""
    if _node(state, event).status is not NodeStatus.DEACTIVATING:
        raise refused.NotDeactivating(event, "node", "a node that is deactivating")
    return change_node(state, event.node, lambda node: replace(node, status=NodeStatus.DEACTIVATED))


def time_out(state: ServiceState, event: IdleTimeout, settings: ServiceSettings) -> ServiceState:
    """The container is ended if it is still in the idle spell that the alarm was set for; a stale alarm does nothing.

    A stale alarm is an accepted event all the same: its date is taken, and a round follows (SERV-0).
    """
    if not 0 <= event.container < state.next_container:
        raise refused.UnknownContainer(event, "container", "an id that was given to a container")
    if not 0 <= event.generation < state.next_generation:
        raise refused.UnknownGeneration(event, "generation", "a generation that was given to an idle spell")
    current = next((alarm for alarm in state.alarms if alarm.container == event.container), None)
    if current is None or current.generation != event.generation:
        return state
    if current.date is None or event.date < current.date:
        raise refused.EarlyIdleTimeout(event, "date", "a date not before the one at which the alarm is due")
    node = node_holding(state, event.container)
    return state if node is None else remove_container(state, node.name, event.container)


def wake_up(state: ServiceState, event: WakeUp, settings: ServiceSettings) -> ServiceState:
    """A standing wake-up that is due is consumed; otherwise the event is stale, accepted and without effect (SERV-0)."""
    due = state.wakeup is not None and state.wakeup <= event.date
    return replace(state, wakeup=None) if due else state


def _node(state: ServiceState, event: NodeEvent) -> Node:
    node = node_named(state, event.node)
    if node is None:
        raise refused.UnknownNode(event, "node", "the name of a node")
    return node


def _copied_layer(state: ServiceState, event: CopyCompleted | CopyFailed) -> Layer:
    for layer in _node(state, event).copying:
        if layer.name == event.layer:
            return layer
    raise refused.NotCopying(event, "layer", "a layer that is being copied to the node")


def _loaded_layer(state: ServiceState, event: LoadCompleted | LoadFailed) -> Layer:
    for layer in _node(state, event).loading:
        if layer.name == event.layer:
            return layer
    raise refused.NotLoading(event, "layer", "a layer that is being loaded on the node")


def _held_container(state: ServiceState, id: ContainerId) -> tuple[Node, Container] | None:  # noqa: A002 (the field's name)
    for node in state.nodes:
        container = container_of(node, id)
        if container is not None:
            return node, container
    return None


def _starting_container(state: ServiceState, event: ContainerEvent) -> tuple[Node, Container]:
    held = _held_container(state, event.container)
    if held is None:
        raise refused.UnknownContainer(event, "container", "a container that exists")
    if held[1].status is not ContainerStatus.STARTING:
        raise refused.NotStarting(event, "container", "a container that is starting")
    return held


def _container_running(state: ServiceState, event: InvocationEvent) -> Container:
    for running in state.running:
        if running.invocation.id == event.invocation:
            held = _held_container(state, running.container)
            if held is not None and held[1].status is ContainerStatus.READY:
                return held[1]
            raise refused.StillStarting(event, "invocation", "an invocation whose container is ready")
    raise refused.NotRunning(event, "invocation", "an invocation that a container holds")


Effect: TypeAlias = Callable[..., ServiceState]

EFFECTS: Final[dict[type[Event], Effect]] = {
    Submit: submit,
    CopyCompleted: complete_copy,
    CopyFailed: fail_copy,
    LoadCompleted: complete_load,
    LoadFailed: fail_load,
    ContainerStarted: start_container,
    ContainerFailed: fail_container,
    InvocationFinished: end_invocation,
    InvocationFailed: end_invocation,
    NodeActivated: activate_node,
    NodeDeactivated: deactivate_node,
    IdleTimeout: time_out,
    WakeUp: wake_up,
}
