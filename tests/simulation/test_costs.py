"""The cost model: every delay shows in the dates of events."""

import pytest
from simulations import NOTHING_TAKES_TIME, catalog, scenario, watched, workload
from worlds import function, layer

from gaugeblock.model import (
    ContainerStarted,
    CopyCompleted,
    IdleTimeout,
    InvocationFinished,
    LoadCompleted,
    NodeActivated,
    NodeDeactivated,
    PolicyName,
    PolicyNames,
    replace,
)
from gaugeblock.simulation.costs import CostModel
from gaugeblock.simulation.errors import InvalidScenario
from gaugeblock.simulation.scenarios import Cluster

A, B = layer("a", disk=100, ram=50), layer("b", disk=300, ram=200)
F, G = function("f", A), function("g", B)
ONE = catalog(F)


def test_every_stage_of_a_cold_start_takes_its_time() -> None:
    """The copies pass the head node's line, then the node's; then come loads, start-up, the run and the idle time-out."""
    both = function("both", A, B)
    costs = CostModel(100.0, 50.0, 10.0, 0.5, 3.0, 0.0, 0.0)
    seen, result = watched(scenario(workload(catalog(both), (2.0, "both", 7.0)), costs=costs, idle_timeout=11.0))
    assert seen.dates(CopyCompleted) == [4.5, 10.5]  # the node takes in 100 bytes in 2 s, then 300 in 6 s
    assert seen.dates(LoadCompleted) == [16.0, 36.0]  # 50 bytes in 5 s, then 200 in 20 s
    assert seen.dates(ContainerStarted) == [39.0]
    assert seen.dates(InvocationFinished) == [46.0]
    assert seen.dates(IdleTimeout) == [57.0]
    assert result.summary.waits.maximum == 37.0


def test_all_nodes_share_the_line_of_the_head_node() -> None:
    """Two copies to two nodes that could each take them at once leave the head node one after the other."""
    arrivals = workload(catalog(F, G), (0.0, "f", 1.0), (0.0, "g", 1.0))
    costs = replace(NOTHING_TAKES_TIME, head_bandwidth=100.0)
    seen, _ = watched(scenario(arrivals, Cluster(2, 2, 1000, 350, 9, 9), costs))
    copies = [event for event in seen.events if isinstance(event, CopyCompleted)]
    assert [(event.node, event.date) for event in copies] == [("node-0", 1.0), ("node-1", 4.0)]


def test_a_line_that_was_free_for_a_while_does_not_lag_behind() -> None:
    """A second copy much later begins when it is asked for."""
    arrivals = workload(catalog(F, G), (0.0, "f", 1.0), (50.0, "g", 1.0))
    seen, _ = watched(scenario(arrivals, costs=replace(NOTHING_TAKES_TIME, head_bandwidth=100.0)))
    assert seen.dates(CopyCompleted) == [1.0, 53.0]


def test_a_warm_start_takes_no_time() -> None:
    """An invocation that finds an idle container of its function runs at once."""
    arrivals = workload(ONE, (0.0, "f", 1.0), (10.0, "f", 2.0))
    seen, result = watched(scenario(arrivals, costs=replace(NOTHING_TAKES_TIME, startup=3.0)))
    assert seen.dates(InvocationFinished) == [pytest.approx(4.0), 12.0]
    assert (result.summary.warm, result.summary.cold) == (1, 1)


def test_activation_and_deactivation_take_their_time() -> None:
    """A node that is asked for is up after the delay, and one that is let go is down after the other."""
    policies = PolicyNames(node_scaling=PolicyName("deactivate-idle", (("seconds", 20.0),)))
    costs = replace(NOTHING_TAKES_TIME, activation=30.0, deactivation=5.0)
    cluster = Cluster(1, 0, 1000, 1000, 9, 9)
    seen, result = watched(scenario(workload(ONE, (1.0, "f", 2.0)), cluster, costs, policies=policies))
    (up,), (down,) = seen.dates(NodeActivated), seen.dates(NodeDeactivated)
    (end,) = seen.dates(InvocationFinished)
    assert up == 31.0
    assert down == pytest.approx(end + 25.0)
    assert (result.summary.activations, result.summary.deactivations) == (1, 1)


@pytest.mark.parametrize(("name", "value"), [("head_bandwidth", 0.0), ("load_bandwidth", float("inf")), ("startup", -1.0)])
def test_a_cost_out_of_its_range_is_refused(name: str, value: float) -> None:
    """The error names the cost."""
    with pytest.raises(InvalidScenario) as caught:
        CostModel(**{name: value})
    assert caught.value.name == name
