"""WAKE: theorems about the date at which another round is wanted. Reals stand for dates; rounding is not covered."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

from gaugeblock.model import (
    LARGEST_DATE,
    Catalog,
    Container,
    Function,
    Invocation,
    InvocationId,
    Node,
    NodeName,
    NodeStatus,
    PolicyKind,
    ResidentLayer,
    replace,
)
from gaugeblock_proofs.building import container, function, layer
from gaugeblock_proofs.engine import Condition, all_of, any_of, implies
from gaugeblock_proofs.states import valid_state
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes

WAKEUPS = "gaugeblock.round.wakeups"
INITIAL = "gaugeblock.round.initial.working_state"
ERROR = "gaugeblock.policies.errors.InvalidWakeup"
EARLIEST = "the result is reported, and nothing reported is earlier"
NONE = "none exactly when none reports a date"
REPORTS = "every installed policy is asked once, in order, and its report kept"
LATER = "a date that is accepted is later than now"
STALE = "a date that is not later than now, or not finite, is an error that names WAKE-2"
DBL_MAX = "DBL_MAX means none"
OVERFLOW = "a sum that is not finite, or not later than now, is none"
DUE = "an invocation fails exactly when its submit date plus the seconds is reached"
OWN = "the built-in policy reports the least of its dates that are later than now, or none"


class Reporter:
    """A policy of some kind that reports a date or none, and puts its kind down whenever it is ``asked``."""

    name = "reporter"

    def __init__(self, kind: PolicyKind, date: float | None, asked: list[PolicyKind]) -> None:
        self.kind = kind
        self.date = date
        self._asked = asked

    def wakeup(self, state: object) -> float | None:
        """Report the date."""
        self._asked.append(self.kind)
        return self.date


def earliest(setting: Setting, dated: tuple[PolicyKind, ...]) -> None:
    """WAKE-1, WAKE-2: the kinds named report any date or none, the others none."""
    symbols, path, shipped = setting.symbols, setting.path, setting.shipped
    now, asked = symbols.date("now"), list[PolicyKind]()
    reporters = {
        kind: Reporter(kind, symbols.date(f"{kind.value}.date") if reports else None, asked)
        for kind, reports in ((each, each in dated and path.choose((True, False))) for each in PolicyKind)
    }
    policies = SimpleNamespace(**{kind.value: reporter for kind, reporter in reporters.items()})
    dates = [each.date for each in reporters.values() if each.date is not None]
    counted = [all_of(now < date, date < LARGEST_DATE) for date in dates]
    try:
        reports, wakeup = shipped.round.wakeups.collect_wakeups(SimpleNamespace(now=now), policies)
    except shipped.policies.errors.InvalidWakeup as error:
        path.prove(any_of(*(date <= now for date in dates)), STALE)
        path.prove(error.clause == "WAKE-2", STALE)
        return
    path.prove(all_of(*(any_of(now < date, date == LARGEST_DATE) for date in dates)), LATER)
    path.prove([each.kind for each in reports] == list(PolicyKind) and asked == list(PolicyKind), REPORTS)
    for report in reports:
        path.prove(_is_kept(report.date, reporters[report.kind].date), REPORTS)
    if wakeup is None:
        path.prove(all_of(*(date == LARGEST_DATE for date in dates)), NONE)
        return
    path.prove(any_of(*counted), NONE)
    path.prove(any_of(*(date == wakeup for date in dates)), EARLIEST)
    path.prove(all_of(now < wakeup, wakeup < LARGEST_DATE, *(wakeup <= date for date in dates)), EARLIEST)


def _is_kept(reported: float | None, date: float | None) -> Condition:
    """Return whether the report is of the date: the largest of all dates stands for none."""
    if reported is None:
        return True if date is None else date == LARGEST_DATE
    return False if date is None else all_of(reported == date, date < LARGEST_DATE)


def unusable(setting: Setting) -> None:
    """WAKE-1, WAKE-2: dates that are no symbols, at any now."""
    shipped = setting.shipped
    state: Any = SimpleNamespace(now=setting.symbols.date("now", -1e300, 1e300))
    answers: tuple[Any, ...] = (float("nan"), float("inf"), float("-inf"), "tomorrow", LARGEST_DATE)
    date = setting.path.choose(answers)
    reporter = Reporter(PolicyKind.EVICTION, date, [])
    if date == LARGEST_DATE:
        setting.path.prove(shipped.round.wakeups.reported_date(state, reporter) is None, DBL_MAX)
    else:
        setting.path.prove_raises(
            shipped.policies.errors.InvalidWakeup,
            lambda: shipped.round.wakeups.reported_date(state, reporter),
            STALE,
            such=lambda error: error.clause == "WAKE-2",
        )


def pending_timeout(setting: Setting, count: int) -> None:
    """POL-pending-timeout, WAKE-2: its own dates never make an error."""
    symbols, path = setting.symbols, setting.path
    of = function(symbols, "f")
    pending = tuple(Invocation(InvocationId(each), of, symbols.date(f"invocation{each}.submitted")) for each in range(count))
    state = valid_state(setting, Catalog((), (of.image,), (of,)), (), pending)
    policy = setting.shipped.policies.builtin.failing.PendingTimeout(symbols.date("seconds", 0.0))
    working = setting.shipped.round.initial.working_state(state)
    date = setting.shipped.round.wakeups.reported_date(working, policy)
    sums = [each.submitted + policy.seconds for each in pending]
    _prove_least_later(setting, date, sums, state.now)
    failed = [each.invocation for each in policy.failures(working)]
    for each, due in zip(pending, sums, strict=True):
        path.prove(any_of(all_of(each.id in failed, due <= state.now), all_of(each.id not in failed, due > state.now)), DUE)


def deactivate_idle(setting: Setting) -> None:
    """POL-deactivate-idle, WAKE-2: its own dates never make an error."""
    symbols = setting.symbols
    of = function(symbols, "f", layer(symbols, "layer0"))
    plenty = 2**62
    nodes = tuple(
        Node(
            NodeName(f"n{number}"),
            NodeStatus.ACTIVATED,
            plenty,
            plenty,
            1,
            1,
            (ResidentLayer(of.image.layers[0], symbols.date(f"n{number}.disk.last_access")),),
            (ResidentLayer(of.image.layers[0], symbols.date(f"n{number}.ram.last_access")),),
            containers=(container(symbols, number, of, in_flight=setting.path.choose((0, 1))),),
        )
        for number in range(2)
    )
    state = valid_state(setting, Catalog(of.image.layers, (of.image,), (of,)), nodes)
    policy = setting.shipped.policies.builtin.scaling.DeactivateIdle(symbols.date("seconds", 0.0))
    working = setting.shipped.round.initial.working_state(state)
    date = setting.shipped.round.wakeups.reported_date(working, policy)
    free = [each for each in nodes if each.containers[0].in_flight == 0]
    latest = [
        max(each.containers[0].last_used, each.disk_layers[0].last_access, each.ram_layers[0].last_access) for each in free
    ]
    _prove_least_later(setting, date, [each + policy.seconds for each in latest], state.now)


def overflow(setting: Setting) -> None:
    """POL-pending-timeout, POL-deactivate-idle: sums beyond the largest date, on plain floats."""
    date, seconds = setting.path.choose((0.0, LARGEST_DATE)), setting.path.choose((1.0, LARGEST_DATE))
    of = function(setting.symbols, "f")
    node = Node(NodeName("n"), NodeStatus.ACTIVATED, 2**62, 2**62, 1, 1, containers=(_used(setting, of, date),))
    pending = (Invocation(InvocationId(1), of, date),)
    state = valid_state(setting, Catalog((), (of.image,), (of,)), (node,), pending, now=LARGEST_DATE)
    working = setting.shipped.round.initial.working_state(state)
    builtin = setting.shipped.policies.builtin
    for policy in (builtin.failing.PendingTimeout(seconds), builtin.scaling.DeactivateIdle(seconds)):
        setting.path.prove(setting.shipped.round.wakeups.reported_date(working, policy) is None, OVERFLOW)


def _used(setting: Setting, of: Function, date: float) -> Container:
    return replace(container(setting.symbols, 1, of, in_flight=0), last_used=date)


def _prove_least_later(setting: Setting, date: float | None, sums: list[float], now: float) -> None:
    later = [all_of(now < each, each < LARGEST_DATE) for each in sums]
    if date is None:
        setting.path.prove(all_of(*(any_of(each <= now, each >= LARGEST_DATE) for each in sums)), OWN)
        return
    setting.path.prove(any_of(*(all_of(each, due == date) for each, due in zip(later, sums, strict=True))), OWN)
    setting.path.prove(all_of(*(implies(each, date <= due) for each, due in zip(later, sums, strict=True))), OWN)


FEW = (PolicyKind.INVOCATION_FAILING, PolicyKind.NODE_SCALING, PolicyKind.CONTAINER_PREWARM)

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "WAKE-1.earliest",
        "The result is the earliest date reported, or none if none reports; a date not later than now is an error; all "
        "eight are asked.",
        ("WAKE-1", "WAKE-2"),
        (f"{WAKEUPS}.collect_wakeups", f"{WAKEUPS}.reported_date", ERROR),
        shapes("any dates as reals; each of eight policies alone, and three together, with a date or without"),
        (
            *(Part(f"{kind.value} alone", partial(earliest, dated=(kind,))) for kind in PolicyKind),
            Part("three together", partial(earliest, dated=FEW)),
        ),
        (EARLIEST, NONE, REPORTS, LATER, STALE),
    ),
    Theorem(
        "WAKE-2.unusable",
        "NaN, both infinities and what is no number are errors, and DBL_MAX means none.",
        ("WAKE-2", "WAKE-1"),
        (f"{WAKEUPS}.reported_date", ERROR),
        shapes("any now within 1e300 as a real"),
        (Part("five answers", unusable),),
        (DBL_MAX, STALE),
    ),
    Theorem(
        "WAKE-2.pending-timeout",
        "pending-timeout fails what is due and reports the least of the dates to come, so never a stale one.",
        ("WAKE-2", "WAKE-1", "POL-pending-timeout"),
        ("gaugeblock.policies.builtin.failing.PendingTimeout", f"{WAKEUPS}.reported_date", INITIAL),
        shapes("any dates and seconds as reals; none to three invocations"),
        tuple(Part(f"{count} invocations", partial(pending_timeout, count=count)) for count in range(4)),
        (OWN, DUE),
    ),
    Theorem(
        "WAKE-2.overflow",
        "pending-timeout and deactivate-idle report none where their sums leave the range of dates.",
        ("WAKE-2", "POL-pending-timeout", "POL-deactivate-idle"),
        (
            "gaugeblock.policies.builtin.failing.PendingTimeout",
            "gaugeblock.policies.builtin.scaling.DeactivateIdle",
            f"{WAKEUPS}.reported_date",
            INITIAL,
        ),
        shapes("dates 0 and the largest, durations 1 and the largest, as floats; one node, one invocation"),
        (Part("plain floats", overflow),),
        (OVERFLOW,),
    ),
    Theorem(
        "WAKE-2.deactivate-idle",
        "deactivate-idle reports the least of the dates to come at which a node that may go will have been idle long enough.",
        ("WAKE-2", "WAKE-1", "POL-deactivate-idle"),
        ("gaugeblock.policies.builtin.scaling.DeactivateIdle", f"{WAKEUPS}.reported_date", INITIAL),
        shapes("any dates and seconds as reals; two nodes with a container each, idle or busy, and a layer"),
        (Part("two nodes", deactivate_idle),),
        (OWN,),
    ),
)
