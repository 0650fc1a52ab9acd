"""EQUIV: which passes the optimized model finds open on which nodes, and whom it waits for, before and after a change."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

from gaugeblock.model import (
    Catalog,
    Function,
    FunctionName,
    Image,
    ImageName,
    Layer,
    LayerName,
    Node,
    NodeName,
    NodeStatus,
    ObservedState,
    PlacementPass,
    ResidentLayer,
)
from gaugeblock.optimized.bitsets import members
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.reclaiming import Reclaimer
from gaugeblock.optimized.views import Views
from gaugeblock_proofs.shapes import ABSENT, COPYING, IN_RAM, LOADING, ON_DISK, PLACES
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes

PLACEMENT = "gaugeblock.round.placement"
SEARCH = "gaugeblock.optimized.searching.ImageSearch"

OPEN = "each pass is open on exactly the nodes where the reference finds it open"
WAITS = "what is waited for is the first node in traversal order that the reference could wait for"

NEEDED = "a load needs the layer's RAM, a copy its disk"

LAYER = Layer(LayerName("layer"), 2, 3)
IMAGE = Image(ImageName("image"), (LAYER,))
FUNCTION = Function(FunctionName("f"), IMAGE, 1, 1, 1)


class Situation(NamedTuple):
    """Where the layer is on a node, and whether invocations may go there."""

    place: str
    status: NodeStatus = NodeStatus.ACTIVATED
    invocations: int = 1


ANYWHERE = tuple(Situation(place) for place in PLACES)
SITUATIONS = (
    *ANYWHERE,
    Situation(IN_RAM, invocations=0),
    Situation(ABSENT, invocations=0),
    Situation(ON_DISK, NodeStatus.DEACTIVATED),
)


def _node(name: str, at: Situation) -> Node:
    resident = (ResidentLayer(LAYER, 0.0),)
    return Node(
        NodeName(name),
        at.status,
        10,
        10,
        at.invocations,
        1,
        resident if at.place in (ON_DISK, LOADING, IN_RAM) else (),
        resident if at.place == IN_RAM else (),
        (LAYER,) if at.place == COPYING else (),
        (LAYER,) if at.place == LOADING else (),
    )


def _move(cluster: Cluster, number: int, place: str) -> None:
    """Take the layer on to where it comes next from a place, or let it go from RAM."""
    node = cluster.nodes[number]
    next_step: dict[str, Callable[[], None]] = {
        ABSENT: lambda: cluster.begin_copy(node, 0),
        COPYING: lambda: cluster.end_copy(node, 0, 0.0),
        ON_DISK: lambda: cluster.begin_load(node, 0),
        LOADING: lambda: cluster.end_load(node, 0, 0.0),
        IN_RAM: lambda: cluster.drop_from_ram(node, 0),
    }
    next_step[place]()
    cluster.note(node)


def _close(cluster: Cluster, number: int, place: str) -> None:
    """Give the node's only invocation away."""
    cluster.take_invocation(cluster.nodes[number])
    cluster.note(cluster.nodes[number])


def _nothing(cluster: Cluster, number: int, place: str) -> None:
    """Change nothing."""


def classes(setting: Setting) -> None:
    """PLACE-2 to PLACE-6: two nodes, asked before a change and after, or only after."""
    path = setting.path
    pair = path.choose(tuple(product(SITUATIONS, repeat=2)))
    nodes = tuple(_node(name, at) for name, at in zip(("n1", "n0"), pair, strict=True))
    catalog = Catalog((LAYER,), (IMAGE,), (FUNCTION,))
    ObservedState(0.0, catalog, nodes)
    cluster = Cluster(catalog, nodes)
    search = setting.shipped.optimized.searching.ImageSearch(cluster, cluster.numbering.images[0], Reclaimer(by_age=False))
    if path.choose((False, True)):
        _prove_classes(setting, cluster, search)
    number = path.choose(
        [number for number, at in enumerate(pair) if at.invocations and at.status is NodeStatus.ACTIVATED] or [0]
    )
    change = path.choose((_nothing, _move, _close) if pair[number] in ANYWHERE else (_nothing,))
    change(cluster, number, pair[number].place)
    _prove_classes(setting, cluster, search)


def _prove_classes(setting: Setting, cluster: Cluster, search: Any) -> None:
    """Oblige the classes to be those of the reference, read off the nodes as they are now."""
    placement = setting.shipped.round.placement
    state = Views(cluster, 0.0).state(())
    eligible = placement.eligible_nodes(state, tuple(node.observed.name for node in state.nodes))
    expected: dict[PlacementPass, list[NodeName]] = {each: [] for each in PlacementPass}
    for node in eligible:
        for placement_pass in open_passes(placement.readiness(node, (LAYER.name,))):
            expected[placement_pass].append(node.observed.name)
    search.classify()
    for placement_pass, nodes in classes_of(search).items():
        names = [cluster.by_rank[rank].name for rank in members(nodes)]
        setting.path.prove(sorted(names) == sorted(expected[placement_pass]), OPEN)
    for node in (cluster.by_rank[rank] for rank in members(search.loadable)):
        setting.path.prove(search.loads.demand_on(node)[:3] == (LAYER.ram_bytes, 0, 0), NEEDED)
    for node in (cluster.by_rank[rank] for rank in members(search.copyable)):
        setting.path.prove(search.copies.demand_on(node)[:3] == (0, LAYER.disk_bytes, 0), NEEDED)
    waits = {PlacementPass.WAIT_FOR_RAM: search.await_ram, PlacementPass.WAIT_FOR_DISK: search.await_disk}
    for placement_pass, wait in waits.items():
        if expected[placement_pass]:
            choice = wait()
            first = expected[placement_pass][0]
            setting.path.prove((choice.placement_pass, choice.node.name) == (placement_pass, first), WAITS)


def classes_of(search: Any) -> dict[PlacementPass, int]:
    """Return on which nodes an image search of the optimized model holds each pass open."""
    return {
        PlacementPass.COLD_DISPATCH: search.ready,
        PlacementPass.WAIT_FOR_RAM: search.awaiting_ram,
        PlacementPass.RAM_LOAD: search.loadable,
        PlacementPass.WAIT_FOR_DISK: search.awaiting_disk,
        PlacementPass.DISK_COPY: search.copyable,
    }


def open_passes(ready: Any) -> list[PlacementPass]:
    """Return the passes that the reference's finding on an eligible node leaves open, whatever fits (PLACE-2 to PLACE-6)."""
    is_open = {
        PlacementPass.COLD_DISPATCH: not ready.not_in_ram,
        PlacementPass.WAIT_FOR_RAM: ready.not_in_ram and not ready.not_even_loading,
        PlacementPass.RAM_LOAD: not ready.not_on_disk and ready.not_even_loading,
        PlacementPass.WAIT_FOR_DISK: ready.not_on_disk and not ready.not_even_copying,
        PlacementPass.DISK_COPY: ready.not_even_copying,
    }
    return [each for each in is_open if is_open[each]]


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "PLACE-3.optimized-waits",
        "The optimized model finds each pass open on the nodes where the reference finds it open, and waits for the same "
        "node, also after a change on one of them.",
        ("PLACE-3", "PLACE-5", "PLACE-2", "PLACE-4", "PLACE-6"),
        (SEARCH, f"{PLACEMENT}.readiness", f"{PLACEMENT}.eligible_nodes"),
        shapes(
            "two nodes and one layer, anywhere on each, with invocation capacity or without, one deactivated; any next step of "
            "the layer or the loss of capacity on one; sizes play no part"
        ),
        (Part("two nodes", classes),),
        (OPEN, WAITS, NEEDED),
    ),
)
