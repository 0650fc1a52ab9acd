"""What clauses about a trace speak of: placements, passes, findings and the changes that chosen plans make."""

from collections.abc import Iterator
from dataclasses import dataclass

from gaugeblock.model import (
    Function,
    Layer,
    LayerName,
    NodeFinding,
    PassTrace,
    PlacementPass,
    PlacementTrace,
    Plan,
    RoundTrace,
    WorkingNode,
)
from gaugeblock_specs.context import Context


@dataclass(frozen=True)
class Found:
    """What one pass found on one node, beside the node as it was before the placement."""

    placement: PlacementTrace
    function: Function
    tried: PassTrace
    finding: NodeFinding
    node: WorkingNode


@dataclass(frozen=True)
class Tried:
    """One pass that was tried for one invocation, and what it found, node by node."""

    placement: PlacementTrace
    function: Function
    tried: PassTrace
    found: tuple[Found, ...]


@dataclass(frozen=True)
class Change:
    """A chosen plan, and its node before and after."""

    placement: PlacementTrace
    function: Function
    plan: Plan
    before: WorkingNode
    after: WorkingNode
    known: dict[LayerName, Layer]

    def layers(self, names: tuple[LayerName, ...]) -> tuple[Layer, ...]:
        """Return the catalogue's layers of these names."""
        return tuple(self.known[name] for name in names)


def the_trace(context: Context) -> Iterator[RoundTrace]:
    """Yield the trace: the subject of clauses about every round."""
    yield context.trace


def placements(context: Context) -> Iterator[PlacementTrace]:
    """Yield every placement."""
    yield from context.trace.placements


def passes(context: Context) -> tuple[Tried, ...]:
    """Return every pass tried, in order."""
    return context.once(_passes)


def _passes(context: Context) -> tuple[Tried, ...]:
    return tuple(
        Tried(placement, context.pending[placement.invocation].function, tried, tuple(_found(context, placement, tried)))
        for placement in context.trace.placements
        for tried in placement.passes
    )


def _found(context: Context, placement: PlacementTrace, tried: PassTrace) -> Iterator[Found]:
    function = context.pending[placement.invocation].function
    for finding in tried.findings:
        node = placement.before.nodes[context.position_of[finding.node]]
        yield Found(placement, function, tried, finding, node)


def passes_of(context: Context, *kinds: PlacementPass) -> Iterator[Tried]:
    """Yield the passes of the given kinds that were tried."""
    return (tried for tried in passes(context) if tried.tried.placement_pass in kinds)


def changes(context: Context) -> tuple[Change, ...]:
    """Return every chosen plan with what it did to its node."""
    return context.once(_changes)


def _changes(context: Context) -> tuple[Change, ...]:
    return tuple(
        Change(
            placement=placement,
            function=context.pending[placement.invocation].function,
            plan=placement.plan,
            before=placement.before.nodes[context.position_of[placement.plan.node]],
            after=placement.after.nodes[context.position_of[placement.plan.node]],
            known=context.layers,
        )
        for placement in context.trace.placements
        if placement.plan is not None
    )


def changes_by(context: Context, *kinds: PlacementPass) -> Iterator[Change]:
    """Yield the changes by plans of the given passes."""
    return (change for change in changes(context) if change.plan.placement_pass in kinds)
