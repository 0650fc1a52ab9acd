"""One run, whole: a scenario, a service, the observers, and the result."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from gaugeblock.model import Event, Opening
from gaugeblock.simulation.driver import Driver, Observer
from gaugeblock.simulation.meters import Meter
from gaugeblock.simulation.scenarios import Scenario
from gaugeblock.simulation.services import Reply, Service
from gaugeblock.simulation.shadow import Divergence, Shadow
from gaugeblock.simulation.summary import Summary, counted
from gaugeblock.simulation.timeline import Timeline

Factory: TypeAlias = Callable[[Opening], Service]


class Options(NamedTuple):
    """How a run is watched: the share of rounds to shadow and its seed, when to stop, and who else watches."""

    shadow: float = 0.0
    seed: int = 0
    stop: Callable[[], bool] = lambda: False
    observers: tuple[Observer, ...] = ()


class Result(NamedTuple):
    """What came of a run: the numbers, the use over time, and the first rounds that the reference decides otherwise."""

    summary: Summary
    timeline: Timeline
    divergences: tuple[Divergence, ...]


class Gauge:
    """Lets the meter and the timeline watch a run."""

    def __init__(self, opening: Opening) -> None:
        self.meter = Meter(opening)
        self.meter.settle()
        self.timeline = Timeline(self.meter.now)

    def before(self, event: Event) -> None:
        """Nothing has happened yet."""

    def after(self, event: Event, reply: Reply) -> None:
        """Count the event and its round."""
        meter = self.meter
        meter.take(event)
        for outcome in reply.outcomes:
            meter.apply(event, outcome)
        meter.settle()
        self.timeline.record(event.date, meter.now, meter.counts["cold"])


def simulate(scenario: Scenario, factory: Factory, service_name: str, options: Options = Options()) -> Result:  # noqa: B008
    """Run a scenario through the service that ``factory`` makes, to its end or until ``options.stop`` says so.

    Raises:
        InvalidScenario: when a quantity of the scenario or the share to shadow is out of its range.
        ServiceError, PolicyContractError: as :meth:`Driver.run` does.
    """
    opening = scenario.opening()
    service = factory(opening)
    gauge = Gauge(opening)
    shadow = Shadow(service, opening, options.shadow, options.seed)
    shadows: tuple[Observer, ...] = (shadow,) if options.shadow > 0 else ()
    driver = Driver(scenario, service, (gauge, *shadows, *options.observers))
    finished = driver.run(options.stop)
    cluster = scenario.cluster
    summary = Summary(
        workload=scenario.workload.label,
        service=service_name,
        finished=finished,
        simulated_seconds=driver.now,
        events=driver.events,
        expected=scenario.workload.total,
        capacity_ram_bytes=cluster.nodes * cluster.ram_bytes,
        capacity_disk_bytes=cluster.nodes * cluster.disk_bytes,
        shadowed_rounds=shadow.rounds,
        diverging_rounds=shadow.diverging,
        **counted(gauge.meter),  # type: ignore[arg-type]  # its keys are fields of a summary, each of the field's type
    )
    return Result(summary, gauge.timeline, tuple(shadow.kept))
