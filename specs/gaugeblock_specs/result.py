"""ROUND-10: what the result of a round names, and that it stands for the chosen plans and nothing else."""

from collections.abc import Iterator

from gaugeblock.model import (
    ContainerId,
    Decisions,
    Dispatch,
    Eviction,
    NodeName,
    PlacementPass,
    Plan,
    RoundTrace,
    Termination,
    Transfer,
)
from gaugeblock_specs.clause import Clause, safety, with_trace
from gaugeblock_specs.context import Context
from gaugeblock_specs.readable import strangers_in
from gaugeblock_specs.subjects import the_trace
from gaugeblock_specs.verdicts import Witness


def the_decisions(context: Context) -> Iterator[Decisions]:
    """Yield the answer: the subject of clauses about every batch, an empty one included."""
    yield context.decisions


# ROUND-10


def _names_only_what_exists(context: Context, decisions: Decisions) -> Iterator[Witness]:
    for name in (*decisions.activations, *decisions.deactivations):
        yield from _unknown_node(context, name)
    for failure in decisions.failures:
        if failure.invocation not in context.pending:
            yield Witness("the failed invocation is not pending", invocation=failure.invocation)
    for dispatch in decisions.dispatches:
        if dispatch.invocation not in context.pending:
            yield Witness("the dispatched invocation is not pending", node=dispatch.node, invocation=dispatch.invocation)
    yield from _unknown_places(context, decisions)


def _unknown_places(context: Context, decisions: Decisions) -> Iterator[Witness]:
    evicted = [(eviction.node, eviction.layer) for eviction in (*decisions.ram_evictions, *decisions.disk_evictions)]
    moved = [(transfer.node, transfer.layer) for transfer in (*decisions.loads, *decisions.copies)]
    for node, layer in evicted + moved:
        yield from _unknown_node(context, node)
        if layer not in context.layers:
            yield Witness(f"no layer is named {layer!r}", node=node, layer=layer)
    for termination in decisions.terminations:
        yield from _unknown_container(context, termination.node, termination.container)
    for dispatch in decisions.dispatches:
        yield from _unknown_container(context, dispatch.node, dispatch.container)
    for prewarm in decisions.prewarms:
        yield from _unknown_node(context, prewarm.node)
        if prewarm.function not in context.functions:
            yield Witness(f"no function is named {prewarm.function!r}", node=prewarm.node)


def _unknown_node(context: Context, node: NodeName) -> Iterator[Witness]:
    if node not in context.nodes:
        yield Witness(f"no node is named {node!r}", node=node)


def _unknown_container(context: Context, node: NodeName, container: ContainerId | None) -> Iterator[Witness]:
    yield from _unknown_node(context, node)
    if node in context.nodes and container is not None and (node, container) not in context.containers:
        yield Witness("the node holds no such container", node=node, container=container)


def _describes_what_was_planned(context: Context, trace: RoundTrace) -> Iterator[Witness]:
    plans = tuple(placement.plan for placement in trace.placements if placement.plan is not None)
    due = implied_by(plans)
    for category in ("terminations", "ram_evictions", "disk_evictions", "dispatches", "loads", "copies"):
        found, expected = getattr(context.decisions, category), getattr(due, category)
        if found != expected:
            numbers = (("decided", len(found)), ("planned", len(expected)))
            yield Witness(
                f"the {category} decided are not those of the chosen plans, in the order of planning", numbers=numbers
            )


def implied_by(plans: tuple[Plan, ...]) -> Decisions:
    """Return the operations that chosen plans stand for, category by category in the order of planning (AMB-8)."""

    def transfers(placement_pass: PlacementPass) -> tuple[Transfer, ...]:
        return tuple(
            Transfer(plan.node, layer) for plan in plans if plan.placement_pass is placement_pass for layer in plan.layers
        )

    return Decisions(
        terminations=tuple(Termination(plan.node, item) for plan in plans for item in plan.reclamation.terminations),
        ram_evictions=tuple(Eviction(plan.node, item) for plan in plans for item in plan.reclamation.ram_evictions),
        disk_evictions=tuple(Eviction(plan.node, item) for plan in plans for item in plan.reclamation.disk_evictions),
        dispatches=tuple(Dispatch(plan.invocation, plan.node, plan.container) for plan in plans if _dispatches_by(plan)),
        loads=transfers(PlacementPass.RAM_LOAD),
        copies=transfers(PlacementPass.DISK_COPY),
    )


def _dispatches_by(plan: Plan) -> bool:
    return plan.placement_pass in (PlacementPass.REUSE, PlacementPass.COLD_DISPATCH)


def _trace_is_sound(context: Context, trace: RoundTrace) -> Iterator[Witness]:
    strangers = tuple(strangers_in(context))
    yield from strangers
    if not strangers:
        yield from _describes_what_was_planned(context, trace)


ROUND_10 = Clause(
    id="ROUND-10",
    title="The result describes operations on things that exist, and nothing else happens",
    doc="""A batch names nodes, layers, containers, functions and pending invocations of the observed state, and is exactly
    what the chosen plans stand for; nothing is executed or reserved by deciding it. An operation that no plan stands for
    has no reason, and a plan whose operation is missing leaves an invocation waiting for nothing. Example: a container that
    this round starts has no id yet, so no second invocation can be dispatched to it.""",
    seed="schedule()",
    ambiguities=("AMB-8",),
    checks=(
        safety(the_decisions, _names_only_what_exists),
        with_trace(the_trace, _trace_is_sound, reads_any_trace=True),
    ),
)
