"""Policies for theorems: an eviction policy that gives every answer its contract allows, and one that breaks it."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, NamedTuple, TypeVar, cast

from gaugeblock.model import (
    Container,
    ContainerId,
    Deficits,
    LayerName,
    PolicyKind,
    ReclamationStepKind,
    ResidentLayer,
    WorkingNode,
    WorkingState,
)
from gaugeblock_proofs.engine import Path

Identifier = TypeVar("Identifier", ContainerId, LayerName)


class Call(NamedTuple):
    """What an eviction policy was given, and its answer."""

    kind: ReclamationStepKind
    candidates: tuple[ContainerId, ...] | tuple[LayerName, ...]
    deficits: Deficits
    answer: tuple[ContainerId, ...] | tuple[LayerName, ...]


class AnyEviction:
    """Answers each call with any of the candidates in their order; ``in_any_order`` in every order. It keeps the calls."""

    kind: ClassVar[PolicyKind] = PolicyKind.EVICTION
    name: ClassVar[str] = "any contract-abiding"

    def __init__(self, path: Path, in_any_order: bool = False) -> None:
        self.calls: list[Call] = []
        self._choose = path.choose_arrangement if in_any_order else path.choose_subset

    def wakeup(self, state: WorkingState) -> float | None:
        """Report no date."""
        return None

    def containers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[Container, ...], deficits: Deficits
    ) -> tuple[ContainerId, ...]:
        """Return any of the containers."""
        names = tuple(each.id for each in candidates)
        answer = self._choose(names)
        self.calls.append(Call(ReclamationStepKind.CONTAINERS, names, deficits, answer))
        return answer

    def ram_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        """Return any of the layers."""
        return self._layers(ReclamationStepKind.RAM_LAYERS, candidates, deficits)

    def disk_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        """Return any of the layers."""
        return self._layers(ReclamationStepKind.DISK_LAYERS, candidates, deficits)

    def _layers(
        self, kind: ReclamationStepKind, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        names = tuple(each.layer.name for each in candidates)
        answer = self._choose(names)
        self.calls.append(Call(kind, names, deficits, answer))
        return answer


class Breach(Enum):
    """The ways in which an eviction policy can break its contract (RECL-8)."""

    STRANGER = "a victim that is no candidate"
    TWICE = "one victim twice"
    NO_TUPLE = "a list, which could change later"
    LOOKALIKE = "a float that equals an id"


class BreakingEviction(AnyEviction):
    """Answers one kind of call against its contract, and the others with every candidate."""

    name: ClassVar[str] = "breaking its contract"

    def __init__(self, path: Path, breaks: ReclamationStepKind, breach: Breach) -> None:
        super().__init__(path)
        self.broke = False
        self._breaks = breaks
        self._breach = breach

    def containers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[Container, ...], deficits: Deficits
    ) -> tuple[ContainerId, ...]:
        """Return all containers, or what no contract allows."""
        names = tuple(each.id for each in candidates)
        return self._answer(ReclamationStepKind.CONTAINERS, names, ContainerId(99))

    def _layers(
        self, kind: ReclamationStepKind, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        return self._answer(kind, tuple(each.layer.name for each in candidates), LayerName("stranger"))

    def _answer(self, kind: ReclamationStepKind, names: tuple[Identifier, ...], stranger: Identifier) -> tuple[Identifier, ...]:
        if kind is not self._breaks:
            return names
        self.broke = True
        if self._breach is Breach.STRANGER:
            return (stranger,)
        if self._breach is Breach.LOOKALIKE:
            return cast("tuple[Identifier, ...]", (0.0,))
        return (names[0], names[0]) if self._breach is Breach.TWICE else cast("tuple[Identifier, ...]", list(names))
