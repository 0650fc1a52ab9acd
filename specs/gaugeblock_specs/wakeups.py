"""WAKE: when the next round is wanted even if nothing happens."""

from collections.abc import Iterator

from gaugeblock.model import Decisions, PolicyKind, PolicyName, RoundTrace, WakeupReport
from gaugeblock_specs.clause import Clause, safety, with_policies, with_trace
from gaugeblock_specs.context import Context
from gaugeblock_specs.dates import as_request, date_due, earliest, is_finite, is_known
from gaugeblock_specs.subjects import the_trace
from gaugeblock_specs.verdicts import Witness

SEED = "Wakeups and execution"


def _shown(label: str, date: float | None) -> tuple[tuple[str, float], ...]:
    return () if date is None else ((label, date),)


# WAKE-1


def _rounds_of_known_policies(context: Context) -> Iterator[Decisions]:
    if all(is_known(_named(context, kind), kind) for kind in PolicyKind):
        yield context.decisions


def _named(context: Context, kind: PolicyKind) -> PolicyName:
    policy: PolicyName = getattr(context.policies, kind.value)
    return policy


def _is_the_earliest_due(context: Context, decisions: Decisions) -> Iterator[Witness]:
    due, found = earliest(date_due(context, kind) for kind in PolicyKind), as_request(decisions.wakeup)
    if found != due:
        yield Witness(
            "the wake-up is not the earliest that the policies ask for",
            numbers=_shown("found", found) + _shown("expected", due),
        )


def _is_the_earliest_reported(context: Context, trace: RoundTrace) -> Iterator[Witness]:
    due = earliest(report.date for report in trace.wakeups)
    for who, date in (("the round", trace.wakeup), ("the decisions", context.decisions.wakeup)):
        if as_request(date) != due:
            numbers = _shown("found", date) + _shown("expected", due)
            yield Witness(f"the wake-up of {who} is not the earliest date reported", numbers=numbers)


def _reports_of_known_policies(context: Context) -> Iterator[WakeupReport]:
    return (report for report in context.trace.wakeups if is_known(_named(context, report.kind), report.kind))


def _reports_what_is_due(context: Context, report: WakeupReport) -> Iterator[Witness]:
    due = date_due(context, report.kind)
    if as_request(report.date) != as_request(due):
        numbers = _shown("found", report.date) + _shown("expected", due)
        yield Witness(f"the {report.kind.value} policy does not report the date that its rule gives", numbers=numbers)


WAKE_1 = Clause(
    id="WAKE-1",
    title="The wake-up is the earliest date that any policy reports",
    doc="""Each policy may report a date at which it wants another round; the batch carries the earliest, or none if there
    is none. The largest finite date means none. A later one than the earliest would let a deadline pass. Example: one
    policy reports 30, one 20, the others none: the wake-up is 20.""",
    seed=SEED,
    checks=(
        with_policies(_rounds_of_known_policies, _is_the_earliest_due),
        with_trace(the_trace, _is_the_earliest_reported),
        with_trace(_reports_of_known_policies, _reports_what_is_due, needs_policies=True),
    ),
)


# WAKE-2


def _requested(context: Context) -> Iterator[float]:
    date = as_request(context.decisions.wakeup)
    if date is not None:
        yield date


def _reported(context: Context) -> Iterator[float]:
    for report in context.trace.wakeups:
        date = as_request(report.date)
        if date is not None:
            yield date


def _is_finite_and_later(context: Context, date: float) -> Iterator[Witness]:
    now = context.observed.now
    if not is_finite(date):
        yield Witness("the wake-up is not a finite date", numbers=(("found", date),))
    elif not date > now:
        yield Witness("the wake-up is not later than now", numbers=(("found", date), ("now", now)))


WAKE_2 = Clause(
    id="WAKE-2",
    title="A wake-up is finite and strictly later than now",
    doc="""A date other than none must be a finite number after now; a stale one is an error and not silently dropped, and a
    wake-up for this very instant would make the system turn round for ever. Example: at 10, a policy that reports 10 is in
    error; 10.5 is fine.""",
    seed=SEED,
    checks=(safety(_requested, _is_finite_and_later), with_trace(_reported, _is_finite_and_later)),
)


CLAUSES = (WAKE_1, WAKE_2)
