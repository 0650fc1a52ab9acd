"""The shadow catches a scheduler and a service that differ from the reference, and only those."""

import pytest
from simulations import ROOMY, catalog, scenario, workload
from worlds import function, layer

from gaugeblock.model import Decisions, Event, ObservedState, Opening, RoundTrace, ServiceState, replace
from gaugeblock.scheduler import GreedyScheduler
from gaugeblock.simulation.errors import InvalidScenario
from gaugeblock.simulation.running import Options, Result, simulate
from gaugeblock.simulation.scenarios import Scenario
from gaugeblock.simulation.services import ReferenceService, Reply, Service

F = function("f", layer("a"))
BUSY = scenario(workload(catalog(F), *((date / 4.0, "f", 1.0) for date in range(60))), replace(ROOMY, max_containers=2))


class Lazy:
    """A wrong scheduler: in every round with two pending invocations or more it forgets its last dispatch."""

    def schedule(self, observed: ObservedState) -> tuple[Decisions, RoundTrace | None]:
        """Decide like the reference, and drop a dispatch."""
        decisions, trace = GreedyScheduler().schedule(observed)
        if len(observed.pending) > 1:
            decisions = replace(decisions, dispatches=decisions.dispatches[:-1])
        return decisions, trace


class Forgetful:
    """A wrong service: it answers like the reference, but its state has skipped a generation."""

    def __init__(self, opening: Opening) -> None:
        self._service = ReferenceService(opening)

    def step(self, event: Event) -> Reply:
        """Take an event properly."""
        return self._service.step(event)

    def state(self) -> ServiceState:
        """Return a state that is not the one after the last event."""
        state = self._service.state()
        return replace(state, next_generation=state.next_generation + 1)


def run(of: Scenario, share: float, seed: int = 0, wrong: bool = False) -> Result:
    """Run with a scheduler that is right or wrong, shadowed."""

    def factory(opening: Opening) -> Service:
        return ReferenceService(opening, Lazy() if wrong else None)

    return simulate(of, factory, "test", Options(share, seed))


def test_a_wrong_scheduler_is_caught() -> None:
    """The divergence names the round and the category, and holds the round with both decisions."""
    result = run(BUSY, 1.0, wrong=True)
    assert result.summary.diverging_rounds > 0
    first = result.divergences[0]
    assert "dispatches" in first.fields
    assert len(first.observed.pending) > 1
    assert len(first.found.dispatches) == len(first.expected.dispatches) - 1


def test_the_right_scheduler_is_not_accused() -> None:
    """Every round looked at, none diverges."""
    summary = run(BUSY, 1.0).summary
    assert (summary.shadowed_rounds, summary.diverging_rounds) == (summary.events, 0)


def test_a_service_whose_state_goes_astray_is_caught() -> None:
    """SERV: the state after the event is compared, too, not only what was decided."""
    result = simulate(BUSY, Forgetful, "test", Options(1.0))
    assert any("state" in each.fields for each in result.divergences)


def test_the_share_is_drawn_from_the_seed() -> None:
    """Some rounds and not all; the same ones under the same seed."""
    summaries = [run(BUSY, 0.3, seed).summary for seed in (1, 1, 2)]
    assert 0 < summaries[0].shadowed_rounds < summaries[0].events
    assert summaries[0] == summaries[1]
    assert summaries[0].shadowed_rounds != summaries[2].shadowed_rounds


def test_a_share_beyond_one_is_refused() -> None:
    """From 0 to 1."""
    with pytest.raises(InvalidScenario):
        run(BUSY, 1.5)
