"""Standing between a scheduler and its policies: every call is put into the words of a transcript.

What a call's ``input`` and ``output`` look like on the wire is said in ``docs/formats.md``; this module is where it is done.
"""

from abc import ABC, abstractmethod
from typing import Any, Final, TypeAlias

import msgspec

from gaugeblock.model import (
    Container,
    ContainerId,
    Deficits,
    Failure,
    Invocation,
    LayerName,
    NodeName,
    Plan,
    PolicyKind,
    Prewarm,
    ResidentLayer,
    ReuseCandidate,
    ScalingRequests,
    WorkingNode,
    WorkingState,
)
from gaugeblock.wire.traces import candidate_document, plan_document, state_document

Input: TypeAlias = dict[str, Any]

STATE: Final = "state"
"""The key of a call's input under which a subject may show the whole working state that its policy was given."""

WAKEUP: Final = "wakeup"


class Interceptor(ABC):
    """A policy of any kind that hands every call to one method; it has the methods of all kinds, and fills one slot."""

    def __init__(self, kind: PolicyKind, name: str) -> None:
        self.kind = kind
        self.name = name

    @abstractmethod
    def answer(self, method: str, asked: Input, state: WorkingState, *rest: object) -> Any:
        """Return what the policy answers; ``rest`` is what it is given besides the state, and ``asked`` tells of it."""

    def failures(self, state: WorkingState) -> tuple[Failure, ...]:
        """ROUND-2."""
        failures: tuple[Failure, ...] = self._of_worklist("failures", state)
        return failures

    def scale(self, state: WorkingState) -> ScalingRequests:
        """ROUND-3."""
        requests: ScalingRequests = self._of_worklist("scale", state)
        return requests

    def order(self, state: WorkingState) -> tuple[Invocation, ...]:
        """ROUND-4."""
        ordered: tuple[Invocation, ...] = self._of_worklist("order", state)
        return ordered

    def select(self, state: WorkingState, invocation: Invocation) -> frozenset[NodeName]:
        """PLACE: the eligibility set."""
        selected: frozenset[NodeName] = self.answer("select", {"invocation": invocation.id}, state, invocation)
        return selected

    def pick(self, state: WorkingState, invocation: Invocation, candidates: tuple[ReuseCandidate, ...]) -> ContainerId | None:
        """PLACE-1."""
        asked = {"invocation": invocation.id, "candidates": [candidate_document(each) for each in candidates]}
        picked: ContainerId | None = self.answer("pick", asked, state, invocation, candidates)
        return picked

    def containers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[Container, ...], deficits: Deficits
    ) -> tuple[ContainerId, ...]:
        """RECL-4."""
        asked = _room([{"container": each.id, "last_used": each.last_used} for each in candidates], node, deficits)
        victims: tuple[ContainerId, ...] = self.answer("containers", asked, state, node, candidates, deficits)
        return victims

    def ram_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        """RECL-5."""
        asked = _room(_dated_layers(candidates), node, deficits)
        victims: tuple[LayerName, ...] = self.answer("ram_layers", asked, state, node, candidates, deficits)
        return victims

    def disk_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        """RECL-6."""
        asked = _room(_dated_layers(candidates), node, deficits)
        victims: tuple[LayerName, ...] = self.answer("disk_layers", asked, state, node, candidates, deficits)
        return victims

    def choose(self, state: WorkingState, invocation: Invocation, alternatives: tuple[Plan, ...]) -> NodeName | None:
        """PLACE-7."""
        asked = {"invocation": invocation.id, "alternatives": [plan_document(each) for each in alternatives]}
        chosen: NodeName | None = self.answer("choose", asked, state, invocation, alternatives)
        return chosen

    def propose(self, state: WorkingState) -> tuple[Prewarm, ...]:
        """ROUND-6, PREW-2."""
        proposals: tuple[Prewarm, ...] = self._of_worklist("propose", state)
        return proposals

    def wakeup(self, state: WorkingState) -> float | None:
        """WAKE-1."""
        date: float | None = self.answer(WAKEUP, {}, state)
        return date

    def _of_worklist(self, method: str, state: WorkingState) -> Any:
        return self.answer(method, {"worklist": [each.id for each in state.worklist]}, state)


def plain(value: object) -> Any:
    """Return the JSON value that documents and model values are written as."""
    return msgspec.json.decode(msgspec.json.encode(value))


class PlainStates:
    """The JSON values of working states; that of the latest is kept, since most calls in a row are given the same one."""

    def __init__(self) -> None:
        self._latest: tuple[WorkingState, Any] | None = None

    def of(self, state: WorkingState) -> Any:
        """Return the JSON value of a working state."""
        if self._latest is None or self._latest[0] is not state:
            self._latest = (state, plain(state_document(state)))
        return self._latest[1]


def _dated_layers(candidates: tuple[ResidentLayer, ...]) -> list[Input]:
    return [{"layer": each.layer.name, "last_access": each.last_access} for each in candidates]


def _room(candidates: list[Input], node: WorkingNode, deficits: Deficits) -> Input:
    return {"node": node.observed.name, "candidates": candidates, "deficits": deficits}
