"""The scheduler trusts no policy: an answer outside the contract is a PolicyContractError that names policy and clause."""

import math
from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from worlds import catalog, container, function, invocation, layer, node, world

from gaugeblock.model import (
    LARGEST_DATE,
    Container,
    ContainerId,
    ContainerStatus,
    Decisions,
    Deficits,
    Failure,
    FunctionName,
    Invocation,
    InvocationId,
    LayerName,
    NodeName,
    NodeStatus,
    ObservedState,
    Plan,
    PolicyKind,
    Prewarm,
    ResidentLayer,
    ReuseCandidate,
    ScalingRequests,
    Value,
    WorkingNode,
    WorkingState,
    replace,
)
from gaugeblock.optimized.rounds import decide
from gaugeblock.policies.errors import InvalidWakeup, PolicyContractError
from gaugeblock.policies.protocols import Policy
from gaugeblock.scheduler import GreedyScheduler

A, B, C, D = layer("a", 4, 4), layer("b", 4, 4), layer("c", 4, 4), layer("d", 4, 4)
F, G, H = function("f", A), function("g", B), function("h", C)
BIG = function("big", D, ram=5, disk=5)


def state() -> ObservedState:
    """Return a world in which every kind of policy is asked: the third node is deactivated, the first is full."""
    full = node("n", (A, B, C), (A, B, C), (container(1, F), container(2, G)), ram=14, disk=14, positions=2)
    return world(
        catalog(F, G, H, BIG),
        full,
        node("busy", (A,), (A,), (container(3, F, ContainerStatus.STARTING),)),
        node("off", status=NodeStatus.DEACTIVATED),
        pending=(invocation(1, F), invocation(2, H), invocation(3, BIG)),
    )


Deciding = Callable[[GreedyScheduler], Decisions]
"""Decides the round above under the policies of a scheduler."""

BOTH_MODELS = pytest.mark.parametrize(
    "decided",
    [lambda policies: policies.schedule(state())[0], lambda policies: decide(state(), policies)],
    ids=["reference", "optimized"],
)


class Scripted(Value, frozen=True):
    """A policy that gives a fixed answer to whatever it is asked."""

    kind: PolicyKind
    answer: object
    date: float | None = None
    name: ClassVar[str] = "scripted"

    def wakeup(self, state: WorkingState) -> float | None:
        """Report the fixed date."""
        return self.date

    def _answer(self, *_: object) -> object:
        return self.answer

    failures = scale = order = select = pick = containers = ram_layers = disk_layers = choose = propose = _answer


def failure(identifier: int) -> Failure:
    """Return a failure of the invocation with that id."""
    return Failure(InvocationId(identifier), "why not")


BREACHES: dict[str, tuple[PolicyKind, object, str]] = {
    "fails a stranger": (PolicyKind.INVOCATION_FAILING, (failure(99),), "ROUND-2"),
    "fails one twice": (PolicyKind.INVOCATION_FAILING, (failure(1), failure(1)), "ROUND-2"),
    "answers failures in a list": (PolicyKind.INVOCATION_FAILING, [failure(1)], "ROUND-2"),
    "activates an activated node": (PolicyKind.NODE_SCALING, ScalingRequests(activations=(NodeName("n"),)), "ROUND-3"),
    "activates a node unknown": (PolicyKind.NODE_SCALING, ScalingRequests(activations=(NodeName("x"),)), "ROUND-3"),
    "activates a node twice": (PolicyKind.NODE_SCALING, ScalingRequests((NodeName("off"),) * 2), "ROUND-3"),
    "puts a node in both requests": (
        PolicyKind.NODE_SCALING,
        ScalingRequests((NodeName("off"),), (NodeName("off"),)),
        "ROUND-3",
    ),
    "deactivates a node with a starting container": (
        PolicyKind.NODE_SCALING,
        ScalingRequests(deactivations=(NodeName("busy"),)),
        "SERV-4",
    ),
    "deactivates a deactivated node": (PolicyKind.NODE_SCALING, ScalingRequests((), (NodeName("off"),)), "SERV-4"),
    "drops an invocation": (PolicyKind.INVOCATION_ORDERING, (invocation(1, F),), "ROUND-4"),
    "repeats an invocation": (PolicyKind.INVOCATION_ORDERING, (invocation(1, F), invocation(1, F)), "ROUND-4"),
    "selects an unknown node": (PolicyKind.NODE_SELECTION, frozenset({NodeName("x")}), "PLACE-1"),
    "selects with a list": (PolicyKind.NODE_SELECTION, [NodeName("n")], "PLACE-1"),
    "reuses a container of another function": (PolicyKind.REUSABLE_CONTAINER, ContainerId(2), "PLACE-1"),
    "picks a victim twice": (PolicyKind.EVICTION, (ContainerId(1), ContainerId(1)), "RECL-8"),
    "picks a victim that is no candidate": (PolicyKind.EVICTION, (ContainerId(3),), "RECL-8"),
    "chooses a node outside the alternatives": (PolicyKind.PLAN_SELECTION, NodeName("off"), "PLACE-7"),
    "prewarms an unknown function": (
        PolicyKind.CONTAINER_PREWARM,
        (Prewarm(NodeName("n"), FunctionName("x")),),
        "PREW-2",
    ),
    "prewarms on a deactivated node": (
        PolicyKind.CONTAINER_PREWARM,
        (Prewarm(NodeName("off"), FunctionName("f")),),
        "PREW-2",
    ),
    "prewarms without the layers": (
        PolicyKind.CONTAINER_PREWARM,
        (Prewarm(NodeName("busy"), FunctionName("g")),),
        "PREW-2",
    ),
    "prewarms past the positions": (
        PolicyKind.CONTAINER_PREWARM,
        (Prewarm(NodeName("n"), FunctionName("f")),) * 3,
        "PREW-3",
    ),
}


GARBAGE: tuple[object, ...] = (
    {},
    object(),
    "node",
    (None,),
    ([],),
    (1.0,),
    (True,),
    (object(),),
    frozenset({("a", 1)}),
    (failure([]),),  # type: ignore[arg-type]  # wrong types are what is tested
    (Failure(InvocationId(1), None),),  # type: ignore[arg-type]
    ScalingRequests(activations=([],)),  # type: ignore[arg-type]
    ScalingRequests(deactivations=None),  # type: ignore[arg-type]
    (Prewarm([], None),),  # type: ignore[arg-type]
    (replace(invocation(1, F), id=[]),),
)


@BOTH_MODELS
@pytest.mark.parametrize("kind", PolicyKind)
@pytest.mark.parametrize("answer", GARBAGE, ids=lambda answer: type(answer).__name__)
def test_an_answer_of_no_documented_type_is_a_breach(decided: Deciding, kind: PolicyKind, answer: object) -> None:
    """RECL-8, POL: whatever a policy returns is told as a breach of its contract; nothing else is raised."""
    with pytest.raises(PolicyContractError):
        decided(scheduler_with(Scripted(kind, answer)))


def scheduler_with(policy: object) -> GreedyScheduler:
    """Return the default scheduler with one policy replaced."""
    given: Policy = policy  # type: ignore[assignment]  # a scripted answer has no static type
    return GreedyScheduler().with_policy(given)


@BOTH_MODELS
@pytest.mark.parametrize("breach", BREACHES)
def test_a_breach_of_contract_names_policy_and_clause(decided: Deciding, breach: str) -> None:
    """POL: an answer outside the contract stops the round with the clause it breaks."""
    kind, answer, clause = BREACHES[breach]
    with pytest.raises(PolicyContractError) as refused:
        decided(scheduler_with(Scripted(kind, answer)))
    assert (refused.value.kind, refused.value.policy, refused.value.clause) == (kind, "scripted", clause)
    assert clause in str(refused.value)
    assert "; expected " in str(refused.value)


def test_every_kind_of_policy_is_checked() -> None:
    """No kind of policy goes without a breach above."""
    assert {kind for kind, _, _ in BREACHES.values()} == set(PolicyKind)


@BOTH_MODELS
@pytest.mark.parametrize("date", [100.0, 99.0, math.nan, math.inf, -math.inf, "later", [101.0], 101j])
def test_a_stale_or_infinite_wakeup_is_an_error(decided: Deciding, date: Any) -> None:
    """WAKE-2: a date must be finite and strictly later than now (100)."""
    with pytest.raises(InvalidWakeup) as refused:
        decided(scheduler_with(Scripted(PolicyKind.NODE_SCALING, ScalingRequests(), date)))
    assert refused.value.clause == "WAKE-2"


def test_the_largest_double_means_no_wakeup() -> None:
    """WAKE-1: the C++ value for "none" is read as none."""
    decisions, _ = scheduler_with(Scripted(PolicyKind.NODE_SCALING, ScalingRequests(), LARGEST_DATE)).schedule(state())
    assert decisions.wakeup is None


def test_the_earliest_report_is_the_wakeup() -> None:
    """WAKE-1: every installed policy may report, and the least date counts."""
    scheduler = scheduler_with(Scripted(PolicyKind.NODE_SCALING, ScalingRequests(), 130.0))
    scheduler = scheduler.with_policy(Scripted(PolicyKind.PLAN_SELECTION, None, 120.0))  # type: ignore[arg-type]  # scripted
    decisions, trace = scheduler.schedule(state())
    assert decisions.wakeup == 120.0
    assert [report.date for report in trace.wakeups if report.date is not None] == [130.0, 120.0]


def test_choosing_no_plan_tries_the_next_pass() -> None:
    """PLACE-7, AMB-7: a plan-selection policy may pick none, and then the next pass is tried."""
    decisions, trace = scheduler_with(Scripted(PolicyKind.PLAN_SELECTION, None)).schedule(state())
    assert [len(placement.passes) for placement in trace.placements] == [1, 6, 6]
    assert [dispatch.invocation for dispatch in decisions.dispatches] == [1]
    assert decisions.copies == ()


class Recording(Value, frozen=True):
    """An eviction policy that records its calls in a list of the test's."""

    calls: Callable[[str, tuple[str | int, ...], Deficits], None]
    kind: ClassVar[PolicyKind] = PolicyKind.EVICTION
    name: ClassVar[str] = "recording"

    def wakeup(self, state: WorkingState) -> float | None:
        """Report nothing."""
        return None

    def containers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[Container, ...], deficits: Deficits
    ) -> tuple[ContainerId, ...]:
        """Choose nothing."""
        self.calls("containers", tuple(each.id for each in candidates), deficits)
        return ()

    def ram_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        """Choose nothing."""
        self.calls("ram", tuple(each.layer.name for each in candidates), deficits)
        return ()

    def disk_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        """Choose nothing."""
        self.calls("disk", tuple(each.layer.name for each in candidates), deficits)
        return ()


def test_eviction_is_asked_step_by_step_with_the_remaining_deficits() -> None:
    """RECL-2: containers, then RAM layers for a RAM deficit, then disk layers for a disk deficit; never without candidates."""
    calls: list[tuple[str, tuple[str | int, ...], Deficits]] = []
    tight = node("n", (A, B, D), (A, B, D), (container(1, F),), ram=14, disk=14, positions=1)
    pending = (invocation(1, BIG),)
    recording = Recording(lambda step, candidates, deficits: calls.append((step, candidates, deficits)))
    scheduler_with(recording).schedule(world(catalog(F, G, BIG), tight, pending=pending))
    deficits = Deficits(4, 4, 1)
    assert calls == [("containers", (1,), deficits), ("ram", ("b",), deficits), ("disk", ("b",), deficits)]


def test_plan_selection_sees_the_alternatives_of_one_pass() -> None:
    """PLACE-7: alternatives come from one pass, at most one a node, in traversal order."""
    seen: list[tuple[Plan, ...]] = []

    class Watching(Value, frozen=True):
        """Chooses the last alternative, and tells the test what it saw."""

        kind: ClassVar[PolicyKind] = PolicyKind.PLAN_SELECTION
        name: ClassVar[str] = "watching"

        def wakeup(self, state: WorkingState) -> float | None:
            """Report nothing."""
            return None

        def choose(self, state: WorkingState, invocation: Invocation, alternatives: tuple[Plan, ...]) -> NodeName | None:
            """Choose the last."""
            seen.append(alternatives)
            return alternatives[-1].node

    nodes = [node(name, (A,), (A,)) for name in ("z", "y", "x")]
    decisions, _ = scheduler_with(Watching()).schedule(world(catalog(F), *nodes, pending=(invocation(1, F),)))
    assert [plan.node for plan in seen[0]] == ["z", "y", "x"]
    assert [dispatch.node for dispatch in decisions.dispatches] == ["x"]


def test_reuse_is_offered_candidates_in_traversal_order_then_by_id() -> None:
    """PLACE-1, AMB-1: first-fit takes the smallest id on the first node, whatever the ids on later ones."""
    first = node("z", (A,), (A,), (container(7, F), container(9, F)))
    second = node("a", (A,), (A,), (container(1, F),))
    _, trace = GreedyScheduler().schedule(world(catalog(F), first, second, pending=(invocation(1, F),)))
    reuse = trace.placements[0].passes[0]
    candidates: tuple[ReuseCandidate, ...] = reuse.candidates
    assert [(each.node, each.container.id) for each in candidates] == [("z", 7), ("z", 9), ("a", 1)]
    assert reuse.chosen is not None
    assert reuse.chosen.container == 7
