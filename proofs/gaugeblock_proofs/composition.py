"""PLACE: from one node to many. Which pass decides for an invocation depends on each node by what it yields alone."""

from __future__ import annotations

from collections.abc import Sequence
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
    NodeStatus,
    PlacementPass,
    PlacementTrace,
    PolicyKind,
    WorkingContainer,
    WorkingNode,
    WorkingState,
)
from gaugeblock_proofs.any_policies import Choosing, Placing, Selecting
from gaugeblock_proofs.building import any_integer, function, layer
from gaugeblock_proofs.engine import Condition, Source, any_of, negate, same_truth
from gaugeblock_proofs.opaque import anything
from gaugeblock_proofs.passes import WAITING, offered_in, prove_asked
from gaugeblock_proofs.shapes import ABSENT, COPYING, IN_RAM, LOADING, ON_DISK, PLACES, placed_node
from gaugeblock_proofs.theorem import Part, Setting, Theorem, composed

PLACE = "gaugeblock.round.placement.place"

OFFERED = "each pass offers exactly the nodes that yield in it, in traversal order; a waiting pass stops at the first"
DECIDES = "the first pass in which a node yields decides, unless the policy takes none of its offers"
TAKEN = "what the policy takes is done, and of a waiting pass the first node"
UNTOUCHED = "the other nodes stay the very same, and without a plan all of them do"


class Standing(NamedTuple):
    """A node, and in which passes it yields for the invocation if what comes with the pass holds; in no other."""

    node: WorkingNode
    yields: dict[PlacementPass, Condition]


class EverythingGoes:
    """Ends every container that it is offered."""

    kind, name = PolicyKind.EVICTION, "everything"

    def containers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[Container, ...], deficits: Deficits
    ) -> tuple[ContainerId, ...]:
        """Return all of them."""
        return tuple(each.id for each in candidates)


FULL, ASLEEP, LEAVING, SPURNED = "at capacity", "not activated", "to be let go", "not selected"
HOLDING, ROOMY, CROWDED = (
    "a container of the function",
    "a container of the function and room for another",
    "an idle container in the way",
)
CLASSES = (FULL, HOLDING, ROOMY, CROWDED, *PLACES)
"""What a node can be to an invocation all of whose layers are in one place there, the layers of a container in RAM."""
NOT_ELIGIBLE = (FULL, ASLEEP, LEAVING, SPURNED)
"""Why an invocation can go to a node in no pass."""


def many_nodes(setting: Setting, *, classes: tuple[str, ...], count: int, needed: int = 1) -> None:
    """PLACE-7: nodes of any classes, each of which fits or does not; the order of their names is not that of traversal."""
    symbols, path = setting.symbols, setting.path
    of = function(symbols, "f", *(layer(symbols, f"layer{number}") for number in range(needed)))
    names = [NodeName(f"n{count - number}") for number in range(count)]
    kinds = dict(zip(names, path.choose(tuple(product(classes, repeat=count))), strict=True))
    standings = [_standing(setting, name, of, kind) for name, kind in kinds.items()]
    nodes = tuple(each.node for each in standings)
    state = WorkingState(anything("now"), anything("catalog"), nodes, anything("worklist"))
    choosing = Choosing(path)
    wanted = Invocation(InvocationId(1), of, anything("date"))
    selecting = Selecting(frozenset(name for name, kind in kinds.items() if kind == SPURNED))
    found = setting.shipped.round.placement.place(state, wanted, Placing(selecting, choosing, choosing, EverythingGoes()))
    _prove_offers(setting, standings, found, choosing)
    _prove_decision(setting, standings, found)
    changed = [now is not was for was, now in zip(nodes, found.after.nodes, strict=True)]
    plan = found.plan
    path.prove(changed == [plan is not None and each.observed.name == plan.node for each in nodes], UNTOUCHED)
    path.prove(plan is not None or found.after is state, UNTOUCHED)
    if plan is not None:
        # What a plan does to a node is the subject of ACCT; here, that it is all of this plan that is done.
        path.prove(found.after == setting.shipped.round.accounting.apply_plan(state, plan, wanted), TAKEN)


class Furnished(NamedTuple):
    """What makes a class: the containers, the counters that are not just what a cold start takes, and what it yields."""

    containers: tuple[WorkingContainer, ...]
    counters: dict[str, int]
    yields: dict[PlacementPass, Condition]


def _standing(setting: Setting, name: NodeName, of: Function, kind: str) -> Standing:
    """Return a node of the class with just one number that tells whether it yields, and in which passes it does."""
    furnish = _with_container if kind in (HOLDING, ROOMY, CROWDED) else _with_layers
    furnished = furnish(setting, name, of, kind)
    capacity = setting.symbols.integer(f"{name}.invocations", 1)
    counters = {
        "ram_available": of.ram_bytes,
        "disk_available": of.disk_bytes,
        "invocations_available": 1 - capacity if kind == FULL else capacity,
        "positions_available": 1,
        **furnished.counters,
    }
    node = node_of(
        setting.symbols,
        name,
        of,
        kind if kind in PLACES else IN_RAM,
        status=NodeStatus.DEACTIVATED if kind == ASLEEP else NodeStatus.ACTIVATED,
        selected_for_deactivation=kind == LEAVING,
        containers=furnished.containers,
        **counters,
    )
    return Standing(node, {} if kind in NOT_ELIGIBLE else furnished.yields)


def _with_container(setting: Setting, name: NodeName, of: Function, kind: str) -> Furnished:
    passes, room = PlacementPass, any_integer(setting.symbols, f"{name}.room")
    if kind == HOLDING:
        held = container_of(name, of, in_flight=1, room=room)
        return Furnished((held,), {"positions_available": 0}, {passes.REUSE: room > 0})
    if kind == ROOMY:
        held = container_of(name, of, in_flight=1, room=1)
        return Furnished((held,), {"ram_available": room}, {passes.REUSE: True, passes.COLD_DISPATCH: of.ram_bytes <= room})
    other = function(setting.symbols, f"g-{name}")
    held = container_of(name, other, in_flight=0, room=anything("room"))
    enough = of.ram_bytes <= room + other.ram_bytes
    return Furnished((held,), {"ram_available": room, "positions_available": 0}, {passes.COLD_DISPATCH: enough})


def _with_layers(setting: Setting, name: NodeName, of: Function, kind: str) -> Furnished:
    passes, room, layers = PlacementPass, any_integer(setting.symbols, f"{name}.room"), of.image.layers
    if kind == LOADING:
        return Furnished((), {}, {passes.WAIT_FOR_RAM: True})
    if kind == COPYING:
        return Furnished((), {}, {passes.WAIT_FOR_DISK: True})
    if kind == ABSENT:
        fits = sum(each.disk_bytes for each in layers) <= room
        return Furnished((), {"disk_available": room}, {passes.DISK_COPY: fits})
    if kind == ON_DISK:
        fits = sum(each.ram_bytes for each in layers) <= room
        return Furnished((), {"ram_available": room}, {passes.RAM_LOAD: fits})
    return Furnished((), {"ram_available": room}, {passes.COLD_DISPATCH: of.ram_bytes <= room})


def node_of(symbols: Source, name: NodeName, of: Function, place: str, **known: Any) -> WorkingNode:
    """Return a node with all layers of the function in that place, and nothing that could be evicted."""
    return placed_node(symbols, name, tuple((each, place) for each in of.image.layers), **known)


def container_of(name: NodeName, of: Function, in_flight: int, room: int) -> WorkingContainer:
    """Return a ready container of a node, numbered like that."""
    identifier = ContainerId(int(name.removeprefix("n")))
    return WorkingContainer(Container(identifier, of, ContainerStatus.READY, in_flight, anything("date")), room)


def _prove_offers(setting: Setting, standings: Sequence[Standing], found: PlacementTrace, choosing: Choosing) -> None:
    """Oblige each pass that was tried to offer what it should, and the policies to be asked about just that."""
    prove_asked(setting, found, choosing, OFFERED, TAKEN)
    names = [standing.node.observed.name for standing in standings]
    for each in found.passes:
        offered = offered_in(each)
        setting.path.prove(offered == [name for name in names if name in offered], OFFERED)
        able = [standing for standing in standings if each.placement_pass in standing.yields]
        if each.placement_pass in WAITING:
            able = able[:1]
            setting.path.prove((each.chosen and each.chosen.node) == next(iter(offered), None), TAKEN)
        setting.path.prove({*offered} <= {standing.node.observed.name for standing in able}, OFFERED)
        yields = (same_truth(one.node.observed.name in offered, one.yields[each.placement_pass]) for one in able)
        setting.path.prove_all(yields, OFFERED)


def _prove_decision(setting: Setting, standings: Sequence[Standing], found: PlacementTrace) -> None:
    """Oblige the passes to be tried in order, up to the first that chooses; none chooses without a node that yields."""
    path, passes = setting.path, found.passes
    path.prove([each.placement_pass for each in passes] == list(PlacementPass)[: len(passes)], DECIDES)
    path.prove(all(each.chosen is None for each in passes[:-1]), DECIDES)
    path.prove(found.plan is passes[-1].chosen and (found.plan is not None or len(passes) == len(PlacementPass)), DECIDES)
    for each in passes:
        yields = any_of(*(one.yields.get(each.placement_pass, False) for one in standings))
        declined = bool(offered_in(each)) and each.chosen is None
        path.prove(yields if each.chosen or declined else negate(yields), DECIDES)


TWO_NODES = (*NOT_ELIGIBLE, *CLASSES[1:])
NO_LAYER = (*NOT_ELIGIBLE, HOLDING, ROOMY, CROWDED, IN_RAM)

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "PLACE-7.many-nodes",
        "The first pass in which some node yields decides: it offers exactly the nodes that yield, in traversal order, and a "
        "waiting pass takes the first of them; no other node is touched, and none at all where none yields.",
        ("PLACE-7", "PLACE-8", "ACCT-8", *(f"PLACE-{number}" for number in range(1, 7))),
        (PLACE, "gaugeblock.round.accounting.apply_plan"),
        composed(
            "two and three nodes, in every combination of classes: not eligible, for want of capacity, or, of two "
            "nodes, as one that is not activated, is to be let go or is not selected; a container of the function with room or "
            "without, or with room and room for another container or not; an idle container to be ended first; and its layer "
            "in RAM, being loaded, on disk, being copied or absent, where what that asks for fits or does not; and two nodes "
            "for an image of no layer and of two. Any answer of the policies of reuse and of plan selection; every idle "
            "container goes. By PLACE-7.passes, RECL-7.feasible and ROUND-3.eligible a pass finds no more than that on a node, "
            "so this speaks for rounds of several nodes that are, one by one, of the shapes of those theorems; run directly "
            "are, of two nodes, those that need both layers or one"
        ),
        (
            Part("two nodes", partial(many_nodes, classes=TWO_NODES, count=2)),
            Part("two nodes, an image without layers", partial(many_nodes, classes=NO_LAYER, count=2, needed=0)),
            Part("two nodes, an image of two layers", partial(many_nodes, classes=TWO_NODES, count=2, needed=2)),
            Part("three nodes", partial(many_nodes, classes=CLASSES, count=3)),
        ),
        (OFFERED, DECIDES, TAKEN, UNTOUCHED),
    ),
)
