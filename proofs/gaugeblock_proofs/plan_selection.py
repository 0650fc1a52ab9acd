"""POL-eviction-averse: theorems about the choice among the alternatives of a pass."""

from __future__ import annotations

from functools import partial
from itertools import permutations

from gaugeblock.model import ContainerId, InvocationId, LayerName, NodeName, PlacementPass, Plan, Reclamation
from gaugeblock_proofs.engine import Budget
from gaugeblock_proofs.opaque import anything
from gaugeblock_proofs.theorem import Part, Setting, Theorem, Tier, shapes

PLAN_SELECTION = "gaugeblock.policies.builtin.plan_selection"
LOWEST = "no alternative has a lower rank, and of those of the same rank none is on a node of a smaller name"
ANY_ORDER = "every order of the alternatives gives the same choice"
RANK = "a rank counts disk evictions, RAM evictions, terminations, copies and loads"
NAMES = ("node-10", "node-2", "node-1")


def any_plan(setting: Setting, node: str, placement_pass: PlacementPass, most: int) -> tuple[Plan, tuple[int, ...]]:
    """Return a plan with up to ``most`` of each operation, and the numbers of these."""
    path = setting.path
    counts = [path.choose(range(most + 1)) for _ in range(3)]
    moved = path.choose(range(1, most + 1)) if placement_pass in (PlacementPass.RAM_LOAD, PlacementPass.DISK_COPY) else 0
    names = [LayerName(f"layer{number}") for number in range(most + 1)]
    ended = tuple(ContainerId(number) for number in range(counts[2]))
    freed = Reclamation(ended, tuple(names[: counts[1]]), tuple(names[: counts[0]]))
    plan = Plan(placement_pass, InvocationId(1), NodeName(node), None, tuple(names[:moved]), freed)
    copies = moved if placement_pass is PlacementPass.DISK_COPY else 0
    return plan, (*counts, copies, moved - copies)


def lowest(setting: Setting, count: int, most: int) -> None:
    """POL-eviction-averse."""
    placement_pass = setting.path.choose((PlacementPass.COLD_DISPATCH, PlacementPass.RAM_LOAD, PlacementPass.DISK_COPY))
    made = [any_plan(setting, name, placement_pass, most) for name in NAMES[:count]]
    shipped = setting.shipped.policies.builtin.plan_selection
    for plan, counts in made:
        setting.path.prove(shipped.rank(plan) == counts, RANK)
    answers = {
        shipped.EvictionAverse().choose(anything("state"), anything("invocation"), tuple(plan for plan, _ in order))
        for order in permutations(made)
    }
    setting.path.prove(len(answers) == 1, ANY_ORDER)
    best = sorted((*counts, plan.node) for plan, counts in made)[0]
    setting.path.prove(answers == {best[-1]}, LOWEST)


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "POL-eviction-averse.lowest",
        "eviction-averse picks the node of the lowest rank, ties going to the smaller name, in whatever order the "
        "alternatives come.",
        ("POL-eviction-averse", "PLACE-7"),
        (f"{PLAN_SELECTION}.rank", f"{PLAN_SELECTION}.EvictionAverse"),
        shapes(
            "one alternative, and every order of two, with up to two of each operation, and of three with up to one "
            "(deep: two); numbers of operations are lengths, so they are tried one by one and not symbolic"
        ),
        (
            Part("one alternative", partial(lowest, count=1, most=2)),
            Part("two alternatives", partial(lowest, count=2, most=2)),
            Part("three alternatives", partial(lowest, count=3, most=1)),
            Part("three alternatives, more of each", partial(lowest, count=3, most=2), Tier.DEEP, Budget(paths=500_000)),
        ),
        (RANK, ANY_ORDER, LOWEST),
    ),
)
