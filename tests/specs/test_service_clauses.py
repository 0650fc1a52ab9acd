"""The clauses of the service tested: each holds of the reference's steps, and each is broken by a step with one thing wrong."""

from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from services import SETTINGS, busy, scheduled, service, take, taken
from worlds import function, layer, node

from gaugeblock.model import (
    Container,
    ContainerFailed,
    ContainerId,
    ContainerStatus,
    Decisions,
    Dispatch,
    Event,
    IdleTimeout,
    InvocationFinished,
    InvocationId,
    NodeName,
    NodeStatus,
    OperationKind,
    Outcome,
    RefusalReason,
    ResidentLayer,
    Running,
    ServiceError,
    ServiceState,
    Step,
    Submit,
    WakeUp,
    refused,
    replace,
)
from gaugeblock.scheduler import GreedyScheduler, scheduler_from
from gaugeblock.service import step
from gaugeblock.strategies.seeded_histories import drive
from gaugeblock_specs.service import CLAUSES, evaluate_step
from gaugeblock_specs.service_story import ServiceEvidence
from gaugeblock_specs.verdicts import Verdict

BASE = layer("base", disk=4, ram=4)
F = function("f", BASE, ram=2, disk=2, capacity=2)
N = NodeName("n")


def violated(
    before: ServiceState, event: Event, step: Step | None, error: type[ServiceError] | None = None, abiding: bool = False
) -> tuple[str, ...]:
    """Return the identifiers of the clauses that a step breaks."""
    results = evaluate_step(ServiceEvidence(before, event, SETTINGS, step, error, abiding))
    return tuple(result.clause for result in results if result.verdict is Verdict.VIOLATED)


def start() -> ServiceState:
    """Return a service with a ready container that holds one of two invocations, and a wake-up at 9; now is 3."""
    nodes = (
        node("n", on_disk=(BASE,), in_ram=(BASE,), ram=20, disk=20, positions=3),
        node("off", status=NodeStatus.DEACTIVATED, on_disk=(BASE,)),
    )
    return take(busy(service(*nodes, functions=(F,)), F, 0), WakeUp(3.0, 0), Decisions(wakeup=9.0))


EVENT = Submit(4.0, 0, InvocationId(1), F.name)
BATCH = Decisions(dispatches=(Dispatch(InvocationId(1), N, None),), activations=(NodeName("off"),), wakeup=8.0)


def with_state(change: Callable[[ServiceState], ServiceState]) -> Step:
    """Return the reference's step with something wrong in the state after."""
    step = taken(start(), EVENT, BATCH)
    return replace(step, state=change(step.state))


def with_container(index: int, **fields: object) -> Step:
    """Return the reference's step with something wrong with one container of the first node."""

    def change(state: ServiceState) -> ServiceState:
        first, *rest = state.nodes
        containers = list(first.containers)
        containers[index] = replace(containers[index], **fields)
        return replace(state, nodes=(replace(first, containers=tuple(containers)), *rest))

    return with_state(change)


def with_node(index: int, **fields: object) -> Step:
    """Return the reference's step with something wrong with one node."""

    def change(state: ServiceState) -> ServiceState:
        nodes = list(state.nodes)
        nodes[index] = replace(nodes[index], **fields)
        return replace(state, nodes=tuple(nodes))

    return with_state(change)


def with_outcomes(change: Callable[[tuple[Outcome, ...]], tuple[Outcome, ...]]) -> Step:
    """Return the reference's step with something wrong in what it tells of the operations."""
    step = taken(start(), EVENT, BATCH)
    return replace(step, outcomes=change(step.outcomes))


def strange(identifier: int) -> Container:
    """Return an idle container that nobody started."""
    return Container(ContainerId(identifier), F, ContainerStatus.READY, 0, 4.0)


def pending_still(state: ServiceState) -> ServiceState:
    """Keep the invocation that was dispatched among the pending ones."""
    return replace(state, pending=(state.running[-1].invocation,))


def runs_elsewhere(state: ServiceState) -> ServiceState:
    """Say that the invocation that was dispatched runs in the container of the other one."""
    first, second = state.running
    return replace(state, running=(first, Running(second.invocation, first.container)))


OLD = (ResidentLayer(BASE, 1.0),)

WRONG: tuple[tuple[str, str, Step], ...] = (
    ("the date is not the event's", "SERV-0", with_state(lambda state: replace(state, now=4.5))),
    ("the sequence is not the event's", "SERV-0", with_state(lambda state: replace(state, sequence=7))),
    ("a container id is kept for later", "SERV-0", with_state(lambda state: replace(state, next_container=ContainerId(1)))),
    ("a generation is used up", "SERV-0", with_state(lambda state: replace(state, next_generation=5))),
    ("the id is free again", "SERV-0", with_state(lambda state: replace(state, submitted=frozenset()))),
    ("a node is gone", "SERV-0", with_state(lambda state: replace(state, nodes=state.nodes[:1]))),
    ("the nodes change places", "SERV-0", with_state(lambda state: replace(state, nodes=state.nodes[::-1]))),
    ("a capacity grows", "SERV-0", with_node(1, ram_bytes=9999)),
    ("the layers are not dated by the dispatch", "SERV-0", with_node(0, disk_layers=OLD)),
    ("the layers in RAM are not dated by the dispatch", "SERV-0", with_node(0, ram_layers=OLD)),
    ("the new container is used in the past", "SERV-0", with_container(1, last_used=1.0)),
    (
        "the invocation is pending still",
        "SERV-1",
        with_state(lambda state: replace(state, pending=(state.running[-1].invocation,))),
    ),
    ("the invocation is lost", "SERV-1", with_state(lambda state: replace(state, running=state.running[:1]))),
    (
        "the invocations are told in another order",
        "SERV-1",
        with_state(lambda state: replace(state, running=state.running[::-1])),
    ),
    ("the invocation runs in another container", "SERV-1", with_state(runs_elsewhere)),
    ("a layer is gone", "SERV-1", with_node(1, disk_layers=())),
    ("an outcome is not told", "SERV-1", with_outcomes(lambda told: told[:-1])),
    ("the outcomes are told in another order", "SERV-1", with_outcomes(lambda told: told[::-1])),
    (
        "a right operation is refused",
        "SERV-2",
        with_outcomes(lambda told: tuple(replace(each, refusal=RefusalReason.NO_RAM, container=None) for each in told)),
    ),
    ("the new container is ready at once", "SERV-3", with_container(1, status=ContainerStatus.READY)),
    ("the new container is empty", "SERV-3", with_container(1, in_flight=0)),
    ("a container is there that nobody started", "SERV-3", with_node(1, containers=(strange(9),))),
    ("the new container is missing", "SERV-3", with_node(0, containers=())),
    ("the node is up at once", "SERV-4", with_node(1, status=NodeStatus.ACTIVATED)),
    ("a node that is off has a layer in RAM", "SERV-4", with_node(1, ram_layers=OLD)),
    ("the later wake-up stands", "SERV-6", with_state(lambda state: replace(state, wakeup=9.0))),
    ("no wake-up stands", "SERV-6", with_state(lambda state: replace(state, wakeup=None))),
)


@pytest.mark.parametrize(("clause", "step"), [each[1:] for each in WRONG], ids=[each[0] for each in WRONG])
def test_a_step_with_one_thing_wrong_breaks_its_clause(clause: str, step: Step) -> None:
    """SERV-0 to SERV-6: each looks at what it is about."""
    assert clause in violated(start(), EVENT, step)


def test_the_step_that_they_are_made_from_breaks_none() -> None:
    """SERV-0 to SERV-6: without anything wrong, nothing is found."""
    assert violated(start(), EVENT, taken(start(), EVENT, BATCH)) == ()


def test_every_clause_of_the_service_can_be_broken() -> None:
    """SERV-0 to SERV-6: no check that cannot fail; SERV-5 has a test of its own."""
    assert {clause for _, clause, _ in WRONG} | {"SERV-5"} == {clause.id for clause in CLAUSES}


def test_a_refusal_breaks_the_theorem_only_for_our_own_scheduler() -> None:
    """SERV-5: the same refused operation is a violation if the batch was ours, and a foreigner's own affair otherwise."""
    refused_dispatch = Decisions(dispatches=(Dispatch(InvocationId(99), N, None),))
    step = taken(start(), EVENT, refused_dispatch)
    assert violated(start(), EVENT, step, abiding=True) == ("SERV-5",)
    assert violated(start(), EVENT, step, abiding=False) == ()


def test_an_accepted_event_must_break_no_rule() -> None:
    """SERV-0: a second submission of one id that is taken is a violation."""
    again = replace(EVENT, invocation=InvocationId(0))
    assert violated(start(), again, taken(start(), EVENT)) == ("SERV-0",)


@pytest.mark.parametrize("error", [None, refused.UnknownFunction])
def test_a_refused_event_must_break_the_rule_that_is_named(error: type[ServiceError] | None) -> None:
    """SERV-0: refused for another reason, or without one, is a violation."""
    again = replace(EVENT, invocation=InvocationId(0))
    assert violated(start(), again, None, refused.RepeatedInvocation) == ()
    assert violated(start(), again, None, error) == ("SERV-0",)


def test_a_right_event_must_not_be_refused() -> None:
    """SERV-0: an error without a broken rule is a violation."""
    assert violated(start(), EVENT, None, refused.RepeatedInvocation) == ("SERV-0",)


def test_what_is_shown_to_the_scheduler_is_judged_too() -> None:
    """SERV-0: a scheduler that is shown the state before the event decides about yesterday."""
    step = taken(start(), EVENT, BATCH)
    stale = replace(step.observed, pending=())
    assert "SERV-0" in violated(start(), EVENT, replace(step, observed=stale))


def test_an_alarm_that_is_kept_from_the_driver_is_missed() -> None:
    """SERV-0: a new idle alarm is handed out with the step that sets it."""
    event = InvocationFinished(4.0, 0, InvocationId(0))
    step = taken(start(), event)
    assert violated(start(), event, step) == ()
    assert violated(start(), event, replace(step, alarms=())) == ("SERV-0",)


def test_an_id_must_be_told_with_the_container_that_gets_it() -> None:
    """SERV-0: a dispatch that starts a container tells its id."""
    step = with_outcomes(lambda told: tuple(replace(each, container=None) for each in told))
    assert "SERV-0" in violated(start(), EVENT, step)


def test_the_judge_outlives_operations_on_what_does_not_exist() -> None:
    """SERV-2: accepting a dispatch to nowhere is a violation, not the end of the judge."""
    nowhere = Decisions(dispatches=(Dispatch(InvocationId(1), NodeName("nobody"), None),))
    step = taken(start(), EVENT, nowhere)
    accepted = tuple(replace(each, refusal=None) for each in step.outcomes)
    assert "SERV-2" in violated(start(), EVENT, replace(step, outcomes=accepted))


@given(st.integers(0, 10**6), st.sampled_from(("pending", "running", "alarms", "nodes")))
def test_nothing_can_be_dropped_from_a_state_unnoticed(seed: int, name: str) -> None:
    """SERV-0 to SERV-4: leaving out any one entry of the state after breaks a clause."""
    dropped = 0
    for opening, happening, before, result in drive(seed, 20, step, scheduler_from):
        if isinstance(result, Step) and getattr(result.state, name):
            dropped += 1
            less = replace(result.state, **{name: getattr(result.state, name)[1:]})
            evidence = ServiceEvidence(before, happening.event, opening.settings, replace(result, state=less))
            assert any(each.verdict is Verdict.VIOLATED for each in evaluate_step(evidence))
    assume(dropped > 0)


def test_the_clauses_hold_of_the_reference_at_its_own_work() -> None:
    """SERV-5: ending an idle container for a cold one, the reference is not refused, and the clause has something to judge."""
    large = function("large", BASE, ram=5, disk=5)
    state = service(node("n", on_disk=(BASE,), in_ram=(BASE,), ram=10, disk=10, positions=1), functions=(F, large))
    idle = take(busy(state, F, 0), InvocationFinished(3.0, 0, InvocationId(0)))
    event = Submit(4.0, 0, InvocationId(1), large.name)
    step = scheduled(idle, event, GreedyScheduler())
    assert [outcome.kind for outcome in step.outcomes] == [OperationKind.TERMINATION, OperationKind.DISPATCH]
    results = evaluate_step(ServiceEvidence(idle, event, SETTINGS, step, None, abiding=True))
    assert {result.clause: result.verdict for result in results}["SERV-5"] is Verdict.HOLDS


@pytest.mark.parametrize(
    "event", [ContainerFailed(4.0, 0, ContainerId(0)), IdleTimeout(4.0, 0, ContainerId(0), 3), WakeUp(3.0, 0)]
)
def test_events_that_the_reference_refuses_are_to_be_refused(event: Event) -> None:
    """SERV-0: reference and judge name the same rule."""
    with pytest.raises(ServiceError) as caught:
        taken(start(), event)
    assert violated(start(), event, None, type(caught.value)) == ()
