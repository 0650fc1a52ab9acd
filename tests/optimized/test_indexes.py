"""The checks of the indexes are not empty: each notices when its index is wrong."""

from collections.abc import Callable

import pytest

from gaugeblock.model import IdleAlarm, ServiceState, Step
from gaugeblock.optimized.checks import StaleIndex, check_cluster, check_ledger
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.ledger import Ledger
from gaugeblock.optimized.model import OptimizedService
from gaugeblock.optimized.rounds import RoundScheduler
from gaugeblock.optimized.search_checks import check_searches
from gaugeblock.scheduler import scheduler_from
from gaugeblock.service import step
from gaugeblock.strategies.seeded_histories import drive


def busy_state() -> ServiceState:
    """Return a state with containers, alarms, transfers and pending invocations."""
    for seed in range(200):
        for _, _, _, result in drive(seed, 60, step, scheduler_from):
            if isinstance(result, Step) and is_busy(result.state):
                return result.state
    raise AssertionError("no seed leads to a busy state")


def is_busy(state: ServiceState) -> bool:
    """Whether there is something of everything that an index is about."""
    nodes = state.nodes
    starting = any(each.status.value == "starting" and each.in_flight for node in nodes for each in node.containers)
    transfers = any(node.loading or node.copying for node in nodes)
    return bool(starting and transfers and state.alarms and len(state.pending) > 1 and state.running)


BUSY = busy_state()


def first_used(cluster: Cluster) -> int:
    """Return the turn of a node that holds a container."""
    return next(node.turn for node in cluster.nodes if node.containers)


def flip(name: str) -> Callable[[Cluster], None]:
    """Return a fault: the first node is wrongly in, or missing from, each set of the index."""

    def fault(cluster: Cluster) -> None:
        index = getattr(cluster, name)
        if isinstance(index, list):
            index[0] ^= 1
        else:
            setattr(cluster, name, index ^ 1)

    return fault


def shift(name: str) -> Callable[[Cluster], None]:
    """Return a fault: a total of a node that holds a container is off by one."""

    def fault(cluster: Cluster) -> None:
        node = cluster.nodes[first_used(cluster)]
        setattr(node, name, getattr(node, name) + 1)

    return fault


CLUSTER_FAULTS = {
    **{name: flip(name) for name in ("in_ram", "on_disk", "ram_or_loading", "disk_or_copying", "reusable", "spare")},
    **{name: flip(name) for name in ("open", "open_by_turn", "active")},
    **{name: shift(name) for name in ("ram_free", "disk_free", "invocations_free", "positions_free", "idle_ram", "idle_disk")},
}


@pytest.mark.parametrize("name", CLUSTER_FAULTS)
def test_a_wrong_index_of_the_cluster_is_noticed(name: str) -> None:
    """ACCT-9: every running total and every set of nodes is recomputed."""
    cluster = Cluster(BUSY.catalog, BUSY.nodes)
    check_cluster(cluster)
    CLUSTER_FAULTS[name](cluster)
    with pytest.raises(StaleIndex):
        check_cluster(cluster)


def forget_alarm(ledger: Ledger) -> None:
    """Lose an alarm."""
    ledger.alarms.popitem()


def keep_alarm(ledger: Ledger) -> None:
    """Keep the alarm of a container that is busy."""
    container = next(iter(ledger.running.values())).container
    ledger.alarms[container] = IdleAlarm(container, 0, None)


def disorder_queue(ledger: Ledger) -> None:
    """Turn the queue round."""
    ledger.queue.reverse()


def lose_host(ledger: Ledger) -> None:
    """Lose a container's node."""
    ledger.hosts.popitem()


def lose_running(ledger: Ledger) -> None:
    """Lose an invocation that runs."""
    ledger.running.popitem()


def lose_starting(ledger: Ledger) -> None:
    """Lose the invocation of a starting container."""
    ledger.starting.popitem()


@pytest.mark.parametrize("fault", [forget_alarm, keep_alarm, disorder_queue, lose_host, lose_running, lose_starting])
def test_a_wrong_ledger_is_noticed(fault: Callable[[Ledger], None]) -> None:
    """SERV-0: queue, running, hosts, starting and alarms are recomputed."""
    cluster = Cluster(BUSY.catalog, BUSY.nodes)
    ledger = Ledger(BUSY, cluster, 1.0)
    check_ledger(ledger, cluster)
    fault(ledger)
    with pytest.raises(StaleIndex):
        check_ledger(ledger, cluster)


def looked_up(wanted: Callable[[RoundScheduler], bool]) -> RoundScheduler:
    """Return a scheduler after a history, in which something of the wanted kind is remembered."""
    for seed in range(300):
        service: OptimizedService | None = None
        for opening, happening, _, _ in drive(seed, 30, step, scheduler_from, foreign_percent=0):
            service = service or OptimizedService.opened(opening)
            try:
                service.step(happening.event)
            except Exception:  # strays are refused; only what is remembered matters here
                continue
            assert service._scheduler is not None
            check_searches(service._scheduler)
            if wanted(service._scheduler):
                return service._scheduler
    raise AssertionError("no seed leads there")


def test_a_wrong_class_is_noticed() -> None:
    """PLACE-2 to PLACE-6: the classes of nodes are recomputed layer by layer."""
    scheduler = looked_up(lambda scheduler: True)
    scheduler.images[0].classify()
    scheduler.images[0].ready ^= 1
    with pytest.raises(StaleIndex):
        check_searches(scheduler)


def test_a_node_wrongly_taken_for_dead_is_noticed() -> None:
    """RECL-7: what is ruled out whatever is protected must be hopeless."""
    scheduler = looked_up(lambda scheduler: any(search.colds.known for search in scheduler.functions))
    ranking = next(search.colds for search in scheduler.functions if search.colds.known)
    ranking.dead ^= ranking.known
    ranking.fit ^= ranking.known
    with pytest.raises(StaleIndex):
        check_searches(scheduler)


def test_an_outcome_kept_too_long_is_noticed() -> None:
    """PLACE-8: a settled outcome is compared with the passes."""
    scheduler = looked_up(lambda scheduler: any(search.firm and search.settled for search in scheduler.functions))
    search = next(search for search in scheduler.functions if search.firm and search.settled)
    search.settled, search.settled_at = None, scheduler.cluster.changes.end
    with pytest.raises(StaleIndex):
        check_searches(scheduler)


def test_a_pool_that_overlooks_room_is_noticed() -> None:
    """PREW-2: where a warm pool remembers that there is no room, there is none."""
    scheduler = looked_up(lambda scheduler: bool(scheduler.pool.barren and scheduler.cluster.active))
    number = next(iter(scheduler.pool.barren))
    scheduler.pool.barren[number] = scheduler.cluster.changes.end
    for node in scheduler.cluster.nodes:
        node.ram_free = node.disk_free = node.positions_free = 10**9
        for layer in range(len(scheduler.cluster.numbering.layer_names)):
            node.ram_dates[layer] = 0.0
    with pytest.raises(StaleIndex):
        check_searches(scheduler)
