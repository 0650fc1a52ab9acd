"""The strategies: what they make is valid, varied, and shrinks."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from gaugeblock import strategies
from gaugeblock.model import ObservedState, PlacementPass, PolicyNames, RoundTrace, replace
from gaugeblock.model.validity import problems_of
from gaugeblock.scheduler import GreedyScheduler, scheduler_from
from gaugeblock.strategies import ALL_TUNINGS, Tuning, catalogs, rounds, rounds_with_policies

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
SHRINKING = settings(max_examples=2000, database=None, derandomize=True)
FEW = Tuning(most_nodes=2, most_layers=2, most_images=1, most_functions=2, most_containers=1, most_pending=2)


@given(st.sampled_from(ALL_TUNINGS).flatmap(rounds))
@settings(suppress_health_check=SLOW)
def test_a_round_is_valid_by_construction(observed: ObservedState) -> None:
    """Every tuning's rounds obey all rules of validity (ROUND-1 may assume them)."""
    assert tuple(problems_of(observed)) == ()


@given(st.data())
@settings(suppress_health_check=SLOW, max_examples=50)
def test_a_pending_batch_is_of_the_catalogue_and_not_from_the_future(data: st.DataObject) -> None:
    """A batch has distinct ids, functions of its catalogue and dates up to now."""
    catalog = data.draw(catalogs())
    batch = data.draw(strategies.pending_batches(catalog, now=5.0))
    assert len({each.id for each in batch}) == len(batch)
    assert all(each.function in catalog.functions and each.submitted <= 5.0 for each in batch)


@given(rounds_with_policies(random_policies=True))
@settings(suppress_health_check=SLOW, max_examples=50)
def test_policies_by_name_can_be_built(round_and_policies: tuple[ObservedState, PolicyNames]) -> None:
    """Whatever policies are drawn, the registry builds them and a round can be decided with them."""
    observed, names = round_and_policies
    scheduler_from(names).schedule(observed)


@given(rounds(Tuning(most_nodes=2, most_layers=3, most_pending=1, most_containers=1, largest_layer=2, inactive_percent=0)))
@settings(suppress_health_check=SLOW, max_examples=50)
def test_a_tuning_is_kept_to(observed: ObservedState) -> None:
    """The limits of a tuning hold in what is made."""
    assert len(observed.nodes) <= 2
    assert len(observed.catalog.layers) <= 3
    assert len(observed.pending) <= 1
    assert all(len(node.containers) <= 1 and node.status.value == "activated" for node in observed.nodes)
    assert all(max(layer.disk_bytes, layer.ram_bytes) <= 2 for layer in observed.catalog.layers)


def events(trace: RoundTrace) -> set[str]:
    """Return what happens in a round."""
    seen = {placement.plan.placement_pass.name if placement.plan else "nothing" for placement in trace.placements}
    for placement in trace.placements:
        for finding in (finding for attempt in placement.passes for finding in attempt.findings):
            seen |= {step.kind.value for step in finding.reclamation.steps} if finding.reclamation else set()
    found: dict[str, object] = {
        "failing": trace.failures,
        "activation": trace.scaling.activations,
        "deactivation": trace.scaling.deactivations,
        "prewarming": trace.prewarms,
        "wake-up": () if trace.wakeup is None else (trace.wakeup,),
        "reuse of a container that is not idle": [
            candidate
            for placement in trace.placements
            for candidate in placement.passes[0].candidates
            if candidate.container.in_flight
        ],
        "foreign names": [node for node in trace.observed.nodes if not node.name.isascii()],
    }
    return seen | {name for name, members in found.items() if members}


EVERYTHING = {each.name for each in PlacementPass} | {"nothing", "containers", "ram_layers", "disk_layers"}
EVERYTHING |= {"failing", "activation", "deactivation", "prewarming", "wake-up", "foreign names"}
EVERYTHING |= {"reuse of a container that is not idle"}


def test_everything_that_a_round_can_do_is_reached() -> None:
    """Each pass, reclamation step and phase occurs at least five times in 150 seeded rounds of each tuning together.

    Seeded, since what Hypothesis draws, even derandomised, depends on which modules other tests have imported.
    """
    counts: Counter[str] = Counter()
    for tuning in ALL_TUNINGS:
        for seed in range(150):
            observed = strategies.random_round(seed, tuning)
            names = strategies.random_policy_names(seed, observed.catalog)
            counts.update(events(scheduler_from(names).schedule(observed)[1]))
    assert {name: counts[name] for name in sorted(EVERYTHING) if counts[name] < 5} == {}


def test_rounds_of_the_default_tuning_make_room_often() -> None:
    """At least a fifth of 400 seeded rounds evicts or ends something."""
    made_room = 0
    for seed in range(400):
        decisions, _ = GreedyScheduler().schedule(strategies.random_round(seed))
        made_room += 1 if decisions.terminations or decisions.ram_evictions or decisions.disk_evictions else 0
    assert made_room >= 80


@pytest.mark.parametrize("tuning", ALL_TUNINGS)
def test_a_seed_always_gives_the_same_valid_round(tuning: Tuning) -> None:
    """The seeded generator depends on nothing but seed and tuning."""
    for seed in range(20):
        observed = strategies.random_round(seed, tuning)
        assert observed == strategies.random_round(seed, tuning)
        assert tuple(problems_of(observed)) == ()


def test_a_round_that_loads_shrinks_to_one_of_everything_and_sizes_of_zero() -> None:
    """The simplest round with a load: one node, one layer of no size, one pending invocation, no container."""
    found = find(rounds(FEW), lambda observed: bool(GreedyScheduler().schedule(observed)[0].loads), settings=SHRINKING)
    assert (len(found.nodes), len(found.catalog.layers), len(found.pending)) == (1, 1, 1)
    assert len(found.catalog.functions) == 1
    assert found.nodes[0].containers == ()
    assert (found.catalog.layers[0].disk_bytes, found.catalog.layers[0].ram_bytes) == (0, 0)
    assert (found.nodes[0].ram_bytes, found.nodes[0].disk_bytes) == (0, 0)


def test_a_round_with_three_containers_shrinks_to_nothing_else() -> None:
    """Three containers of one function without layers on one node, and nothing pending."""
    tuning = replace(FEW, most_containers=3)
    found = find(rounds(tuning), lambda observed: any(len(node.containers) > 2 for node in observed.nodes), settings=SHRINKING)
    assert (len(found.nodes), found.pending, found.catalog.layers) == (1, (), ())
    assert [each.function.ram_bytes for each in found.nodes[0].containers] == [0, 0, 0]


def test_an_unknown_name_is_an_attribute_error() -> None:
    """The lazily imported module still says what it lacks."""
    with pytest.raises(AttributeError, match="historys"):
        _ = strategies.historys  # type: ignore[attr-defined]  # the point of the test
