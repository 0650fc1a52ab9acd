"""The elementary changes of a service state, shared by event effects and by the application of decisions.

Nothing here subtracts: availabilities are derived from what a node holds (semantics, Words), so that to remove a container or
a layer is to release what it took, once and in full.
"""

from collections.abc import Callable
from typing import TypeAlias

from gaugeblock.model import (
    LARGEST_DATE,
    Container,
    ContainerId,
    IdleAlarm,
    Layer,
    LayerName,
    Node,
    NodeName,
    ResidentLayer,
    ServiceSettings,
    ServiceState,
    replace,
)

ChangeOfNode: TypeAlias = Callable[[Node], Node]


def node_named(state: ServiceState, name: NodeName) -> Node | None:
    """Return the node of that name, or None."""
    return next((node for node in state.nodes if node.name == name), None)


def node_holding(state: ServiceState, container: ContainerId) -> Node | None:
    """Return the node that holds a container, or None if no node does."""
    return next((node for node in state.nodes if container_of(node, container) is not None), None)


def container_of(node: Node, container: ContainerId) -> Container | None:
    """Return the node's container of that id, or None."""
    return next((each for each in node.containers if each.id == container), None)


def change_node(state: ServiceState, name: NodeName, change: ChangeOfNode) -> ServiceState:
    """Return the state with the one node of that name changed."""
    return replace(state, nodes=tuple(change(node) if node.name == name else node for node in state.nodes))


def change_container(state: ServiceState, container: Container) -> ServiceState:
    """Return the state with ``container`` in the place of the one that has its id."""

    def change(node: Node) -> Node:
        if container_of(node, container.id) is None:
            return node
        return replace(node, containers=tuple(container if each.id == container.id else each for each in node.containers))

    return replace(state, nodes=tuple(change(node) for node in state.nodes))


def remove_container(state: ServiceState, node: NodeName, container: ContainerId) -> ServiceState:
    """Return the state without a container and its idle alarm; whatever it took on the node is free."""
    state = forget_alarm(state, container)
    return change_node(
        state, node, lambda held: replace(held, containers=tuple(each for each in held.containers if each.id != container))
    )


def set_alarm(state: ServiceState, container: ContainerId, settings: ServiceSettings) -> ServiceState:
    """Begin an idle spell of a container: a new generation, due at now + time-out, never if that is not finite (SERV-0)."""
    due = state.now + settings.idle_timeout
    alarm = IdleAlarm(container, state.next_generation, due if due <= LARGEST_DATE else None)
    alarms = tuple(sorted((*state.alarms, alarm), key=lambda each: each.container))
    return replace(state, alarms=alarms, next_generation=state.next_generation + 1)


def forget_alarm(state: ServiceState, container: ContainerId) -> ServiceState:
    """End the idle spell of a container, if there is one: its alarm is stale from now on (SERV-0)."""
    return replace(state, alarms=tuple(alarm for alarm in state.alarms if alarm.container != container))


def add_resident(
    state: ServiceState, residents: tuple[ResidentLayer, ...], layer: Layer, date: float
) -> tuple[ResidentLayer, ...]:
    """Return ``residents`` and the layer, accessed at ``date``, in catalogue order."""
    there = {resident.layer.name: resident for resident in (*residents, ResidentLayer(layer, date))}
    return tuple(there[each.name] for each in state.catalog.layers if each.name in there)


def add_transfer(state: ServiceState, transfers: tuple[Layer, ...], layer: Layer) -> tuple[Layer, ...]:
    """Return ``transfers`` and the layer, in catalogue order."""
    names = {each.name for each in (*transfers, layer)}
    return tuple(each for each in state.catalog.layers if each.name in names)


def without_layer(layers: tuple[Layer, ...], name: LayerName) -> tuple[Layer, ...]:
    """Return the transfers but the one of that layer."""
    return tuple(layer for layer in layers if layer.name != name)


def without_resident(residents: tuple[ResidentLayer, ...], name: LayerName) -> tuple[ResidentLayer, ...]:
    """Return the resident layers but the one of that name."""
    return tuple(resident for resident in residents if resident.layer.name != name)
