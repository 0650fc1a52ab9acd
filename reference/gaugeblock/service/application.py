"""SERV-1: a batch is applied operation by operation, in the service's own order of categories, each checked in its turn."""

from collections.abc import Callable
from typing import Final

from gaugeblock.model import (
    LARGEST_DATE,
    Container,
    ContainerId,
    ContainerStatus,
    Decisions,
    Dispatch,
    Eviction,
    Failure,
    Function,
    Node,
    NodeName,
    NodeStatus,
    Operation,
    OperationKind,
    Outcome,
    Prewarm,
    ResidentLayer,
    Running,
    ServiceState,
    Termination,
    Transfer,
    replace,
)
from gaugeblock.service.changes import (
    add_transfer,
    change_container,
    change_node,
    forget_alarm,
    remove_container,
    without_resident,
)
from gaugeblock.service.checks import refusal_of


def apply(state: ServiceState, decisions: Decisions) -> tuple[ServiceState, tuple[Outcome, ...]]:
    """Return the state after the batch and each operation's outcome; a refused one changes nothing (SERV-1; EXEC-1, EXEC-2)."""
    outcomes: list[Outcome] = []
    for kind in OperationKind:
        for operation in operations(decisions, kind):
            state, outcome = apply_one(state, kind, operation)
            outcomes.append(outcome)
    return state, tuple(outcomes)


def operations(decisions: Decisions, kind: OperationKind) -> tuple[Operation, ...]:
    """Return the operations of one category, in the batch's order; DBL_MAX as a wake-up means none (WAKE-1)."""
    if kind is OperationKind.WAKEUP:
        return () if decisions.wakeup is None or decisions.wakeup == LARGEST_DATE else (decisions.wakeup,)
    category: tuple[Operation, ...] = getattr(decisions, kind.value)
    return category


def apply_one(state: ServiceState, kind: OperationKind, operation: Operation) -> tuple[ServiceState, Outcome]:
    """Check one operation against the state at this moment; apply it whole, or refuse it whole (SERV-1)."""
    refusal = refusal_of(state, kind, operation)
    if refusal is not None:
        return state, Outcome(kind, operation, refusal)
    after = APPLICATIONS[kind](state, operation)
    started = state.next_container if after.next_container != state.next_container else None
    return after, Outcome(kind, operation, None, started)


def fail(state: ServiceState, failure: Failure) -> ServiceState:
    """The invocation is gone for good (SERV-0)."""
    return replace(state, pending=tuple(each for each in state.pending if each.id != failure.invocation))


def deactivate(state: ServiceState, name: NodeName) -> ServiceState:
    """The node is deactivating; its idle containers and what is in its RAM are gone, its disk stays (SERV-4, AMB-6)."""
    for node in state.nodes:
        for container in node.containers if node.name == name else ():
            state = remove_container(state, name, container.id)
    return change_node(state, name, lambda node: replace(node, status=NodeStatus.DEACTIVATING, ram_layers=()))


def activate(state: ServiceState, name: NodeName) -> ServiceState:
    """The node is activating; nothing is usable on it yet (SERV-2)."""
    return change_node(state, name, lambda node: replace(node, status=NodeStatus.ACTIVATING))


def terminate(state: ServiceState, termination: Termination) -> ServiceState:
    """The container goes, and with it all that it took (SERV-2)."""
    return remove_container(state, termination.node, termination.container)


def evict_from_ram(state: ServiceState, eviction: Eviction) -> ServiceState:
    """The layer is no longer in RAM (SERV-2)."""
    return change_node(
        state, eviction.node, lambda node: replace(node, ram_layers=without_resident(node.ram_layers, eviction.layer))
    )


def evict_from_disk(state: ServiceState, eviction: Eviction) -> ServiceState:
    """The layer is no longer on disk (SERV-2)."""
    return change_node(
        state, eviction.node, lambda node: replace(node, disk_layers=without_resident(node.disk_layers, eviction.layer))
    )


def dispatch(state: ServiceState, order: Dispatch) -> ServiceState:
    """The invocation leaves the pending ones for a container, old or new, and its layers are accessed now (SERV-0, SERV-3)."""
    invocation = next(each for each in state.pending if each.id == order.invocation)
    container = state.next_container if order.container is None else order.container
    if order.container is None:
        state = add_container(state, order.node, invocation.function, in_flight=1)
    else:
        state = take_one_more(state, order)
    return replace(
        change_node(state, order.node, lambda node: accessed(node, invocation.function, state.now)),
        pending=tuple(each for each in state.pending if each.id != order.invocation),
        running=(*state.running, Running(invocation, container)),
    )


def take_one_more(state: ServiceState, order: Dispatch) -> ServiceState:
    """The container holds one invocation more; if it was idle, that spell is over (SERV-0)."""
    containers = (each for node in state.nodes if node.name == order.node for each in node.containers)
    container = next(each for each in containers if each.id == order.container)
    held = replace(container, in_flight=container.in_flight + 1, last_used=state.now)
    return change_container(forget_alarm(state, container.id), held)


def add_container(state: ServiceState, name: NodeName, function: Function, in_flight: int) -> ServiceState:
    """A container is starting under the next id, with its invocation if it is given one (SERV-0, SERV-3)."""
    container = Container(state.next_container, function, ContainerStatus.STARTING, in_flight, state.now)
    state = replace(state, next_container=ContainerId(container.id + 1))
    return change_node(state, name, lambda node: replace(node, containers=(*node.containers, container)))


def accessed(node: Node, function: Function, date: float) -> Node:
    """The function's layers carry ``date`` on disk and in RAM (SERV-0)."""
    names = {layer.name for layer in function.image.layers}

    def dated(residents: tuple[ResidentLayer, ...]) -> tuple[ResidentLayer, ...]:
        return tuple(ResidentLayer(each.layer, date) if each.layer.name in names else each for each in residents)

    return replace(node, disk_layers=dated(node.disk_layers), ram_layers=dated(node.ram_layers))


def load(state: ServiceState, transfer: Transfer) -> ServiceState:
    """The layer is being loaded: its RAM footprint is reserved (SERV-2)."""
    layer = next(each for each in state.catalog.layers if each.name == transfer.layer)
    return change_node(state, transfer.node, lambda node: replace(node, loading=add_transfer(state, node.loading, layer)))


def copy(state: ServiceState, transfer: Transfer) -> ServiceState:
    """The layer is being copied: its disk footprint is reserved (SERV-2)."""
    layer = next(each for each in state.catalog.layers if each.name == transfer.layer)
    return change_node(state, transfer.node, lambda node: replace(node, copying=add_transfer(state, node.copying, layer)))


def prewarm(state: ServiceState, order: Prewarm) -> ServiceState:
    """A container is starting without an invocation (SERV-2)."""
    function = next(each for each in state.catalog.functions if each.name == order.function)
    return add_container(state, order.node, function, in_flight=0)


def wake_up_at(state: ServiceState, date: float) -> ServiceState:
    """The earlier of the standing wake-up and the new one is kept (SERV-6)."""
    return replace(state, wakeup=date if state.wakeup is None else min(state.wakeup, date))


APPLICATIONS: Final[dict[OperationKind, Callable[..., ServiceState]]] = {
    OperationKind.FAILURE: fail,
    OperationKind.DEACTIVATION: deactivate,
    OperationKind.ACTIVATION: activate,
    OperationKind.TERMINATION: terminate,
    OperationKind.RAM_EVICTION: evict_from_ram,
    OperationKind.DISK_EVICTION: evict_from_disk,
    OperationKind.DISPATCH: dispatch,
    OperationKind.LOAD: load,
    OperationKind.COPY: copy,
    OperationKind.PREWARM: prewarm,
    OperationKind.WAKEUP: wake_up_at,
}
