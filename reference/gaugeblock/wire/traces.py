"""The trace of a round on the wire: the whole story, for programs to read.

Things of the catalogue appear by name. What a working state holds as sets of layers stands in catalogue order. A placement
lists the nodes that it changed, before and after; every other node is as in the state before it.
"""

from collections.abc import Set as AbstractSet
from typing import TypeAlias

import msgspec

from gaugeblock.model import (
    Catalog,
    ContainerId,
    Deficits,
    Failure,
    FunctionName,
    InvocationId,
    LayerName,
    Need,
    NodeFinding,
    NodeName,
    PassTrace,
    PlacementTrace,
    Plan,
    Prewarm,
    Reclamation,
    ReclamationStepKind,
    ReclamationTrace,
    ReuseCandidate,
    RoundTrace,
    ScalingRequests,
    WakeupReport,
    WorkingContainer,
    WorkingNode,
    WorkingState,
)
from gaugeblock.wire.documents import Document, RoundDocument
from gaugeblock.wire.rounds import round_document

LayerList: TypeAlias = tuple[LayerName, ...]


class WorkingContainerDocument(Document, frozen=True):
    """A container that the round has not ended."""

    id: ContainerId
    function: FunctionName
    invocations_available: int
    chosen_for_reuse: bool


class WorkingNodeDocument(Document, frozen=True):
    """A node during the round: its counters, what is resident and in progress, what is protected, what is planned."""

    name: NodeName
    ram_available: int
    disk_available: int
    invocations_available: int
    positions_available: int
    resident_in_ram: LayerList
    resident_on_disk: LayerList
    loading: LayerList
    copying: LayerList
    containers: tuple[WorkingContainerDocument, ...]
    protected: LayerList
    planned: tuple[FunctionName, ...]
    selected_for_deactivation: bool


class WorkingStateDocument(Document, frozen=True):
    """The working state at one moment of the round."""

    nodes: tuple[WorkingNodeDocument, ...]
    worklist: tuple[InvocationId, ...]


class ReuseCandidateDocument(Document, frozen=True):
    """A container that the reusable-container policy was offered."""

    node: NodeName
    container: ContainerId
    invocations_available: int


class PlanDocument(Document, frozen=True):
    """An outcome that the invocation could have; ``clause`` is that of its pass."""

    clause: str
    invocation: InvocationId
    node: NodeName
    container: ContainerId | None
    layers: LayerList
    reclamation: Reclamation


class ReclamationStepDocument(Document, frozen=True):
    """One call of the eviction policy; containers appear by id, layers by name."""

    step: ReclamationStepKind
    deficits: Deficits
    candidates: tuple[ContainerId | LayerName, ...]
    victims: tuple[ContainerId | LayerName, ...]


class ReclamationDocument(Document, frozen=True):
    """How room was sought for one alternative."""

    need: Need
    deficits: Deficits
    steps: tuple[ReclamationStepDocument, ...]
    remaining: Deficits


class NodeFindingDocument(Document, frozen=True):
    """What a pass found on one node."""

    node: NodeName
    blocking: LayerList
    layers: LayerList
    reclamation: ReclamationDocument | None
    plan: PlanDocument | None


class PassDocument(Document, frozen=True):
    """One pass tried for one invocation."""

    name: str
    clause: str
    candidates: tuple[ReuseCandidateDocument, ...]
    findings: tuple[NodeFindingDocument, ...]
    chosen: PlanDocument | None


class ChangeDocument(Document, frozen=True):
    """A node that a placement changed."""

    before: WorkingNodeDocument
    after: WorkingNodeDocument


class PlacementDocument(Document, frozen=True):
    """What was done for one invocation."""

    invocation: InvocationId
    selected: tuple[NodeName, ...]
    eligible: tuple[NodeName, ...]
    passes: tuple[PassDocument, ...]
    plan: PlanDocument | None
    changes: tuple[ChangeDocument, ...]


class TraceDocument(Document, frozen=True):
    """The story of one round, phase by phase."""

    observed: RoundDocument
    initial: WorkingStateDocument
    failures: tuple[Failure, ...]
    scaling: ScalingRequests
    ordered: WorkingStateDocument
    placements: tuple[PlacementDocument, ...]
    placed: WorkingStateDocument
    prewarms: tuple[Prewarm, ...]
    final: WorkingStateDocument
    wakeups: tuple[WakeupReport, ...]
    wakeup: float | None


def encode_trace(trace: RoundTrace) -> bytes:
    """Return the document of ``trace``: compact JSON, always the same bytes for equal traces."""
    return msgspec.json.encode(trace_document(trace))


def trace_document(trace: RoundTrace) -> TraceDocument:
    """Return the document that tells ``trace``."""
    catalog = trace.observed.catalog
    return TraceDocument(
        observed=round_document(trace.observed),
        initial=state_document(trace.initial),
        failures=trace.failures,
        scaling=trace.scaling,
        ordered=state_document(trace.ordered),
        placements=tuple([_placement(placement, catalog) for placement in trace.placements]),
        placed=state_document(trace.placed),
        prewarms=trace.prewarms,
        final=state_document(trace.final),
        wakeups=trace.wakeups,
        wakeup=trace.wakeup,
    )


def state_document(state: WorkingState) -> WorkingStateDocument:
    """Return the document that tells a working state."""
    nodes = tuple([_node(node, state.catalog) for node in state.nodes])
    return WorkingStateDocument(nodes, tuple([invocation.id for invocation in state.worklist]))


def _node(node: WorkingNode, catalog: Catalog) -> WorkingNodeDocument:
    return WorkingNodeDocument(
        name=node.observed.name,
        ram_available=node.ram_available,
        disk_available=node.disk_available,
        invocations_available=node.invocations_available,
        positions_available=node.positions_available,
        resident_in_ram=_in_order(node.resident_in_ram, catalog),
        resident_on_disk=_in_order(node.resident_on_disk, catalog),
        loading=_in_order(node.loading, catalog),
        copying=_in_order(node.copying, catalog),
        containers=tuple([_container(container) for container in node.containers]),
        protected=_in_order(node.protected, catalog),
        planned=tuple([function.name for function in node.planned]),
        selected_for_deactivation=node.selected_for_deactivation,
    )


def _in_order(names: AbstractSet[LayerName], catalog: Catalog) -> LayerList:
    return tuple([layer.name for layer in catalog.layers if layer.name in names]) if names else ()


def _container(working: WorkingContainer) -> WorkingContainerDocument:
    container = working.container
    return WorkingContainerDocument(
        container.id, container.function.name, working.invocations_available, working.chosen_for_reuse
    )


def _placement(placement: PlacementTrace, catalog: Catalog) -> PlacementDocument:
    pairs = zip(placement.before.nodes, placement.after.nodes, strict=True)
    changes = [ChangeDocument(_node(before, catalog), _node(after, catalog)) for before, after in pairs if before is not after]
    return PlacementDocument(
        invocation=placement.invocation,
        selected=placement.selected,
        eligible=placement.eligible,
        passes=tuple([_pass(tried) for tried in placement.passes]),
        plan=plan_document(placement.plan),
        changes=tuple([change for change in changes if change.before != change.after]),
    )


def _pass(tried: PassTrace) -> PassDocument:
    return PassDocument(
        name=tried.placement_pass.name.lower(),
        clause=tried.placement_pass.clause,
        candidates=tuple([candidate_document(candidate) for candidate in tried.candidates]),
        findings=tuple([_finding(finding) for finding in tried.findings]),
        chosen=plan_document(tried.chosen),
    )


def candidate_document(candidate: ReuseCandidate) -> ReuseCandidateDocument:
    """Return the document that tells a container that could be reused."""
    return ReuseCandidateDocument(candidate.node, candidate.container.id, candidate.invocations_available)


def _finding(finding: NodeFinding) -> NodeFindingDocument:
    return NodeFindingDocument(
        finding.node, finding.blocking, finding.layers, _reclamation(finding.reclamation), plan_document(finding.plan)
    )


def _reclamation(trace: ReclamationTrace | None) -> ReclamationDocument | None:
    if trace is None:
        return None
    steps = [ReclamationStepDocument(step.kind, step.deficits, step.candidates, step.victims) for step in trace.steps]
    return ReclamationDocument(trace.need, trace.deficits, tuple(steps), trace.remaining)


def plan_document(plan: Plan | None) -> PlanDocument | None:
    """Return the document that tells a plan."""
    if plan is None:
        return None
    return PlanDocument(plan.placement_pass.clause, plan.invocation, plan.node, plan.container, plan.layers, plan.reclamation)
