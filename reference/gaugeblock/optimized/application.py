"""Applying a batch: category by category in the service's own order, each operation checked by itself (SERV-1, EXEC-2)."""

from collections.abc import Callable
from typing import Any

from gaugeblock.model import (
    LARGEST_DATE,
    ContainerId,
    Decisions,
    Dispatch,
    Eviction,
    Failure,
    NodeName,
    NodeStatus,
    Operation,
    OperationKind,
    Outcome,
    Prewarm,
    RefusalReason,
    Running,
    Termination,
    Transfer,
)
from gaugeblock.optimized.admission import Admission
from gaugeblock.optimized.bitsets import members
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.ledger import Ledger
from gaugeblock.optimized.nodes import NodeRecord, Slot
from gaugeblock.optimized.numbering import NumberedFunction

Result = RefusalReason | ContainerId | None
"""Why an operation was refused; or the id of the container that it started; or None for any other that was accepted."""


class Application:
    """Applies batches to a cluster and its ledger."""

    def __init__(self, cluster: Cluster, ledger: Ledger) -> None:
        self.cluster = cluster
        self.ledger = ledger
        self.admission = Admission(cluster, ledger)
        self._appliers: tuple[tuple[OperationKind, Callable[[Any], Result]], ...] = (
            (OperationKind.FAILURE, self.fail),
            (OperationKind.DEACTIVATION, self.deactivate),
            (OperationKind.ACTIVATION, self.activate),
            (OperationKind.TERMINATION, self.terminate),
            (OperationKind.RAM_EVICTION, self.evict_from_ram),
            (OperationKind.DISK_EVICTION, self.evict_from_disk),
            (OperationKind.DISPATCH, self.dispatch),
            (OperationKind.LOAD, self.load),
            (OperationKind.COPY, self.copy),
            (OperationKind.PREWARM, self.prewarm),
        )

    def apply(self, decisions: Decisions) -> tuple[Outcome, ...]:
        """Apply a batch and return the fate of each operation, in the order of application."""
        outcomes: list[Outcome] = []
        for kind, applier in self._appliers:
            for operation in getattr(decisions, kind.value):
                outcomes.append(_outcome(kind, operation, applier(operation)))
        if decisions.wakeup is not None and decisions.wakeup != LARGEST_DATE:
            outcomes.append(_outcome(OperationKind.WAKEUP, decisions.wakeup, self.keep_wakeup(decisions.wakeup)))
        return tuple(outcomes)

    def fail(self, operation: Failure) -> Result:
        """Fail a pending invocation for good."""
        if operation.invocation not in self.ledger.pending:
            return RefusalReason.NOT_PENDING
        self.ledger.leave(operation.invocation)
        return None

    def deactivate(self, name: NodeName) -> Result:
        """Let a node go: its idle containers end and its RAM is emptied, its disk is kept (SERV-4, AMB-6)."""
        refusal = self.admission.deactivation(name)
        if refusal is not None:
            return refusal
        node = self.cluster.named[name]
        for container in tuple(node.containers):
            self._end_container(node, container)
        for layer in members(node.in_ram):
            self._end_residency(node, layer)
        self.cluster.set_status(node, NodeStatus.DEACTIVATING)
        self.cluster.note(node)
        return None

    def activate(self, name: NodeName) -> Result:
        """Begin to activate a node."""
        refusal = self.admission.activation(name)
        if refusal is None:
            self.cluster.set_status(self.cluster.named[name], NodeStatus.ACTIVATING)
            self.cluster.note(self.cluster.named[name])
        return refusal

    def terminate(self, operation: Termination) -> Result:
        """End an idle container."""
        refusal = self.admission.termination(operation)
        if refusal is None:
            node = self.cluster.named[operation.node]
            self._end_container(node, operation.container)
            self.cluster.note(node)
        return refusal

    def evict_from_ram(self, operation: Eviction) -> Result:
        """Evict a layer from RAM."""
        refusal = self.admission.ram_eviction(operation)
        if refusal is None:
            node = self.cluster.named[operation.node]
            self._end_residency(node, self.cluster.numbering.layer_number[operation.layer])
            self.cluster.note(node)
        return refusal

    def evict_from_disk(self, operation: Eviction) -> Result:
        """Evict a layer from disk."""
        refusal = self.admission.disk_eviction(operation)
        if refusal is None:
            node = self.cluster.named[operation.node]
            layer = self.cluster.numbering.layer_number[operation.layer]
            self.cluster.drop_from_disk(node, layer)
            del node.disk_dates[layer]
            self.cluster.note(node)
        return refusal

    def dispatch(self, operation: Dispatch) -> Result:
        """Run an invocation in a ready container or in a new one; a refused one stays pending (SERV-1)."""
        refusal = self.admission.dispatch(operation)
        if refusal is not None:
            return refusal
        node, now = self.cluster.named[operation.node], self.ledger.now
        invocation = self.ledger.leave(operation.invocation)
        function = self.cluster.numbering.function_named[invocation.function.name]
        self.cluster.take_invocation(node)
        if operation.container is None:
            container = self._start_container(node, function, in_flight=1)
            self.ledger.starting[container] = invocation.id
        else:
            container = operation.container
            slot = node.containers[container]
            self.cluster.put_container(node, Slot(container, function, True, slot.in_flight + 1, now, slot.room - 1))
            self.ledger.alarms.pop(container, None)
        for layer in function.image.layers:
            node.ram_dates[layer] = node.disk_dates[layer] = now
        self.ledger.running[invocation.id] = Running(invocation, container)
        self.cluster.note(node)
        return container if operation.container is None else None

    def load(self, operation: Transfer) -> Result:
        """Begin to load a layer."""
        refusal = self.admission.load(operation)
        if refusal is None:
            node = self.cluster.named[operation.node]
            self.cluster.begin_load(node, self.cluster.numbering.layer_number[operation.layer])
            self.cluster.note(node)
        return refusal

    def copy(self, operation: Transfer) -> Result:
        """Begin to copy a layer."""
        refusal = self.admission.copy(operation)
        if refusal is None:
            node = self.cluster.named[operation.node]
            self.cluster.begin_copy(node, self.cluster.numbering.layer_number[operation.layer])
            self.cluster.note(node)
        return refusal

    def prewarm(self, operation: Prewarm) -> Result:
        """Start a container without an invocation."""
        node = self.cluster.named.get(operation.node)
        function = self.cluster.numbering.function_named.get(operation.function)
        if node is None:
            return RefusalReason.UNKNOWN_NODE
        if function is None:
            return RefusalReason.UNKNOWN_FUNCTION
        refusal = self.admission.new_container(node, function, invocations=0)
        if refusal is not None:
            return refusal
        container = self._start_container(node, function, in_flight=0)
        self.cluster.note(node)
        return container

    def keep_wakeup(self, date: float) -> Result:
        """Keep the earlier of the standing wake-up and the new one (SERV-6)."""
        refusal = self.admission.wakeup(date)
        if refusal is None:
            standing = self.ledger.wakeup
            self.ledger.wakeup = date if standing is None else min(standing, date)
        return refusal

    def _start_container(self, node: NodeRecord, function: NumberedFunction, in_flight: int) -> ContainerId:
        ledger = self.ledger
        container = ledger.next_container
        ledger.next_container = ContainerId(container + 1)
        self.cluster.take_private(node, function)
        room = function.limit - in_flight
        self.cluster.add_container(node, Slot(container, function, False, in_flight, ledger.now, room))
        ledger.hosts[container] = node
        return container

    def _end_container(self, node: NodeRecord, container: ContainerId) -> None:
        self.cluster.drop_container(node, container)
        self.ledger.forget_container(container)

    def _end_residency(self, node: NodeRecord, layer: int) -> None:
        self.cluster.drop_from_ram(node, layer)
        del node.ram_dates[layer]


def _outcome(kind: OperationKind, operation: Operation, result: Result) -> Outcome:
    if isinstance(result, RefusalReason):
        return Outcome(kind, operation, result)
    return Outcome(kind, operation, None, result)
