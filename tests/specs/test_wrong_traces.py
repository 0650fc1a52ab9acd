"""Each clause that is judged with a trace holds for a right one and is violated by a deliberately wrong one."""

from collections.abc import Callable
from typing import Any

import pytest
from worlds import catalog, container, function, invocation, layer, node, world

from gaugeblock.model import Function, FunctionName, ObservedState, PolicyName, PolicyNames, RoundTrace, replace
from gaugeblock.scheduler import scheduler_from
from gaugeblock_specs.evidence import Evidence
from gaugeblock_specs.judge import evaluate
from gaugeblock_specs.registry import ALL
from gaugeblock_specs.verdicts import ClauseResult, EvidenceKind, Verdict

Path = tuple[str | int, ...]

BASE, OTHER, APP, BIG = layer("base", 2, 2), layer("other", 3, 3), layer("app", 2, 2), layer("big", 5, 5)
F, G, LARGE = function("f", BASE, ram=2), function("g", OTHER, ram=3), function("large", BASE, APP)
KNOWN = catalog(F, G, LARGE, layers=(BASE, OTHER, APP, BIG))


def edit(value: Any, path: Path, change: Callable[[Any], Any]) -> Any:
    """Return ``value`` with what stands at ``path`` (fields and places) changed."""
    if not path:
        return change(value)
    first, rest = path[0], path[1:]
    if isinstance(first, str):
        return replace(value, **{first: edit(getattr(value, first), rest, change)})
    place = first % len(value)
    return (*value[:place], edit(value[place], rest, change), *value[place + 1 :])


def names(**chosen: str) -> PolicyNames:
    """Return the default policies but for those named."""
    return PolicyNames(**{kind: PolicyName(name) for kind, name in chosen.items()})


def pending(*functions: Function) -> tuple[Any, ...]:
    """Return one pending invocation of each function, in this order."""
    return tuple(invocation(place, each, float(place)) for place, each in enumerate(functions, start=1))


DEFAULT = PolicyNames()
RANDOM = PolicyNames(plan_selection=PolicyName("random", (("seed", 7),)))
POOL = PolicyNames(container_prewarm=PolicyName("warm-pool", (("per_function", ((FunctionName("f"), 1),)),)))
TIMEOUT = PolicyNames(invocation_failing=PolicyName("pending-timeout", (("seconds", 98.5),)))
RESTING = PolicyNames(node_scaling=PolicyName("deactivate-idle", (("seconds", 60.0),)))

WARM = world(KNOWN, node("n", (BASE,), (BASE,), (container(1, F), container(2, F))), node("m"), pending=pending(F))
COLD = world(KNOWN, node("n", (BASE,), (BASE,)), node("m", (BASE,), (BASE,)), pending=pending(F, F))
NOWHERE = world(KNOWN, node("n", (BASE,), (BASE,), ram=3), pending=pending(F))
LOADING = world(KNOWN, node("n", (BASE,), loading=(BASE,)), node("m", (BASE,)), pending=pending(F))
LOADABLE = world(KNOWN, node("n", (BASE,)), pending=pending(F))
COPYING = world(KNOWN, node("n", copying=(BASE,)), node("m"), pending=pending(F))
COPYABLE = world(KNOWN, node("n"), pending=pending(F))
EMPTY = world(KNOWN, node("n", (BASE,), (BASE,)))
CROWDED = world(
    KNOWN,
    node("n", (BASE, OTHER), (BASE, OTHER), (container(1, G), container(2, G, last_used=2.0)), positions=2),
    pending=pending(F),
)
SHORT_OF_RAM = world(KNOWN, node("n", (BASE, OTHER, BIG), (BASE, OTHER, BIG), ram=10), pending=pending(F))
SHORT_OF_DISK = world(KNOWN, node("n", (OTHER, BIG), (OTHER, BIG), disk=8), pending=pending(F))
SHORT_OF_ALL = world(KNOWN, node("n", (BASE,), (BASE,), (container(1, F, in_flight=1),), positions=1), pending=pending(F))

FIRST: Path = ("placements", 0)
AFTER: Path = (*FIRST, "after", "nodes", 0)


def in_pass(place: int, *path: str | int) -> Path:
    """Return the path into one of the passes tried for the first invocation."""
    return (*FIRST, "passes", place, *path)


def in_search(place: int, *path: str | int) -> Path:
    """Return the path into the search for room on the first node, in one of the passes tried for the first invocation."""
    return in_pass(place, "findings", 0, "reclamation", *path)


def none(_: Any) -> None:
    """Forget what stands there."""


def one_more(number: int) -> int:
    """Count one more."""
    return number + 1


def dropped(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Forget the first."""
    return items[1:]


def repeated(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Name the first twice."""
    return (*items[:1], *items)


def reversed_order(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Turn the order round."""
    return items[::-1]


def emptied(_: frozenset[str]) -> frozenset[str]:
    """Leave nothing in a set."""
    return frozenset()


def flagged(flag: bool) -> bool:
    """Say the contrary."""
    return not flag


def right_evidence(observed: ObservedState, policies: PolicyNames) -> Evidence:
    """Return the reference's answer with all that is known of it."""
    decisions, trace = scheduler_from(policies).schedule(observed)
    return Evidence(observed, decisions, policies, trace)


CROWDED_MEMBERS = scheduler_from(DEFAULT).schedule(CROWDED)[1].initial.nodes[0].containers


Wrong = tuple[ObservedState, PolicyNames, Path, Callable[[Any], Any]]
TRACES: dict[str, Wrong] = {
    "ROUND-1": (COLD, DEFAULT, ("initial", "nodes", 0, "ram_available"), one_more),
    "ROUND-2": (COLD, TIMEOUT, ("failures",), repeated),
    "ROUND-3": (COLD, DEFAULT, ("ordered", "nodes", 0, "selected_for_deactivation"), flagged),
    "ROUND-4": (COLD, DEFAULT, ("ordered", "worklist"), dropped),
    "ROUND-5": (COLD, DEFAULT, ("placements",), dropped),
    "ROUND-6": (COLD, DEFAULT, ("placed", "nodes", 0, "positions_available"), one_more),
    "ROUND-7": (COLD, DEFAULT, ("wakeups",), reversed_order),
    "ROUND-8": (EMPTY, DEFAULT, ("wakeups",), lambda _: ()),
    "ROUND-9": (COLD, DEFAULT, ("placements", 1, "before", "nodes", 0, "ram_available"), one_more),
    "ROUND-10": (COLD, DEFAULT, (*FIRST, "plan"), none),
    "PLACE-1": (WARM, DEFAULT, in_pass(0, "candidates"), dropped),
    "PLACE-2": (COLD, DEFAULT, in_pass(1, "findings"), dropped),
    "PLACE-3": (LOADING, DEFAULT, in_pass(2, "chosen"), none),
    "PLACE-4": (LOADABLE, DEFAULT, in_pass(3, "findings", 0, "layers"), lambda _: (APP.name,)),
    "PLACE-5": (COPYING, DEFAULT, in_pass(4, "findings", 0, "blocking"), lambda _: (BASE.name,)),
    "PLACE-6": (COPYABLE, DEFAULT, in_search(5, "need", "disk_bytes"), one_more),
    "PLACE-7": (COLD, DEFAULT, (*FIRST, "passes"), dropped),
    "PLACE-8": (NOWHERE, DEFAULT, (*AFTER, "protected"), lambda _: frozenset((BASE.name,))),
    "ACCT-1": (WARM, DEFAULT, (*AFTER, "containers", 0, "chosen_for_reuse"), flagged),
    "ACCT-2": (COLD, DEFAULT, ("placements", 0, "after", "nodes", 1, "positions_available"), one_more),
    "ACCT-3": (CROWDED, DEFAULT, (*AFTER, "containers"), lambda _: CROWDED_MEMBERS),
    "ACCT-4": (SHORT_OF_RAM, DEFAULT, (*AFTER, "resident_in_ram"), emptied),
    "ACCT-5": (LOADABLE, DEFAULT, (*AFTER, "loading"), emptied),
    "ACCT-6": (LOADING, DEFAULT, (*AFTER, "invocations_available"), lambda number: number - 1),
    "ACCT-7": (LOADABLE, DEFAULT, (*AFTER, "protected"), emptied),
    "ACCT-8": (LOADING, DEFAULT, ("placements", 0, "after", "nodes", 1, "ram_available"), one_more),
    "ACCT-9": (COLD, DEFAULT, ("placements", 1, "after", "nodes", 1, "disk_available"), one_more),
    "RECL-1": (CROWDED, DEFAULT, in_search(1, "deficits", "positions"), one_more),
    "RECL-2": (CROWDED, DEFAULT, in_search(1, "steps"), repeated),
    "RECL-3": (CROWDED, DEFAULT, in_search(1, "remaining", "positions"), one_more),
    "RECL-4": (CROWDED, DEFAULT, in_search(1, "steps", 0, "candidates"), dropped),
    "RECL-5": (SHORT_OF_RAM, DEFAULT, in_search(1, "steps", 0, "candidates"), lambda items: (BASE.name, *items)),
    "RECL-6": (SHORT_OF_DISK, DEFAULT, in_search(5, "steps", 0, "candidates"), reversed_order),
    "RECL-7": (SHORT_OF_ALL, DEFAULT, in_search(1, "remaining", "positions"), lambda _: 0),
    "RECL-8": (CROWDED, DEFAULT, in_search(1, "steps", 0, "victims"), repeated),
    "PREW-1": (EMPTY, POOL, ("final", "nodes", 0, "resident_in_ram"), emptied),
    "PREW-2": (EMPTY, POOL, ("prewarms", 0, "function"), lambda _: G.name),
    "PREW-3": (EMPTY, POOL, ("final", "nodes", 0, "positions_available"), one_more),
    "PREW-4": (EMPTY, POOL, ("final", "nodes", 0, "planned"), dropped),
    "PREW-5": (EMPTY, POOL, ("final", "nodes", 0, "invocations_available"), lambda number: number - 1),
    "WAKE-1": (COLD, TIMEOUT, ("wakeup",), one_more),
    "WAKE-2": (COLD, TIMEOUT, ("wakeups", 0, "date"), lambda _: 100.0),
    "POL-pending-timeout": (COLD, TIMEOUT, ("failures",), dropped),
    "POL-deactivate-idle": (EMPTY, RESTING, ("scaling", "deactivations"), dropped),
    "POL-fcfs": (COLD, DEFAULT, ("ordered", "worklist"), reversed_order),
    "POL-select-all-possible": (COLD, DEFAULT, (*FIRST, "selected"), dropped),
    "POL-first-fit": (WARM, DEFAULT, in_pass(0, "chosen", "container"), one_more),
    "POL-fewest": (SHORT_OF_RAM, DEFAULT, in_search(1, "steps", 0, "victims"), lambda _: (BIG.name,)),
    "POL-lru": (CROWDED, names(eviction="lru"), in_search(1, "steps", 0, "victims"), lambda ids: (ids[0] + 1,)),
    "POL-eviction-averse": (COLD, DEFAULT, in_pass(1, "chosen"), none),
    "POL-random": (COLD, RANDOM, in_pass(1, "chosen"), none),
    "POL-warm-pool": (EMPTY, POOL, ("prewarms",), repeated),
}
"""Clause -> a round, the policies it was decided with, where its trace is made wrong, and how."""


def result(clause: str, evidence: Evidence) -> ClauseResult:
    """Return the verdict on one clause."""
    return next(found for found in evaluate(evidence) if found.clause == clause)


@pytest.mark.parametrize("clause", sorted(TRACES))
def test_trace_clause_holds_for_the_right_trace(clause: str) -> None:
    """The right trace satisfies the clause, which is applicable to it."""
    observed, policies, _, _ = TRACES[clause]
    right = result(clause, right_evidence(observed, policies))
    assert right.verdict is Verdict.HOLDS, right.witnesses
    assert EvidenceKind.TRACE in right.judged_from


@pytest.mark.parametrize("clause", sorted(TRACES))
def test_trace_clause_is_violated_by_the_wrong_trace(clause: str) -> None:
    """With one thing in the trace made wrong, the clause is violated, with a witness that has something to say."""
    observed, policies, path, change = TRACES[clause]
    right = right_evidence(observed, policies)
    wrong: RoundTrace = edit(right.trace, path, change)
    assert wrong != right.trace
    found = result(clause, replace(right, trace=wrong))
    assert found.verdict is Verdict.VIOLATED
    assert found.witnesses[0].message


def test_a_random_order_that_is_not_the_drawn_one_is_a_violation() -> None:
    """POL-random: a permutation will not do; the numbers drawn admit one order."""
    drawn = right_evidence(COLD, PolicyNames(invocation_ordering=PolicyName("random", (("seed", 7),))))
    assert result("POL-random", drawn).verdict is Verdict.HOLDS
    swapped = edit(drawn.trace, ("ordered", "worklist"), reversed_order)
    assert result("POL-random", replace(drawn, trace=swapped)).verdict is Verdict.VIOLATED


def test_another_alternative_than_the_drawn_one_is_a_violation() -> None:
    """POL-random: any of the alternatives will not do either."""
    drawn = right_evidence(COLD, RANDOM)
    assert drawn.trace is not None
    tried = drawn.trace.placements[0].passes[1]
    other = next(finding.plan for finding in tried.findings if finding.plan not in (None, tried.chosen))
    wrong = edit(drawn.trace, in_pass(1, "chosen"), lambda _: other)
    assert result("POL-random", replace(drawn, trace=wrong)).verdict is Verdict.VIOLATED


def test_decisions_that_merge_two_proposals_are_a_violation() -> None:
    """PREW-4: a function and node that are proposed twice are two containers, in the decisions as well."""
    twice = PolicyNames(container_prewarm=PolicyName("warm-pool", (("per_function", ((FunctionName("f"), 2),)),)))
    right = right_evidence(EMPTY, twice)
    assert len(right.decisions.prewarms) == 2
    merged = replace(right.decisions, prewarms=right.decisions.prewarms[:1])
    assert result("PREW-4", replace(right, decisions=merged)).verdict is Verdict.VIOLATED


def test_prewarming_that_forgets_what_was_planned_is_a_violation() -> None:
    """ROUND-6: what prewarming leaves still has the containers that placement planned."""
    right = right_evidence(COLD, DEFAULT)
    assert right.trace is not None
    ordered = right.trace.ordered
    wrong = edit(right.trace, ("final",), lambda _: ordered)
    assert result("ROUND-6", replace(right, trace=wrong)).verdict is Verdict.VIOLATED


def test_every_clause_judged_with_a_trace_has_a_wrong_one() -> None:
    """A clause without a wrong trace here would be a check that is not known to be able to fail."""
    assert {clause.id for clause in ALL if EvidenceKind.TRACE in clause.evidence} == set(TRACES)
