"""Whether a trace can be read at all: it is about this state, and what it names exists."""

from collections.abc import Iterator

from gaugeblock.model import NodeName, PassTrace, PlacementTrace, Plan, ReclamationStepKind, ReclamationTrace, WorkingState
from gaugeblock_specs.context import Context
from gaugeblock_specs.verdicts import Witness


def strangers_in(context: Context) -> Iterator[Witness]:
    """Yield a witness for each thing in the trace that the observed state does not have (ROUND-1, ROUND-10)."""
    trace = context.trace
    for what, state in (
        ("initial", trace.initial),
        ("ordered", trace.ordered),
        ("placed", trace.placed),
        ("final", trace.final),
    ):
        yield from _in_state(context, what, state)
    yield from _invocations(context, "failures", (failure.invocation for failure in trace.failures))
    for node in (*trace.scaling.activations, *trace.scaling.deactivations):
        yield from _node(context, "scaling", node)
    for prewarm in trace.prewarms:
        yield from _node(context, "prewarms", prewarm.node)
        if prewarm.function not in context.functions:
            yield Witness(f"prewarms: no function is named {prewarm.function!r}", node=prewarm.node)
    for placement in trace.placements:
        yield from _in_placement(context, placement)


def _in_state(context: Context, what: str, state: WorkingState) -> Iterator[Witness]:
    if tuple(node.observed.name for node in state.nodes) != tuple(context.nodes):
        yield Witness(f"{what}: the working state does not have the observed nodes in traversal order")
    yield from _invocations(context, f"{what}: worklist", (invocation.id for invocation in state.worklist))


def _in_placement(context: Context, placement: PlacementTrace) -> Iterator[Witness]:
    yield from _invocations(context, "placements", (placement.invocation,))
    yield from _in_state(context, "before", placement.before)
    yield from _in_state(context, "after", placement.after)
    for node in (*placement.selected, *placement.eligible):
        yield from _node(context, "selected or eligible", node)
    yield from _in_plan(context, placement.plan)
    for tried in placement.passes:
        yield from _in_pass(context, tried)


def _in_pass(context: Context, tried: PassTrace) -> Iterator[Witness]:
    where = tried.placement_pass.name
    yield from _in_plan(context, tried.chosen)
    for candidate in tried.candidates:
        yield from _container(context, where, candidate.node, candidate.container.id)
    for finding in tried.findings:
        yield from _node(context, where, finding.node)
        yield from _layers(context, where, finding.node, (*finding.blocking, *finding.layers))
        yield from _in_plan(context, finding.plan)
        if finding.reclamation is not None:
            yield from _in_reclamation(context, finding.node, finding.reclamation)


def _in_reclamation(context: Context, node: NodeName, reclamation: ReclamationTrace) -> Iterator[Witness]:
    for step in reclamation.steps:
        for item in (*step.candidates, *step.victims):
            if step.kind is ReclamationStepKind.CONTAINERS:
                yield from _container(context, step.kind.value, node, item)
            else:
                yield from _layers(context, step.kind.value, node, (item,))


def _in_plan(context: Context, plan: Plan | None) -> Iterator[Witness]:
    if plan is None:
        return
    where = f"plan of pass {plan.placement_pass.name}"
    yield from _invocations(context, where, (plan.invocation,))
    yield from _node(context, where, plan.node)
    ended = plan.reclamation.terminations
    for container in ended if plan.container is None else (*ended, plan.container):
        yield from _container(context, where, plan.node, container)
    yield from _layers(
        context, where, plan.node, (*plan.layers, *plan.reclamation.ram_evictions, *plan.reclamation.disk_evictions)
    )


def _node(context: Context, where: str, node: NodeName) -> Iterator[Witness]:
    if node not in context.nodes:
        yield Witness(f"{where}: no node is named {node!r}", node=node)


def _invocations(context: Context, where: str, invocations: Iterator[object] | tuple[object, ...]) -> Iterator[Witness]:
    for invocation in invocations:
        if invocation not in context.pending:
            yield Witness(f"{where}: invocation {invocation} is not pending")


def _container(context: Context, where: str, node: NodeName, container: object) -> Iterator[Witness]:
    if (node, container) not in context.containers:
        yield Witness(f"{where}: the node holds no container {container}", node=node)


def _layers(context: Context, where: str, node: NodeName, layers: tuple[object, ...]) -> Iterator[Witness]:
    for layer in layers:
        if layer not in context.layers:
            yield Witness(f"{where}: no layer is named {layer!r}", node=node)
