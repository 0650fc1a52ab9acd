"""PLACE-7 and PLACE-8: the order of the passes, what decides, and what an invocation without a plan leaves behind."""

from collections.abc import Iterator
from functools import partial

from gaugeblock.model import NodeStatus, PlacementPass, PlacementTrace
from gaugeblock_specs.clause import Clause, safety, with_trace
from gaugeblock_specs.context import Context
from gaugeblock_specs.derive import invocations_left
from gaugeblock_specs.subjects import placements
from gaugeblock_specs.support import Group, groups, groups_without_invocation
from gaugeblock_specs.verdicts import Witness

SEED = "Placement precedence"


# PLACE-7


def _transfer_groups(context: Context) -> Iterator[tuple[Group, ...]]:
    found = groups(context)
    if found:
        yield found


def _each_outcome_has_its_own_invocation(context: Context, found: tuple[Group, ...]) -> Iterator[Witness]:
    for group in found:
        if not invocations_left(group.batch.node) > 0:
            yield Witness("a transfer to a node that can take no invocation", node=group.batch.node.name)
    for group in groups_without_invocation(context, found):
        what = "loads" if group.placement_pass is PlacementPass.RAM_LOAD else "copies"
        yield Witness(f"the {what} need an invocation that has no other outcome, and none is left", node=group.batch.node.name)


def _eligible(placement: PlacementTrace) -> tuple[str, ...]:
    return tuple(
        node.observed.name
        for node in placement.before.nodes
        if node.observed.name in placement.selected
        and node.observed.status is NodeStatus.ACTIVATED
        and not node.selected_for_deactivation
        and node.invocations_available > 0
    )


def _tries_the_passes_in_order(_: Context, placement: PlacementTrace) -> Iterator[Witness]:
    where = partial(Witness, invocation=placement.invocation)
    order = tuple(node.observed.name for node in placement.before.nodes)
    if tuple(name for name in order if name in placement.selected) != placement.selected:
        yield where("the selected nodes do not stand in traversal order, once each")
    if placement.eligible != _eligible(placement):
        yield where("eligible are the selected nodes that are activated, stay so, and have invocation capacity left")
    tried = tuple(item.placement_pass for item in placement.passes)
    if tried != tuple(PlacementPass)[: len(tried)]:
        yield where("the passes are not tried in their order, each once")
    if any(item.chosen is not None for item in placement.passes[:-1]):
        yield where("a pass is tried after one that selected a node")
    last = placement.passes[-1].chosen if placement.passes else None
    if placement.plan != last:
        yield where("the outcome is not what the last pass tried has selected")
    if placement.plan is None and len(tried) < len(PlacementPass):
        yield where("passes were left untried although none selected a node", numbers=(("tried", len(tried)),))


PLACE_7 = Clause(
    id="PLACE-7",
    title="The first pass that selects a node decides, and the order of passes is fixed",
    doc="""The node-selection policy gives a set; of it the scheduler keeps the nodes that are activated, not to be
    deactivated, and have invocation capacity left. The six passes are tried over these, in order; the first that selects a
    node decides, and plan selection compares within one pass only. So an invocation has one outcome a round: it is
    dispatched or prepared, never both. Example: a cold dispatch that ends two containers beats a load that frees nothing.
    Judged from decisions alone, each node's loads and each node's copies need an invocation of their own that is neither
    failed nor dispatched.""",
    seed=SEED,
    ambiguities=("AMB-7",),
    checks=(safety(_transfer_groups, _each_outcome_has_its_own_invocation), with_trace(placements, _tries_the_passes_in_order)),
)


# PLACE-8


def _without_plan(context: Context) -> Iterator[PlacementTrace]:
    return (placement for placement in placements(context) if placement.plan is None)


def _changes_nothing(_: Context, placement: PlacementTrace) -> Iterator[Witness]:
    if placement.after is not placement.before and placement.after != placement.before:
        yield Witness("an invocation without a plan changes the working state", invocation=placement.invocation)


PLACE_8 = Clause(
    id="PLACE-8",
    title="Without a plan an invocation leaves no trace in the working state",
    doc="""An invocation for which no pass selects a node stays pending: it takes no capacity, protects no layer, and the
    next round looks at it again. If it held anything back it would starve others for nothing. Example: one that needs more
    RAM than any node has stays pending for ever, and all others go on as if it were not there.""",
    seed=SEED,
    checks=(with_trace(_without_plan, _changes_nothing),),
)
