"""EQUIV: the optimized model's alternatives of one pass: which nodes have one, which is the best, and what is remembered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from gaugeblock.model import (
    Catalog,
    ContainerStatus,
    Invocation,
    Need,
    Node,
    NodeName,
    NodeStatus,
    PlacementPass,
    Reclamation,
    ResidentLayer,
    replace,
)
from gaugeblock.optimized.changes import LONGEST
from gaugeblock.optimized.choices import Choice
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.nodes import NodeRecord
from gaugeblock.optimized.planning import Planning
from gaugeblock.optimized.reclaiming import Reclaimer
from gaugeblock.optimized.views import Views
from gaugeblock_proofs.building import container, function, invocation, layer
from gaugeblock_proofs.completeness import NAMES
from gaugeblock_proofs.opaque import anything
from gaugeblock_proofs.optimized_reclamation import OBSERVED, STAYING, reclamation_of
from gaugeblock_proofs.reclaiming import INITIAL, PLAN, SPARING, Shape, attempt, parts, scene
from gaugeblock_proofs.shapes import RoundShape, build, node_shapes
from gaugeblock_proofs.states import valid_state
from gaugeblock_proofs.theorem import Part, Setting, Theorem, Tier, shapes

RANKING = "gaugeblock.optimized.ranking"
EVICTION = "gaugeblock.policies.builtin.eviction"

FEASIBLE = "a node is feasible exactly where the reference finds a plan"
VICTIMS = "what would be freed there is what the reference frees, in its order"
HOPELESS = "a node is dead exactly where the reference finds no plan even with nothing protected"
UNDEAD = "no node on which the reference finds a plan is held to be dead"
SHED = "the entries kept are no more than a few for each feasible node, and 64"
BEST = "the best alternative is the one of the lowest rank, then of the smallest name, and there is one if any is feasible"
DEMAND = "what a pass needs on a node is what the reference needs there"

MANY_QUESTIONS = 80
"""So many leave more entries behind than the ranking keeps."""

RANKED = {
    "a required layer on disk, another in RAM": Shape(in_ram=(0,), on_disk_only=(1,), required=(1,)),
    "a protected layer and another": Shape(in_ram=(0, 1), protected=(0,)),
    "a protected and a required layer alone": Shape(in_ram=(0, 1), protected=(0,), required=(1,)),
    **{name: shape for name, shape in OBSERVED.items() if name != "two layers in RAM"},
}
ORDERED = {name: RANKED[name] for name in ("a required layer", "two idle containers", "one layer in RAM, one on disk")}
LARGER = {name: SPARING[name] for name in (STAYING, "a protected and a required layer")}
"""The shapes of one node. Of what a round may have planned before only protection is among them."""


class Patient(list[NodeRecord]):
    """The nodes by rank, which lose patience with a search that looks them up without end."""

    def __init__(self, nodes: list[NodeRecord]) -> None:
        super().__init__(nodes)
        self.left = 10_000

    def __getitem__(self, rank: Any) -> Any:
        """Return a node; raises `EndlessSearch` when asked too often."""
        self.left -= 1
        if self.left == 0:
            raise EndlessSearch
        return super().__getitem__(rank)


class EndlessSearch(Exception):
    """A search has looked up ten thousand nodes of a cluster of one or two."""


def patient(cluster: Cluster) -> Cluster:
    """Return the cluster with nodes that lose patience."""
    cluster.by_rank = Patient(cluster.by_rank)
    return cluster


def found(setting: Setting, shape: Shape, policy: str) -> None:
    """RECL-7: one node, any need."""
    at, path = scene(setting, shape, NAMES[policy]), setting.path
    chooser = getattr(setting.shipped.policies.builtin.eviction, policy)()
    plan = attempt(setting, at, chooser).reclamation
    cluster = patient(Cluster(at.state.catalog, tuple(node.observed for node in at.state.nodes)))
    ((node,), numbering) = (cluster.nodes, cluster.numbering)
    Planning(cluster).protect(node, numbering.as_set(numbering.layer_number[name] for name in at.node.protected))
    shipped = setting.shipped.optimized.ranking
    demand = shipped.Demand(at.need.ram_bytes, at.need.disk_bytes, at.need.positions)
    image = numbering.function_named[at.wanted.name].image
    ranking = shipped.Ranking(cluster, image, lambda node: demand, shipped.COLD_FLOOR, Reclaimer(by_age=policy != "Fewest"))
    path.prove((ranking.feasible(node.bit) == [node]) == (plan is not None), FEASIBLE)
    unprotected = plan if not shape.protected else attempt(setting, _unprotected(at), chooser).reclamation
    path.prove(ranking.is_dead(node.bit) == (unprotected is None), HOPELESS)
    path.prove(bool(ranking.undead(node.bit)) == (unprotected is not None), HOPELESS)
    best = ranking.best(node.bit)
    path.prove((best is not None) == (plan is not None), BEST)
    if best is not None and plan is not None:
        path.prove(best[0] is node and reclamation_of(cluster.numbering, best[1]) == plan, VICTIMS)
        path.prove(reclamation_of(numbering, ranking.victims(node)) == plan, VICTIMS)


def _unprotected(at: Any) -> Any:
    return at._replace(node=replace(at.node, protected=frozenset()))


def demands(setting: Setting) -> None:
    """PLACE-2, PLACE-4, PLACE-6: a function of two layers, on a node where each is anywhere."""
    path, shipped = setting.path, setting.shipped.optimized.ranking
    shape = path.choose([each for each in node_shapes(()) if each.status is NodeStatus.ACTIVATED])
    observed = build(setting, RoundShape(((0, 1),), (shape,), (0,)))
    ((node,), (wanted,)) = (observed.nodes, observed.pending)
    cluster = Cluster(observed.catalog, observed.nodes)
    numbered = cluster.numbering.functions[0]
    here = shipped.cold_demand(numbered)(cluster.nodes[0])
    path.prove(tuple(here) == (wanted.function.ram_bytes, wanted.function.disk_bytes, 1, 0, 0), DEMAND)
    in_ram = [*(each.layer for each in node.ram_layers), *node.loading]
    on_disk = [*(each.layer for each in node.disk_layers), *node.copying]
    to_load = [each for each in observed.catalog.layers if not any(each is other for other in in_ram)]
    to_copy = [each for each in observed.catalog.layers if not any(each is other for other in on_disk)]
    here = shipped.load_demand(numbered.image, cluster.numbering.ram_bytes)(cluster.nodes[0])
    path.prove(tuple(here) == (sum(each.ram_bytes for each in to_load), 0, 0, 0, len(to_load)), DEMAND)
    here = shipped.copy_demand(numbered.image, cluster.numbering.disk_bytes)(cluster.nodes[0])
    path.prove(tuple(here) == (0, sum(each.disk_bytes for each in to_copy), 0, len(to_copy), 0), DEMAND)


class Rank(NamedTuple):
    """The rank of an alternative by the reference's plan, and the plan."""

    counts: tuple[int, int, int]
    name: NodeName
    freed: Reclamation


class Searched(NamedTuple):
    """A cluster, the ranking of cold dispatches of its first function, and the invocation that wants one."""

    cluster: Cluster
    planning: Planning
    ranking: Any
    wanted: Invocation


class NodeParts(NamedTuple):
    """What stands on a node: how many layers in RAM, how many only on disk, and how many containers of another function."""

    in_ram: int = 0
    on_disk: int = 0
    containers: int = 0
    status: ContainerStatus = ContainerStatus.READY


def searched(setting: Setting, *nodes: NodeParts, disk: bool = True) -> Searched:
    """Return nodes whose order of names is not that of traversal, and a ranking that has not been asked yet.

    Without ``disk`` nothing takes any, so that there are fewer paths.
    """
    symbols = setting.symbols
    layers = tuple(layer(symbols, f"layer{number}") for number in range(max(each.in_ram + each.on_disk for each in nodes)))
    wanted, other = function(symbols, "wanted"), function(symbols, "other")
    if not disk:
        layers = tuple(replace(each, disk_bytes=0) for each in layers)
        wanted, other = replace(wanted, disk_bytes=0), replace(other, disk_bytes=0)
    residents = tuple(ResidentLayer(each, 0.0) for each in layers)
    built = tuple(
        Node(
            NodeName(f"n{len(nodes) - number}"),
            NodeStatus.ACTIVATED,
            symbols.integer(f"n{number}.ram_bytes"),
            symbols.integer(f"n{number}.disk_bytes") if disk else 0,
            2,
            symbols.integer(f"n{number}.max_containers") if each.containers else 2,
            residents[: each.in_ram + each.on_disk],
            residents[: each.in_ram],
            containers=tuple(
                container(symbols, 10 * number + place, other, each.status, in_flight=0) for place in range(each.containers)
            ),
        )
        for number, each in enumerate(nodes)
    )
    catalog = Catalog(layers, tuple(each.image for each in (wanted, other)), (wanted, other))
    observed = valid_state(setting, catalog, built, (invocation(symbols, 1, wanted),))
    cluster = patient(Cluster(catalog, built))
    shipped = setting.shipped.optimized.ranking
    numbered = cluster.numbering.functions[0]
    demand, reclaimer = shipped.cold_demand(numbered), Reclaimer(by_age=False)
    ranking = shipped.Ranking(cluster, numbered.image, demand, shipped.COLD_FLOOR, reclaimer)
    return Searched(cluster, Planning(cluster), ranking, observed.pending[0])


def ranks(setting: Setting, at: Searched, views: Views) -> list[Rank]:
    """Return the ranks of the alternatives that the reference finds on the nodes as they are now."""
    of = at.wanted.function
    need = Need(of.ram_bytes, of.disk_bytes, 1)
    plan_reclamation = setting.shipped.round.reclamation.plan_reclamation
    policy = setting.shipped.policies.builtin.eviction.Fewest()
    ranked: list[Rank] = []
    for node in at.cluster.nodes:
        plan = plan_reclamation(anything("state"), views.node(node), need, of, policy).reclamation
        if plan is not None:
            counts = (len(plan.disk_evictions), len(plan.ram_evictions), len(plan.terminations))
            ranked.append(Rank(counts, node.name, plan))
    return ranked


def prove_answers(setting: Setting, at: Searched, views: Views) -> None:
    """Oblige the ranking to answer by the reference's plans, whichever question comes first."""
    cluster, ranking = at.cluster, at.ranking
    ranked = ranks(setting, at, views)
    both = cluster.nodes[0].bit | cluster.nodes[1].bit
    question, prove_answer = setting.path.choose(
        ((ranking.best, _prove_best), (ranking.feasible, _prove_feasible), (ranking.undead, _prove_undead))
    )
    prove_answer(setting, cluster, question(both), ranked)


def _prove_best(setting: Setting, cluster: Cluster, best: Any, ranked: list[Rank]) -> None:
    if best is None or not ranked:
        setting.path.prove(best is None and not ranked, BEST)
        return
    least = min(ranked, key=lambda rank: rank[:2])
    setting.path.prove((best[0].name, reclamation_of(cluster.numbering, best[1])) == (least.name, least.freed), BEST)


def _prove_undead(setting: Setting, cluster: Cluster, undead: int, ranked: list[Rank]) -> None:
    """A node that has changed, or has not been looked at, is not known to be dead; so more may be left than are feasible."""
    setting.path.prove(all(undead & cluster.named[rank.name].bit for rank in ranked), UNDEAD)


def _prove_feasible(setting: Setting, cluster: Cluster, feasible: Any, ranked: list[Rank]) -> None:
    setting.path.prove([node.name for node in feasible] == [rank.name for rank in ranked], FEASIBLE)


def asked_once(setting: Setting, first: NodeParts, second: NodeParts, disk: bool) -> None:
    """PLACE-7, POL-eviction-averse: asked for the first time."""
    at = searched(setting, first, second, disk=disk)
    prove_answers(setting, at, Views(at.cluster, 0.0))


def nothing(at: Searched) -> None:
    """Change nothing."""


def protection(at: Searched) -> None:
    """Protect the layer on the first node, as a wait does."""
    at.planning.protect(at.cluster.nodes[0], 1)


def much_protection(at: Searched) -> None:
    """The same, and more than the log of protections keeps."""
    protection(at)
    for _ in range(LONGEST):
        at.cluster.guards.note(at.cluster.nodes[1].bit)


def failed_start(at: Searched) -> None:
    """Take the starting container off the second node."""
    node = at.cluster.nodes[1]
    for identifier in tuple(node.containers):
        at.cluster.drop_container(node, identifier)
    at.cluster.note(node)


def many_changes(at: Searched) -> None:
    """The same, and more than the log of changes keeps."""
    failed_start(at)
    for _ in range(LONGEST):
        at.cluster.changes.note(at.cluster.nodes[0].bit)


def cold_start(at: Searched) -> None:
    """Do to the second node what a cold dispatch does that frees nothing, whether it fits or not."""
    function = at.cluster.numbering.functions[0]
    at.planning.apply(Choice(PlacementPass.COLD_DISPATCH, at.cluster.nodes[1]), function)


def taken_back(at: Searched) -> None:
    """Do as much, and take it back."""
    protection(at)
    cold_start(at)
    at.planning.take_back()


CHANGES = (nothing, protection, much_protection, failed_start, many_changes, cold_start, taken_back)


IDLE = NodeParts(containers=1)
NOT_YET = NodeParts(containers=1, status=ContainerStatus.STARTING)


def asked_again(setting: Setting, change: Callable[[Searched], None], second: NodeParts = NOT_YET) -> None:
    """PLACE-7, RECL-7: asked before and after a change."""
    at = searched(setting, NodeParts(in_ram=1), second, disk=False)
    cluster, ranking = at.cluster, at.ranking
    both = cluster.nodes[0].bit | cluster.nodes[1].bit
    views = Views(cluster, 0.0)
    setting.path.choose((ranking.best, ranking.feasible))(both)
    change(at)
    prove_answers(setting, at, Views(cluster, 0.0) if change in (failed_start, many_changes) else views)


def asked_often(setting: Setting, other_way: bool = False) -> None:
    """PLACE-7, RECL-7: asked so often, each time after a change, that what is out of date is dropped."""
    at = searched(setting, NodeParts(), NodeParts(), disk=False)
    first, second = at.cluster.nodes
    ranked = ranks(setting, at, Views(at.cluster, 0.0))
    for _ in range(MANY_QUESTIONS):
        at.cluster.note(first)  # whose entries stay below those of the other one, the smaller by name
        if other_way:
            _prove_feasible(setting, at.cluster, at.ranking.feasible(first.bit | second.bit), ranked)
        else:
            _prove_best(setting, at.cluster, at.ranking.best(first.bit | second.bit), ranked)
        setting.path.prove(len(at.ranking.heap) <= 64 + 2 * at.ranking.fit.bit_count(), SHED)


SITUATIONS = (
    ("two idle containers", IDLE, IDLE, False, Tier.STANDARD),
    ("one idle container, two on the other", IDLE, NodeParts(containers=2), False, Tier.STANDARD),
    ("an idle container, a layer in RAM", IDLE, NodeParts(in_ram=1), False, Tier.STANDARD),
    ("one layer in RAM, two layers in RAM", NodeParts(in_ram=1), NodeParts(in_ram=2), False, Tier.STANDARD),
    ("a layer in RAM, another on disk", NodeParts(in_ram=1), NodeParts(on_disk=1), True, Tier.STANDARD),
    ("an idle container, a layer on disk", IDLE, NodeParts(on_disk=1), True, Tier.DEEP),
)
_SITUATIONS = "; ".join(f"{name}, disk too" if disk else name for name, _, _, disk, _ in SITUATIONS)

THEOREMS: tuple[Theorem, ...] = (
    *(
        Theorem(
            f"RECL-7.optimized-alternatives-{name}",
            f"Under {name} the optimized model finds an alternative exactly where the reference does, with the same victims, "
            "and gives a node up exactly where the reference would find none even with nothing protected.",
            ("RECL-7", "RECL-5", "RECL-6", f"POL-{name}"),
            (f"{RANKING}.Ranking", PLAN, INITIAL, "gaugeblock.round.accounting.protect", f"{EVICTION}.{policy}"),
            shapes(f"any sizes, capacities, dates and need; one node with: {'; '.join(standard)}; deep: {'; '.join(LARGER)}"),
            parts(found, {Tier.STANDARD: standard, Tier.DEEP: LARGER}, policy),
            (FEASIBLE, VICTIMS, HOPELESS, BEST),
        )
        for policy, name, standard in (("Fewest", "fewest", RANKED), ("LeastRecentlyUsed", "lru", ORDERED))
    ),
    Theorem(
        "PLACE-2.optimized-demands",
        "What the optimized model needs for a cold start, a load or a copy on a node is what these passes state.",
        ("PLACE-2", "PLACE-4", "PLACE-6"),
        tuple(f"{RANKING}.{name}_demand" for name in ("cold", "load", "copy")),
        shapes("any sizes; a function of two layers, each anywhere on the node"),
        (Part("one node", demands),),
        (DEMAND,),
    ),
    Theorem(
        "PLACE-7.optimized-best",
        "The optimized model finds the cold dispatches that the reference finds and picks the one that eviction-averse picks, "
        "asked for the first time or again after a change.",
        ("PLACE-7", "POL-eviction-averse", "RECL-7"),
        (f"{RANKING}.Ranking", f"{RANKING}.cold_demand", PLAN, f"{EVICTION}.Fewest"),
        shapes(
            f"any sizes and capacities, of the disk where it says so; asked once, two nodes with: {_SITUATIONS} (the last "
            "deep); asked again after no change, protection of a layer, a container gone, a cold start, one taken back, and "
            "more protections or changes than the logs keep: a layer in RAM, beside a starting container, or an idle one"
        ),
        (
            *(
                Part(name, partial(asked_once, first=first, second=second, disk=disk), tier)
                for name, first, second, disk, tier in SITUATIONS
            ),
            Part("asked often", asked_often),
            Part("asked often for all", partial(asked_often, other_way=True)),
            *(Part(f"asked again after {change.__name__}", partial(asked_again, change=change)) for change in CHANGES),
            Part("asked again beside an idle container", partial(asked_again, change=much_protection, second=IDLE)),
        ),
        (FEASIBLE, BEST, UNDEAD, SHED),
    ),
)
