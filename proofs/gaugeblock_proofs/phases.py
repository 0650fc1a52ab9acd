"""ROUND: theorems about what a round does between its policies: who takes part, and how plans become a batch."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from gaugeblock.model import (
    ContainerId,
    Dispatch,
    Eviction,
    Failure,
    Invocation,
    InvocationId,
    LayerName,
    NodeName,
    PlacementPass,
    PlacementTrace,
    Plan,
    PolicyKind,
    Reclamation,
    RoundTrace,
    ScalingRequests,
    Termination,
    Transfer,
    WorkingNode,
    WorkingState,
    replace,
)
from gaugeblock_proofs.building import any_working_node
from gaugeblock_proofs.deciding import SCHEDULER
from gaugeblock_proofs.opaque import anything
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes

SCHEDULE = "gaugeblock.round.schedule"

SURVIVORS = "the worklist keeps exactly those that did not fail, in its order"
EXCLUDED = "exactly the nodes let go are marked, and nothing else of them is changed"
ELSEWHERE = "nothing else of the state is changed"
REPLACED = "the policy stands in the place of its kind"
STARTED = "exactly the invocations that reuse or start a container are dispatched, each where its plan says"
MOVED = "exactly the layers to load are loaded and those to copy are copied, in the order of planning"
FREED = "what plans free is freed on their nodes, in the order of planning"
PASSED_ON = "failures, requests, prewarms and the date are those of the round"

MOVES = (PlacementPass.WAIT_FOR_RAM, PlacementPass.RAM_LOAD, PlacementPass.WAIT_FOR_DISK, PlacementPass.DISK_COPY)


def without_failed(setting: Setting) -> None:
    """ROUND-2: three invocations, any of them failed."""
    worklist = tuple(cast("Invocation", SimpleNamespace(id=InvocationId(number))) for number in (2, 1, 3))
    before = WorkingState(anything("now"), anything("catalog"), anything("nodes"), worklist)
    failed = setting.path.choose_subset(worklist)
    after = setting.shipped.round.schedule.without_failed(before, tuple(Failure(each.id, "") for each in failed))
    kept = tuple(each for each in worklist if each not in failed)
    setting.path.prove(after.worklist == kept, SURVIVORS)
    setting.path.prove(_same(before, after, "now", "catalog", "nodes"), ELSEWHERE)


def exclude_nodes(setting: Setting) -> None:
    """ROUND-3: two nodes, any of them selected for deactivation."""
    names = (NodeName("n1"), NodeName("n0"))
    nodes = tuple(
        any_working_node(setting.symbols, observed=SimpleNamespace(name=name), selected_for_deactivation=False)
        for name in names
    )
    before = WorkingState(anything("now"), anything("catalog"), nodes, anything("worklist"))
    chosen = setting.path.choose_subset(names)
    after = setting.shipped.round.schedule.exclude_nodes(before, chosen)
    setting.path.prove([each.selected_for_deactivation for each in after.nodes] == [each in chosen for each in names], EXCLUDED)
    others = [name for name in WorkingNode.__struct_fields__ if name != "selected_for_deactivation"]
    setting.path.prove(all(_same(was, now, *others) for was, now in zip(nodes, after.nodes, strict=True)), EXCLUDED)
    setting.path.prove(_same(before, after, "now", "catalog", "worklist"), ELSEWHERE)


def replaced(setting: Setting) -> None:
    """ROUND-9: a policy of any kind."""
    scheduler = setting.shipped.scheduler.GreedyScheduler()
    policy = SimpleNamespace(kind=setting.path.choose(tuple(PolicyKind)))
    after = scheduler.with_policy(policy)
    setting.path.prove(getattr(after, policy.kind.value) is policy, REPLACED)
    setting.path.prove(_same(scheduler, after, *(kind.value for kind in PolicyKind if kind is not policy.kind)), ELSEWHERE)


def _same(before: object, after: object, *fields: str) -> bool:
    return all(getattr(before, field) is getattr(after, field) for field in fields)


def decisions(setting: Setting) -> None:
    """ROUND-10, AMB-8: two invocations, each with a plan of any pass or with none."""
    plans = tuple(_any_plan(setting, number) for number in (1, 2))
    placements = tuple(cast("PlacementTrace", SimpleNamespace(plan=plan)) for plan in plans)
    scaling = ScalingRequests(anything("activations"), anything("deactivations"))
    told: RoundTrace = RoundTrace(*(anything(name) for name in RoundTrace.__struct_fields__))
    told = replace(told, scaling=scaling, placements=placements)
    batch = setting.shipped.round.schedule.decisions_of(told)
    made = [plan for plan in plans if plan is not None]
    cold, reuse = PlacementPass.COLD_DISPATCH, PlacementPass.REUSE
    starts = [Dispatch(each.invocation, each.node, each.container) for each in made if each.placement_pass in (cold, reuse)]
    setting.path.prove(batch.dispatches == tuple(starts), STARTED)
    setting.path.prove(batch.loads == _moved(made, PlacementPass.RAM_LOAD), MOVED)
    setting.path.prove(batch.copies == _moved(made, PlacementPass.DISK_COPY), MOVED)
    ended = tuple(Termination(plan.node, each) for plan in made for each in plan.reclamation.terminations)
    from_ram = tuple(Eviction(plan.node, each) for plan in made for each in plan.reclamation.ram_evictions)
    from_disk = tuple(Eviction(plan.node, each) for plan in made for each in plan.reclamation.disk_evictions)
    setting.path.prove(batch.terminations == ended, FREED)
    setting.path.prove(batch.ram_evictions == from_ram and batch.disk_evictions == from_disk, FREED)
    setting.path.prove(_same(told, batch, "failures", "prewarms", "wakeup"), PASSED_ON)
    setting.path.prove(_same(scaling, batch, "activations", "deactivations"), PASSED_ON)


def _any_plan(setting: Setting, number: int) -> Plan | None:
    """Return a plan of any pass on a node of its own, or none; what it frees and moves is of its own as well."""
    placement_pass = setting.path.choose((None, *PlacementPass))
    if placement_pass is None:
        return None
    freed = setting.path.choose(
        (
            Reclamation(),
            Reclamation(
                (ContainerId(20 + number), ContainerId(10 + number)), _layers(number, "a", "b"), _layers(number, "c", "a")
            ),
        )
    )
    container = ContainerId(number) if placement_pass is PlacementPass.REUSE else None
    layers = _layers(number, "e", "d") if placement_pass in MOVES else ()
    return Plan(placement_pass, InvocationId(number), NodeName(f"n{number}"), container, layers, freed)


def _layers(number: int, *names: str) -> tuple[LayerName, ...]:
    return tuple(LayerName(f"{name}{number}") for name in names)


def _moved(made: list[Plan], placement_pass: PlacementPass) -> tuple[Transfer, ...]:
    return tuple(Transfer(each.node, layer) for each in made if each.placement_pass is placement_pass for layer in each.layers)


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "ROUND-2.survivors",
        "Failed invocations leave the worklist; the others keep their order, and nothing else changes.",
        ("ROUND-2",),
        (f"{SCHEDULE}.without_failed",),
        shapes("three invocations, any of them failed; all else is opaque"),
        (Part("three invocations", without_failed),),
        (SURVIVORS, ELSEWHERE),
    ),
    Theorem(
        "ROUND-3.excluded",
        "Nodes selected for deactivation are marked as such, and nothing else changes.",
        ("ROUND-3",),
        (f"{SCHEDULE}.exclude_nodes",),
        shapes("two nodes, any of them selected; all else is opaque"),
        (Part("two nodes", exclude_nodes),),
        (EXCLUDED, ELSEWHERE),
    ),
    Theorem(
        "ROUND-9.replaced",
        "A policy that is put into a scheduler takes the place of its kind, and all others stay.",
        ("ROUND-9",),
        (SCHEDULER,),
        shapes("a policy of each kind, of which nothing else is known"),
        (Part("any kind", replaced),),
        (REPLACED, ELSEWHERE),
    ),
    Theorem(
        "ROUND-10.batch",
        "The batch holds what the chosen plans start, move and free, each in the order of planning, and what the other phases "
        "gave, and no more.",
        ("ROUND-10", "PLACE-8"),
        (f"{SCHEDULE}.decisions_of",),
        shapes("two invocations, each with a plan of any pass or none that frees nothing or two of each; all else is opaque"),
        (Part("two invocations", decisions),),
        (STARTED, MOVED, FREED, PASSED_ON),
    ),
)
