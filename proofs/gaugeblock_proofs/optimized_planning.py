"""EQUIV: what a plan does to the optimized model's node is what accounting does to the reference's, until it is taken back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from gaugeblock.model import (
    Catalog,
    ContainerId,
    Function,
    Invocation,
    InvocationId,
    Layer,
    LayerName,
    Node,
    NodeName,
    NodeStatus,
    PlacementPass,
    Plan,
    Reclamation,
    ResidentLayer,
    WorkingNode,
    replace,
)
from gaugeblock.optimized.checks import check_cluster
from gaugeblock.optimized.choices import Choice, Victims
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.views import Views, node_value
from gaugeblock_proofs.building import COUNTERS, container, function, invocation
from gaugeblock_proofs.engine import all_of, same_truth
from gaugeblock_proofs.states import valid_state
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes

PLANNING = "gaugeblock.optimized.planning.Planning"
ACCOUNTING = "gaugeblock.round.accounting"
INITIAL = "gaugeblock.round.initial.working_state"

COUNTED = "each counter is the one of the reference after the same plans"
HELD = "layers, containers, protections and planned containers are those of the reference"
ASIDE = "the other node is as it was"
OPEN = "a node is indexed as open exactly if invocations may go there"
BACK = "taken back, every node is what it was, and every index is right"
NOTED = "whoever asks the logs is told of the node, and finds another stamp on it"

Step = Callable[["Scene"], None]


class Scene(NamedTuple):
    """Both models of two nodes of which plans change the first: a cluster, and the working node that should be the same."""

    setting: Setting
    cluster: Cluster
    planning: Any
    views: Views
    functions: dict[str, Function]
    expected: list[WorkingNode]


def scene(setting: Setting) -> Scene:
    """Return two nodes that hold the same: ``a`` and ``b`` in RAM, ``c`` on disk; a container of ``f``, one of ``o``.

    ``f`` needs ``a``, ``g`` also ``c``, ``h`` also ``d``, which is nowhere, ``k`` only ``c``, and ``o`` nothing.
    """
    symbols = setting.symbols
    a, b, c, d = (
        Layer(LayerName(name), symbols.integer(f"{name}.disk_bytes", 1), symbols.integer(f"{name}.ram_bytes", 1))
        for name in "abcd"
    )
    of = {
        name: function(symbols, name, *used)
        for name, used in (("f", (a,)), ("g", (a, c)), ("h", (a, d)), ("k", (c,)), ("o", ()))
    }
    nodes = tuple(
        Node(
            NodeName(name),
            NodeStatus.ACTIVATED,
            symbols.integer(f"{name}.ram_bytes"),
            symbols.integer(f"{name}.disk_bytes"),
            symbols.integer(f"{name}.max_invocations"),
            symbols.integer(f"{name}.max_containers"),
            tuple(ResidentLayer(each, 0.0) for each in (a, b, c)),
            tuple(ResidentLayer(each, 0.0) for each in (a, b)),
            containers=tuple(
                replace(container(symbols, 10 * number + place, of[each], in_flight=0), last_used=0.0)
                for place, each in enumerate(("f", "o"))
            ),
        )
        for number, name in enumerate(("n1", "n0"))
    )
    catalog = Catalog((a, b, c, d), tuple(each.image for each in of.values()), tuple(of.values()))
    observed = valid_state(setting, catalog, nodes, (invocation(symbols, 1, of["f"]),), 0.0)
    cluster = Cluster(catalog, nodes)
    working = setting.shipped.round.initial.working_state(observed).nodes
    planning = setting.shipped.optimized.planning.Planning(cluster)
    return Scene(setting, cluster, planning, Views(cluster, 0.0), of, list(working))


FREED = Reclamation((ContainerId(1),), (), ())
EVICTED = Reclamation((ContainerId(1),), (LayerName("b"),), (LayerName("c"),))
"""What plans free: nothing, the container of ``o``, or that, ``b`` in RAM and ``c`` on disk."""


def _planned(at: Scene, placement_pass: PlacementPass, name: str, freed: Reclamation, layers: str = "") -> None:
    """Choose a plan in both models."""
    of = at.functions[name]
    reused = ContainerId(0) if placement_pass is PlacementPass.REUSE else None
    names = tuple(each.name for each in of.image.layers if each.name in layers)
    plan = Plan(placement_pass, InvocationId(1), at.expected[0].observed.name, reused, names, freed)
    apply = at.setting.shipped.round.accounting.apply_to_node
    at.expected[0] = apply(at.expected[0], plan, Invocation(InvocationId(1), of, 0.0))
    number = at.cluster.numbering.layer_number
    victims = Victims(
        freed.terminations,
        tuple(number[each] for each in freed.ram_evictions),
        tuple(number[each] for each in freed.disk_evictions),
    )
    choice = Choice(placement_pass, at.cluster.nodes[0], reused, tuple(number[each] for each in names), victims)
    at.planning.apply(choice, at.cluster.numbering.function_named[of.name])


def _prewarmed(at: Scene) -> None:
    at.expected[0] = at.setting.shipped.round.accounting.prewarm_container(at.expected[0], at.functions["f"])
    at.planning.prewarm(at.cluster.nodes[0], at.cluster.numbering.functions[0])


def _let_go(at: Scene) -> None:
    at.expected[0] = replace(at.expected[0], selected_for_deactivation=True)
    at.planning.select_for_deactivation(at.cluster.nodes[0])


def _waited_for(at: Scene) -> None:
    """Wait for two functions' layers, and ask what could be evicted on either node."""
    for name in ("k", "o"):
        at.expected[0] = at.setting.shipped.round.accounting.protect(at.expected[0], at.functions[name])
        at.planning.protect_later(at.cluster.nodes[0], at.cluster.numbering.function_named[at.functions[name].name].image.mask)
    at.planning.settle_guards(at.cluster.nodes[1].bit)
    for _ in range(2):
        at.planning.settle_guards(at.cluster.nodes[0].bit)


STEPS: dict[str, Step] = {
    "a reuse": partial(_planned, placement_pass=PlacementPass.REUSE, name="f", freed=Reclamation()),
    "a cold start": partial(_planned, placement_pass=PlacementPass.COLD_DISPATCH, name="f", freed=Reclamation()),
    "a cold start that frees": partial(_planned, placement_pass=PlacementPass.COLD_DISPATCH, name="f", freed=EVICTED),
    "a load": partial(_planned, placement_pass=PlacementPass.RAM_LOAD, name="g", freed=FREED, layers="c"),
    "a copy": partial(_planned, placement_pass=PlacementPass.DISK_COPY, name="h", freed=FREED, layers="d"),
    "a prewarm": _prewarmed,
    "letting go": _let_go,
    "a wait": _waited_for,
}


AGAIN = ("a prewarm", "a reuse", "a cold start", "a wait")
"""The steps that come second, too."""


def planned(setting: Setting) -> None:
    """ACCT-1 to ACCT-8, PREW-3, ROUND-3: a step, and another one that frees nothing."""
    path, at = setting.path, scene(setting)
    first, second = path.choose(tuple(STEPS.values())), path.choose((None, *(STEPS[name] for name in AGAIN)))
    node, other = at.cluster.nodes
    before, stamp = [at.views.node(each) for each in at.cluster.nodes], node.stamp
    changes, guards = at.cluster.changes.end, at.cluster.guards.end
    for step in (first, second):
        if step is not None:
            step(at)
    only_waits = first is _waited_for and second in (None, _waited_for)
    path.prove(at.cluster.changes.since(changes) == (0 if only_waits else node.bit) and node.stamp != stamp, NOTED)
    path.prove(at.cluster.guards.since(guards) == (node.bit if node.protected else 0), NOTED)
    found = at.views.node(node)
    path.prove_all((getattr(found, name) == getattr(at.expected[0], name) for name in COUNTERS), COUNTED)
    others = [name for name in WorkingNode.__struct_fields__ if name not in COUNTERS]
    path.prove(all(bool(getattr(found, name) == getattr(at.expected[0], name)) for name in others), HELD)
    takes_work = setting.shipped.round.placement.takes_work
    for each, as_planned in ((node, at.expected[0]), (other, before[1])):
        may_go = all_of(takes_work(as_planned), as_planned.invocations_available > 0)
        path.prove(same_truth(bool(at.cluster.open & each.bit), may_go), OPEN)
    path.prove(at.views.node(other) is before[1], ASIDE)
    _taken_back(at, before)


def _taken_back(at: Scene, before: list[WorkingNode]) -> None:
    """Oblige everything to be as it was, once it is taken back (ROUND-1)."""
    path, (node, other) = at.setting.path, at.cluster.nodes
    stamp, protected = node.stamp, node.protected
    changes, guards = at.cluster.changes.end, at.cluster.guards.end
    saved = bool(at.planning.saved)
    at.planning.take_back()
    path.prove(node.stamp != stamp and at.cluster.changes.since(changes) == (node.bit if saved else 0), NOTED)
    path.prove(at.cluster.guards.since(guards) == (node.bit if protected else 0), NOTED)
    path.prove(at.views.node(other) is before[1], ASIDE)
    path.prove(at.views.node(node) == before[0] and node_value(node) == before[0].observed, BACK)
    check_cluster(at.cluster)


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "ACCT-8.optimized-planning",
        "What a plan, a prewarm, a wait or letting a node go does to the optimized model's node is what it does to the "
        "reference's, and taken back it has done nothing.",
        ("ACCT-8", *(f"ACCT-{number}" for number in (1, 2, 3, 4, 5, 6, 7, 9)), "PREW-3", "ROUND-3", "ROUND-1"),
        (
            PLANNING,
            INITIAL,
            *(f"{ACCOUNTING}.{name}" for name in ("apply_to_node", "prewarm_container", "protect")),
            "gaugeblock.round.placement.takes_work",
        ),
        shapes(
            "any sizes, those of layers above zero, and any capacities; two nodes with three layers and two idle containers; a "
            "plan of every pass that does something, or another step, and up to one more after it"
        ),
        (Part("two nodes", planned),),
        (COUNTED, HELD, OPEN, ASIDE, BACK, NOTED),
    ),
)
