"""Each clause that is judged without a trace holds for a right answer and is violated by a deliberately wrong one."""

from collections.abc import Callable

import pytest
from worlds import catalog, container, function, invocation, layer, node, world

from gaugeblock.model import (
    Container,
    ContainerId,
    Decisions,
    Dispatch,
    Eviction,
    Failure,
    FunctionName,
    InvocationId,
    Layer,
    LayerName,
    NodeName,
    NodeStatus,
    ObservedState,
    PolicyName,
    PolicyNames,
    Prewarm,
    Termination,
    Transfer,
    replace,
)
from gaugeblock.scheduler import scheduler_from
from gaugeblock_specs.evidence import Evidence
from gaugeblock_specs.judge import evaluate
from gaugeblock_specs.registry import ALL
from gaugeblock_specs.verdicts import ClauseResult, EvidenceKind, Verdict

N, M = NodeName("n"), NodeName("m")
BASE, OTHER, APP = layer("base", 2, 2), layer("other", 3, 3), layer("app", 2, 2)
F, G = function("f", BASE, ram=2), function("g", OTHER, ram=3)
LARGE = function("large", BASE, APP)
KNOWN = catalog(F, G, LARGE, layers=(BASE, OTHER, APP))
NONE = PolicyNames()
POOL = PolicyNames(container_prewarm=PolicyName("warm-pool", (("per_function", ((FunctionName("f"), 1),)),)))
TIMEOUT = PolicyNames(invocation_failing=PolicyName("pending-timeout", (("seconds", 60.0),)))
RANDOM = PolicyNames(invocation_ordering=PolicyName("random", (("seed", 7),)))
RESTING = PolicyNames(node_scaling=PolicyName("deactivate-idle", (("seconds", 60.0),)))

ONE, TWO = invocation(1, F), invocation(2, F, submitted=2.0)
IDLE_F, IDLE_G, BUSY_G = container(1, F), container(2, G), container(3, G, in_flight=1)


def full(*containers: Container, ram: int = 1000, positions: int = 1000, pending: int = 1) -> ObservedState:
    """Return one node with base and other in RAM, and the first pending invocations of f."""
    held = node("n", (BASE, OTHER), (BASE, OTHER), containers, ram=ram, positions=positions)
    return world(KNOWN, held, pending=(ONE, TWO)[:pending])


def on_disk_only() -> ObservedState:
    """Return two nodes with base and other on disk and nothing in RAM, and one pending f."""
    return world(KNOWN, node("m", (BASE, OTHER)), node("n", (BASE, OTHER)), pending=(ONE,))


def termination(container_id: int, at: NodeName = N) -> Termination:
    """Return a termination."""
    return Termination(at, ContainerId(container_id))


def dispatch(invocation_id: int, at: NodeName = N, to: int | None = None) -> Dispatch:
    """Return a dispatch, cold unless ``to`` names a container."""
    return Dispatch(InvocationId(invocation_id), at, None if to is None else ContainerId(to))


def eviction(of: Layer, at: NodeName = N) -> Eviction:
    """Return an eviction."""
    return Eviction(at, of.name)


def transfer(of: Layer, at: NodeName = N) -> Transfer:
    """Return a transfer."""
    return Transfer(at, of.name)


Change = Callable[[Decisions], Decisions]
SHORT_OF_RAM = full(ram=6)  # 5 for the layers, 1 left, 2 needed by f
DISK_AND_RAM = world(KNOWN, node("n", (OTHER,), (OTHER,), disk=4), pending=(ONE,))
RESTED = world(KNOWN, node("n", (BASE,), (BASE,)), node("m"))
DEACTIVATED = world(
    KNOWN, node("n", invocations=0), node("m", status=NodeStatus.DEACTIVATED), pending=(ONE,)
)  # fmt: skip

SAFETY: dict[str, tuple[ObservedState, PolicyNames, Change]] = {
    "ROUND-2": (world(KNOWN, node("n"), pending=(ONE,)), TIMEOUT, lambda d: replace(d, dispatches=(dispatch(1),))),
    "ROUND-3": (full(), NONE, lambda d: replace(d, deactivations=(N,))),
    "ROUND-5": (full(), NONE, lambda d: replace(d, dispatches=d.dispatches * 2)),
    "ROUND-10": (full(), NONE, lambda d: replace(d, dispatches=(dispatch(1, NodeName("ghost")),))),
    "PLACE-1": (full(IDLE_F, IDLE_G), NONE, lambda d: replace(d, dispatches=(dispatch(1, to=2),))),
    "PLACE-2": (
        world(KNOWN, node("n", (BASE,), (BASE,)), node("m", (BASE,)), pending=(ONE,)),
        NONE,
        lambda d: replace(d, dispatches=(dispatch(1, M),)),
    ),
    "PLACE-4": (on_disk_only(), NONE, lambda d: replace(d, loads=(*d.loads, transfer(OTHER, d.loads[0].node)))),
    "PLACE-6": (world(KNOWN, node("n"), pending=(ONE,)), NONE, lambda d: replace(d, copies=(*d.copies, transfer(OTHER)))),
    "PLACE-7": (on_disk_only(), NONE, lambda d: replace(d, loads=(transfer(BASE, M), transfer(BASE, N)))),
    "ACCT-1": (full(IDLE_F, pending=2), NONE, lambda d: replace(d, dispatches=(dispatch(1, to=1), dispatch(2, to=1)))),
    "ACCT-7": (SHORT_OF_RAM, NONE, lambda d: replace(d, ram_evictions=(*d.ram_evictions, eviction(BASE)))),
    "ACCT-9": (full(ram=7, pending=1), NONE, lambda d: replace(d, loads=(transfer(APP),))),
    "RECL-1": (full(IDLE_G, positions=1), NONE, lambda d: replace(d, dispatches=())),
    "RECL-2": (SHORT_OF_RAM, NONE, lambda d: replace(d, disk_evictions=d.ram_evictions)),
    "RECL-3": (full(IDLE_G, positions=1), NONE, lambda d: replace(d, terminations=())),
    "RECL-4": (full(IDLE_G, BUSY_G, positions=2), NONE, lambda d: replace(d, terminations=(termination(3),))),
    "RECL-5": (
        world(KNOWN, node("n", (BASE, OTHER, APP), (BASE, OTHER, APP), (BUSY_G,), ram=11), pending=(ONE,)),
        NONE,
        lambda d: replace(d, ram_evictions=(eviction(OTHER),)),
    ),
    "RECL-6": (DISK_AND_RAM, NONE, lambda d: replace(d, ram_evictions=())),
    "PREW-1": (full(IDLE_G, pending=0), POOL, lambda d: replace(d, terminations=(termination(2),))),
    "PREW-2": (full(pending=0, ram=8), POOL, lambda d: replace(d, prewarms=(Prewarm(N, FunctionName("large")),))),
    "PREW-3": (full(pending=0, positions=1), POOL, lambda d: replace(d, prewarms=(*d.prewarms, Prewarm(N, G.name)))),
    "PREW-4": (full(pending=0, positions=1), POOL, lambda d: replace(d, prewarms=d.prewarms * 2)),
    "WAKE-2": (
        world(KNOWN, node("n"), pending=(invocation(1, F, 50.0),)),
        TIMEOUT,
        lambda d: replace(d, wakeup=100.0),
    ),
    "EXEC-1": (full(IDLE_F, IDLE_G, positions=2, pending=2), NONE, lambda d: replace(d, terminations=(termination(1),))),
    "EXEC-2": (on_disk_only(), NONE, lambda d: replace(d, loads=d.loads * 2)),
    "EXEC-3": (full(), NONE, lambda d: replace(d, loads=(transfer(BASE),))),
}
"""Clause -> a round, the policies of the right answer, and what makes it wrong: judged from decisions alone."""

POLICIES: dict[str, tuple[ObservedState, PolicyNames, Change]] = {
    "POL-never": (full(), NONE, lambda d: replace(d, prewarms=(Prewarm(N, F.name),))),
    "POL-pending-timeout": (full(), TIMEOUT, lambda d: replace(d, failures=())),
    "POL-activate-one-when-no-free-slot": (DEACTIVATED, NONE, lambda d: replace(d, activations=())),
    "POL-deactivate-idle": (RESTED, RESTING, lambda d: replace(d, deactivations=(N, M))),
    "POL-fcfs": (full(pending=2, ram=7), NONE, lambda d: replace(d, dispatches=(dispatch(2),))),
    "POL-random": (
        full(pending=2, positions=1),
        RANDOM,
        lambda d: replace(d, dispatches=tuple(dispatch(3 - each.invocation) for each in d.dispatches)),
    ),
    "POL-select-all-possible": (full(pending=2, positions=1), NONE, lambda d: replace(d, dispatches=())),
    "POL-first-fit": (full(IDLE_F, pending=2), NONE, lambda d: replace(d, dispatches=(dispatch(1), dispatch(2)))),
    "POL-warm-pool": (full(pending=0), POOL, lambda d: replace(d, prewarms=())),
    "WAKE-1": (world(KNOWN, pending=(invocation(1, F, 50.0),)), TIMEOUT, lambda d: replace(d, wakeup=111.0)),
}
"""The same with the policies' names known to the judge."""


def result(clause: str, evidence: Evidence) -> ClauseResult:
    """Return the verdict on one clause."""
    return next(found for found in evaluate(evidence) if found.clause == clause)


def judgements(clause: str, table: dict[str, tuple[ObservedState, PolicyNames, Change]]) -> tuple[ClauseResult, ClauseResult]:
    """Return the verdicts on the right answer and on the wrong one."""
    observed, policies, spoil = table[clause]
    right, _ = scheduler_from(policies).schedule(observed)
    known = policies if table is POLICIES else None
    return result(clause, Evidence(observed, right, known)), result(clause, Evidence(observed, spoil(right), known))


@pytest.mark.parametrize("clause", sorted(SAFETY))
def test_safety_clause_tells_right_from_wrong(clause: str) -> None:
    """Judged from decisions alone, the right answer satisfies the clause and the wrong one violates it with a witness."""
    right, wrong = judgements(clause, SAFETY)
    assert right.verdict is not Verdict.VIOLATED, right.witnesses
    assert wrong.verdict is Verdict.VIOLATED
    assert wrong.witnesses[0].message
    assert EvidenceKind.TRACE not in wrong.judged_from


@pytest.mark.parametrize("clause", sorted(SAFETY))
def test_safety_clause_applies_to_a_right_answer(clause: str) -> None:
    """No safety clause is satisfied only because it never applies."""
    right, _ = judgements(clause, SAFETY)
    assert right.verdict is Verdict.HOLDS


@pytest.mark.parametrize("clause", sorted(POLICIES))
def test_policy_clause_tells_right_from_wrong(clause: str) -> None:
    """With the policies' names known, the right answer satisfies the clause and the wrong one violates it with a witness."""
    right, wrong = judgements(clause, POLICIES)
    assert right.verdict is Verdict.HOLDS, right.witnesses
    assert wrong.verdict is Verdict.VIOLATED
    assert wrong.witnesses[0].message


@pytest.mark.parametrize("table", ["SAFETY", "POLICIES"])
def test_every_clause_judged_without_a_trace_has_a_wrong_answer(table: str) -> None:
    """A clause without a wrong answer here would be a check that is not known to be able to fail."""
    kind, covered = {"SAFETY": (EvidenceKind.DECISIONS, SAFETY), "POLICIES": (EvidenceKind.POLICIES, POLICIES)}[table]
    assert {clause.id for clause in ALL if kind in clause.evidence} == set(covered)


def test_a_witness_names_node_layer_and_container() -> None:
    """RECL-5: the witness says where, which layer, and which container still uses it."""
    _, wrong = judgements("RECL-5", SAFETY)
    witness = wrong.witnesses[0]
    assert (witness.node, witness.layer, witness.container) == (N, LayerName("other"), ContainerId(3))


def test_a_witness_carries_the_numbers() -> None:
    """ACCT-9: the witness says how much was wanted and how much there was."""
    observed = full(ram=7, pending=2)
    wrong = result("ACCT-9", Evidence(observed, Decisions(dispatches=(dispatch(1), dispatch(2)))))
    assert wrong.witnesses[0].numbers == (("wanted", 4), ("available", 2))


def test_an_unknown_failure_is_a_violation_not_an_error() -> None:
    """ROUND-10: an answer may name an invocation that nobody submitted."""
    wrong = result("ROUND-10", Evidence(full(), Decisions(failures=(Failure(InvocationId(77), "gone"),))))
    assert [witness.invocation for witness in wrong.witnesses] == [77]
