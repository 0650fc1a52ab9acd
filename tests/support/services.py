"""Services in a line each: an opening state, events with dates, and steps of the reference under a given batch."""

from gaugeblock.model import (
    Catalog,
    ContainerStarted,
    Decisions,
    Dispatch,
    Event,
    Function,
    InvocationId,
    Node,
    NodeName,
    Scheduler,
    ServiceSettings,
    ServiceState,
    Step,
    Submit,
)
from gaugeblock.service import GivenDecisions, step

TIMEOUT = 10.0
SETTINGS = ServiceSettings(TIMEOUT)
NOTHING = Decisions()


def service(*nodes: Node, functions: tuple[Function, ...], now: float = 1.0) -> ServiceState:
    """Return a service at ``now`` with these nodes; the catalogue is what the functions need."""
    layers = {layer.name: layer for each in functions for layer in each.image.layers}
    images = tuple(each.image for each in functions)
    return ServiceState(now, Catalog(tuple(layers.values()), images, functions), nodes)


def take(state: ServiceState, event: Event, decisions: Decisions = NOTHING) -> ServiceState:
    """Return the state after an event and the given batch."""
    return taken(state, event, decisions).state


def taken(state: ServiceState, event: Event, decisions: Decisions = NOTHING) -> Step:
    """Return the step that an event and the given batch make."""
    return step(state, event, GivenDecisions(decisions), SETTINGS)


def scheduled(state: ServiceState, event: Event, scheduler: Scheduler) -> Step:
    """Return the step that an event and the decisions of a scheduler make."""
    return step(state, event, scheduler, SETTINGS)


def busy(state: ServiceState, of: Function, invocation: int = 0, date: float = 2.0, node: str = "n") -> ServiceState:
    """Return the state after an invocation was submitted, dispatched cold and its container reported as started."""
    cold = Dispatch(InvocationId(invocation), NodeName(node), None)
    state = take(state, Submit(date, 0, InvocationId(invocation), of.name), Decisions(dispatches=(cold,)))
    return take(state, ContainerStarted(date, 1, state.running[-1].container))
