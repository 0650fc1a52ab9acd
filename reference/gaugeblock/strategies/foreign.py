"""Batches such as a foreign scheduler may propose: sensible operations, useless ones, and ones about what does not exist."""

from collections.abc import Callable
from typing import TypeVar

from gaugeblock.model import (
    Container,
    ContainerId,
    Decisions,
    Dispatch,
    Eviction,
    Failure,
    FunctionName,
    InvocationId,
    LayerName,
    NodeName,
    NodeStatus,
    ObservedState,
    Prewarm,
    RoundTrace,
    Termination,
    Transfer,
)
from gaugeblock.strategies.choices import Choices, chance, pick
from gaugeblock.strategies.strays import NOBODY

Operation = TypeVar("Operation")
Name = TypeVar("Name")


class ForeignScheduler:
    """A scheduler that answers with generated batches; it tells no story. ``answered`` is its last batch."""

    def __init__(self, propose: Callable[[ObservedState], Decisions]) -> None:
        """Ask ``propose`` for the batches."""
        self._propose = propose
        self.answered: Decisions | None = None

    def schedule(self, observed: ObservedState) -> tuple[Decisions, RoundTrace | None]:
        """Return a batch of proposals for what is observed."""
        self.answered = self._propose(observed)
        return self.answered, None


def build_batch(choices: Choices, observed: ObservedState) -> Decisions:
    """Build a batch: a few operations of each category, most about things that exist."""
    source = _Proposals(choices, observed)
    return Decisions(
        failures=_some(choices, 10, lambda: Failure(source.invocation(), "a foreign whim")),
        deactivations=_some(choices, 25, source.node),
        activations=_some(choices, 35, source.node_to_activate),
        terminations=_some(choices, 25, source.termination),
        ram_evictions=_some(choices, 35, lambda: Eviction(*source.place(in_ram=True))),
        disk_evictions=_some(choices, 35, lambda: Eviction(*source.place(in_ram=False))),
        dispatches=_some(choices, 80, source.dispatch),
        loads=_some(choices, 60, lambda: Transfer(*source.place(in_ram=False))),
        copies=_some(choices, 60, lambda: Transfer(source.node(), source.layer())),
        prewarms=_some(choices, 40, lambda: Prewarm(source.node(), source.function())),
        wakeup=observed.now + choices.integer(-1, 6) if chance(choices, 40) else None,
    )


def _some(choices: Choices, percent: int, build: Callable[[], Operation]) -> tuple[Operation, ...]:
    if not chance(choices, percent):
        return ()
    return choices.many(1, 3, lambda _, __: build())


class _Proposals:
    """Names and operations of one round, chosen as they are asked for."""

    def __init__(self, choices: Choices, observed: ObservedState) -> None:
        self._choices = choices
        self._observed = observed

    def node(self) -> NodeName:
        return self._or_nobody(tuple(node.name for node in self._observed.nodes), NodeName(NOBODY))

    def node_to_activate(self) -> NodeName:
        """Return a node that is off if there is one, mostly."""
        off = tuple(node.name for node in self._observed.nodes if node.status is NodeStatus.DEACTIVATED)
        return pick(self._choices, off) if off and not chance(self._choices, 25) else self.node()

    def place(self, *, in_ram: bool) -> tuple[NodeName, LayerName]:
        """Return a node with a layer that is there, in RAM or on disk; now and then any node and layer."""
        held = tuple(
            (node.name, resident.layer.name)
            for node in self._observed.nodes
            for resident in (node.ram_layers if in_ram else node.disk_layers)
        )
        return pick(self._choices, held) if held and not chance(self._choices, 25) else (self.node(), self.layer())

    def layer(self) -> LayerName:
        return self._or_nobody(tuple(layer.name for layer in self._observed.catalog.layers), LayerName(NOBODY))

    def function(self) -> FunctionName:
        return self._or_nobody(tuple(each.name for each in self._observed.catalog.functions), FunctionName(NOBODY))

    def invocation(self) -> InvocationId:
        """Return a pending invocation, or now and then one that is not."""
        pending = tuple(invocation.id for invocation in self._observed.pending)
        return self._or_nobody(pending, InvocationId(self._choices.integer(0, 6)))

    def termination(self) -> Termination:
        held = self._containers()
        if held and not chance(self._choices, 10):
            node, container = pick(self._choices, held)
            return Termination(node, container.id)
        return Termination(self.node(), ContainerId(self._choices.integer(0, 9)))

    def dispatch(self) -> Dispatch:
        """Return a dispatch to a container, of whatever function, or a cold one."""
        held = self._containers()
        if held and chance(self._choices, 45):
            node, container = pick(self._choices, held)
            return Dispatch(self.invocation(), node, container.id)
        cold = not chance(self._choices, 10)
        return Dispatch(self.invocation(), self.node(), None if cold else ContainerId(self._choices.integer(0, 9)))

    def _containers(self) -> tuple[tuple[NodeName, Container], ...]:
        return tuple((node.name, container) for node in self._observed.nodes for container in node.containers)

    def _or_nobody(self, known: tuple[Name, ...], unknown: Name) -> Name:
        return unknown if not known or chance(self._choices, 5) else pick(self._choices, known)
