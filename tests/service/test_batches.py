"""How a batch is applied: in the service's order, each operation whole or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from services import SETTINGS, busy, service, take, taken
from worlds import function, layer, node

from gaugeblock.model import (
    LARGEST_DATE,
    ContainerId,
    ContainerStarted,
    CopyCompleted,
    Decisions,
    Dispatch,
    Eviction,
    InvocationFinished,
    InvocationId,
    LayerName,
    NodeName,
    NodeStatus,
    OperationKind,
    Prewarm,
    RefusalReason,
    ServiceState,
    Submit,
    Termination,
    Transfer,
    WakeUp,
    replace,
)
from gaugeblock.scheduler import scheduler_from
from gaugeblock.service import GivenDecisions, observe, step
from gaugeblock.strategies.choices import SeededChoices
from gaugeblock.strategies.foreign import build_batch
from gaugeblock.strategies.seeded_histories import drive

BASE = layer("base", disk=4, ram=4)
F = function("f", BASE, ram=3, disk=3)
N = NodeName("n")
ONE = InvocationId(1)


def idle() -> ServiceState:
    """Return a service whose one node holds one idle container, and has room for no second; now is 3."""
    state = service(node("n", on_disk=(BASE,), in_ram=(BASE,), ram=8, disk=8, positions=1), functions=(F,))
    return take(busy(state, F, 0), InvocationFinished(3.0, 0, InvocationId(0)))


def submission(date: float = 4.0) -> Submit:
    """Return the submission of invocation 1."""
    return Submit(date, 0, ONE, F.name)


def test_what_frees_is_applied_before_what_takes() -> None:
    """SERV-1, EXEC-1: the idle container ends first, so that the cold dispatch finds its room."""
    batch = Decisions(terminations=(Termination(N, ContainerId(0)),), dispatches=(Dispatch(ONE, N, None),))
    after = taken(idle(), submission(), batch)
    assert [outcome.kind for outcome in after.outcomes] == [OperationKind.TERMINATION, OperationKind.DISPATCH]
    assert all(outcome.refusal is None for outcome in after.outcomes)
    assert [container.id for container in after.state.nodes[0].containers] == [1]


def test_a_refused_operation_changes_nothing_and_undoes_nothing() -> None:
    """SERV-1, EXEC-2: the dispatch is refused and its invocation pending; the termination beside it stands."""
    batch = Decisions(terminations=(Termination(N, ContainerId(0)),), dispatches=(Dispatch(ONE, N, ContainerId(0)),))
    after = taken(idle(), submission(), batch)
    assert [outcome.refusal for outcome in after.outcomes] == [None, RefusalReason.UNKNOWN_CONTAINER]
    assert [invocation.id for invocation in after.state.pending] == [1]
    assert after.state.nodes[0].containers == ()


def test_one_invocation_is_dispatched_once() -> None:
    """SERV-2: the second dispatch of one invocation finds it not pending."""
    reuse = Dispatch(ONE, N, ContainerId(0))
    after = taken(idle(), submission(), Decisions(dispatches=(reuse, reuse)))
    assert [outcome.refusal for outcome in after.outcomes] == [None, RefusalReason.NOT_PENDING]


def test_a_deactivated_node_keeps_its_disk_and_nothing_else() -> None:
    """SERV-4, AMB-6: idle containers end, RAM is emptied, disk stays; nothing else is accepted on the node afterwards."""
    after = taken(idle(), submission(), Decisions(deactivations=(N,), loads=(Transfer(N, BASE.name),)))
    (left,) = after.state.nodes
    assert (left.status, left.containers, left.ram_layers) == (NodeStatus.DEACTIVATING, (), ())
    assert [resident.layer for resident in left.disk_layers] == [BASE]
    assert after.outcomes[1].refusal is RefusalReason.NODE_NOT_ACTIVATED
    assert after.state.alarms == ()


@pytest.mark.parametrize("date", [4.0, 3.0, float("nan"), float("inf"), -1.0])
def test_a_wake_up_that_is_not_later_is_refused(date: float) -> None:
    """SERV-2, WAKE-2, B23, B25: now, the past, and what is no date; the standing one stays."""
    standing = take(idle(), WakeUp(3.5, 0), Decisions(wakeup=9.0))
    after = taken(standing, submission(), Decisions(wakeup=date))
    assert [outcome.refusal for outcome in after.outcomes] == [RefusalReason.WAKEUP_NOT_LATER]
    assert after.state.wakeup == 9.0


def test_the_largest_double_asks_for_no_wake_up() -> None:
    """WAKE-1: DBL_MAX is no operation at all."""
    after = taken(idle(), submission(), Decisions(wakeup=LARGEST_DATE))
    assert after.outcomes == ()
    assert after.state.wakeup is None


def test_the_earlier_wake_up_stands() -> None:
    """SERV-6: a later one is accepted and changes nothing."""
    first = take(idle(), WakeUp(3.5, 0), Decisions(wakeup=9.0))
    assert take(first, WakeUp(3.6, 0), Decisions(wakeup=12.0)).wakeup == 9.0
    assert take(first, WakeUp(3.6, 0), Decisions(wakeup=5.0)).wakeup == 5.0


def test_a_layer_is_evicted_from_ram_before_disk() -> None:
    """SERV-2: the disk eviction finds the layer out of RAM, since RAM evictions come first."""
    state = service(node("n", on_disk=(BASE,), in_ram=(BASE,)), functions=(F,))
    out = Eviction(N, BASE.name)
    after = taken(state, submission(), Decisions(ram_evictions=(out,), disk_evictions=(out,)))
    assert [outcome.refusal for outcome in after.outcomes] == [None, None]
    alone = taken(state, submission(), Decisions(disk_evictions=(out,)))
    assert [outcome.refusal for outcome in alone.outcomes] == [RefusalReason.LAYER_IN_RAM]


def test_a_prewarm_takes_no_invocation_capacity() -> None:
    """PREW-5, SERV-2: it is accepted on a node that may hold no invocation more."""
    state = service(node("n", on_disk=(BASE,), in_ram=(BASE,), invocations=0), functions=(F,))
    batch = Decisions(prewarms=(Prewarm(N, F.name),), dispatches=(Dispatch(ONE, N, None),))
    after = taken(state, submission(), batch)
    assert [outcome.refusal for outcome in after.outcomes] == [RefusalReason.NO_INVOCATION_CAPACITY, None]


def test_a_layer_on_its_way_is_not_loaded_or_copied_again() -> None:
    """SERV-2, EXEC-3, B17: never a second transfer, and no load of what has not arrived."""
    state = service(node("n"), functions=(F,))
    copy = Transfer(N, BASE.name)
    after = taken(state, submission(), Decisions(copies=(copy, copy), loads=(copy,)))
    refusals = [outcome.refusal for outcome in after.outcomes]
    assert refusals == [RefusalReason.LAYER_NOT_ON_DISK, None, RefusalReason.LAYER_COPYING]
    assert take(after.state, CopyCompleted(5.0, 0, N, BASE.name)).nodes[0].copying == ()


def test_names_that_nobody_has_are_refused_by_name() -> None:
    """SERV-2: an unknown node, layer, container or function is a reason, never an exception."""
    nobody = NodeName("nobody")
    batch = Decisions(
        activations=(nobody,),
        terminations=(Termination(N, ContainerId(77)),),
        ram_evictions=(Eviction(N, LayerName("nobody")),),
        prewarms=(Prewarm(nobody, F.name),),
    )
    after = taken(idle(), submission(), batch)
    assert [outcome.refusal for outcome in after.outcomes] == [
        RefusalReason.UNKNOWN_NODE,
        RefusalReason.UNKNOWN_CONTAINER,
        RefusalReason.UNKNOWN_LAYER,
        RefusalReason.UNKNOWN_NODE,
    ]


@given(st.integers(0, 10**6))
def test_what_is_observed_is_a_valid_round_after_every_event(seed: int) -> None:
    """SERV-0: the projection of a state that the service reached is accepted by the validity check, whoever decides."""
    for _, _, _, result in drive(seed, 25, step, scheduler_from, foreign_percent=50):
        if not isinstance(result, Exception):
            assert observe(result.state).pending == result.state.pending


@given(st.integers(0, 10**6))
def test_a_step_leaves_the_state_that_it_is_given(seed: int) -> None:
    """SERV-1: taken twice, one event gives one result."""
    for opening, happening, before, result in drive(seed, 15, step, scheduler_from, foreign_percent=0):
        if not isinstance(result, Exception):
            again = step(before, happening.event, scheduler_from(opening.policies), opening.settings)
            assert again == result


@given(st.integers(0, 10**6))
def test_a_batch_without_its_refused_operations_does_the_same(seed: int) -> None:
    """SERV-1: a refused operation is never half applied."""
    event = submission()
    observed = taken(idle(), event).observed
    batch = build_batch(SeededChoices(seed), observed)
    first = step(idle(), event, GivenDecisions(batch), SETTINGS)
    accepted = [each for each in first.outcomes if each.refusal is None]
    fields = {kind.value: tuple(each.operation for each in accepted if each.kind is kind) for kind in OperationKind}
    wakeups = fields.pop("wakeup")
    alone = replace(batch, **fields, wakeup=batch.wakeup if wakeups else None)
    assert step(idle(), event, GivenDecisions(alone), SETTINGS).state == first.state


def test_a_started_container_takes_more_only_when_ready() -> None:
    """SERV-3, AMB-10: the second invocation of a shared container waits for its start."""
    shared = function("f", BASE, capacity=2)
    state = service(node("n", on_disk=(BASE,), in_ram=(BASE,)), functions=(shared,))
    state = take(state, Submit(2.0, 0, ONE, shared.name), Decisions(dispatches=(Dispatch(ONE, N, None),)))
    reuse = Decisions(dispatches=(Dispatch(InvocationId(2), N, ContainerId(0)),))
    early = taken(state, Submit(3.0, 0, InvocationId(2), shared.name), reuse)
    assert [outcome.refusal for outcome in early.outcomes] == [RefusalReason.CONTAINER_NOT_READY]
    later = taken(early.state, ContainerStarted(4.0, 0, ContainerId(0)), reuse)
    assert [outcome.refusal for outcome in later.outcomes] == [None]
    assert later.state.nodes[0].containers[0].in_flight == 2
