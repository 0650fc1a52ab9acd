"""PLACE: from one node to many. Which pass decides for an invocation depends on each node by what it yields alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from gaugeblock.model import (
    Container,
    ContainerId,
    ContainerStatus,
    Deficits,
    Function,
    Invocation,
    InvocationId,
    NodeName,
    PassTrace,
    PlacementPass,
    PlacementTrace,
    Plan,
    PolicyKind,
    ReuseCandidate,
    WorkingContainer,
    WorkingNode,
    WorkingState,
)
from gaugeblock_proofs.any_policies import Placing
from gaugeblock_proofs.building import any_integer, function, layer
from gaugeblock_proofs.engine import Condition, Path, Source, any_of, negate, same_truth
from gaugeblock_proofs.opaque import anything
from gaugeblock_proofs.shapes import ABSENT, COPYING, IN_RAM, LOADING, ON_DISK, PLACES, placed_node
from gaugeblock_proofs.theorem import Part, Setting, Theorem, Tier, composed

PLACE = "gaugeblock.round.placement.place"

OFFERED = "each pass offers exactly the nodes that yield in it, in traversal order; a waiting pass stops at the first"
DECIDES = "the first pass in which a node yields decides, unless the policy takes none of its offers"
TAKEN = "what the policy takes is done, and of a waiting pass the first node"
UNTOUCHED = "the other nodes stay the very same, and without a plan all of them do"


class Standing(NamedTuple):
    """A node, in which pass it can yield for the invocation (None if it is not eligible), and when it does."""

    node: WorkingNode
    placement_pass: PlacementPass | None
    when: Condition


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
    """Selects every node, and keeps what it was asked about."""

    def __init__(self) -> None:
        self.asked: list[tuple[WorkingState, Invocation]] = []

    def select(self, state: WorkingState, invocation: Invocation) -> frozenset[NodeName]:
        """Return the names of all nodes."""
        self.asked.append((state, invocation))
        return frozenset(each.observed.name for each in state.nodes)


class EverythingGoes:
    """Ends every container that it is offered."""

    kind, name = PolicyKind.EVICTION, "everything"

    def containers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[Container, ...], deficits: Deficits
    ) -> tuple[ContainerId, ...]:
        """Return all of them."""
        return tuple(each.id for each in candidates)


OUT, HOLDING, CROWDED = "not eligible", "a container of the function", "an idle container in the way"
CLASSES = (OUT, HOLDING, CROWDED, *PLACES)
"""What a node can be to an invocation all of whose layers are in one place there: each yields in one pass, if at all."""

YIELDS = {
    HOLDING: PlacementPass.REUSE,
    CROWDED: PlacementPass.COLD_DISPATCH,
    IN_RAM: PlacementPass.COLD_DISPATCH,
    LOADING: PlacementPass.WAIT_FOR_RAM,
    ON_DISK: PlacementPass.RAM_LOAD,
    COPYING: PlacementPass.WAIT_FOR_DISK,
    ABSENT: PlacementPass.DISK_COPY,
}
"""In which pass a node of each class can yield."""


def many_nodes(setting: Setting, count: int, needed: int = 1) -> None:
    """PLACE-7: nodes of any classes, each of which fits or does not; the order of their names is not that of traversal."""
    symbols, path = setting.symbols, setting.path
    of = function(symbols, "f", *(layer(symbols, f"layer{number}") for number in range(needed)))
    classes = CLASSES if needed else (OUT, HOLDING, CROWDED, IN_RAM)
    standings = [
        _standing(setting, NodeName(f"n{count - number}"), of, kind)
        for number, kind in enumerate(path.choose(tuple(product(classes, repeat=count))))
    ]
    nodes = tuple(each.node for each in standings)
    state = WorkingState(anything("now"), anything("catalog"), nodes, anything("worklist"))
    choosing = Choosing(path)
    wanted = Invocation(InvocationId(1), of, anything("date"))
    found = setting.shipped.round.placement.place(state, wanted, Placing(Selecting(), choosing, choosing, EverythingGoes()))
    _prove_offers(setting, standings, found, choosing)
    _prove_decision(setting, standings, found)
    changed = [now is not was for was, now in zip(nodes, found.after.nodes, strict=True)]
    plan = found.plan
    path.prove(changed == [plan is not None and each.observed.name == plan.node for each in nodes], UNTOUCHED)
    path.prove(plan is not None or found.after is state, UNTOUCHED)
    if plan is not None:
        # What a plan does to a node is the subject of ACCT; here, that it is all of this plan that is done.
        path.prove(found.after == setting.shipped.round.accounting.apply_plan(state, plan, wanted), TAKEN)


def _standing(setting: Setting, name: NodeName, of: Function, kind: str) -> Standing:
    """Return a node of the class with just one number that tells whether it yields."""
    symbols = setting.symbols
    room = any_integer(symbols, f"{name}.room")
    held: tuple[WorkingContainer, ...] = ()
    counters = {"ram_available": of.ram_bytes, "disk_available": of.disk_bytes, "positions_available": 1}
    when: Condition = True
    if kind == HOLDING:
        held = (container_of(name, of, in_flight=1, room=room),)
        counters["positions_available"], when = 0, room > 0
    elif kind == CROWDED:
        other = function(symbols, f"g-{name}")
        held = (container_of(name, other, in_flight=0, room=anything("room")),)
        counters.update(ram_available=room, positions_available=0)
        when = of.ram_bytes <= room + other.ram_bytes
    elif kind in (IN_RAM, ON_DISK):
        counters["ram_available"] = room
        when = (of.ram_bytes if kind == IN_RAM else sum(each.ram_bytes for each in of.image.layers)) <= room
    elif kind == ABSENT:
        counters["disk_available"], when = room, sum(each.disk_bytes for each in of.image.layers) <= room
    place = kind if kind in PLACES else IN_RAM
    capacity = symbols.integer(f"{name}.invocations", 1)
    counters["invocations_available"] = 1 - capacity if kind == OUT else capacity
    node = node_of(symbols, name, of, place, containers=held, **counters)
    return Standing(node, YIELDS.get(kind), when if kind != OUT else False)


def node_of(symbols: Source, name: NodeName, of: Function, place: str, **known: Any) -> WorkingNode:
    """Return an activated node with all layers of the function in that place, and nothing that could be evicted."""
    return placed_node(symbols, name, tuple((each, place) for each in of.image.layers), **known)


def container_of(name: NodeName, of: Function, in_flight: int, room: int) -> WorkingContainer:
    """Return a ready container of a node, numbered like that."""
    identifier = ContainerId(int(name.removeprefix("n")))
    return WorkingContainer(Container(identifier, of, ContainerStatus.READY, in_flight, anything("date")), room)


def _waits(placement_pass: PlacementPass) -> bool:
    return placement_pass in (PlacementPass.WAIT_FOR_RAM, PlacementPass.WAIT_FOR_DISK)


def _offered(told: PassTrace) -> list[NodeName]:
    plans = [each.plan.node for each in told.findings if each.plan is not None]
    return [each.node for each in told.candidates] + plans


def _prove_offers(setting: Setting, standings: Sequence[Standing], found: PlacementTrace, choosing: Choosing) -> None:
    """Oblige each pass that was tried to offer what it should, and the policies to be asked about just that."""
    told = [(each, _offered(each)) for each in found.passes]
    asked = [offered for each, offered in told if offered and not _waits(each.placement_pass)]
    setting.path.prove(choosing.offered == asked, OFFERED)
    taken = [each.chosen and each.chosen.node for each, offered in told if offered and not _waits(each.placement_pass)]
    setting.path.prove(choosing.taken == taken, TAKEN)
    for each, offered in told:
        names = [standing.node.observed.name for standing in standings]
        setting.path.prove(offered == [name for name in names if name in offered], OFFERED)
        able = [standing for standing in standings if standing.placement_pass is each.placement_pass]
        if _waits(each.placement_pass):
            able = able[:1]
            setting.path.prove((each.chosen and each.chosen.node) == next(iter(offered), None), TAKEN)
        setting.path.prove({*offered} <= {standing.node.observed.name for standing in able}, OFFERED)
        setting.path.prove_all((same_truth(one.node.observed.name in offered, one.when) for one in able), OFFERED)


def _prove_decision(setting: Setting, standings: Sequence[Standing], found: PlacementTrace) -> None:
    """Oblige the passes to be tried in order, up to the first that chooses; none chooses without a node that yields."""
    path, passes = setting.path, found.passes
    path.prove([each.placement_pass for each in passes] == list(PlacementPass)[: len(passes)], DECIDES)
    path.prove(all(each.chosen is None for each in passes[:-1]), DECIDES)
    path.prove(found.plan is passes[-1].chosen and (found.plan is not None or len(passes) == len(PlacementPass)), DECIDES)
    for each in passes:
        yields = any_of(*(one.when for one in standings if one.placement_pass is each.placement_pass))
        declined = bool(_offered(each)) and each.chosen is None
        path.prove(yields if each.chosen or declined else negate(yields), DECIDES)


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "PLACE-7.many-nodes",
        "The first pass in which some node yields decides: it offers exactly the nodes that yield, in traversal order, and a "
        "waiting pass takes the first of them; no other node is touched, and none at all where none yields.",
        ("PLACE-7", "PLACE-8", "ACCT-8", *(f"PLACE-{number}" for number in range(1, 7))),
        (PLACE, "gaugeblock.round.accounting.apply_plan"),
        composed(
            "two and three nodes, deep four, in every combination of classes: not eligible; a container of the function with "
            "room or without; an idle container to be ended first; and its layer in RAM, being loaded, on disk, being copied "
            "or absent, where what that asks for fits or does not; and two nodes for an image of no layer and of two. Any "
            "answer of the selecting policies. By PLACE-7.passes, RECL-7.feasible and ROUND-3.eligible a pass finds no more "
            "than that on a node, so this speaks for rounds of several nodes that are, one by one, of the shapes of those "
            "theorems; run directly are, of two nodes, those that need both layers or one"
        ),
        (
            Part("two nodes", partial(many_nodes, count=2)),
            Part("two nodes, an image without layers", partial(many_nodes, count=2, needed=0)),
            Part("two nodes, an image of two layers", partial(many_nodes, count=2, needed=2)),
            Part("three nodes", partial(many_nodes, count=3)),
            Part("four nodes", partial(many_nodes, count=4), Tier.DEEP),
        ),
        (OFFERED, DECIDES, TAKEN, UNTOUCHED),
    ),
)
