"""When a built-in policy wants another round: the only two that report a date, and the dates they report."""

from collections.abc import Iterable

from gaugeblock.model import LARGEST_DATE, Invocation, Node, PolicyKind, PolicyName
from gaugeblock_specs.context import Context
from gaugeblock_specs.derive import may_be_deactivated

SILENT = {
    PolicyKind.INVOCATION_FAILING: ("never",),
    PolicyKind.NODE_SCALING: ("never", "activate-one-when-no-free-slot"),
    PolicyKind.INVOCATION_ORDERING: ("fcfs", "random"),
    PolicyKind.NODE_SELECTION: ("select-all-possible",),
    PolicyKind.REUSABLE_CONTAINER: ("first-fit",),
    PolicyKind.EVICTION: ("fewest", "lru"),
    PolicyKind.PLAN_SELECTION: ("eviction-averse", "random"),
    PolicyKind.CONTAINER_PREWARM: ("never", "warm-pool"),
}
"""The built-in policies that never report a date."""

TIMED = ((PolicyKind.INVOCATION_FAILING, "pending-timeout"), (PolicyKind.NODE_SCALING, "deactivate-idle"))
"""The built-in policies that may."""


def as_request(date: float | None) -> float | None:
    """Return the date, or None for ``LARGEST_DATE``, which means that none is wanted (WAKE-1)."""
    return None if date is None or date == LARGEST_DATE else date


def is_finite(date: float) -> bool:
    """Whether a date is a number within the range of dates."""
    return -LARGEST_DATE <= date <= LARGEST_DATE


def earliest(dates: Iterable[float | None]) -> float | None:
    """Return the earliest date asked for, or None if none is."""
    return min((date for date in map(as_request, dates) if date is not None), default=None)


def seconds_of(policy: PolicyName) -> float | None:
    """Return the parameter ``seconds`` of a policy, or None if it has none."""
    found = (value for label, value in policy.parameters if label == "seconds" and isinstance(value, (int, float)))
    return next(found, None)


def latest_date(node: Node) -> float | None:
    """Return the latest date of a container or layer of the node, or None where there is none."""
    layers = [resident.last_access for resident in (*node.disk_layers, *node.ram_layers)]
    return max(layers + [container.last_used for container in node.containers], default=None)


def first_timeout(survivors: tuple[Invocation, ...], seconds: float) -> float | None:
    """Return when the first of the surviving invocations will have waited ``seconds``; none if that is not a finite date."""
    sums = (invocation.submitted + seconds for invocation in survivors)
    return min((date for date in sums if is_finite(date)), default=None)


def first_idle_node(context: Context, seconds: float) -> float | None:
    """Return when the first node, among those that could be let go, will have rested ``seconds``; only a later date counts."""
    latest = (latest_date(node) for node in context.observed.nodes if may_be_deactivated(node))
    sums = (date + seconds for date in latest if date is not None)
    return min((date for date in sums if date > context.observed.now and is_finite(date)), default=None)


def is_known(policy: PolicyName, kind: PolicyKind) -> bool:
    """Whether the date that this policy reports can be told: it is built in."""
    return policy.name in SILENT[kind] or ((kind, policy.name) in TIMED and seconds_of(policy) is not None)


def date_due(context: Context, kind: PolicyKind) -> float | None:
    """Return the date that the built-in policy of this kind has to report."""
    policy: PolicyName = getattr(context.policies, kind.value)
    seconds = seconds_of(policy)
    if policy.name in SILENT[kind] or seconds is None:
        return None
    if kind is PolicyKind.INVOCATION_FAILING:
        return first_timeout(context.survivors, seconds)
    return first_idle_node(context, seconds)
