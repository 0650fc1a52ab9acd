"""One node with everything that a search asks of it, kept as bit sets of layers and running totals.

Invariants, for a node ``n`` (``check_node`` recomputes them all):

- between rounds ``in_ram`` and ``on_disk`` are the keys of ``ram_dates`` and ``disk_dates``; a planned eviction leaves the dates
  alone, since the round may be taken back; ``loading`` and ``copying`` are in progress;
  ``in_ram`` and ``loading`` are disjoint and within ``on_disk``; ``copying`` is disjoint from ``on_disk``.
- ``ram_free``, ``disk_free``, ``invocations_free`` and ``positions_free`` are the availabilities, those planned in the round at
  hand taken off: capacity less what residents, transfers, containers and ``planned`` containers use (ACCT-9).
- ``idle`` are the containers that may be ended, by id; ``idle_ram`` and ``idle_disk`` what ending all of them frees; ``kept`` the
  layers that some other container uses. They follow ``containers`` and are recomputed with it.
- ``room`` is right for ``stamp`` where ``room_stamp`` equals it. Every change of the node takes a new stamp.
"""

from typing import NamedTuple

import msgspec

from gaugeblock.model import ContainerId, ContainerStatus, Node, NodeStatus
from gaugeblock.optimized.bitsets import members
from gaugeblock.optimized.numbering import NumberedFunction, Numbering

class Slot(msgspec.Struct, frozen=True, gc=False):
    """A container: how many invocations it holds (``in_flight``) and can still take in this round (``room``).

    ``reused`` tells that this round chose it for reuse, so that it is no longer idle (AMB-3).
    """

    id: ContainerId
    function: NumberedFunction
    ready: bool
    in_flight: int
    last_used: float
    room: int
    reused: bool = False

    @property
    def is_idle(self) -> bool:
        """Whether it is ready, holds nothing and was not chosen for reuse."""
        return self.ready and self.in_flight == 0 and not self.reused

    @property
    def is_spare(self) -> bool:
        """Whether a warm pool counts it: idle, or starting without an invocation."""
        return self.in_flight == 0 and not self.reused


class Room:
    """What a node could yield in layers once every idle container is ended (RECL-5, RECL-6).

    ``ram_layers`` and ``disk_layers`` are the evictable layers, ``ram_bytes`` and ``disk_bytes`` their footprints there. The
    ``hard_*`` fields are the same without the protections of this round: nothing that the round may still do adds to them
    but a change of the node itself.
    """

    __slots__ = (
        "disk_bytes",
        "disk_layers",
        "disk_order",
        "hard_disk_bytes",
        "hard_disk_layers",
        "hard_ram_bytes",
        "hard_ram_layers",
        "ram_bytes",
        "ram_layers",
        "ram_order",
    )

    def __init__(self, node: "NodeRecord") -> None:
        numbering = node.numbering
        self.hard_ram_layers = node.in_ram & numbering.weighty_in_ram & ~node.kept
        self.hard_disk_layers = node.on_disk & numbering.weighty_on_disk & ~(node.kept | node.loading)
        self.hard_ram_bytes = total(numbering.ram_bytes, self.hard_ram_layers)
        self.hard_disk_bytes = total(numbering.disk_bytes, self.hard_disk_layers)
        self.ram_layers, self.ram_bytes = self.hard_ram_layers, self.hard_ram_bytes
        self.disk_layers, self.disk_bytes = self.hard_disk_layers, self.hard_disk_bytes
        if node.protected:
            self.ram_layers &= ~node.protected
            self.disk_layers &= ~node.protected
            self.ram_bytes -= total(numbering.ram_bytes, self.hard_ram_layers & node.protected)
            self.disk_bytes -= total(numbering.disk_bytes, self.hard_disk_layers & node.protected)
        self.ram_order: list[int] | None = None
        self.disk_order: list[int] | None = None


class NodeRecord:
    """A node, mutable. ``turn`` is its place in the traversal, ``rank`` that of its name, ``bit`` and ``turn_bit`` these as sets."""

    __slots__ = (
        "bit",
        "containers",
        "copying",
        "disk_dates",
        "disk_free",
        "idle",
        "idle_disk",
        "idle_ram",
        "in_ram",
        "invocations_free",
        "kept",
        "leaving",
        "loading",
        "name",
        "numbering",
        "on_disk",
        "origin",
        "planned",
        "positions_free",
        "protected",
        "ram_dates",
        "ram_free",
        "rank",
        "room_at",
        "room_stamp",
        "stamp",
        "status",
        "turn",
        "turn_bit",
    )

    def __init__(self, node: Node, turn: int, rank: int, numbering: Numbering) -> None:
        number = numbering.layer_number
        self.origin = node
        self.numbering = numbering
        self.name = node.name
        self.turn, self.turn_bit = turn, 1 << turn
        self.rank, self.bit = rank, 1 << rank
        self.status = node.status
        self.disk_dates: dict[int, float] = {number[each.layer.name]: each.last_access for each in node.disk_layers}
        self.ram_dates: dict[int, float] = {number[each.layer.name]: each.last_access for each in node.ram_layers}
        self.on_disk = numbering.as_set(self.disk_dates)
        self.in_ram = numbering.as_set(self.ram_dates)
        self.copying = numbering.as_set([number[layer.name] for layer in node.copying])
        self.loading = numbering.as_set([number[layer.name] for layer in node.loading])
        self.containers: dict[ContainerId, Slot] = {}
        for container in node.containers:
            function = numbering.function_named[container.function.name]
            room = function.limit - container.in_flight
            ready = container.status is ContainerStatus.READY
            self.containers[container.id] = Slot(
                container.id, function, ready, container.in_flight, container.last_used, room
            )
        self.planned: tuple[NumberedFunction, ...] = ()
        self.protected = 0
        self.leaving = False
        self.stamp = 0
        self.room_stamp = -1
        self._count_free()
        self.survey_containers()

    def _count_free(self) -> None:
        ram, disk = self.numbering.ram_bytes, self.numbering.disk_bytes
        slots = self.containers.values()
        self.ram_free = (
            self.origin.ram_bytes
            - sum(map(ram.__getitem__, self.ram_dates))
            - total(ram, self.loading)
            - sum(slot.function.ram_bytes for slot in slots)
        )
        self.disk_free = (
            self.origin.disk_bytes
            - sum(map(disk.__getitem__, self.disk_dates))
            - total(disk, self.copying)
            - sum(slot.function.disk_bytes for slot in slots)
        )
        self.invocations_free = self.origin.max_invocations - sum(slot.in_flight for slot in slots)
        self.positions_free = self.origin.max_containers - len(slots)

    def survey_containers(self) -> None:
        """Recompute what follows from the containers: the idle ones, what they would free, the layers that others keep."""
        idle: list[Slot] = []
        kept = 0
        for slot in self.containers.values():
            if slot.is_idle:
                idle.append(slot)
            else:
                kept |= slot.function.image.mask
        self.idle = idle
        self.idle_ram = sum(slot.function.ram_bytes for slot in idle)
        self.idle_disk = sum(slot.function.disk_bytes for slot in idle)
        self.kept = kept

    @property
    def is_open(self) -> bool:
        """Whether invocations may go there: activated, staying, with invocation capacity left (PLACE)."""
        return self.status is NodeStatus.ACTIVATED and not self.leaving and self.invocations_free > 0

    def room(self) -> Room:
        """Return what the node could yield in layers, as of now."""
        if self.room_stamp != self.stamp:
            self.room_at = Room(self)
            self.room_stamp = self.stamp
        return self.room_at

    def save(self) -> "Memento":
        """Return all that a round may change, to be given to :meth:`restore`."""
        return Memento(
            self.ram_free,
            self.disk_free,
            self.invocations_free,
            self.positions_free,
            self.on_disk,
            self.in_ram,
            self.copying,
            self.loading,
            dict(self.containers),
            self.leaving,
        )

    def restore(self, memento: "Memento") -> None:
        """Be again as when ``memento`` was saved, before the round."""
        self.ram_free = memento.ram_free
        self.disk_free = memento.disk_free
        self.invocations_free = memento.invocations_free
        self.positions_free = memento.positions_free
        self.on_disk = memento.on_disk
        self.in_ram = memento.in_ram
        self.copying = memento.copying
        self.loading = memento.loading
        self.containers = memento.containers
        self.leaving = memento.leaving
        self.planned = ()
        self.protected = 0
        self.survey_containers()


class Memento(NamedTuple):
    """Everything of a node that a round may change."""

    ram_free: int
    disk_free: int
    invocations_free: int
    positions_free: int
    on_disk: int
    in_ram: int
    copying: int
    loading: int
    containers: dict[ContainerId, Slot]
    leaving: bool


def total(sizes: tuple[int, ...], layers: int) -> int:
    """Return the sum of the sizes of a set of layers."""
    return sum([sizes[layer] for layer in members(layers)]) if layers else 0
