"""Corruptions of the record of one placement: passes, candidates, findings, victims, the plan, the state it leaves."""

from collections.abc import Iterator
from functools import partial

from gaugeblock.miniatures.corruption.answers import neighbours_swapped, with_each_replaced, without_each
from gaugeblock.miniatures.corruption.story import Attempt, Story, indexed, with_placement
from gaugeblock.model import (
    Invocation,
    LayerName,
    NodeFinding,
    PassTrace,
    PlacementPass,
    PlacementTrace,
    Plan,
    ReclamationTrace,
    WorkingNode,
    replace,
)
from gaugeblock.round.accounting import apply_plan

Changed = Iterator[tuple[str, PlacementTrace]]
WAITS = (PlacementPass.WAIT_FOR_RAM, PlacementPass.WAIT_FOR_DISK)


def changed_placements(story: Story) -> Iterator[Attempt]:
    """Yield the stories in which the record of one placement is changed."""
    for index, placement in indexed(story):
        invocation = story.trace.ordered.worklist[index]
        yield from (Attempt(name, partial(_told_plan, story, index, plan)) for name, plan in _plans(placement, invocation))
        for change in (_waits, _lists, _passes, _findings, _states):
            for name, changed in change(placement, invocation):
                yield Attempt(name, partial(with_placement, story, index, changed))


def _told_plan(story: Story, index: int, plan: Plan | None) -> Story:
    placement = story.trace.placements[index]
    changed = with_plan(placement, story.trace.ordered.worklist[index], plan, placement.passes[-1])
    return with_placement(story, index, changed)


def with_plan(placement: PlacementTrace, invocation: Invocation, plan: Plan | None, last: PassTrace) -> PlacementTrace:
    """Return the placement with another plan in its last pass and where it is an alternative, applied."""
    findings = tuple(replace(each, plan=plan) if each.plan == placement.plan else each for each in last.findings)
    passes = (*placement.passes[:-1], replace(last, findings=findings, chosen=plan))
    after = placement.before if plan is None else apply_plan(placement.before, plan, invocation)
    return replace(placement, passes=passes, plan=plan, after=after)


def _plans(placement: PlacementTrace, invocation: Invocation) -> Iterator[tuple[str, Plan | None]]:
    """Change what the chosen plan does, as if it had been meant so."""
    if placement.plan is not None:
        yield from _other_plans(placement.plan, invocation, placement)
        yield "forget the plan", None


def _other_plans(plan: Plan, invocation: Invocation, placement: PlacementTrace) -> Iterator[tuple[str, Plan]]:
    required = tuple(layer.name for layer in invocation.function.image.layers)
    for layers in (*without_each(plan.layers), *(extra(plan.layers, name) for name in required if name not in plan.layers)):
        yield "move other layers", replace(plan, layers=layers)
    yield from (("move layers in another order", replace(plan, layers=each)) for each in neighbours_swapped(plan.layers))
    node = next(each for each in placement.before.nodes if each.observed.name == plan.node)
    for field, others in (
        ("terminations", tuple(each.container.id for each in node.containers if each.is_idle)),
        ("ram_evictions", tuple(each.layer.name for each in node.observed.ram_layers)),
        ("disk_evictions", tuple(each.layer.name for each in node.observed.disk_layers)),
    ):
        chosen: tuple[LayerName, ...] = getattr(plan.reclamation, field)
        strangers: tuple[LayerName, ...] = tuple(each for each in others if each not in chosen)  # type: ignore[misc]  # ids too
        for name, members in (
            *(("drop", each) for each in without_each(chosen)),
            *(("add", extra(chosen, each)) for each in strangers),
            *(("duplicate", extra(chosen, each)) for each in chosen),
            *(("replace", each) for each in with_each_replaced(chosen, strangers)),
            *(("reorder", each) for each in neighbours_swapped(chosen)),
        ):
            yield f"{name} {field} of the plan", replace(plan, reclamation=replace(plan.reclamation, **{field: members}))
    for each in placement.before.nodes:
        if each.observed.name != plan.node and each.observed.name in placement.eligible:
            yield "another node in the plan", replace(plan, node=each.observed.name)
    for other in node.containers:
        if plan.container is not None:
            yield "another container in the plan", replace(plan, container=other.container.id)


def extra(members: tuple[LayerName, ...], member: LayerName) -> tuple[LayerName, ...]:
    """Return the members and one more."""
    return (*members, member)


def _waits(placement: PlacementTrace, invocation: Invocation) -> Changed:
    """Wait for a later node that qualifies just as well, or wait although an earlier pass had an alternative."""
    plan = placement.plan
    if plan is None:
        return
    for position, attempt in enumerate(placement.passes):
        if attempt.placement_pass is PlacementPass.REUSE or attempt.placement_pass.value > 3:
            continue
        yield from _waits_instead(placement, invocation, position)
    if plan.placement_pass in WAITS:
        yield from _waits_elsewhere(placement, invocation, plan)


def _waits_instead(placement: PlacementTrace, invocation: Invocation, position: int) -> Changed:
    """Pretend that the cold dispatch found nothing it liked, and wait for what is being loaded."""
    for node in placement.before.nodes:
        missing = _missing(node, invocation, disk=False)
        if missing and set(missing) <= node.loading and node.observed.name in placement.eligible:
            declined = replace(placement.passes[position], chosen=None)
            plan = Plan(PlacementPass.WAIT_FOR_RAM, invocation.id, node.observed.name, None, missing)
            found = NodeFinding(node.observed.name, (), missing, None, plan)
            wait = PassTrace(PlacementPass.WAIT_FOR_RAM, (), (found,), plan)
            after = apply_plan(placement.before, plan, invocation)
            passes = (*placement.passes[:position], declined, wait)
            yield "wait instead of acting", replace(placement, passes=passes, plan=plan, after=after)


def _waits_elsewhere(placement: PlacementTrace, invocation: Invocation, plan: Plan) -> Changed:
    disk = plan.placement_pass is PlacementPass.WAIT_FOR_DISK
    for node in placement.before.nodes:
        missing = _missing(node, invocation, disk=disk)
        moving = node.copying if disk else node.loading
        if node.observed.name in placement.eligible and missing and set(missing) <= moving:
            other = replace(plan, node=node.observed.name, layers=missing)
            last = placement.passes[-1]
            passed_over = tuple(replace(each, plan=None) for each in last.findings)
            found = NodeFinding(other.node, (), missing, None, other)
            changed = with_plan(placement, invocation, other, replace(last, findings=(*passed_over, found)))
            yield "wait elsewhere", changed


def _missing(node: WorkingNode, invocation: Invocation, *, disk: bool) -> tuple[LayerName, ...]:
    present = node.resident_on_disk if disk else node.resident_in_ram
    return tuple(layer.name for layer in invocation.function.image.layers if layer.name not in present)


def _lists(placement: PlacementTrace, invocation: Invocation) -> Changed:
    """Change what was selected and what was eligible, in the record alone."""
    strangers = tuple(node.observed.name for node in placement.before.nodes if node.observed.name not in placement.eligible)
    for field in ("selected", "eligible"):
        members = getattr(placement, field)
        yield from ((f"drop from {field}", replace(placement, **{field: each})) for each in without_each(members))
        yield from ((f"reorder {field}", replace(placement, **{field: each})) for each in neighbours_swapped(members))
        absent = (name for name in strangers if name not in members)
        yield from ((f"add to {field}", replace(placement, **{field: (*members, name)})) for name in absent)
    yield "another invocation", replace(placement, invocation=invocation.id + 1)


def _passes(placement: PlacementTrace, invocation: Invocation) -> Changed:
    """Leave out a pass, swap passes, and change the reuse candidates."""
    yield from (("leave out a pass", replace(placement, passes=each)) for each in without_each(placement.passes))
    yield from (("swap passes", replace(placement, passes=each)) for each in neighbours_swapped(placement.passes))
    if not placement.passes:
        return
    first = placement.passes[0]
    others = (*without_each(first.candidates), *neighbours_swapped(first.candidates))
    for candidates in others:
        passes = (replace(first, candidates=candidates), *placement.passes[1:])
        yield "other reuse candidates", replace(placement, passes=passes)
    for index, candidate in enumerate(first.candidates):
        more = replace(candidate, invocations_available=candidate.invocations_available + 1)
        candidates = (*first.candidates[:index], more, *first.candidates[index + 1 :])
        yield (
            "more room in a candidate",
            replace(placement, passes=(replace(first, candidates=candidates), *placement.passes[1:])),
        )


def _findings(placement: PlacementTrace, invocation: Invocation) -> Changed:
    """Change what one pass found."""
    for position, attempt in enumerate(placement.passes):
        for name, findings in _other_findings(attempt.findings):
            changed = replace(attempt, findings=findings)
            passes = (*placement.passes[:position], changed, *placement.passes[position + 1 :])
            yield name, replace(placement, passes=passes)


def _other_findings(findings: tuple[NodeFinding, ...]) -> Iterator[tuple[str, tuple[NodeFinding, ...]]]:
    yield from (("leave out a finding", each) for each in without_each(findings))
    yield from (("swap findings", each) for each in neighbours_swapped(findings))
    for index, finding in enumerate(findings):
        for name, changed in _other_finding(finding):
            yield name, (*findings[:index], changed, *findings[index + 1 :])


def _other_finding(finding: NodeFinding) -> Iterator[tuple[str, NodeFinding]]:
    yield from (("other blocking layers", replace(finding, blocking=each)) for each in without_each(finding.blocking))
    yield from (("blocking layers reordered", replace(finding, blocking=each)) for each in neighbours_swapped(finding.blocking))
    yield from (("other layers found", replace(finding, layers=each)) for each in without_each(finding.layers))
    yield from (("layers found reordered", replace(finding, layers=each)) for each in neighbours_swapped(finding.layers))
    if finding.plan is not None:
        yield "an alternative denied", replace(finding, plan=None)
    if finding.reclamation is not None:
        yield "no word of reclamation", replace(finding, reclamation=None)
        for name, changed in _other_reclamations(finding.reclamation):
            yield name, replace(finding, reclamation=changed)


def _other_reclamations(trace: ReclamationTrace) -> Iterator[tuple[str, ReclamationTrace]]:
    for field in ("need", "deficits", "remaining"):
        for resource in ("ram_bytes", "disk_bytes", "positions"):
            amounts = getattr(trace, field)
            more = replace(amounts, **{resource: getattr(amounts, resource) + 1})
            yield f"another {field} in {resource}", replace(trace, **{field: more})
    yield from (("leave out a step", replace(trace, steps=each)) for each in without_each(trace.steps))
    yield from (("swap steps", replace(trace, steps=each)) for each in neighbours_swapped(trace.steps))
    for index, step in enumerate(trace.steps):
        for field in ("candidates", "victims"):
            members = getattr(step, field)
            for others in (*without_each(members), *neighbours_swapped(members)):
                changed = replace(step, **{field: others})
                yield (
                    f"other {field} of a step",
                    replace(trace, steps=(*trace.steps[:index], changed, *trace.steps[index + 1 :])),
                )
        more = replace(step, deficits=replace(step.deficits, ram_bytes=step.deficits.ram_bytes + 1))
        yield "other deficits of a step", replace(trace, steps=(*trace.steps[:index], more, *trace.steps[index + 1 :]))


def _states(placement: PlacementTrace, invocation: Invocation) -> Changed:
    """Change the working state that the placement leaves; what follows is derived from it."""
    for index, node in enumerate(placement.after.nodes):
        for name, changed in other_nodes(node):
            nodes = (*placement.after.nodes[:index], changed, *placement.after.nodes[index + 1 :])
            yield name, replace(placement, after=replace(placement.after, nodes=nodes))
    yield "another date", replace(placement, after=replace(placement.after, now=placement.after.now + 1.0))
    for worklist in without_each(placement.after.worklist):
        yield "the worklist shrinks", replace(placement, after=replace(placement.after, worklist=worklist))


def other_nodes(node: WorkingNode) -> Iterator[tuple[str, WorkingNode]]:
    """Yield the working node with each of its fields changed in turn."""
    for field in ("ram_available", "disk_available", "invocations_available", "positions_available"):
        yield f"{field} too high", replace(node, **{field: getattr(node, field) + 1})
        yield f"{field} too low", replace(node, **{field: getattr(node, field) - 1})
    for field in ("resident_in_ram", "resident_on_disk", "loading", "copying", "protected"):
        for name in sorted(getattr(node, field)):
            yield f"forget a layer of {field}", replace(node, **{field: getattr(node, field) - {name}})
        absent = {each.layer.name for each in node.observed.disk_layers} - getattr(node, field)
        for name in sorted(absent):
            yield f"add a layer to {field}", replace(node, **{field: getattr(node, field) | {name}})
    yield "flip the mark of deactivation", replace(node, selected_for_deactivation=not node.selected_for_deactivation)
    yield from (("forget a planned container", replace(node, planned=each)) for each in without_each(node.planned))
    yield from (("forget a container", replace(node, containers=each)) for each in without_each(node.containers))
    for index, each in enumerate(node.containers):
        for changed in (
            replace(each, invocations_available=each.invocations_available + 1),
            replace(each, chosen_for_reuse=not each.chosen_for_reuse),
        ):
            containers = (*node.containers[:index], changed, *node.containers[index + 1 :])
            yield "a container in another state", replace(node, containers=containers)
