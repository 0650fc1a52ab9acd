"""SERV-2 as a table of reasons, and what each accepted operation changes (SERV-0, SERV-3, SERV-4, SERV-6)."""

from collections.abc import Callable
from typing import Any, Final

from gaugeblock.model import (
    LARGEST_DATE,
    Container,
    ContainerId,
    ContainerStatus,
    Decisions,
    Dispatch,
    Function,
    NodeName,
    NodeStatus,
    Operation,
    OperationKind,
    Outcome,
    Prewarm,
    RefusalReason,
    replace,
)
from gaugeblock_specs.derive import is_idle, room_in
from gaugeblock_specs.service_facts import Ledger

ORDER: Final = (
    OperationKind.FAILURE,
    OperationKind.DEACTIVATION,
    OperationKind.ACTIVATION,
    OperationKind.TERMINATION,
    OperationKind.RAM_EVICTION,
    OperationKind.DISK_EVICTION,
    OperationKind.DISPATCH,
    OperationKind.LOAD,
    OperationKind.COPY,
    OperationKind.PREWARM,
    OperationKind.WAKEUP,
)
"""The service's order of application: all that frees before all that takes."""

Applies = Callable[[Ledger, Any, float], bool]
"""Whether a reason applies to an operation (of the kind that the table says) at a date (seconds)."""


def in_order(decisions: Decisions) -> tuple[tuple[OperationKind, Operation], ...]:
    """Return every operation of a batch with its category, in the order of application."""
    found: list[tuple[OperationKind, Operation]] = []
    for kind in ORDER[:-1]:
        found += [(kind, operation) for operation in getattr(decisions, kind.value)]
    if decisions.wakeup is not None and decisions.wakeup != LARGEST_DATE:
        found.append((OperationKind.WAKEUP, decisions.wakeup))
    return tuple(found)


def reason_against(ledger: Ledger, kind: OperationKind, operation: Operation, now: float) -> RefusalReason | None:
    """Return the first reason of the table that applies, or None if the operation is to be accepted."""
    return next((reason for reason, applies in AGAINST[kind] if applies(ledger, operation, now)), None)


def book_operation(ledger: Ledger, outcome: Outcome, now: float) -> None:
    """Change the facts that an accepted operation changes, and no others."""
    operation: Any = outcome.operation
    match outcome.kind:
        case OperationKind.FAILURE:
            del ledger.pending[operation.invocation]
        case OperationKind.DEACTIVATION:
            _book_deactivation(ledger, operation)
        case OperationKind.ACTIVATION:
            ledger.status[operation] = NodeStatus.ACTIVATING
        case OperationKind.TERMINATION:
            del ledger.containers[operation.container], ledger.alarms[operation.container]
        case OperationKind.RAM_EVICTION:
            del ledger.ram[operation.node, operation.layer]
        case OperationKind.DISK_EVICTION:
            del ledger.disk[operation.node, operation.layer]
        case OperationKind.DISPATCH:
            _book_dispatch(ledger, operation, now)
        case OperationKind.LOAD:
            ledger.ram[operation.node, operation.layer] = None
        case OperationKind.COPY:
            ledger.disk[operation.node, operation.layer] = None
        case OperationKind.PREWARM:
            _book_start(ledger, operation.node, ledger.functions[operation.function], 0, now)
        case OperationKind.WAKEUP:
            ledger.wakeup = operation if ledger.wakeup is None or operation < ledger.wakeup else ledger.wakeup


def _book_deactivation(ledger: Ledger, node: NodeName) -> None:
    ledger.status[node] = NodeStatus.DEACTIVATING
    for container in ledger.containers_on(node):
        del ledger.containers[container.id], ledger.alarms[container.id]
    for place in [place for place in ledger.ram if place[0] == node]:
        del ledger.ram[place]


def _book_dispatch(ledger: Ledger, dispatch: Dispatch, now: float) -> None:
    invocation = ledger.pending.pop(dispatch.invocation)
    if dispatch.container is None:
        holder = _book_start(ledger, dispatch.node, invocation.function, 1, now)
    else:
        holder = dispatch.container
        node, container = ledger.containers[holder]
        ledger.alarms.pop(holder, None)
        ledger.containers[holder] = node, replace(container, in_flight=container.in_flight + 1, last_used=now)
    ledger.running[invocation.id] = holder, invocation
    for layer in invocation.function.image.layers:
        ledger.disk[dispatch.node, layer.name] = now
        ledger.ram[dispatch.node, layer.name] = now


def _book_start(ledger: Ledger, node: NodeName, function: Function, in_flight: int, now: float) -> ContainerId:
    container = Container(ledger.next_container, function, ContainerStatus.STARTING, in_flight, now)
    ledger.containers[container.id] = node, container
    ledger.next_container = ContainerId(container.id + 1)
    return container.id


def _unknown_node(ledger: Ledger, operation: Any, now: float) -> bool:
    return operation.node not in ledger.status


def _unknown_container(ledger: Ledger, operation: Any, now: float) -> bool:
    return operation.container is not None and ledger.holder_of(operation.container) != operation.node


def _unknown_layer(ledger: Ledger, operation: Any, now: float) -> bool:
    return operation.layer not in ledger.layers


def _not_pending(ledger: Ledger, operation: Any, now: float) -> bool:
    return operation.invocation not in ledger.pending


def _not_activated(ledger: Ledger, operation: Any, now: float) -> bool:
    return ledger.status[operation.node] is not NodeStatus.ACTIVATED


def _not_on_disk(ledger: Ledger, operation: Any, now: float) -> bool:
    return ledger.disk.get((operation.node, operation.layer)) is None


def _not_in_ram(ledger: Ledger, operation: Any, now: float) -> bool:
    return ledger.ram.get((operation.node, operation.layer)) is None


def _in_use(ledger: Ledger, operation: Any, now: float) -> bool:
    return ledger.is_used(operation.node, operation.layer)


def _in_ram(ledger: Ledger, operation: Any, now: float) -> bool:
    return not _not_in_ram(ledger, operation, now)


def _on_disk(ledger: Ledger, operation: Any, now: float) -> bool:
    return not _not_on_disk(ledger, operation, now)


def _loading(ledger: Ledger, operation: Any, now: float) -> bool:
    return (operation.node, operation.layer) in ledger.ram and _not_in_ram(ledger, operation, now)


def _copying(ledger: Ledger, operation: Any, now: float) -> bool:
    return (operation.node, operation.layer) in ledger.disk and _not_on_disk(ledger, operation, now)


def _is_cold(operation: Dispatch | Prewarm) -> bool:
    return isinstance(operation, Prewarm) or operation.container is None


def _function(ledger: Ledger, operation: Dispatch | Prewarm) -> Function:
    """The function that a dispatch or prewarm is about; what it names exists, or an earlier reason would have applied."""
    if isinstance(operation, Prewarm):
        return ledger.functions[operation.function]
    return ledger.pending[operation.invocation].function


def _reused(ledger: Ledger, operation: Dispatch) -> Container | None:
    return None if operation.container is None else ledger.containers[operation.container][1]


def _not_ready(ledger: Ledger, operation: Dispatch, now: float) -> bool:
    reused = _reused(ledger, operation)
    return reused is not None and reused.status is not ContainerStatus.READY


def _not_compatible(ledger: Ledger, operation: Dispatch, now: float) -> bool:
    reused = _reused(ledger, operation)
    return reused is not None and reused.function.name != _function(ledger, operation).name


def _full(ledger: Ledger, operation: Dispatch, now: float) -> bool:
    reused = _reused(ledger, operation)
    return reused is not None and room_in(reused) < 1


def _lacks_disk_layer(ledger: Ledger, operation: Dispatch | Prewarm, now: float) -> bool:
    layers = _function(ledger, operation).image.layers
    return _is_cold(operation) and any(ledger.disk.get((operation.node, layer.name)) is None for layer in layers)


def _lacks_ram_layer(ledger: Ledger, operation: Dispatch | Prewarm, now: float) -> bool:
    layers = _function(ledger, operation).image.layers
    return _is_cold(operation) and any(ledger.ram.get((operation.node, layer.name)) is None for layer in layers)


def _no_capacity(ledger: Ledger, operation: Dispatch, now: float) -> bool:
    return ledger.invocations_left(operation.node) < 1


def _no_position(ledger: Ledger, operation: Dispatch | Prewarm, now: float) -> bool:
    return _is_cold(operation) and ledger.positions_left(operation.node) < 1


def _no_ram(ledger: Ledger, operation: Dispatch | Prewarm, now: float) -> bool:
    return _is_cold(operation) and ledger.ram_left(operation.node) < _function(ledger, operation).ram_bytes


def _no_disk(ledger: Ledger, operation: Dispatch | Prewarm, now: float) -> bool:
    return _is_cold(operation) and ledger.disk_left(operation.node) < _function(ledger, operation).disk_bytes


_COLD: Final[tuple[tuple[RefusalReason, Applies], ...]] = (
    (RefusalReason.NO_POSITION, _no_position),
    (RefusalReason.NO_RAM, _no_ram),
    (RefusalReason.NO_DISK, _no_disk),
)
_LAYERS: Final[tuple[tuple[RefusalReason, Applies], ...]] = (
    (RefusalReason.LAYER_NOT_ON_DISK, _lacks_disk_layer),
    (RefusalReason.LAYER_NOT_IN_RAM, _lacks_ram_layer),
)

AGAINST: Final[dict[OperationKind, tuple[tuple[RefusalReason, Applies], ...]]] = {
    OperationKind.FAILURE: ((RefusalReason.NOT_PENDING, _not_pending),),
    OperationKind.DEACTIVATION: (
        (RefusalReason.UNKNOWN_NODE, lambda ledger, node, _: node not in ledger.status),
        (RefusalReason.NODE_NOT_ACTIVATED, lambda ledger, node, _: ledger.status[node] is not NodeStatus.ACTIVATED),
        (
            RefusalReason.NODE_HOLDS_INVOCATION,
            lambda ledger, node, _: any(each.in_flight for each in ledger.containers_on(node)),
        ),
        (
            RefusalReason.NODE_STARTS_CONTAINER,
            lambda ledger, node, _: any(each.status is ContainerStatus.STARTING for each in ledger.containers_on(node)),
        ),
        (
            RefusalReason.NODE_HAS_TRANSFER,
            lambda ledger, node, _: any(
                holder == node and date is None for facts in (ledger.disk, ledger.ram) for (holder, _), date in facts.items()
            ),
        ),
    ),
    OperationKind.ACTIVATION: (
        (RefusalReason.UNKNOWN_NODE, lambda ledger, node, _: node not in ledger.status),
        (RefusalReason.NODE_NOT_DEACTIVATED, lambda ledger, node, _: ledger.status[node] is not NodeStatus.DEACTIVATED),
    ),
    OperationKind.TERMINATION: (
        (RefusalReason.UNKNOWN_NODE, _unknown_node),
        (RefusalReason.UNKNOWN_CONTAINER, _unknown_container),
        (RefusalReason.NODE_NOT_ACTIVATED, _not_activated),
        (RefusalReason.CONTAINER_NOT_IDLE, lambda ledger, operation, _: not is_idle(ledger.containers[operation.container][1])),
    ),
    OperationKind.RAM_EVICTION: (
        (RefusalReason.UNKNOWN_NODE, _unknown_node),
        (RefusalReason.UNKNOWN_LAYER, _unknown_layer),
        (RefusalReason.NODE_NOT_ACTIVATED, _not_activated),
        (RefusalReason.LAYER_NOT_IN_RAM, _not_in_ram),
        (RefusalReason.LAYER_IN_USE, _in_use),
    ),
    OperationKind.DISK_EVICTION: (
        (RefusalReason.UNKNOWN_NODE, _unknown_node),
        (RefusalReason.UNKNOWN_LAYER, _unknown_layer),
        (RefusalReason.NODE_NOT_ACTIVATED, _not_activated),
        (RefusalReason.LAYER_NOT_ON_DISK, _not_on_disk),
        (RefusalReason.LAYER_IN_RAM, _in_ram),
        (RefusalReason.LAYER_LOADING, _loading),
        (RefusalReason.LAYER_IN_USE, _in_use),
    ),
    OperationKind.DISPATCH: (
        (RefusalReason.UNKNOWN_NODE, _unknown_node),
        (RefusalReason.UNKNOWN_CONTAINER, _unknown_container),
        (RefusalReason.NOT_PENDING, _not_pending),
        (RefusalReason.NODE_NOT_ACTIVATED, _not_activated),
        (RefusalReason.CONTAINER_NOT_READY, _not_ready),
        (RefusalReason.CONTAINER_NOT_COMPATIBLE, _not_compatible),
        (RefusalReason.CONTAINER_FULL, _full),
        *_LAYERS,
        (RefusalReason.NO_INVOCATION_CAPACITY, _no_capacity),
        *_COLD,
    ),
    OperationKind.LOAD: (
        (RefusalReason.UNKNOWN_NODE, _unknown_node),
        (RefusalReason.UNKNOWN_LAYER, _unknown_layer),
        (RefusalReason.NODE_NOT_ACTIVATED, _not_activated),
        (RefusalReason.LAYER_NOT_ON_DISK, _not_on_disk),
        (RefusalReason.LAYER_IN_RAM, _in_ram),
        (RefusalReason.LAYER_LOADING, _loading),
        (
            RefusalReason.NO_RAM,
            lambda ledger, operation, _: ledger.layers[operation.layer].ram_bytes > ledger.ram_left(operation.node),
        ),
    ),
    OperationKind.COPY: (
        (RefusalReason.UNKNOWN_NODE, _unknown_node),
        (RefusalReason.UNKNOWN_LAYER, _unknown_layer),
        (RefusalReason.NODE_NOT_ACTIVATED, _not_activated),
        (RefusalReason.LAYER_ON_DISK, _on_disk),
        (RefusalReason.LAYER_COPYING, _copying),
        (
            RefusalReason.NO_DISK,
            lambda ledger, operation, _: ledger.layers[operation.layer].disk_bytes > ledger.disk_left(operation.node),
        ),
    ),
    OperationKind.PREWARM: (
        (RefusalReason.UNKNOWN_NODE, _unknown_node),
        (RefusalReason.UNKNOWN_FUNCTION, lambda ledger, operation, _: operation.function not in ledger.functions),
        (RefusalReason.NODE_NOT_ACTIVATED, _not_activated),
        *_LAYERS,
        *_COLD,
    ),
    OperationKind.WAKEUP: ((RefusalReason.WAKEUP_NOT_LATER, lambda _, date, now: not now < date < LARGEST_DATE),),
}
"""For each category, everything that speaks against an operation; the first that applies is the reason to be given."""
