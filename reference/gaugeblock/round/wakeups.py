"""WAKE: the date at which the scheduler wants another round."""

from gaugeblock.model import LARGEST_DATE, WakeupReport, WorkingState
from gaugeblock.policies.errors import InvalidWakeup
from gaugeblock.policies.protocols import AnyPolicy, Policies


def collect_wakeups(state: WorkingState, policies: Policies) -> tuple[tuple[WakeupReport, ...], float | None]:
    """Return what each installed policy reports, and the earliest date reported or None (WAKE-1).

    Raises:
        InvalidWakeup: when a date is not finite or not strictly later than now (WAKE-2).
    """
    installed: tuple[AnyPolicy, ...] = (
        policies.invocation_failing,
        policies.node_scaling,
        policies.invocation_ordering,
        policies.node_selection,
        policies.reusable_container,
        policies.eviction,
        policies.plan_selection,
        policies.container_prewarm,
    )
    reports = tuple(WakeupReport(policy.kind, reported_date(state, policy)) for policy in installed)
    dates = [report.date for report in reports if report.date is not None]
    return reports, min(dates) if dates else None


def reported_date(state: WorkingState, policy: AnyPolicy) -> float | None:
    """Return the policy's date, with the C++ ``DBL_MAX`` read as none (WAKE-1), or raise for a bad one (WAKE-2)."""
    date = policy.wakeup(state)
    if date is None or date == LARGEST_DATE:
        return None
    try:
        is_later = state.now < date < LARGEST_DATE
    except TypeError:  # no number at all
        is_later = False
    if not is_later:
        raise InvalidWakeup(policy.kind, policy.name, "WAKE-2", "a wake-up date", "one that is finite and later than now")
    return date
