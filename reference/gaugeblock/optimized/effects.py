"""What each event does to the service before the round that follows it (SERV-0).

Every handler first checks all that its event must obey and only then changes anything, so a refused event has no effect.
"""

from collections.abc import Callable
from math import inf

from gaugeblock.model import (
    LARGEST_INTEGER,
    ContainerFailed,
    ContainerStarted,
    CopyCompleted,
    CopyFailed,
    Event,
    IdleTimeout,
    Invocation,
    InvocationFailed,
    InvocationFinished,
    LoadCompleted,
    LoadFailed,
    NodeActivated,
    NodeDeactivated,
    NodeStatus,
    Submit,
    WakeUp,
    refused,
)
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.ledger import Ledger
from gaugeblock.optimized.nodes import NodeRecord, Slot


class Effects:
    """Applies events to a cluster and its ledger."""

    def __init__(self, cluster: Cluster, ledger: Ledger) -> None:
        self.cluster = cluster
        self.ledger = ledger

    def apply(self, event: Event) -> None:
        """Check an event and let it take effect.

        Raises:
            ServiceError: the subclass of the rule that the event breaks; then nothing has changed.
        """
        ledger = self.ledger
        if not -inf < event.date < inf:
            raise refused.BadEventDate(event, "date", "a finite date")
        if event.date < ledger.now:
            raise refused.OutOfOrder(event, "date", f"{ledger.now} or later")
        if event.date == ledger.now and event.sequence <= ledger.sequence:
            raise refused.OutOfOrder(event, "sequence", f"more than {ledger.sequence}, at an equal date")
        effect = _HANDLERS[type(event)](self, event)
        ledger.now, ledger.sequence = event.date, event.sequence
        effect()

    def submit(self, event: Submit) -> Callable[[], None]:
        """An invocation joins the pending ones."""
        ledger = self.ledger
        function = self.cluster.numbering.function_named.get(event.function)
        if function is None:
            raise refused.UnknownFunction(event, "function", "a function of the catalogue")
        if not 0 <= event.invocation <= LARGEST_INTEGER:
            raise refused.BadInvocationId(event, "invocation", "an id from 0 to 2^63-1")
        if event.invocation in ledger.submitted:
            raise refused.RepeatedInvocation(event, "invocation", "an id that was not submitted before")
        invocation = Invocation(event.invocation, function.function, event.date)

        def effect() -> None:
            ledger.submitted.add(invocation.id)
            ledger.join(invocation)

        return effect

    def end_copy(self, event: CopyCompleted | CopyFailed) -> Callable[[], None]:
        """A copy is over, well or badly."""
        node = self._node(event)
        layer = self.cluster.numbering.layer_number.get(event.layer)
        if layer is None or not node.copying >> layer & 1:
            raise refused.NotCopying(event, "layer", f"a layer that is being copied to {node.name!r}")
        date = event.date if isinstance(event, CopyCompleted) else None
        number = layer
        return lambda: self._noting(node, lambda: self.cluster.end_copy(node, number, date))

    def end_load(self, event: LoadCompleted | LoadFailed) -> Callable[[], None]:
        """A load is over, well or badly."""
        node = self._node(event)
        layer = self.cluster.numbering.layer_number.get(event.layer)
        if layer is None or not node.loading >> layer & 1:
            raise refused.NotLoading(event, "layer", f"a layer that is being loaded on {node.name!r}")
        date = event.date if isinstance(event, LoadCompleted) else None
        number = layer
        return lambda: self._noting(node, lambda: self.cluster.end_load(node, number, date))

    def start_container(self, event: ContainerStarted) -> Callable[[], None]:
        """A container is ready; without an invocation it is idle."""
        node, slot = self._starting(event)
        room = slot.function.limit - slot.in_flight

        def effect() -> None:
            self.ledger.starting.pop(slot.id, None)
            self._put(node, Slot(slot.id, slot.function, True, slot.in_flight, event.date, room))

        return effect

    def fail_container(self, event: ContainerFailed) -> Callable[[], None]:
        """A container is gone before it was ready, and its invocation is pending again."""
        node, slot = self._starting(event)
        ledger = self.ledger

        def effect() -> None:
            held = ledger.starting.get(slot.id)
            self.cluster.drop_container(node, slot.id)
            ledger.forget_container(slot.id)
            if held is not None:
                self.cluster.give_invocation(node)
                ledger.join(ledger.running.pop(held).invocation)
            self.cluster.note(node)

        return effect

    def end_invocation(self, event: InvocationFinished | InvocationFailed) -> Callable[[], None]:
        """An invocation is over: one unit is freed and the container kept."""
        ledger = self.ledger
        running = ledger.running.get(event.invocation)
        if running is None:
            raise refused.NotRunning(event, "invocation", "an invocation that a container holds")
        node = ledger.hosts[running.container]
        slot = node.containers[running.container]
        if not slot.ready:
            raise refused.StillStarting(event, "invocation", "an invocation in a container that is ready")

        def effect() -> None:
            del ledger.running[event.invocation]
            self.cluster.give_invocation(node)
            self._put(node, Slot(slot.id, slot.function, True, slot.in_flight - 1, event.date, slot.room + 1))

        return effect

    def end_activation(self, event: NodeActivated) -> Callable[[], None]:
        """An activating node takes work."""
        node = self._node(event)
        if node.status is not NodeStatus.ACTIVATING:
            raise refused.NotActivating(event, "node", f"an activating node, not one that is {node.status.value}")
        return lambda: self._noting(node, lambda: self.cluster.set_status(node, NodeStatus.ACTIVATED))

    def end_deactivation(self, event: NodeDeactivated) -> Callable[[], None]:
        """A deactivating node is off."""
        node = self._node(event)
        if node.status is not NodeStatus.DEACTIVATING:
            raise refused.NotDeactivating(event, "node", f"a deactivating node, not one that is {node.status.value}")
        return lambda: self._noting(node, lambda: self.cluster.set_status(node, NodeStatus.DEACTIVATED))

    def ring(self, event: IdleTimeout) -> Callable[[], None]:
        """An idle alarm rings: it ends its container unless it is stale."""
        ledger = self.ledger
        if not 0 <= event.container < ledger.next_container:
            raise refused.UnknownContainer(event, "container", "a container that exists or did exist")
        if not 0 <= event.generation < ledger.next_generation:
            raise refused.UnknownGeneration(event, "generation", "the generation of an idle spell")
        alarm = ledger.alarms.get(event.container)
        if alarm is None or alarm.generation != event.generation:
            return lambda: None
        if alarm.date is None or event.date < alarm.date:
            raise refused.EarlyIdleTimeout(event, "date", f"{alarm.date} or later")
        node = ledger.hosts[event.container]

        def effect() -> None:
            self.cluster.drop_container(node, event.container)
            ledger.forget_container(event.container)
            self.cluster.note(node)

        return effect

    def wake(self, event: WakeUp) -> Callable[[], None]:
        """A wake-up that is due is consumed; a stale one does nothing."""
        ledger = self.ledger

        def effect() -> None:
            if ledger.wakeup is not None and ledger.wakeup <= event.date:
                ledger.wakeup = None

        return effect

    def _node(
        self, event: CopyCompleted | CopyFailed | LoadCompleted | LoadFailed | NodeActivated | NodeDeactivated
    ) -> NodeRecord:
        node = self.cluster.named.get(event.node)
        if node is None:
            raise refused.UnknownNode(event, "node", "the name of a node")
        return node

    def _starting(self, event: ContainerStarted | ContainerFailed) -> tuple[NodeRecord, Slot]:
        node = self.ledger.hosts.get(event.container)
        if node is None:
            raise refused.UnknownContainer(event, "container", "a container that exists")
        slot = node.containers[event.container]
        if slot.ready:
            raise refused.NotStarting(event, "container", "a container that is starting")
        return node, slot

    def _noting(self, node: NodeRecord, change: Callable[[], None]) -> None:
        change()
        self.cluster.note(node)

    def _put(self, node: NodeRecord, slot: Slot) -> None:
        """Put a ready container in the place of its former self; it may be idle now."""
        self.cluster.put_container(node, slot)
        self.cluster.note(node)
        if slot.in_flight == 0:
            self.ledger.set_alarm(slot)


_HANDLERS: dict[type, Callable[..., Callable[[], None]]] = {
    Submit: Effects.submit,
    CopyCompleted: Effects.end_copy,
    CopyFailed: Effects.end_copy,
    LoadCompleted: Effects.end_load,
    LoadFailed: Effects.end_load,
    ContainerStarted: Effects.start_container,
    ContainerFailed: Effects.fail_container,
    InvocationFinished: Effects.end_invocation,
    InvocationFailed: Effects.end_invocation,
    NodeActivated: Effects.end_activation,
    NodeDeactivated: Effects.end_deactivation,
    IdleTimeout: Effects.ring,
    WakeUp: Effects.wake,
}
