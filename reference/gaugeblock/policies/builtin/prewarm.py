"""Prewarming: ``never`` (the default) and ``warm-pool`` (POL)."""

from typing import ClassVar, NamedTuple

from gaugeblock.model import (
    ContainerStatus,
    Function,
    FunctionName,
    NodeStatus,
    PolicyKind,
    Prewarm,
    WorkingContainer,
    WorkingNode,
    WorkingState,
)
from gaugeblock.policies.builtin.base import BuiltinPolicy
from gaugeblock.policies.builtin.parameters import Count


class NeverPrewarm(BuiltinPolicy, frozen=True):
    """POL-never: proposes nothing."""

    kind: ClassVar[PolicyKind] = PolicyKind.CONTAINER_PREWARM
    name: ClassVar[str] = "never"

    def propose(self, state: WorkingState) -> tuple[Prewarm, ...]:
        """Return no proposal."""
        return ()


class Room(NamedTuple):
    """What the earlier proposals of a batch have left on a node: bytes, bytes, positions."""

    node: WorkingNode
    ram_bytes: int
    disk_bytes: int
    positions: int


class WarmPool(BuiltinPolicy, frozen=True):
    """POL-warm-pool: keeps ``n`` containers of each listed function warm, as far as there is room."""

    kind: ClassVar[PolicyKind] = PolicyKind.CONTAINER_PREWARM
    name: ClassVar[str] = "warm-pool"

    per_function: tuple[tuple[FunctionName, Count], ...]

    def propose(self, state: WorkingState) -> tuple[Prewarm, ...]:
        """Return, per function in catalogue order, what its pool lacks, each on the first node where it still fits (PREW-2)."""
        wanted = dict(self.per_function)
        rooms = [Room(each, each.ram_available, each.disk_available, each.positions_available) for each in usable(state)]
        proposals: list[Prewarm] = []
        for function in state.catalog.functions:
            for _ in range(wanted.get(function.name, 0) - warm_containers(state, function)):
                place = next((place for place, room in enumerate(rooms) if fits(room, function)), None)
                if place is None:
                    break
                proposals.append(Prewarm(rooms[place].node.observed.name, function.name))
                rooms[place] = less(rooms[place], function)
        return tuple(proposals)


def usable(state: WorkingState) -> tuple[WorkingNode, ...]:
    """Return the nodes that may be prewarmed on: activated and not selected for deactivation, in traversal order (PREW-2)."""
    return tuple(
        node for node in state.nodes if node.observed.status is NodeStatus.ACTIVATED and not node.selected_for_deactivation
    )


def warm_containers(state: WorkingState, function: Function) -> int:
    """Return how many containers of the function wait for work: idle and not chosen for reuse, or starting without any."""
    return len(
        [
            each
            for node in state.nodes
            for each in node.containers
            if each.container.function.name == function.name and is_warm(each)
        ]
    )


def is_warm(each: WorkingContainer) -> bool:
    """Whether a container is idle and not chosen for reuse, or starting without an invocation."""
    starting = each.container.status is ContainerStatus.STARTING
    return each.is_idle or (starting and each.container.in_flight == 0)


def fits(room: Room, function: Function) -> bool:
    """Whether one more container of the function has its layers and its place beside the earlier proposals (PREW-2)."""
    resident = all(
        layer.name in room.node.resident_in_ram and layer.name in room.node.resident_on_disk for layer in function.image.layers
    )
    return resident and function.ram_bytes <= room.ram_bytes and function.disk_bytes <= room.disk_bytes and room.positions > 0


def less(room: Room, function: Function) -> Room:
    """Return the room that one more container of the function leaves."""
    return Room(room.node, room.ram_bytes - function.ram_bytes, room.disk_bytes - function.disk_bytes, room.positions - 1)
