"""A policy of each kind that gives, on some path, every set of things that its contract allows, whatever it is asked.

Failures, requests and victims come in the order of what they were chosen from; the order of a worklist is any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NamedTuple

from gaugeblock.model import (
    ContainerId,
    ContainerStatus,
    Failure,
    Function,
    Invocation,
    Node,
    NodeName,
    NodeStatus,
    Plan,
    PolicyKind,
    Prewarm,
    ReuseCandidate,
    ScalingRequests,
    WorkingNode,
    WorkingState,
)
from gaugeblock_proofs.engine import Path, Source
from gaugeblock_proofs.policies import AnyEviction

MOST_PREWARMED = 2
"""How many containers a batch of prewarms proposes at most here."""


class Placing(NamedTuple):
    """The policies that a placement asks."""

    node_selection: Any
    reusable_container: Any
    plan_selection: Any
    eviction: Any


class Choosing:
    """Policies of reuse and of plan selection that take anything on offer or nothing, or that repeat earlier ``answers``.

    It keeps what it was offered, node by node, what it answered, and the nodes that it took by that.
    """

    kind, name = PolicyKind.PLAN_SELECTION, "any contract-abiding"

    def __init__(self, path: Path, answers: Iterable[Any] | None = None) -> None:
        self.offered: list[list[NodeName]] = []
        self.answers: list[Any] = []
        self.taken: list[NodeName | None] = []
        self._path = path
        self._again = None if answers is None else list(answers)

    def pick(self, state: WorkingState, invocation: Invocation, candidates: tuple[ReuseCandidate, ...]) -> Any:
        """Take a container or none."""
        return self._answer([(each.container.id, each.node) for each in candidates])

    def choose(self, state: WorkingState, invocation: Invocation, alternatives: tuple[Plan, ...]) -> Any:
        """Take a plan or none."""
        return self._answer([(each.node, each.node) for each in alternatives])

    def _answer(self, offers: list[tuple[Any, NodeName]]) -> Any:
        anew = (*(answer for answer, _ in offers), None)
        self.answers.append(self._path.choose(anew) if self._again is None else self._again.pop(0))
        self.offered.append([node for _, node in offers])
        self.taken.append(dict(offers).get(self.answers[-1]))
        return self.answers[-1]


class Selecting:
    """Selects every node but those ``spurned``, and keeps what it was asked about."""

    def __init__(self, spurned: frozenset[NodeName] = frozenset()) -> None:
        self.asked: list[tuple[WorkingState, Invocation]] = []
        self._spurned = spurned

    def select(self, state: WorkingState, invocation: Invocation) -> frozenset[NodeName]:
        """Return the names of all nodes but those."""
        self.asked.append((state, invocation))
        return frozenset(each.observed.name for each in state.nodes) - self._spurned


class AnyChoice:
    """What all of them share: they answer by the path's choice, and report no date."""

    kind: ClassVar[PolicyKind]
    name: ClassVar[str] = "any contract-abiding"

    def __init__(self, path: Path) -> None:
        self.path = path

    def wakeup(self, state: WorkingState) -> float | None:
        """Report no date."""
        return None


class AnyFailing(AnyChoice):
    """Fails any members of the worklist."""

    kind = PolicyKind.INVOCATION_FAILING

    def failures(self, state: WorkingState) -> tuple[Failure, ...]:
        """Return any of them, in their order."""
        return tuple(Failure(each.id, "chosen") for each in self.path.choose_subset(state.worklist))


class AnyScaling(AnyChoice):
    """Activates any deactivated nodes, and deactivates any that the service would let go (SERV-4)."""

    kind = PolicyKind.NODE_SCALING

    def scale(self, state: WorkingState) -> ScalingRequests:
        """Return any of these requests."""
        nodes = tuple(node.observed for node in state.nodes)
        asleep = [node.name for node in nodes if node.status is NodeStatus.DEACTIVATED]
        return ScalingRequests(
            self.path.choose_subset(asleep),
            tuple(node.name for node in nodes if is_at_rest(node) and self.path.choose((False, True))),
        )


class AnyOrdering(AnyChoice):
    """Puts the worklist in any order."""

    kind = PolicyKind.INVOCATION_ORDERING

    def order(self, state: WorkingState) -> tuple[Invocation, ...]:
        """Return any permutation."""
        return self.path.choose_permutation(state.worklist)


class AnySelection(AnyChoice):
    """Selects any nodes."""

    kind = PolicyKind.NODE_SELECTION

    def select(self, state: WorkingState, invocation: Invocation) -> frozenset[NodeName]:
        """Return any set of names."""
        return frozenset(self.path.choose_subset([node.observed.name for node in state.nodes]))


class AnyReuse(AnyChoice):
    """Picks any candidate or none."""

    kind = PolicyKind.REUSABLE_CONTAINER

    def pick(self, state: WorkingState, invocation: Invocation, candidates: tuple[ReuseCandidate, ...]) -> ContainerId | None:
        """Return any of their ids, or none."""
        return self.path.choose((*(each.container.id for each in candidates), None))


class AnyPlan(AnyChoice):
    """Picks any alternative or none."""

    kind = PolicyKind.PLAN_SELECTION

    def choose(self, state: WorkingState, invocation: Invocation, alternatives: tuple[Plan, ...]) -> NodeName | None:
        """Return any of their nodes, or none."""
        return self.path.choose((*(each.node for each in alternatives), None))


class AnyPrewarm(AnyChoice):
    """Proposes any jointly feasible batch of up to ``MOST_PREWARMED`` containers, and asks for any later round (PREW-2)."""

    kind = PolicyKind.CONTAINER_PREWARM

    def __init__(self, path: Path, symbols: Source) -> None:
        super().__init__(path)
        self.symbols = symbols

    def propose(self, state: WorkingState) -> tuple[Prewarm, ...]:
        """Return any such batch: pairs are chosen one by one, as long as the earlier ones leave room."""
        pairs = [
            (node, function) for node in state.nodes for function in state.catalog.functions if _could_hold(node, function)
        ]
        batch: list[tuple[WorkingNode, Function]] = []
        while len(batch) < MOST_PREWARMED:
            pair = self.path.choose((None, *pairs))
            if pair is None or not _fits_beside(batch, *pair):
                break
            batch.append(pair)
        return tuple(Prewarm(node.observed.name, function.name) for node, function in batch)

    def wakeup(self, state: WorkingState) -> float | None:
        """Report any later date, or none."""
        date = self.symbols.date("wakeup")
        return date if state.now < date else None


def is_at_rest(node: Node) -> bool:
    """Whether the service would let the node go: activated, no work, no starting container, no transfer (SERV-4)."""
    at_rest = node.status is NodeStatus.ACTIVATED and not node.copying and not node.loading
    return at_rest and all(each.status is ContainerStatus.READY and each.in_flight == 0 for each in node.containers)


def _could_hold(node: WorkingNode, function: Function) -> bool:
    takes_work = node.observed.status is NodeStatus.ACTIVATED and not node.selected_for_deactivation
    there = node.resident_in_ram & node.resident_on_disk
    return takes_work and all(layer.name in there for layer in function.image.layers)


def _fits_beside(batch: list[tuple[WorkingNode, Function]], node: WorkingNode, function: Function) -> bool:
    functions = [function, *(other for place, other in batch if place is node)]
    return (
        sum(each.ram_bytes for each in functions) <= node.ram_available
        and sum(each.disk_bytes for each in functions) <= node.disk_available
        and len(functions) <= node.positions_available
    )


def any_policy(kind: PolicyKind, path: Path, symbols: Source) -> Any:
    """Return the policy of that kind which gives any answer that its contract allows."""
    kinds: dict[PolicyKind, Callable[[], Any]] = {
        PolicyKind.INVOCATION_FAILING: lambda: AnyFailing(path),
        PolicyKind.NODE_SCALING: lambda: AnyScaling(path),
        PolicyKind.INVOCATION_ORDERING: lambda: AnyOrdering(path),
        PolicyKind.NODE_SELECTION: lambda: AnySelection(path),
        PolicyKind.REUSABLE_CONTAINER: lambda: AnyReuse(path),
        PolicyKind.EVICTION: lambda: AnyEviction(path),
        PolicyKind.PLAN_SELECTION: lambda: AnyPlan(path),
        PolicyKind.CONTAINER_PREWARM: lambda: AnyPrewarm(path, symbols),
    }
    return kinds[kind]()
