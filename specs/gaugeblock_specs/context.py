"""The indexes of one evaluation, built once, and only when a check asks for them. No clause stands here."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, cast

from gaugeblock.model import (
    Container,
    ContainerId,
    Decisions,
    Function,
    FunctionName,
    Invocation,
    InvocationId,
    Layer,
    LayerName,
    Node,
    NodeName,
    NodeStatus,
    ObservedState,
    PolicyNames,
    RoundTrace,
)
from gaugeblock_specs.derive import in_ram, names, on_disk
from gaugeblock_specs.evidence import Evidence

Derived = TypeVar("Derived")


@dataclass
class Batch:
    """What the decisions ask of one node; entries that name something that does not exist are left out."""

    node: Node
    terminations: list[Container] = field(default_factory=list)
    ram_evictions: list[Layer] = field(default_factory=list)
    disk_evictions: list[Layer] = field(default_factory=list)
    cold: list[Invocation] = field(default_factory=list)
    reuses: list[tuple[Invocation, Container]] = field(default_factory=list)
    loads: list[Layer] = field(default_factory=list)
    copies: list[Layer] = field(default_factory=list)
    prewarms: list[Function] = field(default_factory=list)

    @cached_property
    def ended(self) -> frozenset[ContainerId]:
        """The containers that the batch ends."""
        return frozenset(container.id for container in self.terminations)

    @cached_property
    def kept(self) -> tuple[Container, ...]:
        """The observed containers that the batch does not end."""
        return tuple(container for container in self.node.containers if container.id not in self.ended)

    @cached_property
    def leaves_ram(self) -> frozenset[LayerName]:
        """The layers that the batch evicts from RAM."""
        return names(self.ram_evictions)

    @cached_property
    def leaves_disk(self) -> frozenset[LayerName]:
        """The layers that the batch evicts from disk."""
        return names(self.disk_evictions)

    @cached_property
    def there(self) -> frozenset[LayerName]:
        """The layers that are resident on disk and in RAM, and stay so."""
        return (in_ram(self.node) - self.leaves_ram) & (on_disk(self.node) - self.leaves_disk)

    @cached_property
    def dispatched(self) -> tuple[Invocation, ...]:
        """The invocations that the batch sends to this node."""
        return tuple(self.cold) + tuple(invocation for invocation, _ in self.reuses)

    @cached_property
    def wanted_ram(self) -> int:
        """The bytes of RAM that cold dispatches and loads take."""
        return sum(call.function.ram_bytes for call in self.cold) + sum(layer.ram_bytes for layer in self.loads)

    @cached_property
    def wanted_disk(self) -> int:
        """The bytes of disk that cold dispatches and copies take."""
        return sum(call.function.disk_bytes for call in self.cold) + sum(layer.disk_bytes for layer in self.copies)

    @cached_property
    def freed_ram(self) -> int:
        """The bytes of RAM that ended containers and evicted layers give back, each counted once."""
        layers = {layer.name: layer.ram_bytes for layer in self.ram_evictions}
        return self._private("ram_bytes") + sum(layers.values())

    @cached_property
    def freed_disk(self) -> int:
        """The bytes of disk that ended containers and evicted layers give back, each counted once."""
        layers = {layer.name: layer.disk_bytes for layer in self.disk_evictions}
        return self._private("disk_bytes") + sum(layers.values())

    def _private(self, resource: str) -> int:
        containers: dict[ContainerId, int] = {each.id: getattr(each.function, resource) for each in self.terminations}
        return sum(containers.values())

    @property
    def frees(self) -> bool:
        """Whether the batch takes anything away from this node."""
        return bool(self.terminations or self.ram_evictions or self.disk_evictions)

    @property
    def is_empty(self) -> bool:
        """Whether the batch asks nothing of this node."""
        return not (self.frees or self.cold or self.reuses or self.loads or self.copies or self.prewarms)


class Context:
    """Evidence with its indexes, local to one evaluation."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self._derived: dict[object, object] = {}

    def once(self, derive: "Callable[[Context], Derived]") -> "Derived":
        """Return what ``derive`` gives for this evidence, working it out the first time only."""
        if derive not in self._derived:
            self._derived[derive] = derive(self)
        return cast("Derived", self._derived[derive])

    @property
    def observed(self) -> ObservedState:
        """The state that the round was planned from."""
        return self.evidence.observed

    @property
    def decisions(self) -> Decisions:
        """The answer."""
        return self.evidence.decisions

    @property
    def trace(self) -> RoundTrace:
        """The trace; asked for only by checks that need one."""
        assert self.evidence.trace is not None
        return self.evidence.trace

    @property
    def policies(self) -> PolicyNames:
        """The policies' names; asked for only by checks that need them."""
        assert self.evidence.policies is not None
        return self.evidence.policies

    @cached_property
    def trace_is_readable(self) -> bool:
        """Whether the trace is about this state and names only things that exist."""
        from gaugeblock_specs.readable import strangers_in

        return next(strangers_in(self), None) is None

    @cached_property
    def nodes(self) -> dict[NodeName, Node]:
        """The observed nodes by name."""
        return {node.name: node for node in self.observed.nodes}

    @cached_property
    def position_of(self) -> dict[NodeName, int]:
        """The place of each node in traversal order."""
        return {node.name: position for position, node in enumerate(self.observed.nodes)}

    @cached_property
    def layers(self) -> dict[LayerName, Layer]:
        """The layers of the catalogue by name."""
        return {layer.name: layer for layer in self.observed.catalog.layers}

    @cached_property
    def functions(self) -> dict[FunctionName, Function]:
        """The functions of the catalogue by name."""
        return {function.name: function for function in self.observed.catalog.functions}

    @cached_property
    def pending(self) -> dict[InvocationId, Invocation]:
        """The pending invocations by id."""
        return {invocation.id: invocation for invocation in self.observed.pending}

    @cached_property
    def containers(self) -> dict[tuple[NodeName, ContainerId], Container]:
        """The observed containers by node and id."""
        return {(node.name, container.id): container for node in self.observed.nodes for container in node.containers}

    @cached_property
    def times_failed(self) -> Counter[InvocationId]:
        """How often the decisions fail each invocation."""
        return Counter(failure.invocation for failure in self.decisions.failures)

    @cached_property
    def times_dispatched(self) -> Counter[InvocationId]:
        """How often the decisions dispatch each invocation."""
        return Counter(dispatch.invocation for dispatch in self.decisions.dispatches)

    @cached_property
    def failed(self) -> frozenset[InvocationId]:
        """The invocations that the decisions fail."""
        return frozenset(failure.invocation for failure in self.decisions.failures)

    @cached_property
    def dispatched(self) -> frozenset[InvocationId]:
        """The invocations that the decisions dispatch."""
        return frozenset(dispatch.invocation for dispatch in self.decisions.dispatches)

    @cached_property
    def survivors(self) -> tuple[Invocation, ...]:
        """The pending invocations that the decisions do not fail, in the order of the pending collection."""
        return tuple(invocation for invocation in self.observed.pending if invocation.id not in self.failed)

    @cached_property
    def left_over(self) -> tuple[Invocation, ...]:
        """The survivors that are not dispatched either."""
        return tuple(invocation for invocation in self.survivors if invocation.id not in self.dispatched)

    @cached_property
    def left_over_functions(self) -> tuple[Function, ...]:
        """The functions of the left-over invocations, each once."""
        return tuple({invocation.function.name: invocation.function for invocation in self.left_over}.values())

    @cached_property
    def deactivated(self) -> frozenset[NodeName]:
        """The nodes that the decisions deactivate."""
        return frozenset(self.decisions.deactivations)

    @cached_property
    def batches(self) -> tuple[Batch, ...]:
        """What the decisions ask of each node that they ask something of, in traversal order."""
        return tuple(batch for batch in self.batch_of.values() if not batch.is_empty)

    def is_usable(self, node: Node) -> bool:
        """Whether a round may plan on the node: it is activated and not selected for deactivation."""
        return node.status is NodeStatus.ACTIVATED and node.name not in self.deactivated

    @cached_property
    def batch_of(self) -> dict[NodeName, Batch]:
        """What the decisions ask of each node, by name in traversal order."""
        batches = {node.name: Batch(node) for node in self.observed.nodes}
        self._add_reclamation(batches)
        self._add_dispatches(batches)
        for load in self.decisions.loads:
            if load.node in batches and load.layer in self.layers:
                batches[load.node].loads.append(self.layers[load.layer])
        for copy in self.decisions.copies:
            if copy.node in batches and copy.layer in self.layers:
                batches[copy.node].copies.append(self.layers[copy.layer])
        for prewarm in self.decisions.prewarms:
            if prewarm.node in batches and prewarm.function in self.functions:
                batches[prewarm.node].prewarms.append(self.functions[prewarm.function])
        return batches

    def _add_reclamation(self, batches: dict[NodeName, Batch]) -> None:
        for termination in self.decisions.terminations:
            container = self.containers.get((termination.node, termination.container))
            if container is not None:
                batches[termination.node].terminations.append(container)
        for eviction in self.decisions.ram_evictions:
            if eviction.node in batches and eviction.layer in self.layers:
                batches[eviction.node].ram_evictions.append(self.layers[eviction.layer])
        for eviction in self.decisions.disk_evictions:
            if eviction.node in batches and eviction.layer in self.layers:
                batches[eviction.node].disk_evictions.append(self.layers[eviction.layer])

    def _add_dispatches(self, batches: dict[NodeName, Batch]) -> None:
        for dispatch in self.decisions.dispatches:
            batch, invocation = batches.get(dispatch.node), self.pending.get(dispatch.invocation)
            if batch is None or invocation is None:
                continue
            if dispatch.container is None:
                batch.cold.append(invocation)
            elif (dispatch.node, dispatch.container) in self.containers:
                batch.reuses.append((invocation, self.containers[dispatch.node, dispatch.container]))
