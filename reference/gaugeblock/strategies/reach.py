"""What histories have reached: each event, error, pass, reclamation step, refusal reason and policy branch, counted."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from gaugeblock.model import (
    Event,
    IdleTimeout,
    OperationKind,
    PassTrace,
    PlacementPass,
    PolicyKind,
    PolicyNames,
    ReclamationStepKind,
    ReclamationTrace,
    RefusalReason,
    RoundTrace,
    ServiceError,
    ServiceState,
    Step,
    WakeUp,
    refused,
)
from gaugeblock.model import events as event_module

EVENTS: Final = tuple(
    name for name, kind in vars(event_module).items() if isinstance(kind, type) and kind.__module__ == event_module.__name__
)
UNWRITABLE: Final = (refused.BadEventDate, refused.BadInvocationId)
"""Errors about events that no document can hold; tests of their own make them."""

ERRORS: Final = tuple(kind.__name__ for kind in ServiceError.__subclasses__() if kind not in UNWRITABLE)

_SCALING: Final = {
    "never": ("nothing",),
    "activate-one-when-no-free-slot": ("nothing", "activates"),
    "deactivate-idle": ("nothing", "activates", "deactivates"),
}
_EVICTING: Final = ("no victim is enough", "one victim is enough", "several victims are enough")

DUE: Final = (
    *(f"event: {name}" for name in EVENTS),
    "event: IdleTimeout, stale",
    "event: WakeUp, stale",
    "event: a foreign scheduler decides",
    *(f"error: {name}" for name in ERRORS),
    *(f"operation: {kind.value}" for kind in OperationKind),
    *(f"refusal: {reason.name.lower()}" for reason in RefusalReason),
    *(f"pass: {each.clause} {each.name.lower()}" for each in PlacementPass),
    "pass: none, left pending",
    "reclamation: nothing is missing",
    "reclamation: room is made",
    "reclamation: not feasible",
    *(f"reclamation: {kind.value}" for kind in ReclamationStepKind),
    "policy: failing never keeps",
    "policy: failing pending-timeout keeps",
    "policy: failing pending-timeout fails",
    *(f"policy: scaling {name} {branch}" for name, branches in _SCALING.items() for branch in branches),
    *(f"policy: ordering {name} {branch}" for name in ("fcfs", "random") for branch in ("keeps", "reorders")),
    *(f"policy: first-fit picks {branch}" for branch in ("the only one", "among several")),
    *(
        f"policy: eviction {name} {kind.value}, {branch}"
        for name in ("fewest", "lru")
        for kind in ReclamationStepKind
        for branch in _EVICTING
    ),
    *(
        f"policy: plan {name} {branch}"
        for name in ("eviction-averse", "random")
        for branch in ("the only one", "among several")
    ),
    "policy: prewarm never nothing",
    "policy: prewarm warm-pool nothing",
    "policy: prewarm warm-pool proposes",
    "policy: wake-up of invocation_failing",
    "policy: wake-up of node_scaling",
)
"""Everything that a long enough campaign has to reach."""


class Reach:
    """Counters of what was reached."""

    def __init__(self) -> None:
        """Start with nothing reached."""
        self.counts: Counter[str] = Counter()

    def note(self, before: ServiceState, event: Event, result: Step | ServiceError, policies: PolicyNames) -> None:
        """Count what one event and the round after it reached."""
        self.counts.update(_of_event(before, event, result))
        if isinstance(result, Step):
            self.counts.update(_of_outcomes(result))
            if result.trace is None:
                self.counts["event: a foreign scheduler decides"] += 1
            else:
                self.counts.update(_of_placements(result.trace))
                self.counts.update(_of_policies(result.trace, policies))

    @property
    def missing(self) -> tuple[str, ...]:
        """Return what is due and was never reached."""
        return tuple(label for label in DUE if self.counts[label] == 0)

    def table(self) -> str:
        """Return all that is due with its counts, as lines of a Markdown table."""
        rows = [f"| {label} | {self.counts[label]} |" for label in DUE]
        return "\n".join(("| reached | times |", "| --- | ---: |", *rows))


def _of_event(before: ServiceState, event: Event, result: Step | ServiceError) -> Iterator[str]:
    if isinstance(result, ServiceError):
        yield f"error: {type(result).__name__}"
        return
    stale = isinstance(event, IdleTimeout) and all(alarm.generation != event.generation for alarm in before.alarms)
    if isinstance(event, WakeUp):
        stale = before.wakeup is None or before.wakeup > event.date
    yield f"event: {type(event).__name__}{', stale' if stale else ''}"


def _of_outcomes(step: Step) -> Iterator[str]:
    for outcome in step.outcomes:
        if outcome.refusal is None:
            yield f"operation: {outcome.kind.value}"
        else:
            yield f"refusal: {outcome.refusal.name.lower()}"


def _of_placements(trace: RoundTrace) -> Iterator[str]:
    for placement in trace.placements:
        chosen = None if placement.plan is None else placement.plan.placement_pass
        yield "pass: none, left pending" if chosen is None else f"pass: {chosen.clause} {chosen.name.lower()}"
        for finding in (finding for each in placement.passes for finding in each.findings):
            if finding.reclamation is not None:
                yield from _of_reclamation(finding.reclamation)


def _of_reclamation(reclamation: ReclamationTrace) -> Iterator[str]:
    feasible = _is_zero(reclamation)
    if not reclamation.steps:
        yield "reclamation: nothing is missing" if feasible else "reclamation: not feasible"
    else:
        yield "reclamation: room is made" if feasible else "reclamation: not feasible"
    for step in reclamation.steps:
        yield f"reclamation: {step.kind.value}"


def _is_zero(reclamation: ReclamationTrace) -> bool:
    left = reclamation.remaining
    return left.ram_bytes == 0 and left.disk_bytes == 0 and left.positions == 0


def _of_policies(trace: RoundTrace, policies: PolicyNames) -> Iterator[str]:
    yield f"policy: failing {policies.invocation_failing.name} {'fails' if trace.failures else 'keeps'}"
    acts = "activates" if trace.scaling.activations else "deactivates" if trace.scaling.deactivations else "nothing"
    yield f"policy: scaling {policies.node_scaling.name} {acts}"
    failed = {failure.invocation for failure in trace.failures}
    arrived = tuple(each.id for each in trace.initial.worklist if each.id not in failed)
    ordered = tuple(each.id for each in trace.ordered.worklist)
    yield f"policy: ordering {policies.invocation_ordering.name} {'keeps' if arrived == ordered else 'reorders'}"
    for tried in (tried for placement in trace.placements for tried in placement.passes):
        yield from _of_choice(tried, policies)
        yield from _of_evictions(tried, policies.eviction.name)
    yield f"policy: prewarm {policies.container_prewarm.name} {'proposes' if trace.prewarms else 'nothing'}"
    for report in trace.wakeups:
        if report.date is not None and report.kind in (PolicyKind.INVOCATION_FAILING, PolicyKind.NODE_SCALING):
            yield f"policy: wake-up of {report.kind.value}"


def _of_choice(tried: PassTrace, policies: PolicyNames) -> Iterator[str]:
    options = len(tried.candidates) or sum(finding.plan is not None for finding in tried.findings)
    branch = "the only one" if options == 1 else "among several"
    if tried.chosen is None:
        return
    if tried.placement_pass is PlacementPass.REUSE:
        yield f"policy: first-fit picks {branch}"
    elif tried.placement_pass not in (PlacementPass.WAIT_FOR_RAM, PlacementPass.WAIT_FOR_DISK):
        yield f"policy: plan {policies.plan_selection.name} {branch}"


def _of_evictions(tried: PassTrace, name: str) -> Iterator[str]:
    for reclamation in (finding.reclamation for finding in tried.findings if finding.reclamation is not None):
        for index, step in enumerate(reclamation.steps):
            last = index == len(reclamation.steps) - 1
            enough = last and _is_zero(reclamation)
            branch = _EVICTING[0] if not enough else _EVICTING[1] if len(step.victims) == 1 else _EVICTING[2]
            yield f"policy: eviction {name} {step.kind.value}, {branch}"
