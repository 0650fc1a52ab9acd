"""EQUIV: making room on one node in the optimized model frees what the reference frees, under both built-in policies."""

from __future__ import annotations

from typing import Any

from gaugeblock.model import Reclamation
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.numbering import Numbering
from gaugeblock_proofs.completeness import NAMES
from gaugeblock_proofs.reclaiming import INITIAL, MORE, PLAN, SOME, SPARING, Shape, amounts, attempt, parts, scene
from gaugeblock_proofs.theorem import Setting, Theorem, Tier, shapes

EVICTION = "gaugeblock.policies.builtin.eviction"
RECLAIMER = "gaugeblock.optimized.reclaiming.Reclaimer"
SAME = "the same containers and layers are freed, in the same order"

STAYING = "a layer of a container that stays or ends"
OBSERVED = {
    "a required layer": Shape(in_ram=(0, 1), required=(1,)),
    "two layers in RAM": Shape(in_ram=(0, 1)),
    **{
        name: shape
        for name, shape in {**SOME, **SPARING}.items()
        if not (shape.reused or shape.protected) and shape.planned is None and name != STAYING
    },
}
LARGER = {STAYING: SPARING[STAYING], **MORE}
"""The shapes that are as observed: the optimized model keeps its own account of what a round has planned."""


def reclamation_of(numbering: Numbering, victims: Any) -> Reclamation:
    """Return what the optimized model frees as the reference would tell it."""
    return Reclamation(victims.terminations, numbering.names(victims.ram_evictions), numbering.names(victims.disk_evictions))


def same_victims(setting: Setting, shape: Shape, policy: str) -> None:
    """RECL-2, RECL-7, POL: whenever the reference finds a plan."""
    at = scene(setting, shape, NAMES[policy])
    plan = attempt(setting, at, getattr(setting.shipped.policies.builtin.eviction, policy)()).reclamation
    if plan is None:
        return
    cluster = Cluster(at.state.catalog, tuple(node.observed for node in at.state.nodes))
    numbering = cluster.numbering
    required = numbering.as_set(numbering.layer_number[each.name] for each in at.wanted.image.layers)
    missing = [needed - available for needed, available in amounts(at)]
    reclaimer = setting.shipped.optimized.reclaiming.Reclaimer(by_age=policy == "LeastRecentlyUsed")
    found = reclaimer.victims(cluster.nodes[0], *missing, required)
    setting.path.prove(reclamation_of(numbering, found) == plan, SAME)


THEOREMS: tuple[Theorem, ...] = tuple(
    Theorem(
        f"RECL-2.optimized-victims-{name}",
        f"Wherever the reference finds a plan under {name}, the optimized model frees the same in the same order.",
        ("RECL-2", "RECL-7", "RECL-6", f"POL-{name}"),
        (PLAN, INITIAL, RECLAIMER, f"{EVICTION}.{policy}"),
        shapes(
            f"any sizes, capacities, dates and need; one node as observed with: {'; '.join(OBSERVED)}; "
            f"deep: {'; '.join(LARGER)}"
        ),
        parts(same_victims, {Tier.STANDARD: OBSERVED, Tier.DEEP: LARGER}, policy),
        (SAME,),
    )
    for policy, name in NAMES.items()
)
