"""One node with everything that a search asks of it, kept as bit sets of layers and running totals.

Invariants, for a node ``n`` (``checks`` recomputes them all):

- between rounds ``in_ram`` and ``on_disk`` are the keys of ``ram_dates`` and ``disk_dates``; a planned eviction leaves the
  dates alone, since the round may be taken back; ``loading`` and ``copying`` are in progress;
  ``in_ram`` and ``loading`` are disjoint and within ``on_disk``; ``copying`` is disjoint from ``on_disk``.
- ``ram_free``, ``disk_free``, ``invocations_free`` and ``positions_free`` are the availabilities, those planned in the round at
  hand taken off: capacity less what residents, transfers, containers and ``planned`` containers use (ACCT-9).
- ``idle`` are the containers that may be ended, by id; ``idle_ram`` and ``idle_disk`` what ending all of them frees; ``kept``
  the layers that some other container uses. They follow ``containers`` and are recomputed with it.
- a ``Room`` is right for the stamp that it bears. Every change of the node takes a new stamp.
"""

from typing import NamedTuple

import msgspec

from gaugeblock.model import ContainerId, ContainerStatus, Node, NodeStatus
from gaugeblock.optimized.bitsets import total
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
        return not (self.reused or self.in_flight > 0)


class Room:
    """What the layers of a node could yield in one resource once every idle container is ended (RECL-5, RECL-6).

    ``layers`` are the evictable ones and ``size`` their bytes; ``hard_layers`` and ``hard_size`` are the same without the
    protections of this round: nothing that the round may still do adds to them but a change of the node itself. ``order``
    is ``layers`` in the order of the eviction policy, once somebody has asked for it.
    """

    __slots__ = ("hard_layers", "hard_size", "layers", "order", "size", "stamp")

    def __init__(self, stamp: int, hard_layers: int, protected: int, sizes: tuple[int, ...]) -> None:
        self.stamp = stamp
        self.hard_layers = self.layers = hard_layers
        self.hard_size = self.size = total(sizes, hard_layers)
        if protected & hard_layers:
            self.layers = hard_layers & ~protected
            self.size = self.hard_size - total(sizes, hard_layers & protected)
        self.order: list[int] | None = None


_NO_ROOM = Room(-1, 0, 0, ())


class NodeRecord:
    """A node, mutable.

    ``turn`` is its place in the traversal and ``rank`` that of its name; ``turn_bit`` and ``bit`` are these as sets.
    """

    __slots__ = (
        "_disk_room",
        "_ram_room",
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
            self.containers[container.id] = Slot(container.id, function, ready, container.in_flight, container.last_used, room)
        self.planned: tuple[NumberedFunction, ...] = ()
        self.protected = 0
        self.leaving = False
        self.stamp = 0
        self._ram_room = self._disk_room = _NO_ROOM
        self._count_free()
        self.survey_containers()

    def _count_free(self) -> None:
        ram, disk = self.numbering.ram_bytes, self.numbering.disk_bytes
        slots = self.containers.values()
        functions = [slot.function for slot in slots]
        self.ram_free = (
            self.origin.ram_bytes
            - sum([ram[layer] for layer in self.ram_dates])
            - total(ram, self.loading)
            - sum([function.ram_bytes for function in functions])
        )
        self.disk_free = (
            self.origin.disk_bytes
            - sum([disk[layer] for layer in self.disk_dates])
            - total(disk, self.copying)
            - sum([function.disk_bytes for function in functions])
        )
        self.invocations_free = self.origin.max_invocations - sum([slot.in_flight for slot in slots])
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
        self.idle_ram = sum([slot.function.ram_bytes for slot in idle])
        self.idle_disk = sum([slot.function.disk_bytes for slot in idle])
        self.kept = kept

    @property
    def is_open(self) -> bool:
        """Whether invocations may go there: activated, staying, with invocation capacity left (PLACE)."""
        return self.status is NodeStatus.ACTIVATED and not self.leaving and self.invocations_free > 0

    def ram_room(self) -> Room:
        """Return what the node's layers could yield in RAM, as of now."""
        if self._ram_room.stamp != self.stamp:
            layers = self.in_ram & self.numbering.weighty_in_ram & ~self.kept
            self._ram_room = Room(self.stamp, layers, self.protected, self.numbering.ram_bytes)
        return self._ram_room

    def disk_room(self) -> Room:
        """Return what the node's layers could yield on disk, as of now."""
        if self._disk_room.stamp != self.stamp:
            layers = self.on_disk & self.numbering.weighty_on_disk & ~(self.kept | self.loading)
            self._disk_room = Room(self.stamp, layers, self.protected, self.numbering.disk_bytes)
        return self._disk_room

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
