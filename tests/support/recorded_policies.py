"""Policies for tests of orchestration: one that records every call, and lawful but capricious ones for every kind."""

import random

from gaugeblock.model import (
    Container,
    ContainerId,
    Deficits,
    Failure,
    Invocation,
    LayerName,
    NodeName,
    NodeStatus,
    Plan,
    PolicyKind,
    Prewarm,
    ResidentLayer,
    ReuseCandidate,
    ScalingRequests,
    WorkingNode,
    WorkingState,
)

Log = list[tuple[object, ...]]


class Recorded:
    """A policy that passes every call on to another one, and writes down what was asked and answered."""

    def __init__(self, policy: object, log: Log) -> None:
        """Write the calls of ``policy`` into ``log``."""
        self._policy, self._log = policy, log
        self.kind: PolicyKind = policy.kind  # type: ignore[attr-defined]  # any of the eight protocols
        self.name: str = policy.name  # type: ignore[attr-defined]

    def __getattr__(self, method: str) -> object:
        """Return the method, recorded."""
        call = getattr(self._policy, method)

        def recorded(*arguments: object) -> object:
            answer = call(*arguments)
            self._log.append((self.kind, method, arguments, answer))
            return answer

        return recorded


class Capricious:
    """A policy of any kind whose answers come from a seeded stream: lawful, unless ``unlawful`` and the stream will it."""

    name = "capricious"

    def __init__(self, kind: PolicyKind, seed: int, *, unlawful: bool) -> None:
        """Draw the answers from the stream of ``seed`` and ``kind``."""
        self.kind = kind
        self._random = random.Random(f"{seed} {kind.value}")
        self._unlawful = unlawful

    def _breaks_out(self) -> bool:
        return self._unlawful and self._random.random() < 0.06

    def _some(self, names: list[object]) -> tuple[object, ...]:
        self._random.shuffle(names)
        some = tuple(name for name in names if self._random.random() < 0.7)
        return some + some[:1] if self._breaks_out() else some

    def wakeup(self, state: WorkingState) -> float | None:
        """Report none, or a date soon."""
        return self._random.choice([None, None, state.now + self._random.randint(0 if self._breaks_out() else 1, 9)])

    def failures(self, state: WorkingState) -> tuple[Failure, ...]:
        """Fail some."""
        return tuple(Failure(each.id, "caprice") for each in state.worklist if self._random.random() < 0.1)

    def scale(self, state: WorkingState) -> ScalingRequests:
        """Ask for some that are off, and let some that are unused go."""
        off = [node.observed.name for node in state.nodes if node.observed.status is NodeStatus.DEACTIVATED]
        unused = [
            node.observed.name
            for node in state.nodes
            if node.observed.status is NodeStatus.ACTIVATED
            and not (node.loading or node.copying)
            and all(each.container.is_idle for each in node.containers)
        ]
        leaving = [name for name in unused if self._random.random() < 0.5]
        if self._breaks_out():
            leaving = [state.nodes[-1].observed.name]
        return ScalingRequests(tuple(name for name in off if self._random.random() < 0.5), tuple(leaving))

    def order(self, state: WorkingState) -> tuple[Invocation, ...]:
        """Return any order."""
        order = list(state.worklist)
        self._random.shuffle(order)
        return tuple(order[1:] if self._breaks_out() else order)

    def select(self, state: WorkingState, invocation: Invocation) -> frozenset[NodeName]:
        """Select most nodes."""
        names = {node.observed.name for node in state.nodes if self._random.random() < 0.8}
        return frozenset(names | {NodeName("nowhere")} if self._breaks_out() else names)

    def pick(self, state: WorkingState, invocation: Invocation, candidates: tuple[ReuseCandidate, ...]) -> ContainerId | None:
        """Pick any, or none."""
        return self._random.choice([None, *[each.container.id for each in candidates] * 2])

    def containers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[Container, ...], deficits: Deficits
    ) -> tuple[object, ...]:
        """End some."""
        return self._some([each.id for each in candidates])

    def ram_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[object, ...]:
        """Evict some."""
        return self._some([each.layer.name for each in candidates])

    def disk_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[object, ...]:
        """Evict some."""
        return self._some([each.layer.name for each in candidates])

    def choose(self, state: WorkingState, invocation: Invocation, alternatives: tuple[Plan, ...]) -> NodeName | None:
        """Choose any, or none."""
        return self._random.choice([None, *[plan.node for plan in alternatives] * 2])

    def propose(self, state: WorkingState) -> tuple[Prewarm, ...]:
        """Propose within the positions, though not always within RAM and disk."""
        proposals: list[Prewarm] = []
        for node in state.nodes:
            left = node.positions_available
            for function in state.catalog.functions:
                required: set[LayerName] = {layer.name for layer in function.image.layers}
                stays = node.observed.status is NodeStatus.ACTIVATED and not node.selected_for_deactivation
                lawful = stays and required <= node.resident_in_ram and left > 0
                if (lawful or self._breaks_out()) and self._random.random() < 0.4:
                    proposals.append(Prewarm(node.observed.name, function.name))
                    left -= 1
        return tuple(proposals)
