"""The trace of a round in words: what each pass found on each node, and a sentence for each choice."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gaugeblock.conformance.parting import outcome_of
from gaugeblock.model import (
    Deficits,
    Need,
    NodeFinding,
    NodeStatus,
    PassTrace,
    PlacementPass,
    PlacementTrace,
    Plan,
    PolicyName,
    PolicyNames,
    ReclamationStep,
    ReclamationStepKind,
    ReclamationTrace,
    RoundTrace,
    WorkingNode,
)
from gaugeblock_specs.registry import find

TITLES: Final = {
    PlacementPass.REUSE: "reuse",
    PlacementPass.COLD_DISPATCH: "cold dispatch",
    PlacementPass.WAIT_FOR_RAM: "wait for RAM",
    PlacementPass.RAM_LOAD: "RAM load",
    PlacementPass.WAIT_FOR_DISK: "wait for disk",
    PlacementPass.DISK_COPY: "disk copy",
}
STEPS: Final = {
    ReclamationStepKind.CONTAINERS: "ends {} (RECL-4; idle: {})",
    ReclamationStepKind.RAM_LAYERS: "evicts {} from RAM (RECL-5; candidates: {})",
    ReclamationStepKind.DISK_LAYERS: "evicts {} from disk (RECL-6; candidates: {})",
}
NOTHING_MISSING: Final = {
    PlacementPass.WAIT_FOR_RAM: "all layers are in RAM",
    PlacementPass.RAM_LOAD: "nothing is left to load",
    PlacementPass.WAIT_FOR_DISK: "all layers are on disk",
    PlacementPass.DISK_COPY: "nothing is left to copy",
}
EFFECTS: Final = {
    PlacementPass.REUSE: "ACCT-1",
    PlacementPass.COLD_DISPATCH: "ACCT-2",
    PlacementPass.WAIT_FOR_RAM: "ACCT-6",
    PlacementPass.RAM_LOAD: "ACCT-5",
    PlacementPass.WAIT_FOR_DISK: "ACCT-6",
    PlacementPass.DISK_COPY: "ACCT-5",
}
"""The clause that says what the operation of each pass takes."""

BLOCKED: Final = {
    PlacementPass.COLD_DISPATCH: "not in RAM",
    PlacementPass.WAIT_FOR_RAM: "not being loaded",
    PlacementPass.RAM_LOAD: "not on disk",
    PlacementPass.WAIT_FOR_DISK: "not being copied",
}


class Row(NamedTuple):
    """One line of a table: the pass, the node, what was found there, and whether it is an alternative or the choice."""

    placement_pass: str
    node: str
    finding: str
    outcome: str


def phases_before(trace: RoundTrace, policies: PolicyNames) -> Iterator[str]:
    """Yield a sentence for each phase before placement, with its clause and the rule of its policy."""
    failures = [f"invocation {failure.invocation} ({failure.reason})" for failure in trace.failures]
    yield f"Failures (ROUND-2{_pol(policies.invocation_failing)}): {', '.join(failures) or 'none'}."
    scaling = [f"activate {name}" for name in trace.scaling.activations]
    scaling += [f"deactivate {name}, which nothing is planned on any more" for name in trace.scaling.deactivations]
    yield f"Node scaling (ROUND-3{_pol(policies.node_scaling)}): {', '.join(scaling) or 'nothing requested'}."
    order = [str(invocation.id) for invocation in trace.ordered.worklist]
    yield f"Order (ROUND-4{_pol(policies.invocation_ordering)}): {', '.join(order) or 'no invocation to place'}."


def phases_after(trace: RoundTrace, policies: PolicyNames) -> Iterator[str]:
    """Yield a sentence for each phase after placement, with its clause and the rule of its policy."""
    prewarms = [f"a container of {prewarm.function} on {prewarm.node}" for prewarm in trace.prewarms]
    yield f"Prewarming (PREW-3{_pol(policies.container_prewarm)}): {', '.join(prewarms) or 'none'}."
    reports = [f"{report.kind.value} asks for {report.date!r}" for report in trace.wakeups if report.date is not None]
    earliest = f"at {trace.wakeup!r}, the earliest of: {', '.join(reports)}" if reports else "none; no policy asks for one"
    yield f"Wake-up (WAKE-1): {earliest}."


def not_eligible(placement: PlacementTrace) -> Iterator[str]:
    """Yield each node that takes no part in a placement, with the reason (PLACE)."""
    for node in placement.before.nodes:
        if node.observed.name not in placement.eligible:
            yield f"{node.observed.name} ({_why_not_eligible(node, node.observed.name in placement.selected)})"


def rows(tried: PassTrace) -> Iterator[Row]:
    """Yield what one pass found."""
    title = f"{tried.placement_pass.clause} {TITLES[tried.placement_pass]}"
    if tried.placement_pass is PlacementPass.REUSE:
        yield from _reuse_rows(title, tried)
    for finding in tried.findings:
        chosen = tried.chosen is not None and tried.chosen == finding.plan
        outcome = "chosen" if chosen else "alternative" if finding.plan else ""
        yield Row(title, finding.node, _finding(tried.placement_pass, finding), outcome)


def choice(placement: PlacementTrace, policies: PolicyNames) -> str:
    """Return the sentence that tells the outcome for one invocation, and by which rule it came about."""
    plan = placement.plan
    subject = f"Invocation {placement.invocation} {outcome_of(plan)}"
    if plan is None:
        why = "no pass selects a node" if placement.eligible else "no node is eligible"
        return f"{subject} (PLACE-8): {why}. It does not hold up the invocations behind it."
    return f"{subject} ({plan.placement_pass.clause}): {_rule(placement.passes[-1], policies)}{_room(plan, policies)}."


def effects(placement: PlacementTrace) -> str | None:
    """Return what the chosen plan leaves of the working quantities on its node (ACCT), or None without a plan."""
    plan = placement.plan
    if plan is None:
        return None
    before, after = (_node(nodes, plan) for nodes in (placement.before.nodes, placement.after.nodes))
    changes = [
        f"{title} {old} to {new}"
        for title, old, new in (
            ("RAM", before.ram_available, after.ram_available),
            ("disk", before.disk_available, after.disk_available),
            ("invocations", before.invocations_available, after.invocations_available),
            ("positions", before.positions_available, after.positions_available),
        )
        if old != new
    ]
    newly = [layer.name for layer in placement.before.catalog.layers if layer.name in after.protected - before.protected]
    protects = f" Protected from now on: {', '.join(newly)} (ACCT-7)." if newly else ""
    rules = ", ".join(clauses_of_effects(plan))
    return f"Available on {plan.node} ({rules}): {', '.join(changes) or 'as before'}.{protects}"


def clauses_of_effects(plan: Plan) -> Iterator[str]:
    """Yield the clauses that say what a plan takes and gives back (ACCT)."""
    if plan.reclamation.terminations:
        yield "ACCT-3"
    if plan.reclamation.ram_evictions or plan.reclamation.disk_evictions:
        yield "ACCT-4"
    yield EFFECTS[plan.placement_pass]


def _reuse_rows(title: str, tried: PassTrace) -> Iterator[Row]:
    for candidate in tried.candidates:
        container = candidate.container
        finding = f"container {container.id} holds {container.in_flight}, has room for {candidate.invocations_available}"
        chosen = tried.chosen is not None and tried.chosen.container == container.id
        yield Row(title, candidate.node, finding, "chosen" if chosen else "candidate")
    if not tried.candidates:
        yield Row(title, "", "no ready container of the function has room", "")


def _why_not_eligible(node: WorkingNode, selected: bool) -> str:
    if node.observed.status is not NodeStatus.ACTIVATED:
        return f"{node.observed.status.value}: ROUND-3"
    if node.selected_for_deactivation:
        return "selected for deactivation: ROUND-3"
    if node.invocations_available <= 0:
        return "no invocation capacity left: ACCT-1, ACCT-2"
    return "not selected by the policy" if not selected else "takes no work"


def _finding(placement_pass: PlacementPass, finding: NodeFinding) -> str:
    if finding.reclamation is not None:
        return _reclamation(finding.reclamation, finding.layers)
    if finding.blocking:
        return f"{BLOCKED[placement_pass]}: {', '.join(finding.blocking)}"
    if finding.plan is not None:
        return f"in progress: {', '.join(finding.layers)}"
    return NOTHING_MISSING[placement_pass]


def _reclamation(trace: ReclamationTrace, layers: tuple[str, ...]) -> str:
    purpose = f"{', '.join(layers)}: " if layers else ""
    parts = [f"{purpose}needs {_amounts(trace.need)}"]
    if not _amounts(trace.deficits):
        return f"{parts[0]}; there is room"
    parts.append(f"short of {_amounts(trace.deficits)} (RECL-1)")
    parts += [_step(step) for step in trace.steps]
    left = _amounts(trace.remaining)
    if not trace.steps:
        parts.append("nothing there may be reclaimed (RECL-4 to RECL-6)")
    parts.append(f"still short of {left} (RECL-7)" if left else "then there is room")
    return "; ".join(parts)


def _step(step: ReclamationStep) -> str:
    candidates = ", ".join(str(candidate) for candidate in step.candidates)
    victims = ", ".join(str(victim) for victim in step.victims)
    return STEPS[step.kind].format(victims or "none", candidates)


def _amounts(amounts: Need | Deficits) -> str:
    positions = f"{amounts.positions} position" + ("" if amounts.positions == 1 else "s")
    named = ((amounts.ram_bytes, f"RAM {amounts.ram_bytes}"), (amounts.disk_bytes, f"disk {amounts.disk_bytes}"))
    return ", ".join(text for amount, text in (*named, (amounts.positions, positions)) if amount > 0)


def _rule(tried: PassTrace, policies: PolicyNames) -> str:
    if tried.placement_pass is PlacementPass.REUSE:
        name = policies.reusable_container
        return f"{name.name} picks {_among(len(tried.candidates), 'candidate')}{_in_brackets(name)}"
    if tried.placement_pass in (PlacementPass.WAIT_FOR_RAM, PlacementPass.WAIT_FOR_DISK):
        return "the first node in traversal order where all that is missing is in progress"
    alternatives = sum(finding.plan is not None for finding in tried.findings)
    name = policies.plan_selection
    return f"{name.name} picks {_among(alternatives, 'alternative')}{_in_brackets(name)}"


def _room(plan: Plan, policies: PolicyNames) -> str:
    freed = plan.reclamation
    ended = f"ends container {', '.join(map(str, freed.terminations))}" if freed.terminations else ""
    from_ram = f"evicts {', '.join(freed.ram_evictions)} from RAM" if freed.ram_evictions else ""
    from_disk = f"evicts {', '.join(freed.disk_evictions)} from disk" if freed.disk_evictions else ""
    does = " and ".join(text for text in (ended, from_ram, from_disk) if text)
    return f"; to make room it {does} (RECL-2{_pol(policies.eviction)})" if does else ""


def _node(nodes: tuple[WorkingNode, ...], plan: Plan) -> WorkingNode:
    return next(node for node in nodes if node.observed.name == plan.node)


def _pol(policy: PolicyName) -> str:
    """Name the clause of a policy, where it has one."""
    clause = f"POL-{policy.name}"
    return f", {clause}" if find(clause) else ""


def _in_brackets(policy: PolicyName) -> str:
    return f" ({_pol(policy)[2:]})" if _pol(policy) else ""


def _among(number: int, noun: str) -> str:
    return f"the only {noun}" if number == 1 else f"among {number} {noun}s"
