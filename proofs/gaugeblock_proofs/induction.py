"""ROUND, ACCT: from one placement to rounds of any length, by induction over the worklist.

A round is its placements, each made from what the one before left (`many_invocations`); what holds of a node before a placement
holds after it (`placement_keeps`); and it holds of a fresh working state (ACCT-9.initial, all of it). So it holds throughout.
"""

from __future__ import annotations

from functools import partial

from gaugeblock.model import Invocation, InvocationId, NodeName, WorkingState
from gaugeblock_proofs.any_policies import AnySelection, Choosing, Placing, Selecting
from gaugeblock_proofs.building import any_integer, function, layer
from gaugeblock_proofs.composition import PLACE, container_of, node_of
from gaugeblock_proofs.opaque import anything
from gaugeblock_proofs.policies import AnyEviction
from gaugeblock_proofs.shapes import PLACES
from gaugeblock_proofs.soundness import (
    READY,
    REUSED,
    STARTING,
    VACANT,
    WANTED,
    any_sound_node,
    counts,
    is_served,
    is_well_placed,
    not_negative,
)
from gaugeblock_proofs.theorem import Part, Setting, Theorem, Tier, composed

PLACE_ALL = "gaugeblock.round.schedule.place_all"

ASKED = "every invocation is considered once, in the order of the worklist"
FOLLOWS = "each placement starts from the state that the one before left, and the last one's is the result"
ALONE = "what a placement is depends on that state, its invocation and the policies' answers alone"
KEPT = "the worklist stays what it was"

COUNTERS_STAY = "no counter and no room of a container falls below zero"
SUMS_STAY = "available and in use add up to the same as before"
PLACES_STAY = (
    "each layer is in one place; what is in RAM is on disk; what is in progress or was protected is protected, and all of that "
    "is on disk or on its way there"
)
NEEDS_STAY = "what containers need stays in RAM, and what planned ones need stays protected"


def many_invocations(setting: Setting, count: int) -> None:
    """ROUND-5, ROUND-9: a worklist of two functions in turn: one needs a layer that is anywhere, one may have a container."""
    symbols, path = setting.symbols, setting.path
    needing, other = function(symbols, "f", layer(symbols, "layer")), function(symbols, "g")
    held = path.choose(((), (container_of(NodeName("n0"), other, in_flight=1, room=any_integer(symbols, "container.room")),)))
    node = node_of(symbols, NodeName("n0"), needing, path.choose(PLACES), containers=held)
    worklist = tuple(
        Invocation(InvocationId(each), (needing, other)[number % 2], anything("date"))
        for number, each in enumerate((2, 1, 4, 3)[:count])
    )
    state = WorkingState(anything("now"), anything("catalog"), (node,), worklist)
    selecting, choosing = Selecting(), Choosing(path)
    policies = Placing(selecting, choosing, choosing, anything("eviction"))
    placements, final = setting.shipped.round.schedule.place_all(state, policies)
    asked, left = selecting.asked, [state, *(each.after for each in placements)]
    path.prove([invocation for _, invocation in asked] == list(worklist), ASKED)
    path.prove([each.invocation for each in placements] == [each.id for each in worklist], ASKED)
    path.prove(_are([*(each for each, _ in asked), final], left), FOLLOWS)
    path.prove(_are([each.before for each in placements], left[:-1]), FOLLOWS)
    path.prove(all(each.worklist is worklist for each in left), KEPT)
    again = Choosing(path, choosing.answers)
    anew = Placing(Selecting(), again, again, anything("eviction"))
    alone = [setting.shipped.round.placement.place(*each, anew) for each in list(asked)]
    path.prove(alone == list(placements), ALONE)


def _are(found: list[WorkingState], expected: list[WorkingState]) -> bool:
    return len(found) == len(expected) and all(one is other for one, other in zip(found, expected, strict=True))


def placement_keeps(setting: Setting, wanted: tuple[int, ...], occupant: str | None) -> None:
    """ACCT-9, PLACE-8: any placement on any sound node, whatever the policies answer."""
    path = setting.path
    before = any_sound_node(setting, wanted, occupant)
    state = WorkingState(anything("now"), anything("catalog"), (before.node,), anything("worklist"))
    choosing = Choosing(path)
    policies = Placing(AnySelection(path), choosing, choosing, AnyEviction(path))
    invocation = Invocation(InvocationId(1), before.wanted, anything("date"))
    (after,) = setting.shipped.round.placement.place(state, invocation, policies).after.nodes
    path.prove(not_negative(after), COUNTERS_STAY)
    path.prove(counts(before, after), SUMS_STAY)
    path.prove(is_well_placed(after) and after.protected >= before.node.protected, PLACES_STAY)
    path.prove(is_served(after), NEEDS_STAY)


LABELS = ("no layer", "one layer", "two layers")


def _keeping(label: str, wanted: tuple[int, ...], occupant: str | None) -> Part:
    """Return the part of one image and one kind of container; with two layers to spare and a container it is a deep one."""
    name = f"{label} wanted, {'a container that is ' + occupant if occupant else 'no container'}"
    tier = Tier.STANDARD if occupant is VACANT or wanted else Tier.DEEP
    return Part(name, partial(placement_keeps, wanted=wanted, occupant=occupant), tier)


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "ROUND-5.many-invocations",
        "A round considers each invocation once, in the order of the worklist, each from the state that the one before left, "
        "with or without a plan, and reconsiders none.",
        ("ROUND-5", "ROUND-9", "PLACE-8"),
        (PLACE_ALL, PLACE),
        composed(
            "what a placement is depends on its state, its invocation and the policies' answers alone, so that a round is the "
            "composition of its placements, and longer worklists are more turns of the same loop; run with none to three "
            "invocations, deep four, of two functions in turn; one node with any integers as counters, a layer anywhere, a "
            "container or none; all nodes selected, any answer of the policies of reuse and of plan selection"
        ),
        (
            *(Part(f"{count} invocations", partial(many_invocations, count=count)) for count in range(4)),
            Part("4 invocations", partial(many_invocations, count=4), Tier.DEEP),
        ),
        (ASKED, FOLLOWS, ALONE, KEPT),
    ),
    Theorem(
        "ACCT-9.placements",
        "Whatever the policies answer, placing an invocation on a sound node leaves it sound: no counter below zero, sums and "
        "places kept, and what containers need still there.",
        ("ACCT-9", "ACCT-5", "ACCT-7", "RECL-5", "PLACE-8", "SERV-5"),
        (PLACE,),
        composed(
            "the induction step for rounds of any length, with ACCT-9.initial as its beginning, ROUND-5.many-invocations for "
            "the order of the steps and PLACE-7.many-nodes for the other nodes. A sound node, built and not assumed: counters "
            "from 0 to 2^80, capacities by what is in use; two layers anywhere, protected or not; no container or one of any "
            "status, mark and function (with nothing wanted but a position, RAM and disk: deep); and a planned container that "
            "needs all that is in RAM and protected, which stands for any number of them; victims in the order of what "
            "they are chosen from"
        ),
        tuple(
            _keeping(label, wanted, occupant)
            for label, wanted in zip(LABELS, WANTED, strict=True)
            for occupant in (VACANT, READY, REUSED, STARTING)
        ),
        (COUNTERS_STAY, SUMS_STAY, PLACES_STAY, NEEDS_STAY),
    ),
)
