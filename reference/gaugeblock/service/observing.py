"""The first state of a service, and what a scheduler is shown of any."""

from gaugeblock.model import ObservedState, Opening, ServiceState


def opening_state(opening: Opening) -> ServiceState:
    """Return the state before the first event: nothing pending, running, promised or ever submitted."""
    return ServiceState(opening.now, opening.catalog, opening.nodes)


def observe(state: ServiceState) -> ObservedState:
    """Return what a scheduler is shown of ``state``; it is always a valid round (SERV-0)."""
    return ObservedState(state.now, state.catalog, state.nodes, state.pending)
