"""Where an answer first parts from the reference: the trace is walked, and what each step decided sought in the answer."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from gaugeblock.conformance.exact import CATEGORIES, Operation, in_words, operations
from gaugeblock.conformance.texts import listed
from gaugeblock.conformance.verdicts import Parting
from gaugeblock.model import (
    Decisions,
    Dispatch,
    Eviction,
    InvocationId,
    PlacementPass,
    Plan,
    RoundTrace,
    Termination,
    Transfer,
)

RECLAIMING: Final[Mapping[str, str]] = {"terminations": "RECL-4", "ram_evictions": "RECL-5", "disk_evictions": "RECL-6"}
"""The clause that says what may be a victim in each reclaiming category."""

FAILING: Final = "failure selection"
SCALING: Final = "node scaling"
PREWARMING: Final = "prewarming"
WAKING: Final = "wake-up collection"
PHASES: Final = (FAILING, SCALING, PREWARMING, WAKING)
"""The phases of a round at which an answer can part, placement apart."""

Unclaimed: TypeAlias = dict[str, "Counter[Operation]"]


class Step(NamedTuple):
    """One step of the round: where it is, its clause, what it decided, and the categories that nothing else fills.

    A placement also has its invocation, and its outcome in words.
    """

    where: str
    clause: str
    decisions: Decisions
    categories: tuple[str, ...] = ()
    invocation: InvocationId | None = None
    outcome: str = ""


def find_parting(trace: RoundTrace, answer: Decisions) -> Parting | None:
    """Return the first step of the reference that ``answer`` lacks or contradicts, or else where it has a surplus."""
    unclaimed: Unclaimed = {category: Counter(operations(answer, category)) for category in CATEGORIES}
    for step in _steps(trace):
        parting = _other_dispatch(step, answer) or _lacking(step, unclaimed) or _phase_surplus(step, unclaimed)
        if parting is not None:
            return parting
        for category in CATEGORIES:
            unclaimed[category] -= Counter(operations(step.decisions, category))
    return _surplus(trace, unclaimed) or _other_wakeup(trace, answer)


def outcome_of(plan: Plan | None) -> str:
    """Say in a few words what a plan, or its absence, makes of the invocation."""
    if plan is None:
        return "stays pending"
    layers = ", ".join(plan.layers)
    return {
        PlacementPass.REUSE: f"reuses container {plan.container} on {plan.node}",
        PlacementPass.COLD_DISPATCH: f"starts in a new container on {plan.node}",
        PlacementPass.WAIT_FOR_RAM: f"waits on {plan.node} for {layers} to be loaded into RAM",
        PlacementPass.RAM_LOAD: f"has {layers} loaded into RAM on {plan.node}",
        PlacementPass.WAIT_FOR_DISK: f"waits on {plan.node} for {layers} to be copied to disk",
        PlacementPass.DISK_COPY: f"has {layers} copied to disk on {plan.node}",
    }[plan.placement_pass]


def decisions_of(plan: Plan | None) -> Decisions:
    """Return the operations that one plan asks for."""
    if plan is None:
        return Decisions()
    node, freed = plan.node, plan.reclamation
    transfers = tuple(Transfer(node, layer) for layer in plan.layers)
    dispatches = plan.placement_pass in (PlacementPass.REUSE, PlacementPass.COLD_DISPATCH)
    return Decisions(
        terminations=tuple(Termination(node, container) for container in freed.terminations),
        ram_evictions=tuple(Eviction(node, layer) for layer in freed.ram_evictions),
        disk_evictions=tuple(Eviction(node, layer) for layer in freed.disk_evictions),
        dispatches=(Dispatch(plan.invocation, node, plan.container),) if dispatches else (),
        loads=transfers if plan.placement_pass is PlacementPass.RAM_LOAD else (),
        copies=transfers if plan.placement_pass is PlacementPass.DISK_COPY else (),
    )


def _steps(trace: RoundTrace) -> Iterator[Step]:
    yield Step(FAILING, "ROUND-2", Decisions(failures=trace.failures), ("failures",))
    scaling = Decisions(activations=trace.scaling.activations, deactivations=trace.scaling.deactivations)
    yield Step(SCALING, "ROUND-3", scaling, ("activations", "deactivations"))
    for placement in trace.placements:
        plan = placement.plan
        clause = plan.placement_pass.clause if plan else "PLACE-8"
        where = f"invocation {placement.invocation}"
        yield Step(where, clause, decisions_of(plan), (), placement.invocation, outcome_of(plan))
    yield Step(PREWARMING, "PREW-3", Decisions(prewarms=trace.prewarms), ("prewarms",))


def _other_dispatch(step: Step, answer: Decisions) -> Parting | None:
    if step.invocation is None:
        return None
    given = tuple(dispatch for dispatch in answer.dispatches if dispatch.invocation == step.invocation)
    if given == step.decisions.dispatches:
        return None
    does = listed(map(_dispatched, given), ", then ") or "does not dispatch it"
    sentence = f"in the reference it {step.outcome}; the answer {does}"
    return Parting(step.where, step.clause, sentence, step.invocation)


def _dispatched(dispatch: Dispatch) -> str:
    container = "a new container" if dispatch.container is None else f"container {dispatch.container}"
    return f"dispatches it to {container} on {dispatch.node}"


def _lacking(step: Step, unclaimed: Unclaimed) -> Parting | None:
    for category in CATEGORIES:
        lacking = Counter(operations(step.decisions, category)) - unclaimed[category]
        if lacking:
            outcome = f"in the reference it {step.outcome}; " if step.outcome else ""
            sentence = f"{outcome}the answer lacks {_in_category(lacking, category)}"
            return Parting(step.where, _clauses(step.clause, category), sentence, step.invocation)
    return None


def _phase_surplus(step: Step, unclaimed: Unclaimed) -> Parting | None:
    for category in step.categories:
        surplus = unclaimed[category] - Counter(operations(step.decisions, category))
        if surplus:
            return Parting(step.where, step.clause, f"the answer has in surplus {_in_category(surplus, category)}")
    return None


def _surplus(trace: RoundTrace, unclaimed: Unclaimed) -> Parting | None:
    """All that the reference plans is there: name what is left over, and the first plan on a node where it happens."""
    for category, surplus in unclaimed.items():
        if surplus:
            nodes = {getattr(operation, "node", operation) for operation in surplus}
            plans = (placement.plan for placement in trace.placements if placement.plan and placement.plan.node in nodes)
            return _surplus_beside(next(plans, None), category, surplus)
    return None


def _surplus_beside(plan: Plan | None, category: str, surplus: "Counter[Operation]") -> Parting:
    sentence = f"all that the reference plans is there; the answer has in surplus {_in_category(surplus, category)}"
    if plan is None:
        return Parting("a node where the reference plans nothing", _clauses("PLACE-8", category), sentence)
    where = f"node {plan.node}, where invocation {plan.invocation} has the first plan"
    return Parting(where, _clauses(plan.placement_pass.clause, category), sentence, plan.invocation)


def _other_wakeup(trace: RoundTrace, answer: Decisions) -> Parting | None:
    if trace.wakeup == answer.wakeup:
        return None
    sentence = f"in the reference the wake-up date is {_date(trace.wakeup)}; in the answer it is {_date(answer.wakeup)}"
    return Parting(WAKING, "WAKE-1", sentence)


def _date(wakeup: float | None) -> str:
    return "none" if wakeup is None else repr(wakeup)


def _clauses(clause: str, category: str) -> str:
    return f"{clause}, {RECLAIMING[category]}" if category in RECLAIMING else clause


def _in_category(counted: "Counter[Operation]", category: str) -> str:
    return f"{listed(in_words(operation) for operation in counted.elements())} in {category}"
