"""POL: the built-in policies that placement asks: node selection, reuse, plan selection.

Eviction has ``victims.py``, what is random ``draws.py``.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from gaugeblock.model import (
    ContainerStatus,
    FunctionName,
    Invocation,
    LayerName,
    NodeName,
    PlacementPass,
    PlacementTrace,
    Plan,
    PolicyKind,
)
from gaugeblock_specs.clause import Clause, with_policies, with_trace
from gaugeblock_specs.context import Context
from gaugeblock_specs.derive import in_ram, invocations_left, on_disk, required_names, room_in
from gaugeblock_specs.installed import installed
from gaugeblock_specs.room import fits, is_placement_known, left_on, takes_more
from gaugeblock_specs.subjects import Tried, passes_of, placements
from gaugeblock_specs.verdicts import Witness

SEED = "GreedyServerlessScheduler()"
ALTERNATIVES = (PlacementPass.COLD_DISPATCH, PlacementPass.RAM_LOAD, PlacementPass.DISK_COPY)


# POL-select-all-possible


def _first_of_each_function(invocations: Iterable[Invocation]) -> Iterator[Invocation]:
    """Yield one invocation of each function: what is possible for it is possible for all of them."""
    seen: set[FunctionName] = set()
    for invocation in invocations:
        if invocation.function.name not in seen:
            seen.add(invocation.function.name)
            yield invocation


def _passed_over(context: Context) -> Iterator[Invocation]:
    if is_placement_known(context):
        yield from _first_of_each_function(context.left_over)


def _cold_start_stays_impossible(context: Context, invocation: Invocation) -> Iterator[Witness]:
    """Room for a function only shrinks in a round: where it would fit at the end, it would have fitted in its turn."""
    function = invocation.function
    for batch in context.batch_of.values():
        node = batch.node
        usable = context.is_usable(node) and invocations_left(node) - len(batch.dispatched) > 0
        there = (in_ram(node) - batch.leaves_ram) & (on_disk(node) - batch.leaves_disk) if usable else frozenset[LayerName]()
        if usable and required_names(function) <= there and fits(function, left_on(context, node.name)):
            yield Witness(
                "the invocation is not dispatched although a node has room to spare", node=node.name, invocation=invocation.id
            )


def _selects_all(_: Context, placement: PlacementTrace) -> Iterator[Witness]:
    due = tuple(node.observed.name for node in placement.before.nodes if node.invocations_available > 0)
    if placement.selected != due:
        yield Witness("selected are all nodes with invocation capacity left", invocation=placement.invocation)


def _where_all_are_selected(context: Context) -> Iterator[PlacementTrace]:
    return placements(context) if installed(context, PolicyKind.NODE_SELECTION, "select-all-possible") else iter(())


SELECT_ALL = Clause(
    id="POL-select-all-possible",
    title="select-all-possible: every node with invocation capacity left",
    doc="""Every node that can take one more invocation is selected; the scheduler keeps those that are activated and stay
    so. Example: N1 is full, N2 and N3 are not: N2 and N3. From decisions alone, where the other policies are built in: no
    invocation stays behind while a node holds all its layers and has room for it when all is planned.""",
    seed=SEED,
    checks=(
        with_policies(_passed_over, _cold_start_stays_impossible),
        with_trace(_where_all_are_selected, _selects_all, needs_policies=True),
    ),
)


# POL-first-fit


def _without_container(context: Context) -> Iterator[Invocation]:
    policies = context.policies
    if policies.node_selection.name == "select-all-possible" and policies.reusable_container.name == "first-fit":
        by_reuse = frozenset(dispatch.invocation for dispatch in context.decisions.dispatches if dispatch.container is not None)
        yield from _first_of_each_function(item for item in context.survivors if item.id not in by_reuse)


def _no_container_is_left(context: Context, invocation: Invocation) -> Iterator[Witness]:
    """Room in containers only shrinks in a round: one with room at the end had room when it was the invocation's turn."""
    for batch in context.batch_of.values():
        for container in batch.kept if takes_more(context, batch) else ():
            taken = sum(reused.id == container.id for _, reused in batch.reuses)
            compatible = container.status is ContainerStatus.READY and container.function == invocation.function
            if compatible and room_in(container) - taken > 0:
                where = partial(Witness, node=batch.node.name, container=container.id, invocation=invocation.id)
                yield where("the invocation reuses nothing although a container of its function has room")


def _first_fit_passes(context: Context) -> Iterator[Tried]:
    if installed(context, PolicyKind.REUSABLE_CONTAINER, "first-fit"):
        yield from (tried for tried in passes_of(context, PlacementPass.REUSE) if tried.tried.candidates)


def _takes_the_first(_: Context, tried: Tried) -> Iterator[Witness]:
    first, chosen = tried.tried.candidates[0], tried.tried.chosen
    if chosen is None or (chosen.node, chosen.container) != (first.node, first.container.id):
        message = "the first candidate in traversal order, then by id, is not the one reused"
        yield Witness(message, node=first.node, invocation=tried.placement.invocation, container=first.container.id)


FIRST_FIT = Clause(
    id="POL-first-fit",
    title="first-fit: the first container in traversal order, then by id",
    doc="""Of the containers that could take the invocation the one on the first node in traversal order is taken, and there
    the one with the smallest id. Example: containers 7 on N1 and 3 on N2, both fit: 7. From decisions alone: nobody starts
    cold or stays behind while a container of the function has room when all is planned.""",
    seed=SEED,
    ambiguities=("AMB-1",),
    checks=(
        with_policies(_without_container, _no_container_is_left),
        with_trace(_first_fit_passes, _takes_the_first, needs_policies=True),
    ),
)


# POL-eviction-averse


def choices_by(context: Context, name: str) -> Iterator[tuple[Tried, tuple[Plan, ...]]]:
    """Yield each choice that the plan-selection policy of that name had to make: the pass, and its alternatives."""
    if installed(context, PolicyKind.PLAN_SELECTION, name):
        for tried in passes_of(context, *ALTERNATIVES):
            plans = tuple(finding.plan for finding in tried.tried.findings if finding.plan is not None)
            if plans:
                yield tried, plans


def _rank(plan: Plan) -> tuple[int, int, int, int, int, NodeName]:
    freed = plan.reclamation
    copies = len(plan.layers) if plan.placement_pass is PlacementPass.DISK_COPY else 0
    loads = len(plan.layers) if plan.placement_pass is PlacementPass.RAM_LOAD else 0
    return len(freed.disk_evictions), len(freed.ram_evictions), len(freed.terminations), copies, loads, plan.node


def _takes_the_least(_: Context, subject: tuple[Tried, tuple[Plan, ...]]) -> Iterator[Witness]:
    tried, plans = subject
    least = min(plans, key=_rank)
    if tried.tried.chosen != least:
        labels = ("disk evictions", "RAM evictions", "terminations", "copies", "loads")
        numbers = tuple(zip(labels, _rank(least)[:5], strict=True))
        yield Witness(
            "an alternative of lower rank was there", node=least.node, invocation=tried.placement.invocation, numbers=numbers
        )


EVICTION_AVERSE = Clause(
    id="POL-eviction-averse",
    title="eviction-averse: the least disk evictions, RAM evictions, terminations, copies, loads",
    doc="""Of the alternatives the one with the fewest disk evictions is taken; among equals the one with the fewest RAM
    evictions, then terminations, copies, loads; then the smallest node name by code point. Example: two terminations beat
    one RAM eviction, and of equals node-10 comes before node-2.""",
    seed=SEED,
    checks=(with_trace(lambda context: choices_by(context, "eviction-averse"), _takes_the_least, needs_policies=True),),
)
