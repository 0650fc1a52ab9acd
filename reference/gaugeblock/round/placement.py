"""PLACE: the six passes for one invocation. The first pass that selects a node decides the outcome (PLACE-7)."""

from collections.abc import Iterable
from typing import NamedTuple

from gaugeblock.model import (
    ContainerStatus,
    Invocation,
    LayerName,
    Need,
    NodeFinding,
    NodeName,
    NodeStatus,
    PassTrace,
    PlacementPass,
    PlacementTrace,
    Plan,
    ReuseCandidate,
    WorkingNode,
    WorkingState,
)
from gaugeblock.policies.protocols import Policies
from gaugeblock.round.accounting import apply_plan
from gaugeblock.round.contracts import check_choice, check_reuse, check_selection
from gaugeblock.round.reclamation import plan_reclamation


class Readiness(NamedTuple):
    """How far an eligible node has the invocation's image: the required layers that lack something, in image order."""

    node: WorkingNode
    not_in_ram: tuple[LayerName, ...]
    not_even_loading: tuple[LayerName, ...]
    not_on_disk: tuple[LayerName, ...]
    not_even_copying: tuple[LayerName, ...]


class _Request(NamedTuple):
    """What every pass is given."""

    state: WorkingState
    invocation: Invocation
    policies: Policies
    nodes: tuple[Readiness, ...]


def place(state: WorkingState, invocation: Invocation, policies: Policies) -> PlacementTrace:
    """Try the passes in order for one invocation and apply the plan that the first successful one selects (PLACE-7, PLACE-8).

    Raises:
        PolicyContractError: when a policy breaks its contract.
    """
    answer = policies.node_selection.select(state, invocation)
    selected = check_selection(policies.node_selection, state, answer)
    required = tuple(layer.name for layer in invocation.function.image.layers)
    nodes = tuple(readiness(node, required) for node in eligible_nodes(state, selected))
    request = _Request(state, invocation, policies, nodes)
    passes: list[PassTrace] = []
    chosen: Plan | None = None
    for attempt in (_reuse, _cold_dispatch, _wait_for_ram, _ram_load, _wait_for_disk, _disk_copy):
        passes.append(attempt(request))
        chosen = passes[-1].chosen
        if chosen is not None:
            break
    after = state if chosen is None else apply_plan(state, chosen, invocation)
    eligible = tuple(each.node.observed.name for each in nodes)
    return PlacementTrace(invocation.id, selected, eligible, tuple(passes), chosen, before=state, after=after)


def eligible_nodes(state: WorkingState, selected: tuple[NodeName, ...]) -> tuple[WorkingNode, ...]:
    """PLACE: the selected nodes that take work and have invocation capacity left, in traversal order (ROUND-3)."""
    names = frozenset(selected)
    return tuple(
        node for node in state.nodes if node.observed.name in names and takes_work(node) and node.invocations_available > 0
    )


def takes_work(node: WorkingNode) -> bool:
    """Whether the node is activated and not selected for deactivation in this round (ROUND-3)."""
    return node.observed.status is NodeStatus.ACTIVATED and not node.selected_for_deactivation


def readiness(node: WorkingNode, required: tuple[LayerName, ...]) -> Readiness:
    """Return which required layers lack RAM or disk residency on ``node``, and which of them are not even in progress."""
    not_in_ram = _absent(required, node.resident_in_ram)
    not_on_disk = _absent(not_in_ram, node.resident_on_disk)  # what is in RAM is on disk
    not_even_loading = _absent(not_in_ram, node.loading)
    return Readiness(node, not_in_ram, not_even_loading, not_on_disk, _absent(not_on_disk, node.copying))


def _absent(names: tuple[LayerName, ...], there: frozenset[LayerName]) -> tuple[LayerName, ...]:
    return tuple([name for name in names if name not in there]) if names else ()


def _reuse(request: _Request) -> PassTrace:
    """PLACE-1: a ready container of the function with room, idle or not."""
    candidates = tuple(candidate for each in request.nodes for candidate in reuse_candidates(each.node, request.invocation))
    if not candidates:
        return PassTrace(PlacementPass.REUSE)
    policy = request.policies.reusable_container
    picked = check_reuse(policy, candidates, policy.pick(request.state, request.invocation, candidates))
    if picked is None:
        return PassTrace(PlacementPass.REUSE, candidates)
    plan = Plan(PlacementPass.REUSE, request.invocation.id, picked.node, picked.container.id)
    return PassTrace(PlacementPass.REUSE, candidates, chosen=plan)


def reuse_candidates(node: WorkingNode, invocation: Invocation) -> tuple[ReuseCandidate, ...]:
    """PLACE-1: the node's ready containers of the invocation's function that can take one invocation more, by id."""
    return tuple(
        ReuseCandidate(node.observed.name, each.container, each.invocations_available)
        for each in node.containers
        if each.container.function.name == invocation.function.name
        and each.container.status is ContainerStatus.READY
        and each.invocations_available > 0
    )


def _cold_dispatch(request: _Request) -> PassTrace:
    """PLACE-2: a new container where every required layer is resident on disk and in RAM."""
    function = request.invocation.function
    need = Need(function.ram_bytes, function.disk_bytes, positions=1)
    findings: list[NodeFinding] = []
    for each in request.nodes:
        if each.not_in_ram:
            findings.append(NodeFinding(each.node.observed.name, blocking=each.not_in_ram))
        else:
            findings.append(_alternative(request, PlacementPass.COLD_DISPATCH, each.node, need, ()))
    return _select(request, PlacementPass.COLD_DISPATCH, tuple(findings))


def _wait_for_ram(request: _Request) -> PassTrace:
    """PLACE-3: the first node where what is missing in RAM is all being loaded."""
    awaited = ((each.node, each.not_in_ram, each.not_even_loading) for each in request.nodes)
    return _wait(request, PlacementPass.WAIT_FOR_RAM, awaited)


def _ram_load(request: _Request) -> PassTrace:
    """PLACE-4: load what is neither in RAM nor being loaded, where every required layer is on disk."""
    image = request.invocation.function.image
    findings: list[NodeFinding] = []
    for each in request.nodes:
        layers = each.not_even_loading
        if each.not_on_disk or not layers:
            findings.append(NodeFinding(each.node.observed.name, each.not_on_disk, layers))
        else:
            need = Need(ram_bytes=sum(layer.ram_bytes for layer in image.layers if layer.name in layers))
            findings.append(_alternative(request, PlacementPass.RAM_LOAD, each.node, need, layers))
    return _select(request, PlacementPass.RAM_LOAD, tuple(findings))


def _wait_for_disk(request: _Request) -> PassTrace:
    """PLACE-5: the first node where what is missing on disk is all being copied."""
    awaited = ((each.node, each.not_on_disk, each.not_even_copying) for each in request.nodes)
    return _wait(request, PlacementPass.WAIT_FOR_DISK, awaited)


def _disk_copy(request: _Request) -> PassTrace:
    """PLACE-6: copy what is neither on disk nor being copied."""
    image = request.invocation.function.image
    findings: list[NodeFinding] = []
    for each in request.nodes:
        layers = each.not_even_copying
        if not layers:
            findings.append(NodeFinding(each.node.observed.name))
        else:
            need = Need(disk_bytes=sum(layer.disk_bytes for layer in image.layers if layer.name in layers))
            findings.append(_alternative(request, PlacementPass.DISK_COPY, each.node, need, layers))
    return _select(request, PlacementPass.DISK_COPY, tuple(findings))


def _wait(
    request: _Request,
    placement_pass: PlacementPass,
    awaited: Iterable[tuple[WorkingNode, tuple[LayerName, ...], tuple[LayerName, ...]]],
) -> PassTrace:
    """Select the first node where some layer is missing and every missing one is in progress (PLACE-3, PLACE-5)."""
    findings: list[NodeFinding] = []
    for node, missing, not_in_progress in awaited:
        name = node.observed.name
        if missing and not not_in_progress:
            plan = Plan(placement_pass, request.invocation.id, name, None, missing)
            findings.append(NodeFinding(name, (), plan.layers, None, plan))
            return PassTrace(placement_pass, (), tuple(findings), plan)
        findings.append(NodeFinding(name, not_in_progress, missing))
    return PassTrace(placement_pass, (), tuple(findings))


def _alternative(
    request: _Request, placement_pass: PlacementPass, node: WorkingNode, need: Need, layers: tuple[LayerName, ...]
) -> NodeFinding:
    """Return the alternative on ``node`` if room can be made for ``need``, or the finding that it cannot (RECL-7)."""
    invocation = request.invocation
    trace, reclamation = plan_reclamation(request.state, node, need, invocation.function, request.policies.eviction)
    name = node.observed.name
    if reclamation is None:
        return NodeFinding(name, (), layers, trace)
    plan = Plan(placement_pass, invocation.id, name, None, layers, reclamation)
    return NodeFinding(name, (), layers, trace, plan)


def _select(request: _Request, placement_pass: PlacementPass, findings: tuple[NodeFinding, ...]) -> PassTrace:
    """PLACE-7: the plan-selection policy picks among this pass's alternatives, or none; it is not asked without any."""
    alternatives = tuple(finding.plan for finding in findings if finding.plan is not None)
    if not alternatives:
        return PassTrace(placement_pass, (), findings)
    policy = request.policies.plan_selection
    chosen = check_choice(policy, alternatives, policy.choose(request.state, request.invocation, alternatives))
    return PassTrace(placement_pass, (), findings, chosen)
