"""SERV-2: what must hold of an operation at the moment of its application, each category in its own function.

Every function yields the reasons against one operation, lazily and in the order of :class:`RefusalReason`; the first counts.
"""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from gaugeblock.model import (
    LARGEST_DATE,
    Container,
    ContainerStatus,
    Dispatch,
    Eviction,
    Failure,
    Function,
    Invocation,
    InvocationId,
    LayerName,
    Node,
    NodeName,
    NodeStatus,
    Operation,
    OperationKind,
    Prewarm,
    RefusalReason,
    ServiceState,
    Termination,
    Transfer,
)
from gaugeblock.service.changes import container_of, node_named

Reasons: TypeAlias = Iterator[RefusalReason]


def refusal_of(state: ServiceState, kind: OperationKind, operation: Operation) -> RefusalReason | None:
    """Return why the service refuses the operation in ``state``, or None if it accepts it (SERV-1, SERV-2)."""
    return next(CHECKS[kind](state, operation), None)


def against_failure(state: ServiceState, failure: Failure) -> Reasons:
    """Only a pending invocation can be failed."""
    if pending_invocation(state, failure.invocation) is None:
        yield RefusalReason.NOT_PENDING


def against_activation(state: ServiceState, name: NodeName) -> Reasons:
    """Only a deactivated node can be activated."""
    node = node_named(state, name)
    if node is None:
        yield RefusalReason.UNKNOWN_NODE
    elif node.status is not NodeStatus.DEACTIVATED:
        yield RefusalReason.NODE_NOT_DEACTIVATED


def against_deactivation(state: ServiceState, name: NodeName) -> Reasons:
    """Only an activated node without invocations, starting containers and transfers can be deactivated (SERV-4)."""
    node = node_named(state, name)
    if node is None:
        yield RefusalReason.UNKNOWN_NODE
        return
    yield from _not_activated(node)
    if any(container.in_flight > 0 for container in node.containers):
        yield RefusalReason.NODE_HOLDS_INVOCATION
    if any(container.status is ContainerStatus.STARTING for container in node.containers):
        yield RefusalReason.NODE_STARTS_CONTAINER
    if len(node.copying) > 0 or len(node.loading) > 0:
        yield RefusalReason.NODE_HAS_TRANSFER


def against_termination(state: ServiceState, termination: Termination) -> Reasons:
    """Only an idle container can be ended."""
    node = node_named(state, termination.node)
    if node is None:
        yield RefusalReason.UNKNOWN_NODE
        return
    container = container_of(node, termination.container)
    if container is None:
        yield RefusalReason.UNKNOWN_CONTAINER
        return
    yield from _not_activated(node)
    if not container.is_idle:
        yield RefusalReason.CONTAINER_NOT_IDLE


def against_ram_eviction(state: ServiceState, eviction: Eviction) -> Reasons:
    """Only a layer that is resident in RAM and that no container on the node uses can be evicted from there."""
    node = node_named(state, eviction.node)
    if node is None:
        yield RefusalReason.UNKNOWN_NODE
        return
    yield from _unknown_layer(state, eviction.layer)
    yield from _not_activated(node)
    if not is_in_ram(node, eviction.layer):
        yield RefusalReason.LAYER_NOT_IN_RAM
    yield from _in_use(node, eviction.layer)


def against_disk_eviction(state: ServiceState, eviction: Eviction) -> Reasons:
    """As for RAM, of disk; and neither in RAM nor being loaded into it."""
    node = node_named(state, eviction.node)
    if node is None:
        yield RefusalReason.UNKNOWN_NODE
        return
    yield from _unknown_layer(state, eviction.layer)
    yield from _not_activated(node)
    if not is_on_disk(node, eviction.layer):
        yield RefusalReason.LAYER_NOT_ON_DISK
    if is_in_ram(node, eviction.layer):
        yield RefusalReason.LAYER_IN_RAM
    if _is_loading(node, eviction.layer):
        yield RefusalReason.LAYER_LOADING
    yield from _in_use(node, eviction.layer)


def against_dispatch(state: ServiceState, dispatch: Dispatch) -> Reasons:
    """The invocation is pending, and the node has room for it: in the ready container named, or for a cold one."""
    node = node_named(state, dispatch.node)
    if node is None:
        yield RefusalReason.UNKNOWN_NODE
        return
    container = None if dispatch.container is None else container_of(node, dispatch.container)
    if container is None and dispatch.container is not None:
        yield RefusalReason.UNKNOWN_CONTAINER
        return
    invocation = pending_invocation(state, dispatch.invocation)
    if invocation is None:
        yield RefusalReason.NOT_PENDING
        return
    yield from _not_activated(node)
    if container is not None:
        yield from _against_reuse(container, invocation.function)
    else:
        yield from _layers_missing(node, invocation.function)
    if not node.invocations_available > 0:
        yield RefusalReason.NO_INVOCATION_CAPACITY
    if container is None:
        yield from _no_room_for_container(node, invocation.function)


def against_load(state: ServiceState, load: Transfer) -> Reasons:
    """The layer is on disk, neither in RAM nor on its way there, and its RAM footprint fits."""
    node = node_named(state, load.node)
    layer = next((each for each in state.catalog.layers if each.name == load.layer), None)
    if node is None:
        yield RefusalReason.UNKNOWN_NODE
        return
    if layer is None:
        yield RefusalReason.UNKNOWN_LAYER
        return
    yield from _not_activated(node)
    if not is_on_disk(node, load.layer):
        yield RefusalReason.LAYER_NOT_ON_DISK
    if is_in_ram(node, load.layer):
        yield RefusalReason.LAYER_IN_RAM
    if _is_loading(node, load.layer):
        yield RefusalReason.LAYER_LOADING
    if node.ram_available < layer.ram_bytes:
        yield RefusalReason.NO_RAM


def against_copy(state: ServiceState, copy: Transfer) -> Reasons:
    """The layer is neither on disk nor on its way there, and its disk footprint fits."""
    node = node_named(state, copy.node)
    layer = next((each for each in state.catalog.layers if each.name == copy.layer), None)
    if node is None:
        yield RefusalReason.UNKNOWN_NODE
        return
    if layer is None:
        yield RefusalReason.UNKNOWN_LAYER
        return
    yield from _not_activated(node)
    if is_on_disk(node, copy.layer):
        yield RefusalReason.LAYER_ON_DISK
    if any(each.name == copy.layer for each in node.copying):
        yield RefusalReason.LAYER_COPYING
    if node.disk_available < layer.disk_bytes:
        yield RefusalReason.NO_DISK


def against_prewarm(state: ServiceState, prewarm: Prewarm) -> Reasons:
    """As for a cold dispatch, but no invocation is needed, nor room for one."""
    node = node_named(state, prewarm.node)
    function = next((each for each in state.catalog.functions if each.name == prewarm.function), None)
    if node is None:
        yield RefusalReason.UNKNOWN_NODE
        return
    if function is None:
        yield RefusalReason.UNKNOWN_FUNCTION
        return
    yield from _not_activated(node)
    yield from _layers_missing(node, function)
    yield from _no_room_for_container(node, function)


def against_wakeup(state: ServiceState, date: float) -> Reasons:
    """A wake-up is finite and strictly later than now (WAKE-2)."""
    if not state.now < date < LARGEST_DATE:
        yield RefusalReason.WAKEUP_NOT_LATER


def pending_invocation(state: ServiceState, id: InvocationId) -> Invocation | None:  # noqa: A002 (the field's name)
    """Return the pending invocation of that id, or None."""
    return next((each for each in state.pending if each.id == id), None)


def is_in_ram(node: Node, layer: LayerName) -> bool:
    """Whether the layer is resident in the node's RAM."""
    return any(resident.layer.name == layer for resident in node.ram_layers)


def is_on_disk(node: Node, layer: LayerName) -> bool:
    """Whether the layer is resident on the node's disk."""
    return any(resident.layer.name == layer for resident in node.disk_layers)


def _is_loading(node: Node, layer: LayerName) -> bool:
    return any(each.name == layer for each in node.loading)


def _not_activated(node: Node) -> Reasons:
    if node.status is not NodeStatus.ACTIVATED:
        yield RefusalReason.NODE_NOT_ACTIVATED


def _unknown_layer(state: ServiceState, name: LayerName) -> Reasons:
    if all(layer.name != name for layer in state.catalog.layers):
        yield RefusalReason.UNKNOWN_LAYER


def _in_use(node: Node, name: LayerName) -> Reasons:
    if any(layer.name == name for container in node.containers for layer in container.function.image.layers):
        yield RefusalReason.LAYER_IN_USE


def _against_reuse(container: Container, function: Function) -> Reasons:
    if container.status is not ContainerStatus.READY:
        yield RefusalReason.CONTAINER_NOT_READY
    if container.function.name != function.name:
        yield RefusalReason.CONTAINER_NOT_COMPATIBLE
    if not container.in_flight < container.function.max_invocations_per_container:
        yield RefusalReason.CONTAINER_FULL


def _layers_missing(node: Node, function: Function) -> Reasons:
    if not all(is_on_disk(node, layer.name) for layer in function.image.layers):
        yield RefusalReason.LAYER_NOT_ON_DISK
    if not all(is_in_ram(node, layer.name) for layer in function.image.layers):
        yield RefusalReason.LAYER_NOT_IN_RAM


def _no_room_for_container(node: Node, function: Function) -> Reasons:
    if not node.positions_available > 0:
        yield RefusalReason.NO_POSITION
    if node.ram_available < function.ram_bytes:
        yield RefusalReason.NO_RAM
    if node.disk_available < function.disk_bytes:
        yield RefusalReason.NO_DISK


CHECKS: Final[dict[OperationKind, Callable[..., Reasons]]] = {
    OperationKind.FAILURE: against_failure,
    OperationKind.DEACTIVATION: against_deactivation,
    OperationKind.ACTIVATION: against_activation,
    OperationKind.TERMINATION: against_termination,
    OperationKind.RAM_EVICTION: against_ram_eviction,
    OperationKind.DISK_EVICTION: against_disk_eviction,
    OperationKind.DISPATCH: against_dispatch,
    OperationKind.LOAD: against_load,
    OperationKind.COPY: against_copy,
    OperationKind.PREWARM: against_prewarm,
    OperationKind.WAKEUP: against_wakeup,
}
