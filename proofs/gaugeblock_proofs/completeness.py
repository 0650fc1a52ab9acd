"""RECL-7: a plan is found whenever one could be, for the built-in eviction policies and for all that share what makes them so.

The same is so of every policy that at each step covers the deficits that count there or takes all candidates; that ``fewest``
and ``lru`` are such policies is a theorem of its own, for more candidates (``POL-fewest.covers``, ``POL-lru.prefix``).
"""

from __future__ import annotations

from gaugeblock.model import ReclamationStepKind
from gaugeblock_proofs.engine import Condition, Verdict, all_of, any_of, implies
from gaugeblock_proofs.policies import AnyEviction, Call
from gaugeblock_proofs.reclaiming import (
    MORE,
    PLANNED,
    SOME,
    SPARING,
    Scene,
    Shape,
    attempt,
    eligible_layers,
    freed_by,
    idle_containers,
    in_ram,
    listed,
    parts,
    scene,
    subsets,
    suffices,
)
from gaugeblock_proofs.theorem import Setting, Theorem, Tier, shapes

EVICTION = "gaugeblock.policies.builtin.eviction"
NAMES = {"Fewest": "fewest", "LeastRecentlyUsed": "lru"}
FOUND = "a plan is found whenever some set of eligible victims would do"
CREDIT = "when a plan is found, no RAM was missing when the disk step began"


def could_be_done(at: Scene) -> Condition:
    """Return whether some set of containers and layers that may go would free enough."""
    return any_of(
        *(
            suffices(at, freed_by(at, ended, from_ram, from_disk))
            for ended in subsets(idle_containers(at))
            for from_ram in subsets(in_ram(at, eligible_layers(at, ended)))
            for from_disk in subsets(eligible_layers(at, ended))
        )
    )


def complete(setting: Setting, shape: Shape, policy: str) -> None:
    """RECL-7: under a built-in policy."""
    at = scene(setting, shape, NAMES[policy])
    outcome = attempt(setting, at, getattr(setting.shipped.policies.builtin.eviction, policy)())
    setting.path.prove(implies(could_be_done(at), outcome.reclamation is not None), FOUND)


def complete_by_contract(setting: Setting, shape: Shape) -> None:
    """RECL-7: under any policy whose answers each cover the deficits or leave no candidate."""
    at = scene(setting, shape)
    policy = AnyEviction(setting.path)
    outcome = attempt(setting, at, policy)
    diligent = all_of(*(covers_or_exhausts(at, call) for call in policy.calls))
    setting.path.prove(implies(all_of(diligent, could_be_done(at)), outcome.reclamation is not None), FOUND)


def covers_or_exhausts(at: Scene, call: Call) -> Condition:
    """Return whether the answer covers the deficits that count in its step, or holds every candidate."""
    if len(call.answer) == len(call.candidates):
        return True
    left = call.deficits
    if call.kind is ReclamationStepKind.CONTAINERS:
        ended = [each.container.function for each in at.node.containers if each.container.id in call.answer]
        ram, disk = (sum(getattr(each, f"{name}_bytes") for each in ended) for name in ("ram", "disk"))
        return all_of(left.ram_bytes <= ram, left.disk_bytes <= disk, left.positions <= len(ended))
    layers = [each for each in at.layers if each.name in call.answer]
    if call.kind is ReclamationStepKind.RAM_LAYERS:
        return left.ram_bytes <= sum(each.ram_bytes for each in layers)
    return left.disk_bytes <= sum(each.disk_bytes for each in layers)


def credit(setting: Setting, shape: Shape, policy: str | None) -> None:
    """RECL-6: whether the RAM of companions ever decides over a plan."""
    at = scene(setting, shape, NAMES.get(policy or "", "fewest"), (1,) if policy is None else (1, 0))
    chooser = AnyEviction(setting.path) if policy is None else getattr(setting.shipped.policies.builtin.eviction, policy)()
    outcome = attempt(setting, at, chooser)
    if outcome.reclamation is None or not outcome.trace.steps:
        return
    last = outcome.trace.steps[-1]
    if last.kind is ReclamationStepKind.DISK_LAYERS:
        setting.path.prove(last.deficits.ram_bytes <= 0, CREDIT)


WITH_LAYERS = {name: shape for name, shape in {**SOME, **SPARING}.items() if set(shape.in_ram) - set(shape.required)}
CREDITABLE = {name: shape for name, shape in WITH_LAYERS.items() if not (shape.busy or shape.starting or shape.reused)}
ONE_LAYER = {"one layer in RAM": Shape(in_ram=(0,))}


THEOREMS: tuple[Theorem, ...] = (
    *(
        Theorem(
            f"RECL-7.complete-{NAMES[policy]}",
            f"Under {NAMES[policy]} a plan is found whenever some set of eligible victims would do.",
            ("RECL-7", f"POL-{NAMES[policy]}"),
            (*PLANNED, f"{EVICTION}.{policy}"),
            shapes(f"{listed(SOME, SPARING)}; deep: {', '.join(MORE)}"),
            parts(complete, {Tier.STANDARD: {**SOME, **SPARING}, Tier.DEEP: MORE}, policy),
            (FOUND,),
        )
        for policy in NAMES
    ),
    Theorem(
        "RECL-7.complete-by-contract",
        "A plan is found whenever some set of eligible victims would do, under every policy that at each step covers "
        "the deficits that count there or takes all candidates.",
        ("RECL-7",),
        PLANNED,
        shapes(f"{listed(SOME, SPARING)}; deep: {', '.join(MORE)}; answers in the order of the candidates"),
        parts(complete_by_contract, {Tier.STANDARD: {**SOME, **SPARING}, Tier.DEEP: MORE}),
        (FOUND,),
    ),
    *(
        Theorem(
            f"RECL-6.credit-{NAMES[policy]}",
            f"Under {NAMES[policy]} the RAM of disk victims never decides whether there is a plan: whatever plan is found, "
            "no RAM was missing when the disk step began.",
            ("RECL-6", "RECL-7", f"POL-{NAMES[policy]}"),
            (*PLANNED, f"{EVICTION}.{policy}"),
            shapes(listed(CREDITABLE)),
            parts(credit, {Tier.STANDARD: CREDITABLE}, policy),
            (CREDIT,),
        )
        for policy in NAMES
    ),
    Theorem(
        "RECL-6.credit-any",
        "False: under every contract-abiding policy the RAM of disk victims never decides whether there is a plan.",
        ("RECL-6", "RECL-7"),
        PLANNED,
        shapes(listed(ONE_LAYER)),
        parts(credit, {Tier.STANDARD: ONE_LAYER}, None),
        (CREDIT,),
        expected=Verdict.REFUTED,
    ),
)
