"""EQUIV: the optimized model decides as the reference does: part by part, and whole rounds of the same shapes."""

from __future__ import annotations

from functools import partial
from typing import Any

from gaugeblock.model import (
    Catalog,
    Container,
    Deficits,
    Need,
    ObservedState,
    ResidentLayer,
    replace,
)
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.nodes import Slot
from gaugeblock.optimized.numbering import Numbering
from gaugeblock.optimized.reclaiming import Reclaimer
from gaugeblock_proofs.building import any_integer, container, function, layer
from gaugeblock_proofs.deciding import SCHEDULER, Decided, once_decided
from gaugeblock_proofs.examples import NAMED, labelled, standard_parts
from gaugeblock_proofs.optimized_classes import classes_of, open_passes
from gaugeblock_proofs.optimized_reclamation import reclamation_of
from gaugeblock_proofs.shapes import IMAGES, Image, RoundShape, build, node_shapes
from gaugeblock_proofs.theorem import Part, Setting, Theorem, Tier, shapes

OPTIMIZED = "gaugeblock.optimized"
EVICTION = "gaugeblock.policies.builtin.eviction"
INITIAL = "gaugeblock.round.initial.working_state"
PLACEMENT = "gaugeblock.round.placement"
RECLAMATION = "gaugeblock.round.reclamation.plan_reclamation"

SAME_VICTIMS = "both choose the same victims in the same order"
SAME_READINESS = "both find the node ready for the same passes"
SAME_FEASIBILITY = "room can be made on the node by the one exactly when by the other"
BOUND = "no exact rank is less than the bound under which the node stands in the heap"
SAME_DECISIONS = "both decide the same batch, category by category and in the same order"


def container_victims(setting: Setting, count: int, by_age: bool) -> None:
    """POL-fewest, POL-lru: idle containers, for deficits of any sign."""
    symbols, shipped = setting.symbols, setting.shipped
    functions = tuple(function(symbols, f"f{number}") for number in range(count))
    held = tuple(container(symbols, number, of, in_flight=0) for number, of in enumerate(functions))
    missing = [any_integer(symbols, f"missing.{resource}") for resource in ("ram", "disk", "positions")]
    numbering = Numbering(Catalog((), tuple(each.image for each in functions), functions))
    slots = [_slot(setting, numbering, each) for each in held]
    choose = shipped.optimized.reclaiming.oldest_containers if by_age else shipped.optimized.reclaiming.fewest_containers
    found = tuple(slot.id for slot in choose(slots, *missing))
    entries = shipped.policies.builtin.eviction.container_entries(held)
    setting.path.prove(found == _reference(setting, by_age, entries, missing), SAME_VICTIMS)


def _slot(setting: Setting, numbering: Any, held: Container) -> Any:
    numbered = numbering.function_named[held.function.name]
    return Slot(held.id, numbered, True, 0, held.last_used, numbered.limit)


def _reference(setting: Setting, by_age: bool, entries: Any, missing: list[int]) -> Any:
    eviction = setting.shipped.policies.builtin.eviction
    deficits = Deficits(*(max(0, each) for each in missing))
    return (eviction.least_recently_used if by_age else eviction.fewest)(entries, deficits)


def layer_victims(setting: Setting, count: int, by_age: bool) -> None:
    """POL-fewest, POL-lru: layers in RAM, for any deficit; the optimized model is given them in its own order."""
    symbols, reclaiming = setting.symbols, setting.shipped.optimized.reclaiming
    layers = [layer(symbols, f"layer{number}") for number in range(count)]
    dates = [symbols.date(f"{each.name}.last_access") for each in layers]
    missing = any_integer(symbols, "missing")
    sizes = tuple(each.ram_bytes for each in layers)
    ordered = sorted(range(count), key=(dates if by_age else sizes).__getitem__)
    choose = reclaiming.oldest_layers if by_age else reclaiming.fewest_layers
    found = tuple(layers[number].name for number in choose(ordered, sizes, missing))
    residents = tuple(ResidentLayer(each, date) for each, date in zip(layers, dates, strict=True))
    entries = setting.shipped.policies.builtin.eviction.ram_entries(residents)
    setting.path.prove(found == _reference(setting, by_age, entries, [missing, 0, 0]), SAME_VICTIMS)


def same_readiness(setting: Setting, images: tuple[Image, ...] = IMAGES) -> None:
    """PLACE-2 to PLACE-6: which pass is open on a node, whatever its residency, status and capacity."""
    image = setting.path.choose(images)
    node = setting.path.choose([each for each in node_shapes(()) if not each.containers])
    observed = build(setting, RoundShape((image,), (node,), (0,)))
    placement = setting.shipped.round.placement
    state = setting.shipped.round.initial.working_state(observed)
    (working,), (wanted,) = state.nodes, observed.pending
    eligible = bool(placement.eligible_nodes(state, (working.observed.name,)))
    ready = placement.readiness(working, tuple(each.name for each in wanted.function.image.layers))
    cluster = _cluster(observed)
    image_search = setting.shipped.optimized.searching.ImageSearch
    search = image_search(cluster, cluster.numbering.images[0], Reclaimer(by_age=False))
    search.classify()
    expected = open_passes(ready) if eligible else []
    found = classes_of(search).items()
    setting.path.prove_all((bool(nodes) == (each in expected) for each, nodes in found), SAME_READINESS)


def _cluster(observed: ObservedState) -> Cluster:
    return Cluster(observed.catalog, observed.nodes)


def _reclaimer(setting: Setting, by_age: bool) -> Any:
    return setting.shipped.optimized.reclaiming.Reclaimer(by_age=by_age)


def bounds_and_victims(setting: Setting, shape: RoundShape, by_age: bool = False) -> None:
    """RECL-7, POL: a cold dispatch on one node, as observed: feasible alike, with the same victims, not below its bound."""
    observed = build(setting, shape._replace(pending=(0,)))
    (wanted,) = observed.pending
    need = Need(wanted.function.ram_bytes, wanted.function.disk_bytes, 1)
    state = setting.shipped.round.initial.working_state(observed)
    eviction = setting.shipped.policies.builtin.eviction
    policy = eviction.LeastRecentlyUsed() if by_age else eviction.Fewest()
    plan = setting.shipped.round.reclamation.plan_reclamation(state, state.nodes[0], need, wanted.function, policy).reclamation
    ranking, cluster = _ranking(setting, observed, by_age)
    feasible = ranking.feasible(cluster.nodes[0].bit)
    setting.path.prove(bool(feasible) == (plan is not None), SAME_FEASIBILITY)
    if plan is None or not feasible:
        return
    victims = ranking.victims(feasible[0])
    setting.path.prove(reclamation_of(cluster.numbering, victims) == plan, SAME_VICTIMS)
    exact = (len(plan.disk_evictions), len(plan.ram_evictions), len(plan.terminations))
    setting.path.prove(bool(ranking.heap[0][:3] <= exact), BOUND)


def _ranking(setting: Setting, observed: ObservedState, by_age: bool) -> tuple[Any, Any]:
    ranking, cluster = setting.shipped.optimized.ranking, _cluster(observed)
    numbered = cluster.numbering.functions[0]
    demand, reclaimer = ranking.cold_demand(numbered), _reclaimer(setting, by_age)
    return ranking.Ranking(cluster, numbered.image, demand, ranking.COLD_FLOOR, reclaimer), cluster


def same_decisions(setting: Setting, round_: Decided) -> None:
    """Whole rounds: the optimized model's batch is the reference's."""
    found = setting.shipped.optimized.rounds.decide(round_.observed, round_.names)
    setting.path.prove(found == round_.decisions, SAME_DECISIONS)


def _victims(body: Any, counts: tuple[int, ...], by_age: bool, tier: Tier = Tier.STANDARD) -> tuple[Part, ...]:
    return tuple(Part(f"{count} candidates", partial(body, count=count, by_age=by_age), tier) for count in counts)


BOUNDED = ("cold starts beside a layer in the way", "an idle container in the way", "a layer that a cold start protects")
QUICK = (
    "a load, then a wait for it",
    "a copy, then a wait for it",
    "layers in progress",
    "a copy in place of a layer in RAM",
    "no activated node",
    "a wait for RAM before a load",
    "a load before a copy",
    "a wait for disk before a copy",
    "copies to either node",
    "a layer that a cold start protects",
)
SLOW = tuple(name for name in NAMED if name not in QUICK)

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "POL-fewest.optimized-containers",
        "The optimized model ends the same containers as `fewest`, in the same order, whatever is missing.",
        ("POL-fewest", "RECL-4"),
        (f"{OPTIMIZED}.reclaiming.fewest_containers", f"{EVICTION}.fewest", f"{EVICTION}.container_entries"),
        shapes("one or two idle containers, deep three; any sizes, any deficits"),
        (*_victims(container_victims, (1, 2), False), *_victims(container_victims, (3,), False, Tier.DEEP)),
        (SAME_VICTIMS,),
    ),
    Theorem(
        "POL-lru.optimized-containers",
        "The optimized model ends the same containers as `lru`, in the same order, whatever is missing.",
        ("POL-lru", "RECL-4"),
        (f"{OPTIMIZED}.reclaiming.oldest_containers", f"{EVICTION}.least_recently_used", f"{EVICTION}.container_entries"),
        shapes("one to three idle containers; any sizes, dates and deficits; dates are real numbers"),
        _victims(container_victims, (1, 2, 3), True),
        (SAME_VICTIMS,),
    ),
    Theorem(
        "POL-fewest.optimized-layers",
        "The optimized model evicts the same layers from RAM as `fewest`, in the same order, whatever is missing.",
        ("POL-fewest", "RECL-5"),
        (f"{OPTIMIZED}.reclaiming.fewest_layers", f"{EVICTION}.fewest", f"{EVICTION}.ram_entries"),
        shapes("one to four layers; any sizes, any deficit"),
        _victims(layer_victims, (1, 2, 3, 4), False),
        (SAME_VICTIMS,),
    ),
    Theorem(
        "POL-lru.optimized-layers",
        "The optimized model evicts the same layers from RAM as `lru`, in the same order, whatever is missing.",
        ("POL-lru", "RECL-5"),
        (f"{OPTIMIZED}.reclaiming.oldest_layers", f"{EVICTION}.least_recently_used", f"{EVICTION}.ram_entries"),
        shapes("one to four layers; any sizes, dates and deficit; dates are real numbers"),
        _victims(layer_victims, (1, 2, 3, 4), True),
        (SAME_VICTIMS,),
    ),
    Theorem(
        "PLACE-2.optimized-readiness",
        "The optimized model finds a node open to the same passes as the reference does.",
        ("PLACE-2", "PLACE-3", "PLACE-4", "PLACE-5", "PLACE-6"),
        (f"{OPTIMIZED}.searching.ImageSearch", f"{PLACEMENT}.readiness", f"{PLACEMENT}.eligible_nodes", INITIAL),
        shapes("one node in every status, two layers anywhere, every image of them (standard: of both); no containers"),
        (
            Part("both layers", partial(same_readiness, images=IMAGES[3:])),
            Part("fewer layers", partial(same_readiness, images=IMAGES[:3]), Tier.DEEP),
        ),
        (SAME_READINESS,),
    ),
    Theorem(
        "RECL-7.optimized-bounds",
        "For a cold start the optimized model finds room where the reference does, frees the same, and bounds its rank.",
        ("RECL-7", "RECL-4", "RECL-5", "RECL-6", "POL-fewest"),
        (
            f"{OPTIMIZED}.ranking.cold_demand",
            f"{OPTIMIZED}.ranking.Ranking",
            f"{OPTIMIZED}.reclaiming.Reclaimer",
            RECLAMATION,
            INITIAL,
            f"{EVICTION}.Fewest",
            f"{EVICTION}.LeastRecentlyUsed",
        ),
        shapes(
            f"a cold start of the first function, whatever its layers, in {'; '.join(BOUNDED)}; under lru in the first of these"
        ),
        (
            *standard_parts(bounds_and_victims, *BOUNDED),
            *labelled("under lru", standard_parts(partial(bounds_and_victims, by_age=True), BOUNDED[0])),
        ),
        (SAME_FEASIBILITY, SAME_VICTIMS, BOUND),
    ),
    Theorem(
        "ROUND-10.optimized-rounds",
        "The optimized model decides the very batch that the reference decides, under the default policies.",
        ("ROUND-10", "PLACE-7", "POL-eviction-averse"),
        (
            f"{OPTIMIZED}.rounds.decide",
            f"{OPTIMIZED}.reclaiming.fewest_containers",
            f"{OPTIMIZED}.reclaiming.fewest_layers",
            SCHEDULER,
        ),
        shapes("named shapes; standard: ten small ones, deep: all"),
        (
            *standard_parts(once_decided(same_decisions), *QUICK),
            *(replace(part, tier=Tier.DEEP) for part in standard_parts(once_decided(same_decisions), *SLOW)),
        ),
        (SAME_DECISIONS,),
    ),
)
