"""PLACE: of whole rounds by formulas of our own: the first possible pass decides, nodes without a plan stay as they were."""

from __future__ import annotations

from collections import Counter

from gaugeblock.model import NodeName, PlacementPass, PlacementTrace
from gaugeblock_proofs.deciding import LRU, SCHEDULER, Decided, once_decided
from gaugeblock_proofs.engine import negate
from gaugeblock_proofs.examples import (
    EVICTING,
    STANDARD_SHAPES,
    standard_parts,
)
from gaugeblock_proofs.possibility import possible
from gaugeblock_proofs.theorem import Setting, Theorem, shapes

FIRST = "the pass that decides is possible, and none before it is"
PENDING = "an invocation that stays pending has no possible pass, and changes nothing"
UNTOUCHED = "a node that the plan is not on stays the very same value"
NAMED = "operations name no node but those of the plans chosen"
ONCE = "each invocation is considered once, and dispatched at most once"
CAPACITY = "dispatches stay within the invocation capacity of the node and of the container"


def first_possible_pass(setting: Setting, round_: Decided) -> None:
    """PLACE-7, PLACE-8."""
    by_id = {each.id: each for each in round_.observed.pending}
    for placement in round_.trace.placements:
        wanted = by_id[placement.invocation]
        passes = {each: possible(placement.before, wanted, each) for each in PlacementPass}
        if placement.plan is None:
            setting.path.prove_all((negate(each) for each in passes.values()), PENDING)
            setting.path.prove(placement.after is placement.before, PENDING)
        else:
            chosen = placement.plan.placement_pass
            setting.path.prove_all((negate(passes[each]) for each in PlacementPass if each.value < chosen.value), FIRST)
            setting.path.prove(passes[chosen], FIRST)


def unaffected(setting: Setting, round_: Decided) -> None:
    """ROUND-5, ROUND-9, PLACE: what a round leaves alone, and the invocation capacity that it keeps to."""
    for placement in round_.trace.placements:
        _prove_others_untouched(setting, placement)
    planned = {each.plan.node for each in round_.trace.placements if each.plan is not None}
    setting.path.prove(_named_nodes(round_) <= planned, NAMED)
    considered = [each.invocation for each in round_.trace.placements]
    dispatched = Counter(each.invocation for each in round_.decisions.dispatches)
    setting.path.prove(sorted(considered) == sorted(each.id for each in round_.observed.pending), ONCE)
    setting.path.prove(all(count == 1 for count in dispatched.values()), ONCE)
    _prove_capacity(setting, round_)


def _prove_others_untouched(setting: Setting, placement: PlacementTrace) -> None:
    target = None if placement.plan is None else placement.plan.node
    for before, after in zip(placement.before.nodes, placement.after.nodes, strict=True):
        if before.observed.name != target:
            setting.path.prove(after is before, UNTOUCHED)


def _named_nodes(round_: Decided) -> set[NodeName]:
    batch = round_.decisions
    operations = (batch.terminations, batch.ram_evictions, batch.disk_evictions, batch.dispatches, batch.loads, batch.copies)
    return {each.node for category in operations for each in category}


def _prove_capacity(setting: Setting, round_: Decided) -> None:
    for node in round_.observed.nodes:
        here = [each.container for each in round_.decisions.dispatches if each.node == node.name]
        held = sum(each.in_flight for each in node.containers)
        setting.path.prove(held + len(here) <= node.max_invocations, CAPACITY)
        for each in node.containers:
            limit = each.function.max_invocations_per_container
            setting.path.prove(each.in_flight + here.count(each.id) <= limit, CAPACITY)


def placed(setting: Setting, round_: Decided) -> None:
    """PLACE, ROUND-5, ROUND-9: all of the above of one round."""
    first_possible_pass(setting, round_)
    unaffected(setting, round_)


STATED = (FIRST, PENDING, UNTOUCHED, NAMED, ONCE, CAPACITY)
THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "PLACE-7.first-possible-pass",
        "The first possible pass decides, no invocation stays pending that some pass could serve, no other node is touched, "
        "and the invocation capacity is kept.",
        ("PLACE-7", *(f"PLACE-{number}" for number in (1, 2, 3, 4, 5, 6, 8)), "ROUND-5", "ROUND-9"),
        ("gaugeblock.round.placement.place", "gaugeblock.round.schedule.run_round", SCHEDULER),
        shapes(
            f"{STANDARD_SHAPES}, for all shapes of these kinds see ROUND-1.every-shape; default policies; the working states "
            "between placements are those of the trace"
        ),
        standard_parts(once_decided(placed)),
        STATED,
    ),
    Theorem(
        "PLACE-8.first-possible-pass-under-lru",
        "The same when the least recently used goes first: what is possible does not depend on which policy evicts.",
        ("PLACE-8", "PLACE-7", "POL-lru"),
        ("gaugeblock.round.placement.place", SCHEDULER, LRU),
        shapes("named shapes of one node and two invocations in which something is in the way"),
        standard_parts(once_decided(placed, eviction="lru"), *EVICTING),
        STATED[:2],
    ),
)
