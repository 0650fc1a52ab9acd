"""Counting what happens: use of RAM, disk, containers and invocations at each moment and at its peak, and every outcome.

The meter follows accepted events and operations only. It never looks into the service, so that a costly state need not be
built; a test holds it against the state after every step.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from gaugeblock.model import (
    ContainerId,
    ContainerStarted,
    Dispatch,
    Event,
    Eviction,
    Failure,
    Function,
    FunctionName,
    IdleTimeout,
    InvocationFinished,
    InvocationId,
    Layer,
    LayerName,
    NodeActivated,
    NodeName,
    NodeStatus,
    Opening,
    OperationKind,
    Outcome,
    Prewarm,
    RefusalReason,
    Submit,
    Termination,
    Transfer,
)
from gaugeblock.simulation.use import Use


class Meter:
    """What is in use now, and what has happened so far.

    ``waits`` are the seconds from submission to the beginning of the run, one for each invocation that began to run.
    """

    def __init__(self, opening: Opening) -> None:
        self.layers: Mapping[LayerName, Layer] = {layer.name: layer for layer in opening.catalog.layers}
        self.functions: Mapping[FunctionName, Function] = {each.name: each for each in opening.catalog.functions}
        self.now = Use()
        self.peak = Use()
        self.counts: Counter[str] = Counter()
        self.refusals: Counter[tuple[OperationKind, RefusalReason]] = Counter()
        self.waits = array("d")
        self._submitted: dict[InvocationId, Submit] = {}
        self._starting: dict[ContainerId, InvocationId] = {}
        self._containers: dict[ContainerId, tuple[NodeName, Function]] = {}
        self._on_node: defaultdict[NodeName, set[ContainerId]] = defaultdict(set)
        self._layer_ram: defaultdict[NodeName, int] = defaultdict(int)
        for node in opening.nodes:
            self.now.active_nodes += node.status is NodeStatus.ACTIVATED
            self.now.disk_bytes += sum(resident.layer.disk_bytes for resident in node.disk_layers)
            self._add_ram(node.name, sum(resident.layer.ram_bytes for resident in node.ram_layers))
        self._effects: dict[type[Event], Callable[[Any], None]] = {
            Submit: self._submit,
            ContainerStarted: self._start,
            InvocationFinished: self._finish,
            IdleTimeout: self._time_out,
            NodeActivated: self._node_is_up,
        }
        self._applications: dict[OperationKind, Callable[[Event, Outcome, Any], None]] = {
            OperationKind.FAILURE: self._fail,
            OperationKind.DEACTIVATION: self._deactivate,
            OperationKind.TERMINATION: self._terminate,
            OperationKind.RAM_EVICTION: self._evict_from_ram,
            OperationKind.DISK_EVICTION: self._evict_from_disk,
            OperationKind.DISPATCH: self._dispatch,
            OperationKind.LOAD: self._load,
            OperationKind.COPY: self._copy,
            OperationKind.PREWARM: self._prewarm,
        }

    def take(self, event: Event) -> None:
        """Count an event that the service accepted."""
        effect = self._effects.get(type(event))
        if effect is not None:
            effect(event)

    def apply(self, event: Event, outcome: Outcome) -> None:
        """Count the outcome of an operation of the round that followed ``event``."""
        if outcome.refusal is not None:
            self.refusals[outcome.kind, outcome.refusal] += 1
            return
        self.counts[outcome.kind.value] += 1
        application = self._applications.get(outcome.kind)
        if application is not None:
            application(event, outcome, outcome.operation)

    def settle(self) -> None:
        """Note the peaks; called when a whole event with its round has been counted."""
        self.peak.rise_to(self.now)

    # Events.

    def _submit(self, event: Submit) -> None:
        self.counts["submitted"] += 1
        self.now.pending += 1
        self._submitted[event.invocation] = event

    def _start(self, event: ContainerStarted) -> None:
        invocation = self._starting.pop(event.container, None)
        if invocation is not None:
            self._begin(invocation, event.date)

    def _begin(self, invocation: InvocationId, date: float) -> None:
        self.waits.append(date - self._submitted.pop(invocation).date)

    def _finish(self, event: InvocationFinished) -> None:
        self.counts["finished"] += 1
        self.now.running -= 1

    def _time_out(self, event: IdleTimeout) -> None:
        if event.container in self._containers:  # not where it went down with its node
            self.counts["idle_timeouts"] += 1
            self._remove(event.container)

    def _node_is_up(self, event: NodeActivated) -> None:
        self.now.active_nodes += 1

    # Operations.

    def _fail(self, event: Event, outcome: Outcome, failure: Failure) -> None:
        self.now.pending -= 1
        del self._submitted[failure.invocation]

    def _deactivate(self, event: Event, outcome: Outcome, node: NodeName) -> None:
        self.now.active_nodes -= 1
        for container in sorted(self._on_node[node]):
            self._remove(container)
        self._add_ram(node, -self._layer_ram[node])

    def _terminate(self, event: Event, outcome: Outcome, termination: Termination) -> None:
        self._remove(termination.container)

    def _evict_from_ram(self, event: Event, outcome: Outcome, eviction: Eviction) -> None:
        self._add_ram(eviction.node, -self.layers[eviction.layer].ram_bytes)

    def _evict_from_disk(self, event: Event, outcome: Outcome, eviction: Eviction) -> None:
        self.now.disk_bytes -= self.layers[eviction.layer].disk_bytes

    def _dispatch(self, event: Event, outcome: Outcome, dispatch: Dispatch) -> None:
        submitted = self._submitted[dispatch.invocation]
        self.now.pending -= 1
        self.now.running += 1
        self.counts["waited"] += submitted.sequence != event.sequence
        if outcome.container is None:
            self.counts["warm"] += 1
            self._begin(dispatch.invocation, event.date)
        else:
            self.counts["cold"] += 1
            self._starting[outcome.container] = dispatch.invocation
            self._add(outcome.container, dispatch.node, self.functions[submitted.function])

    def _load(self, event: Event, outcome: Outcome, load: Transfer) -> None:
        size = self.layers[load.layer].ram_bytes
        self.counts["loaded_bytes"] += size
        self._add_ram(load.node, size)

    def _copy(self, event: Event, outcome: Outcome, copy: Transfer) -> None:
        size = self.layers[copy.layer].disk_bytes
        self.counts["copied_bytes"] += size
        self.now.disk_bytes += size

    def _prewarm(self, event: Event, outcome: Outcome, prewarm: Prewarm) -> None:
        if outcome.container is not None:
            self._add(outcome.container, prewarm.node, self.functions[prewarm.function])

    # Containers and bytes.

    def _add(self, container: ContainerId, node: NodeName, function: Function) -> None:
        self._containers[container] = node, function
        self._on_node[node].add(container)
        self.now.containers += 1
        self.now.ram_bytes += function.ram_bytes
        self.now.disk_bytes += function.disk_bytes

    def _remove(self, container: ContainerId) -> None:
        node, function = self._containers.pop(container)
        self._on_node[node].discard(container)
        self.now.containers -= 1
        self.now.ram_bytes -= function.ram_bytes
        self.now.disk_bytes -= function.disk_bytes

    def _add_ram(self, node: NodeName, size: int) -> None:
        self._layer_ram[node] += size
        self.now.ram_bytes += size
