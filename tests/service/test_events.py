"""What events do by themselves, and which of them are refused."""

import pytest
from services import NOTHING, SETTINGS, TIMEOUT, busy, scheduled, service, take, taken
from worlds import function, layer, node

from gaugeblock.model import (
    ContainerFailed,
    ContainerId,
    ContainerStarted,
    ContainerStatus,
    CopyCompleted,
    CopyFailed,
    Decisions,
    Dispatch,
    Event,
    Failure,
    FunctionName,
    IdleTimeout,
    InvocationFailed,
    InvocationFinished,
    InvocationId,
    LayerName,
    LoadCompleted,
    LoadFailed,
    NodeActivated,
    NodeDeactivated,
    NodeName,
    NodeStatus,
    Prewarm,
    ServiceError,
    ServiceState,
    Submit,
    Transfer,
    WakeUp,
    refused,
)
from gaugeblock.scheduler import GreedyScheduler
from gaugeblock.service import GivenDecisions, step

BASE = layer("base", disk=4, ram=4)
F = function("f", BASE, ram=2, disk=2, capacity=2)
G = function("g", BASE, ram=3, disk=3)
N = NodeName("n")
LAYER = LayerName("base")


def warm() -> ServiceState:
    """Return a service with one node on which everything is resident."""
    return service(node("n", on_disk=(BASE,), in_ram=(BASE,), ram=10, disk=10, positions=2), functions=(F, G))


def empty() -> ServiceState:
    """Return a service with one node that holds nothing."""
    return service(node("n", disk=10, ram=10), functions=(F, G))


def submit(date: float, invocation: int, sequence: int = 0, of: str = "f") -> Submit:
    """Return a submission."""
    return Submit(date, sequence, InvocationId(invocation), FunctionName(of))


def cold(invocation: int) -> Decisions:
    """Return the batch that dispatches one invocation to a new container."""
    return Decisions(dispatches=(Dispatch(InvocationId(invocation), N, None),))


def test_a_failed_copy_leaves_nothing_behind_and_may_be_planned_again() -> None:
    """SERV-0, B09: D=10, a copy of 4 fails: 10 are free, the mark is gone, and the same copy is accepted once more."""
    copy = Decisions(copies=(Transfer(N, LAYER),))
    copying = take(empty(), submit(2.0, 1), copy)
    assert copying.nodes[0].disk_available == 6
    failed = taken(copying, CopyFailed(3.0, 0, N, LAYER), copy)
    assert failed.observed.nodes[0].disk_available == 10
    assert failed.observed.nodes[0].copying == ()
    assert failed.outcomes[0].refusal is None


def test_a_failed_load_gives_its_ram_back_and_keeps_the_layer_on_disk() -> None:
    """SERV-0: the mark and the space of a failed load are cleared."""
    state = service(node("n", on_disk=(BASE,), ram=10), functions=(F,))
    loading = take(state, submit(2.0, 1), Decisions(loads=(Transfer(N, LAYER),)))
    assert loading.nodes[0].ram_available == 6
    failed = take(loading, LoadFailed(3.0, 0, N, LAYER))
    assert failed.nodes[0].ram_available == 10
    assert [resident.layer for resident in failed.nodes[0].disk_layers] == [BASE]


def test_a_completed_transfer_is_resident_and_dated_now() -> None:
    """SERV-0: a layer that arrives carries the date of its arrival."""
    copying = take(empty(), submit(2.0, 1), Decisions(copies=(Transfer(N, LAYER),)))
    there = take(copying, CopyCompleted(3.0, 0, N, LAYER), Decisions(loads=(Transfer(N, LAYER),)))
    loaded = take(there, LoadCompleted(5.0, 0, N, LAYER))
    assert [resident.last_access for resident in loaded.nodes[0].disk_layers] == [3.0]
    assert [resident.last_access for resident in loaded.nodes[0].ram_layers] == [5.0]


def test_a_failed_start_charges_nobody_and_the_invocation_waits_under_its_first_date() -> None:
    """SERV-0, B05: a's cold start fails on N1 and succeeds on N2; N1 is as free as before, and a kept its date."""
    nodes = [node(name, on_disk=(BASE,), in_ram=(BASE,), ram=10, disk=10) for name in ("n", "m")]
    first = service(*nodes, functions=(F,))
    failed = take(take(first, submit(2.0, 1), cold(1)), ContainerFailed(3.0, 0, ContainerId(0)))
    assert [each.submitted for each in failed.pending] == [2.0]
    assert failed.nodes[0].ram_available == first.nodes[0].ram_available
    assert failed.nodes[0].positions_available == first.nodes[0].positions_available
    elsewhere = Decisions(dispatches=(Dispatch(InvocationId(1), NodeName("m"), None),))
    second = take(take(failed, WakeUp(4.0, 0), elsewhere), ContainerStarted(5.0, 0, ContainerId(1)))
    assert [each.container for each in second.running] == [1]
    assert second.nodes[0].containers == ()


def test_a_second_report_of_one_completion_is_an_error_and_changes_nothing() -> None:
    """SERV-0, B10: capacity 2, one invocation; its end is reported twice."""
    finished = take(busy(warm(), F, 7), InvocationFinished(3.0, 0, InvocationId(7)))
    assert finished.nodes[0].containers[0].in_flight == 0
    with pytest.raises(refused.NotRunning):
        take(finished, InvocationFinished(4.0, 0, InvocationId(7)))


def test_a_failed_invocation_frees_its_unit_and_keeps_its_container() -> None:
    """SERV-0: failing is like finishing, for the service."""
    running = busy(warm(), F, 7)
    failed = taken(running, InvocationFailed(3.0, 0, InvocationId(7))).state
    finished = taken(running, InvocationFinished(3.0, 0, InvocationId(7))).state
    assert failed == finished
    assert failed.nodes[0].containers[0].last_used == 3.0


def test_a_stale_alarm_is_ignored_and_the_next_one_counts_from_the_last_use() -> None:
    """SERV-0, B20: idle since 2, time-out 10; used from 11 to 14; the alarm of 12 does nothing, the next one is due at 24."""
    idle = taken(busy(warm(), F, 1, date=1.5), InvocationFinished(2.0, 0, InvocationId(1)))
    (first,) = idle.alarms
    assert first.date == 12.0
    reuse = Decisions(dispatches=(Dispatch(InvocationId(2), N, ContainerId(0)),))
    rung = take(take(idle.state, submit(11.0, 2), reuse), IdleTimeout(12.0, 0, first.container, first.generation))
    again = taken(rung, InvocationFinished(14.0, 0, InvocationId(2)))
    (second,) = again.alarms
    assert second.date == 24.0
    late = take(again.state, IdleTimeout(14.5, 0, first.container, first.generation))
    assert [container.id for container in late.nodes[0].containers] == [0]
    ended = take(late, IdleTimeout(24.0, 0, second.container, second.generation))
    assert ended.nodes[0].containers == ()
    assert ended.alarms == ()


def test_an_alarm_that_is_not_due_is_an_error() -> None:
    """SERV-0: the alarm of the present spell may come late, never early."""
    idle = taken(busy(warm(), F, 1), InvocationFinished(3.0, 0, InvocationId(1)))
    (alarm,) = idle.alarms
    with pytest.raises(refused.EarlyIdleTimeout):
        take(idle.state, IdleTimeout(12.9, 0, alarm.container, alarm.generation))


def test_a_container_without_invocation_is_idle_as_soon_as_it_is_ready() -> None:
    """SERV-0, SERV-3: a prewarmed container gets its idle alarm with its start."""
    starting = take(warm(), submit(2.0, 1), Decisions(prewarms=(Prewarm(N, F.name),)))
    assert starting.nodes[0].containers[0].status is ContainerStatus.STARTING
    ready = taken(starting, ContainerStarted(3.0, 0, ContainerId(0)))
    assert [(alarm.container, alarm.date) for alarm in ready.alarms] == [(0, 3.0 + TIMEOUT)]


def test_a_round_follows_each_of_two_events_of_one_date() -> None:
    """SERV-0, B22: the second of two submissions at one date is placed too, although nothing happens later."""
    first = scheduled(warm(), submit(2.0, 1, sequence=0), GreedyScheduler())
    second = scheduled(first.state, submit(2.0, 2, sequence=1), GreedyScheduler())
    assert [each.invocation.id for each in second.state.running] == [1, 2]


def test_ids_of_containers_are_never_given_twice() -> None:
    """SERV-0: an id is used up even if its container never became ready."""
    failed = take(take(warm(), submit(2.0, 1), cold(1)), ContainerFailed(3.0, 0, ContainerId(0)), cold(1))
    assert [container.id for container in failed.nodes[0].containers] == [1]
    assert failed.next_container == 2


def test_a_wake_up_is_consumed_when_it_fires_and_only_then() -> None:
    """SERV-0, SERV-6: the standing wake-up outlives a round that asks for none, and one that fires before its date."""
    standing = take(warm(), submit(2.0, 1), Decisions(wakeup=10.0))
    early = take(standing, WakeUp(9.0, 0), NOTHING)
    assert early.wakeup == 10.0
    assert take(early, WakeUp(10.0, 0)).wakeup is None


def test_a_failure_decision_is_final() -> None:
    """SERV-0: the id of an invocation that was failed cannot be submitted again."""
    failed = take(warm(), submit(2.0, 1), Decisions(failures=(Failure(InvocationId(1), "enough"),)))
    assert failed.pending == ()
    with pytest.raises(refused.RepeatedInvocation):
        take(failed, submit(3.0, 1))


def busy_and_starting() -> ServiceState:
    """Return a service with a ready container that holds invocation 7, and a starting one that holds 8; now is 4."""
    return take(busy(warm(), F, 7, date=3.0), submit(4.0, 8), cold(8))


REFUSED: tuple[tuple[Event, type[ServiceError]], ...] = (
    (WakeUp(3.5, 0), refused.OutOfOrder),
    (WakeUp(4.0, 0), refused.OutOfOrder),
    (WakeUp(float("nan"), 0), refused.BadEventDate),
    (WakeUp(float("inf"), 0), refused.BadEventDate),
    (submit(5.0, 9, of="nobody"), refused.UnknownFunction),
    (submit(5.0, 7), refused.RepeatedInvocation),
    (submit(5.0, -1), refused.BadInvocationId),
    (submit(5.0, 2**63), refused.BadInvocationId),
    (CopyCompleted(5.0, 0, NodeName("nobody"), LAYER), refused.UnknownNode),
    (CopyCompleted(5.0, 0, N, LAYER), refused.NotCopying),
    (CopyFailed(5.0, 0, N, LayerName("nobody")), refused.NotCopying),
    (LoadCompleted(5.0, 0, N, LAYER), refused.NotLoading),
    (LoadFailed(5.0, 0, N, LAYER), refused.NotLoading),
    (ContainerStarted(5.0, 0, ContainerId(9)), refused.UnknownContainer),
    (ContainerStarted(5.0, 0, ContainerId(0)), refused.NotStarting),
    (ContainerFailed(5.0, 0, ContainerId(0)), refused.NotStarting),
    (InvocationFinished(5.0, 0, InvocationId(99)), refused.NotRunning),
    (InvocationFinished(5.0, 0, InvocationId(8)), refused.StillStarting),
    (InvocationFailed(5.0, 0, InvocationId(8)), refused.StillStarting),
    (NodeActivated(5.0, 0, N), refused.NotActivating),
    (NodeDeactivated(5.0, 0, N), refused.NotDeactivating),
    (NodeActivated(5.0, 0, NodeName("nobody")), refused.UnknownNode),
    (IdleTimeout(5.0, 0, ContainerId(9), 0), refused.UnknownContainer),
    (IdleTimeout(5.0, 0, ContainerId(0), 0), refused.UnknownGeneration),
)


@pytest.mark.parametrize(("event", "error"), REFUSED, ids=lambda value: getattr(value, "__name__", type(value).__name__))
def test_an_event_that_breaks_a_rule_is_a_typed_error(event: Event, error: type[ServiceError]) -> None:
    """SERV-0: one class of error for each rule, with the event, its wrong field and what was expected there."""
    state = busy_and_starting()
    with pytest.raises(error) as caught:
        step(state, event, GivenDecisions(NOTHING), SETTINGS)
    assert caught.value.event is event
    assert f"{type(event).__name__}.{caught.value.field}: found" in str(caught.value)
    assert "SERV-0" in str(caught.value)


def test_every_error_has_a_case_here() -> None:
    """SERV-0: no rule goes without a test."""
    elsewhere = {refused.EarlyIdleTimeout}
    assert {error for _, error in REFUSED} | elsewhere == set(ServiceError.__subclasses__())


def test_a_node_goes_up_and_down_by_report_only() -> None:
    """SERV-4: requested is not yet reached, either way."""
    state = service(node("n", status=NodeStatus.DEACTIVATED), functions=(F,))
    requested = take(state, submit(2.0, 1), Decisions(activations=(N,)))
    assert requested.nodes[0].status is NodeStatus.ACTIVATING
    up = take(requested, NodeActivated(3.0, 0, N), Decisions(deactivations=(N,)))
    assert up.nodes[0].status is NodeStatus.DEACTIVATING
    assert take(up, NodeDeactivated(4.0, 0, N)).nodes[0].status is NodeStatus.DEACTIVATED
