"""Whether an operation may be applied to the service as it is now (SERV-2). The first reason that holds is given."""

from gaugeblock.model import LARGEST_DATE, Dispatch, Eviction, NodeName, NodeStatus, RefusalReason, Termination, Transfer
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.ledger import Ledger
from gaugeblock.optimized.nodes import NodeRecord
from gaugeblock.optimized.numbering import NumberedFunction

Refusal = RefusalReason | None


class Admission:
    """The checks; each returns the reason to refuse, or None."""

    def __init__(self, cluster: Cluster, ledger: Ledger) -> None:
        self.cluster = cluster
        self.ledger = ledger

    def deactivation(self, name: NodeName) -> Refusal:
        """Check that the node is activated and holds no invocation, starting container or transfer (SERV-4)."""
        node = self.cluster.named.get(name)
        if node is None:
            return RefusalReason.UNKNOWN_NODE
        if node.status is not NodeStatus.ACTIVATED:
            return RefusalReason.NODE_NOT_ACTIVATED
        if any(slot.in_flight > 0 for slot in node.containers.values()):
            return RefusalReason.NODE_HOLDS_INVOCATION
        if any(not slot.ready for slot in node.containers.values()):
            return RefusalReason.NODE_STARTS_CONTAINER
        return RefusalReason.NODE_HAS_TRANSFER if node.copying or node.loading else None

    def activation(self, name: NodeName) -> Refusal:
        """Check that the node is deactivated."""
        node = self.cluster.named.get(name)
        if node is None:
            return RefusalReason.UNKNOWN_NODE
        return None if node.status is NodeStatus.DEACTIVATED else RefusalReason.NODE_NOT_DEACTIVATED

    def termination(self, operation: Termination) -> Refusal:
        """Check that the container is idle."""
        node = self.cluster.named.get(operation.node)
        if node is None:
            return RefusalReason.UNKNOWN_NODE
        slot = node.containers.get(operation.container)
        if slot is None:
            return RefusalReason.UNKNOWN_CONTAINER
        return None if slot.is_idle else RefusalReason.CONTAINER_NOT_IDLE

    def ram_eviction(self, operation: Eviction) -> Refusal:
        """Check that the layer is resident in RAM and unused."""
        node, layer = self._place(operation)
        if isinstance(node, RefusalReason):
            return node
        if not node.in_ram >> layer & 1:
            return RefusalReason.LAYER_NOT_IN_RAM
        return RefusalReason.LAYER_IN_USE if self._in_use(node, layer) else None

    def disk_eviction(self, operation: Eviction) -> Refusal:
        """Check that the layer is resident on disk, neither in RAM nor being loaded, and unused."""
        node, layer = self._place(operation)
        if isinstance(node, RefusalReason):
            return node
        if not node.on_disk >> layer & 1:
            return RefusalReason.LAYER_NOT_ON_DISK
        if node.in_ram >> layer & 1:
            return RefusalReason.LAYER_IN_RAM
        return RefusalReason.LAYER_LOADING if node.loading >> layer & 1 else None

    def load(self, operation: Transfer) -> Refusal:
        """Check that the layer is on disk, not in RAM or on its way there, and that it fits."""
        node, layer = self._place(operation)
        if isinstance(node, RefusalReason):
            return node
        if not node.on_disk >> layer & 1:
            return RefusalReason.LAYER_NOT_ON_DISK
        if node.in_ram >> layer & 1:
            return RefusalReason.LAYER_IN_RAM
        if node.loading >> layer & 1:
            return RefusalReason.LAYER_LOADING
        return RefusalReason.NO_RAM if node.ram_free < self.cluster.numbering.ram_bytes[layer] else None

    def copy(self, operation: Transfer) -> Refusal:
        """Check that the layer is not on disk or on its way there, and that it fits."""
        node, layer = self._place(operation)
        if isinstance(node, RefusalReason):
            return node
        if node.on_disk >> layer & 1:
            return RefusalReason.LAYER_ON_DISK
        if node.copying >> layer & 1:
            return RefusalReason.LAYER_COPYING
        return RefusalReason.NO_DISK if node.disk_free < self.cluster.numbering.disk_bytes[layer] else None

    def dispatch(self, operation: Dispatch) -> Refusal:
        """Check that the invocation is pending and can run where the operation says."""
        node = self.cluster.named.get(operation.node)
        if node is None:
            return RefusalReason.UNKNOWN_NODE
        slot = None if operation.container is None else node.containers.get(operation.container)
        if operation.container is not None and slot is None:
            return RefusalReason.UNKNOWN_CONTAINER
        waiting = self.ledger.pending.get(operation.invocation)
        if waiting is None:
            return RefusalReason.NOT_PENDING
        if node.status is not NodeStatus.ACTIVATED:
            return RefusalReason.NODE_NOT_ACTIVATED
        function = self.cluster.numbering.function_named[waiting.invocation.function.name]
        if slot is None:
            return self.new_container(node, function, invocations=1)
        if not slot.ready:
            return RefusalReason.CONTAINER_NOT_READY
        if slot.function is not function:
            return RefusalReason.CONTAINER_NOT_COMPATIBLE
        if not slot.room > 0:
            return RefusalReason.CONTAINER_FULL
        return None if node.invocations_free > 0 else RefusalReason.NO_INVOCATION_CAPACITY

    def new_container(self, node: NodeRecord, function: NumberedFunction, invocations: int) -> Refusal:
        """Check that a new container with so many invocations can be started on a node."""
        if node.status is not NodeStatus.ACTIVATED:
            return RefusalReason.NODE_NOT_ACTIVATED
        if function.image.mask & ~node.on_disk:
            return RefusalReason.LAYER_NOT_ON_DISK
        if function.image.mask & ~node.in_ram:
            return RefusalReason.LAYER_NOT_IN_RAM
        if node.invocations_free < invocations:
            return RefusalReason.NO_INVOCATION_CAPACITY
        if not node.positions_free > 0:
            return RefusalReason.NO_POSITION
        if node.ram_free < function.ram_bytes:
            return RefusalReason.NO_RAM
        return RefusalReason.NO_DISK if node.disk_free < function.disk_bytes else None

    def wakeup(self, date: float) -> Refusal:
        """Check that the date is finite and later than now."""
        return None if self.ledger.now < date <= LARGEST_DATE else RefusalReason.WAKEUP_NOT_LATER

    def _place(self, operation: Eviction | Transfer) -> tuple[NodeRecord | RefusalReason, int]:
        node = self.cluster.named.get(operation.node)
        layer = self.cluster.numbering.layer_number.get(operation.layer)
        if node is None:
            return RefusalReason.UNKNOWN_NODE, -1
        if layer is None:
            return RefusalReason.UNKNOWN_LAYER, -1
        return (node, layer) if node.status is NodeStatus.ACTIVATED else (RefusalReason.NODE_NOT_ACTIVATED, -1)

    def _in_use(self, node: NodeRecord, layer: int) -> bool:
        return any(slot.function.image.mask >> layer & 1 for slot in node.containers.values())
