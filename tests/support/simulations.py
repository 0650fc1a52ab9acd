"""Small simulations for tests."""

from worlds import catalog

from gaugeblock.model import Catalog, Event, FunctionName, PolicyNames
from gaugeblock.simulation.costs import CostModel
from gaugeblock.simulation.running import Factory, Options, Result, simulate
from gaugeblock.simulation.scenarios import Arrival, Cluster, Scenario, Workload
from gaugeblock.simulation.services import ReferenceService, Reply

NOTHING_TAKES_TIME = CostModel(1e12, 1e12, 1e12, 0.0, 0.0, 0.0, 0.0)
DEFAULTS = PolicyNames()
ROOMY = Cluster(1, 1, 10**6, 10**6, 100, 100)


class Witness:
    """Keeps all that it sees of a run."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.replies: list[Reply] = []

    def before(self, event: Event) -> None:
        """Nothing has happened yet."""

    def after(self, event: Event, reply: Reply) -> None:
        """Keep both."""
        self.events.append(event)
        self.replies.append(reply)

    def dates(self, kind: type[Event]) -> list[float]:
        """Return the dates of the events of a kind."""
        return [event.date for event in self.events if type(event) is kind]


def workload(of: Catalog, *arrivals: tuple[float, str, float]) -> Workload:
    """Return a workload with these arrivals: date, function, duration."""
    listed = tuple(Arrival(date, FunctionName(name), duration) for date, name, duration in arrivals)
    return Workload("test", of, len(listed), lambda: iter(listed))


def scenario(
    of: Workload,
    cluster: Cluster = ROOMY,
    costs: CostModel = NOTHING_TAKES_TIME,
    idle_timeout: float = 1000.0,
    policies: PolicyNames = DEFAULTS,
) -> Scenario:
    """Return a scenario in which nothing takes time unless said otherwise."""
    return Scenario(of, cluster, costs, idle_timeout, policies)


def watched(of: Scenario, factory: Factory = ReferenceService) -> tuple[Witness, Result]:
    """Run a scenario through the reference service or another; return what was seen and what came of it."""
    witness = Witness()
    return witness, simulate(of, factory, "test", Options(observers=(witness,)))


__all__ = ["NOTHING_TAKES_TIME", "ROOMY", "Witness", "catalog", "scenario", "watched", "workload"]
