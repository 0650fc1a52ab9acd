"""Runs: deterministic, complete, and counted right at every step."""

from hypothesis import given, settings
from hypothesis import strategies as st
from simulations import ROOMY, Witness, catalog, scenario, watched, workload
from worlds import function, layer

from gaugeblock.model import (
    ContainerId,
    Decisions,
    Event,
    FunctionName,
    IdleTimeout,
    InvocationFinished,
    NodeName,
    NodeStatus,
    Opening,
    OperationKind,
    PolicyName,
    PolicyNames,
    RefusalReason,
    ServiceState,
    Submit,
    Termination,
    WakeUp,
    replace,
)
from gaugeblock.simulation.costs import CostModel
from gaugeblock.simulation.meters import Meter
from gaugeblock.simulation.running import Options, simulate
from gaugeblock.simulation.scenarios import Cluster, Scenario
from gaugeblock.simulation.services import OptimizedModel, ReferenceService, Reply, Service
from gaugeblock.simulation.summary import waits_of
from gaugeblock.simulation.use import Use
from gaugeblock.simulation.workloads.synthetic import MEBIBYTE, Shape, synthetic

INVOCATIONS = 40
QUICK = CostModel(activation=2.0, deactivation=1.0)
F = function("f", layer("a"))
ONE = catalog(F)
POOL = PolicyName("warm-pool", (("per_function", ((FunctionName("function-0"), 2),)),))
SCALING = PolicyName("deactivate-idle", (("seconds", 3.0),))

policies = st.builds(
    PolicyNames,
    invocation_failing=st.sampled_from([PolicyName("never"), PolicyName("pending-timeout", (("seconds", 2.0),))]),
    node_scaling=st.sampled_from([PolicyName("activate-one-when-no-free-slot"), SCALING]),
    eviction=st.sampled_from([PolicyName("fewest"), PolicyName("lru")]),
    container_prewarm=st.sampled_from([PolicyName("never"), POOL]),
)
clusters = st.builds(
    lambda nodes, active, ram, disk, slots: Cluster(nodes, min(active, nodes), ram * MEBIBYTE, disk * MEBIBYTE, slots, slots),
    st.integers(1, 4),
    st.integers(0, 4),
    st.sampled_from([900, 1500, 4000]),
    st.sampled_from([700, 1500, 4000]),
    st.integers(1, 5),
)
scenarios = st.builds(
    lambda seed, concurrency, cluster, names: Scenario(
        synthetic(Shape(INVOCATIONS, 5, 8.0, concurrency), seed), cluster, QUICK, 4.0, names, 20.0
    ),
    st.integers(0, 1000),
    st.integers(1, 2),
    clusters,
    policies,
)


class Checker:
    """Holds a meter against the state of the service after every step."""

    def __init__(self, opening: Opening, service: Service) -> None:
        self.meter = Meter(opening)
        self.service = service

    def before(self, event: Event) -> None:
        """Nothing to check."""

    def after(self, event: Event, reply: Reply) -> None:
        """Count, and compare with what the state says."""
        self.meter.take(event)
        for outcome in reply.outcomes:
            self.meter.apply(event, outcome)
        assert self.meter.now == use_of(self.service.state())


def use_of(state: ServiceState) -> Use:
    """Return what is in use, from the state alone."""
    return Use(
        sum(node.ram_bytes - node.ram_available for node in state.nodes),
        sum(node.disk_bytes - node.disk_available for node in state.nodes),
        sum(len(node.containers) for node in state.nodes),
        len(state.pending),
        len(state.running),
        sum(node.status is NodeStatus.ACTIVATED for node in state.nodes),
    )


@given(scenarios)
def test_the_meter_counts_what_the_state_holds_after_every_step(of: Scenario) -> None:
    """RAM, disk, containers, pending and running invocations and active nodes, whatever the policies do."""
    opening = of.opening()
    service = OptimizedModel(opening)
    checker = Checker(opening, service)
    result = simulate(of, lambda opening: service, "optimized", Options(observers=(checker,)))
    summary = result.summary
    assert summary.submitted == INVOCATIONS
    assert summary.completed + summary.failed + summary.running + summary.pending == INVOCATIONS
    assert summary.refused == 0  # SERV-5


@settings(max_examples=20)
@given(scenarios)
def test_the_same_scenario_runs_the_same_twice(of: Scenario) -> None:
    """Event for event and number for number."""
    (one, first), (two, second) = watched(of, OptimizedModel), watched(of, OptimizedModel)
    assert one.events == two.events
    assert first.summary == second.summary


@settings(max_examples=10)
@given(scenarios)
def test_the_optimized_service_runs_as_the_reference_would(of: Scenario) -> None:
    """Every round of it is re-decided by the reference: decisions, fates, alarms and state are the same."""
    result = simulate(of, OptimizedModel, "optimized", Options(shadow=1.0))
    assert result.summary.shadowed_rounds == result.summary.events
    assert result.summary.diverging_rounds == 0


def test_events_are_numbered_as_they_come() -> None:
    """SERV-0: the sequence numbers are those of the events from 0 on, so that they also name the rounds."""
    seen, _ = watched(Scenario(synthetic(Shape(40), 1), Cluster(2, 2, 2**31, 2**31, 4, 4), CostModel(), 9.0, PolicyNames()))
    assert [event.sequence for event in seen.events] == list(range(len(seen.events)))


def test_an_alarm_whose_spell_is_over_is_not_delivered() -> None:
    """A container that is used again before its time-out is timed out once, after its last use."""
    arrivals = workload(ONE, (0.0, "f", 1.0), (5.0, "f", 1.0))
    seen, result = watched(scenario(arrivals, idle_timeout=10.0))
    assert seen.dates(IdleTimeout) == [16.0]
    assert result.summary.idle_timeouts == 1


def test_a_wake_up_that_is_asked_for_comes() -> None:
    """WAKE-1: a pending invocation that fits nowhere is failed at its date, though nothing else happens."""
    policies = PolicyNames(invocation_failing=PolicyName("pending-timeout", (("seconds", 7.0),)))
    seen, result = watched(scenario(workload(ONE, (2.0, "f", 1.0)), Cluster(1, 1, 0, 0, 1, 1), policies=policies))
    assert seen.dates(WakeUp) == [9.0]
    assert (result.summary.failed, result.summary.pending) == (1, 0)


def test_what_fits_nowhere_is_left_pending_and_the_run_ends() -> None:
    """PLACE-8: the summary says so."""
    _, result = watched(scenario(workload(ONE, (2.0, "f", 1.0)), Cluster(1, 1, 0, 0, 1, 1)))
    assert (result.summary.pending, result.summary.finished) == (1, True)


def test_a_service_that_is_busy_with_itself_does_not_run_for_ever() -> None:
    """PREW: a warm pool starts a container for each that times out; after the tail the run is over."""
    policies = PolicyNames(container_prewarm=PolicyName("warm-pool", (("per_function", ((F.name, 1),)),)))
    of = scenario(workload(ONE, (0.0, "f", 1.0)), idle_timeout=5.0, policies=policies)._replace(tail=60.0)
    _, result = watched(of)
    assert result.summary.finished
    assert 50.0 < result.summary.simulated_seconds <= 62.0


def test_invocations_that_take_no_time_are_done_at_the_date_of_their_start() -> None:
    """The outcome is later in the order of date and sequence, not in date."""
    seen, _ = watched(scenario(workload(ONE, (2.0, "f", 0.0)), costs=CostModel(startup=0.0)))
    assert len(seen.dates(InvocationFinished)) == 1


def test_who_waited_is_counted_apart_from_warm_and_cold() -> None:
    """Two at once in a container for one: the second waits for the first and is warm; the first waits for its layers."""
    cluster = replace(ROOMY, max_containers=1)
    _, result = watched(scenario(workload(ONE, (0.0, "f", 5.0), (0.0, "f", 5.0)), cluster))
    assert (result.summary.cold, result.summary.warm, result.summary.waited) == (1, 1, 2)


def test_refusals_are_counted_by_category_and_reason() -> None:
    """SERV-1: a scheduler that ends a container that does not exist is refused at each round."""

    class Rash:
        def schedule(self, observed: object) -> tuple[Decisions, None]:
            return Decisions(terminations=(Termination(NodeName("node-0"), ContainerId(7)),)), None

    result = simulate(scenario(workload(ONE, (0.0, "f", 1.0))), lambda opening: ReferenceService(opening, Rash()), "rash")
    (refusal,) = result.summary.refusals
    assert (refusal.category, refusal.reason) == (OperationKind.TERMINATION.value, RefusalReason.UNKNOWN_CONTAINER.value)
    assert refusal.count == 1


def test_a_run_that_is_stopped_keeps_what_was_done() -> None:
    """The summary is that of the events until then, and says that it is not finished."""
    witness = Witness()
    arrivals = workload(ONE, *((float(date), "f", 0.5) for date in range(50)))
    options = Options(stop=lambda: len(witness.events) == 20, observers=(witness,))
    summary = simulate(scenario(arrivals), ReferenceService, "reference", options).summary
    assert (summary.finished, summary.events, summary.expected) == (False, 20, 50)
    assert summary.submitted == len(witness.dates(Submit)) < 50


def test_the_percentiles_are_those_of_the_nearest_rank() -> None:
    """Of 1 to 200 they are 100, 190 and 198; of nothing they are zero."""
    waits = waits_of([float(each) for each in range(200, 0, -1)])
    assert (waits.p50, waits.p95, waits.p99, waits.maximum, waits.mean) == (100.0, 190.0, 198.0, 200.0, 100.5)
    assert waits_of([]).p99 == 0.0
