"""RECL: theorems about making room on one node, for every eviction policy that keeps its contract."""

from __future__ import annotations

from typing import Any

from gaugeblock.model import (
    Container,
    Layer,
    Need,
    Reclamation,
    ReclamationStepKind,
)
from gaugeblock_proofs.building import COUNTERS, any_integer, any_working_node
from gaugeblock_proofs.engine import Condition, all_of, any_of, implies, negate, same_truth
from gaugeblock_proofs.policies import AnyEviction, Breach, BreakingEviction
from gaugeblock_proofs.reclaiming import (
    MORE,
    PLAN,
    PLANNED,
    RECLAMATION,
    SOME,
    SPARING,
    Scene,
    Shape,
    amounts,
    attempt,
    eligible_layers,
    freed_by,
    idle_containers,
    in_ram,
    listed,
    named,
    parts,
    scene,
    suffices,
)
from gaugeblock_proofs.theorem import Part, Setting, Theorem, Tier, shapes, unbounded

CHECK = "gaugeblock.round.contracts.check_victims"
EXACT = "each deficit is what is needed beyond what is available, never below zero"
SHORT = "short exactly when some deficit is above zero"
ENOUGH = "a plan frees enough of every resource"
MISSING = "without a plan something is still missing"
NOTHING = "when nothing is short there is a plan that frees nothing, and nobody is asked"
ORDER = "the steps run in order, each at most once, and only with candidates"
NEEDED = "the steps for layers run only for their own deficit"
ASKED = "a step is left out only without candidates or without its deficit"
REMAINING = "each step is given the deficits that the earlier ones left"
GIVEN = "each step is given exactly the eligible candidates"
SPARED = "no victim is protected, required, or used by what stays, and only idle containers end"
ANSWERED = "the plan holds the policy's answers in their order, and no other victims"
TOGETHER = "a disk victim in RAM leaves RAM too, once"
POSITIONS = "missing positions are freed by terminations alone"
ROOM = "after the plan's reclamation what is needed fits, and nothing that was not is below zero"
REFUSED = "an answer against the contract is refused"


def deficits(setting: Setting) -> None:
    """RECL-1."""
    symbols, path, shipped = setting.symbols, setting.path, setting.shipped.round.reclamation
    node = any_working_node(symbols)
    need = Need(*(any_integer(symbols, f"need.{name}") for name in ("ram", "disk", "positions")))
    freed = [any_integer(symbols, f"freed.{name}") for name in ("ram", "disk", "positions")]
    found = shipped.deficits_for(need, node)
    for deficit, needed, available in _by_resource(
        found, need, (node.ram_available, node.disk_available, node.positions_available)
    ):
        path.prove(_is_excess(deficit, needed - available), EXACT)
    left = shipped.reduced(found, *freed)
    for deficit, was, gone in _by_resource(left, found, freed):
        path.prove(_is_excess(deficit, was - gone), EXACT)
    short = any_of(left.ram_bytes > 0, left.disk_bytes > 0, left.positions > 0)
    path.prove(same_truth(shipped.is_short(left), short), SHORT)


def _by_resource(left: Any, right: Any, third: Any) -> list[tuple[int, int, int]]:
    fields = ("ram_bytes", "disk_bytes", "positions")
    return [(getattr(left, name), getattr(right, name), more) for name, more in zip(fields, third, strict=True)]


def _is_excess(deficit: int, excess: int) -> Condition:
    """Return whether the deficit is the excess where that is above zero, and else zero."""
    return any_of(all_of(excess > 0, deficit == excess), all_of(excess <= 0, deficit == 0))


def nothing_missing(setting: Setting) -> None:
    """RECL-1: enough there already, on a node of which only the counters can be seen, for a policy that cannot be asked."""
    symbols = setting.symbols
    node = any_working_node(symbols)
    need = Need(*(any_integer(symbols, f"need.{name}") for name in ("ram", "disk", "positions")))
    available = (node.ram_available, node.disk_available, node.positions_available)
    needed = (need.ram_bytes, need.disk_bytes, need.positions)
    if all_of(*(less <= more for less, more in zip(needed, available, strict=True))):
        outcome: Any = setting.shipped.round.reclamation.plan_reclamation(None, node, need, None, None)
        setting.path.prove(outcome.reclamation == Reclamation() and outcome.trace.steps == (), NOTHING)


def feasible(setting: Setting, shape: Shape) -> None:
    """RECL-7, RECL-8: against totals that are summed up anew from the policy's answers."""
    at = scene(setting, shape)
    policy = AnyEviction(setting.path)
    outcome = attempt(setting, at, policy)
    answers = {call.kind: call.answer for call in policy.calls}
    ended = tuple(each for each in idle_containers(at) if each.id in answers.get(ReclamationStepKind.CONTAINERS, ()))
    from_ram = named(at.layers, answers.get(ReclamationStepKind.RAM_LAYERS, ()))
    from_disk = named(at.layers, answers.get(ReclamationStepKind.DISK_LAYERS, ()))
    enough = suffices(at, freed_by(at, ended, from_ram, from_disk))
    if outcome.reclamation is None:
        setting.path.prove(negate(enough), MISSING)
    else:
        setting.path.prove(enough, ENOUGH)
        missing = at.need.positions - at.node.positions_available
        setting.path.prove(missing <= len(outcome.reclamation.terminations), POSITIONS)


def asked(setting: Setting, shape: Shape) -> None:
    """RECL-2, RECL-3: what the policy is asked, step by step."""
    at = scene(setting, shape)
    policy = AnyEviction(setting.path)
    outcome = attempt(setting, at, policy)
    kinds = [call.kind for call in policy.calls]
    setting.path.prove(kinds == [each for each in ReclamationStepKind if each in kinds], ORDER)
    setting.path.prove(all(call.candidates for call in policy.calls), ORDER)
    setting.path.prove([each.kind for each in outcome.trace.steps] == kinds, ORDER)
    ended: tuple[Container, ...] = ()
    from_ram: tuple[Layer, ...] = ()
    for call in policy.calls:
        left = [needed - available for needed, available in amounts(at)]
        left = [each - more for each, more in zip(left, freed_by(at, ended, from_ram, ()), strict=True)]
        for excess, name in zip(left, ("ram_bytes", "disk_bytes", "positions"), strict=True):
            setting.path.prove(_is_excess(getattr(call.deficits, name), excess), REMAINING)
        if call.kind is ReclamationStepKind.CONTAINERS:
            setting.path.prove(call.candidates == tuple(each.id for each in idle_containers(at)), GIVEN)
            ended = tuple(each for each in idle_containers(at) if each.id in call.answer)
        elif call.kind is ReclamationStepKind.RAM_LAYERS:
            setting.path.prove(call.deficits.ram_bytes > 0, NEEDED)
            chosen = [each.name for each in in_ram(at, eligible_layers(at, ended)) if each.ram_bytes > 0]
            setting.path.prove(list(call.candidates) == chosen, GIVEN)
            from_ram = named(at.layers, call.answer)
        else:
            setting.path.prove(call.deficits.disk_bytes > 0, NEEDED)
            chosen = [each.name for each in eligible_layers(at, ended) if each.disk_bytes > 0]
            setting.path.prove(list(call.candidates) == chosen, GIVEN)
    _prove_all_were_asked(setting, at, kinds, ended, outcome)


def _prove_all_were_asked(
    setting: Setting, at: Scene, kinds: list[ReclamationStepKind], ended: tuple[Container, ...], outcome: Any
) -> None:
    """Oblige a step that was left out to have had no candidates or no deficit (RECL-2)."""
    short = negate(suffices(at, (0, 0, 0)))
    if ReclamationStepKind.CONTAINERS not in kinds:
        setting.path.prove(implies(short, not idle_containers(at)), ASKED)
    if outcome.reclamation is not None:
        return
    layers = eligible_layers(at, ended)
    if ReclamationStepKind.RAM_LAYERS not in kinds:
        none = all_of(*(each.ram_bytes <= 0 for each in in_ram(at, layers)))
        ram = at.need.ram_bytes - at.node.ram_available - sum(each.function.ram_bytes for each in ended)
        setting.path.prove(any_of(none, ram <= 0), ASKED)
    if ReclamationStepKind.DISK_LAYERS not in kinds:
        none = all_of(*(each.disk_bytes <= 0 for each in layers))
        disk = at.need.disk_bytes - at.node.disk_available - sum(each.function.disk_bytes for each in ended)
        setting.path.prove(any_of(none, disk <= 0), ASKED)


def spared(setting: Setting, shape: Shape) -> None:
    """RECL-4 to RECL-6, RECL-8: which victims a plan can hold."""
    at = scene(setting, shape)
    policy = AnyEviction(setting.path, in_any_order=True)
    outcome = attempt(setting, at, policy)
    if outcome.reclamation is None:
        return
    freed = outcome.reclamation
    answers = {call.kind: call.answer for call in policy.calls}
    ended = tuple(each for each in idle_containers(at) if each.id in freed.terminations)
    eligible = {each.name for each in eligible_layers(at, ended)}
    setting.path.prove(len(ended) == len(freed.terminations), SPARED)
    setting.path.prove({*freed.ram_evictions, *freed.disk_evictions} <= eligible, SPARED)
    from_ram = answers.get(ReclamationStepKind.RAM_LAYERS, ())
    companions = tuple(each for each in freed.disk_evictions if each in at.node.resident_in_ram and each not in from_ram)
    setting.path.prove(freed.terminations == answers.get(ReclamationStepKind.CONTAINERS, ()), ANSWERED)
    setting.path.prove(freed.disk_evictions == answers.get(ReclamationStepKind.DISK_LAYERS, ()), ANSWERED)
    setting.path.prove(freed.ram_evictions == (*from_ram, *companions), TOGETHER)
    setting.path.prove(len(set(freed.ram_evictions)) == len(freed.ram_evictions), TOGETHER)


def applied(setting: Setting, shape: Shape) -> None:
    """RECL-7, ACCT-9: the counters once the plan's reclamation is applied."""
    at = scene(setting, shape)
    outcome = attempt(setting, at, AnyEviction(setting.path))
    if outcome.reclamation is None:
        return
    after = setting.shipped.round.accounting.reclaim(at.node, outcome.reclamation)
    fits = [
        at.need.ram_bytes <= after.ram_available,
        at.need.disk_bytes <= after.disk_available,
        at.need.positions <= after.positions_available,
    ]
    setting.path.prove_all(fits, ROOM)
    for name in COUNTERS:
        setting.path.prove(implies(getattr(at.node, name) >= 0, getattr(after, name) >= 0), ROOM)


def refused(setting: Setting, shape: Shape) -> None:
    """RECL-8: strangers, repeated victims, and collections that could change."""
    at = scene(setting, shape)
    broken, breach = setting.path.choose(tuple(ReclamationStepKind)), setting.path.choose(tuple(Breach))
    policy = BreakingEviction(setting.path, broken, breach)
    error = setting.shipped.policies.errors.PolicyContractError
    try:
        attempt(setting, at, policy)
    except error as refusal:
        setting.path.prove(policy.broke and refusal.clause == "RECL-8", REFUSED)
    else:
        setting.path.prove(not policy.broke, REFUSED)


CHOSEN = "the last three deep; any victims, in the order of the candidates"
EVERY = {Tier.STANDARD: {**SOME, **SPARING}, Tier.DEEP: MORE}


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "RECL-1.deficits",
        "A deficit is what is needed, or was missing, beyond what is available, or was freed, and never below zero.",
        ("RECL-1", "RECL-7"),
        tuple(f"{RECLAMATION}.{name}" for name in ("deficits_for", "reduced", "is_short")),
        unbounded("all integers from -2^80 to 2^80"),
        (Part("all integers", deficits),),
        (EXACT, SHORT),
    ),
    Theorem(
        "RECL-1.nothing-missing",
        "Where nothing is missing, nothing is reclaimed, no container ends and no policy is asked.",
        ("RECL-1", "RECL-2"),
        (PLAN,),
        unbounded("all integers from -2^80 to 2^80; state, function, policy and all but the counters of the node are opaque"),
        (Part("all integers", nothing_missing),),
        (NOTHING,),
    ),
    Theorem(
        "RECL-2.steps",
        "The policy is asked about idle containers, layers in RAM, layers on disk, in this order, each time "
        "with exactly the eligible candidates and with the deficits that remain; for layers only while theirs is missing, "
        "and never without candidates.",
        ("RECL-2", "RECL-3", "RECL-4", "RECL-5", "RECL-6", "RECL-8"),
        PLANNED,
        shapes(f"{listed(SOME, SPARING, MORE)}; {CHOSEN}"),
        parts(asked, EVERY),
        (ORDER, REMAINING, GIVEN, NEEDED, ASKED),
    ),
    Theorem(
        "RECL-5.victims",
        "Under any contract-abiding policy no plan evicts what is protected, required or used by what stays, nor ends what is "
        "not idle; it holds the policy's answers, and a disk victim leaves RAM too, once.",
        ("RECL-5", "RECL-4", "RECL-6", "RECL-8"),
        PLANNED,
        shapes(listed(SOME, SPARING) + "; every answer in every order"),
        parts(spared, {Tier.STANDARD: {**SOME, **SPARING}}),
        (SPARED, ANSWERED, TOGETHER),
    ),
    Theorem(
        "RECL-7.feasible",
        "Under any contract-abiding policy there is a plan exactly when its answers free enough of RAM, disk and positions, "
        "summed up anew; positions come from terminations alone.",
        ("RECL-7", "RECL-3", "RECL-6", "RECL-8"),
        PLANNED,
        shapes(f"{listed(SOME, SPARING, MORE)}; {CHOSEN}"),
        parts(feasible, EVERY),
        (ENOUGH, MISSING, POSITIONS),
    ),
    Theorem(
        "RECL-7.room",
        "Once the reclamation of a plan is applied, what was needed fits, and no counter is below zero that was not so before.",
        ("RECL-7", "ACCT-9", "ACCT-3", "ACCT-4"),
        tuple(dict.fromkeys((*PLANNED, "gaugeblock.round.accounting.reclaim"))),
        shapes(f"{listed(SOME, SPARING, MORE)}; {CHOSEN}"),
        parts(applied, EVERY),
        (ROOM,),
    ),
    Theorem(
        "RECL-8.refused",
        "An answer that names a stranger or one candidate twice, or is no tuple, is a breach of RECL-8, in each step.",
        ("RECL-8",),
        (*PLANNED, CHECK, "gaugeblock.policies.errors.PolicyContractError"),
        shapes(listed(SOME)),
        parts(refused, {Tier.STANDARD: SOME}),
        (REFUSED,),
    ),
)
