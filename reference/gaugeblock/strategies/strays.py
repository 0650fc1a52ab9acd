"""Events that a service must refuse, or take without effect: stale, late, repeated, out of order, about what never was."""

from collections.abc import Callable
from typing import Final, TypeAlias

from gaugeblock.model import (
    ContainerFailed,
    ContainerId,
    ContainerStarted,
    CopyCompleted,
    CopyFailed,
    Event,
    FunctionName,
    IdleTimeout,
    InvocationFailed,
    InvocationFinished,
    InvocationId,
    LayerName,
    LoadCompleted,
    LoadFailed,
    NodeActivated,
    NodeDeactivated,
    NodeName,
    ServiceState,
    Submit,
    WakeUp,
)
from gaugeblock.strategies.choices import Choices, chance, pick
from gaugeblock.strategies.histories import Stamp, build_stamp, outstanding

NOBODY = "nobody"
"""A name that no generated node, layer or function has."""

_Reports: TypeAlias = tuple[Callable[..., Event], ...]
_STARTS: Final[_Reports] = (ContainerStarted, ContainerFailed)
_ENDS: Final[_Reports] = (InvocationFinished, InvocationFailed)
_TRANSFERS: Final[_Reports] = (CopyCompleted, CopyFailed, LoadCompleted, LoadFailed)
_MOVES: Final[_Reports] = (NodeActivated, NodeDeactivated)


def build_stray(choices: Choices, state: ServiceState) -> Event:
    """Build an event that was not due. By luck it may be right after all: a service is to judge for itself."""
    kinds = (_alarm, _container, _invocation, _transfer, _node, _submission, _repeated_date)
    return pick(choices, kinds)(choices, state, build_stamp(choices, state))


def _container(choices: Choices, state: ServiceState, stamp: Stamp) -> Event:
    """A container that is ready already, gone, or was never there."""
    there = tuple(container.id for node in state.nodes for container in node.containers)
    if there and chance(choices, 60):
        return pick(choices, _STARTS)(*stamp, pick(choices, there))
    return pick(choices, _STARTS)(*stamp, ContainerId(choices.integer(0, state.next_container)))


def _invocation(choices: Choices, state: ServiceState, stamp: Stamp) -> Event:
    """An invocation that is still in a starting container, pending, over, or was never submitted."""
    starting = frozenset(outstanding(state).starts)
    held = tuple(each.invocation.id for each in state.running if each.container in starting)
    if held and chance(choices, 60):
        return pick(choices, _ENDS)(*stamp, pick(choices, held))
    return pick(choices, _ENDS)(*stamp, InvocationId(choices.integer(0, 3 * len(state.submitted) + 1)))


def _alarm(choices: Choices, state: ServiceState, stamp: Stamp) -> Event:
    """An idle time-out before it is due, of an earlier spell, or of one that never was."""
    if state.alarms and chance(choices, 75):
        alarm = pick(choices, state.alarms)
        earlier = alarm.generation > 0 and chance(choices, 50)
        return IdleTimeout(*stamp, alarm.container, choices.integer(0, alarm.generation - 1) if earlier else alarm.generation)
    container = ContainerId(choices.integer(0, state.next_container))
    return IdleTimeout(*stamp, container, choices.integer(0, state.next_generation))


def _transfer(choices: Choices, state: ServiceState, stamp: Stamp) -> Event:
    """A transfer that is over, failed before, or was never begun."""
    layers = (*(layer.name for layer in state.catalog.layers), LayerName(NOBODY))
    return pick(choices, _TRANSFERS)(*stamp, _any_node(choices, state), pick(choices, layers))


def _node(choices: Choices, state: ServiceState, stamp: Stamp) -> Event:
    """A node that is where it is said to have come already, or somewhere else, or was never there."""
    return pick(choices, _MOVES)(*stamp, _any_node(choices, state))


def _submission(choices: Choices, state: ServiceState, stamp: Stamp) -> Event:
    """A submission of an unknown function, or under an id that is used up."""
    function = pick(choices, state.catalog.functions).name
    if not state.submitted or chance(choices, 30):
        return Submit(*stamp, InvocationId(3 * len(state.submitted) + 4), FunctionName(NOBODY))
    return Submit(*stamp, pick(choices, tuple(sorted(state.submitted))), function)


def _repeated_date(choices: Choices, state: ServiceState, stamp: Stamp) -> Event:
    """An event of a time that has passed."""
    again = state.sequence >= 0 and chance(choices, 50)
    past = (state.now, state.sequence) if again else (state.now - 1.0, stamp[1])
    if chance(choices, 50):
        return WakeUp(*past)
    return Submit(*past, InvocationId(3 * len(state.submitted) + 4), state.catalog.functions[0].name)


def _any_node(choices: Choices, state: ServiceState) -> NodeName:
    return pick(choices, (*(node.name for node in state.nodes), NodeName(NOBODY)))
