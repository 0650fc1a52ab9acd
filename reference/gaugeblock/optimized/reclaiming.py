"""Making room on one node by the two built-in eviction policies (RECL, POL: ``fewest`` and ``lru``).

Both policies go on until nothing is missing or no candidate is left. From that follow three facts that the search builds on:

1. If ending containers leaves anything missing, *every* idle container has been ended. So layers are only ever evicted from a
   node without idle containers, and which layers are then in use does not depend on the order in which they were ended.
2. If RAM is still missing after the RAM step, every RAM candidate is gone, and the companions of disk victims add nothing: a
   companion with a RAM footprint is a RAM candidate itself (the same layers are protected, required and used).
3. Hence room can be made exactly when, for RAM, disk and positions each, what is available, what all idle containers
   free, and what all candidate layers free add up to the need.
"""

from collections.abc import Callable, Sequence

from gaugeblock.model import ContainerId
from gaugeblock.optimized.bitsets import members
from gaugeblock.optimized.choices import Victims
from gaugeblock.optimized.nodes import NodeRecord, Slot

PickContainers = Callable[[Sequence[Slot], int, int, int], list[Slot]]
PickLayers = Callable[[Sequence[int], tuple[int, ...], int], list[int]]


def fewest_containers(idle: Sequence[Slot], ram: int, disk: int, positions: int) -> list[Slot]:
    """Return the containers that ``fewest`` ends for these deficits: the first that alone covers them, else the largest."""
    if ram > 0:
        order = sorted(idle, key=lambda slot: slot.function.ram_bytes)
    else:
        order = sorted(idle, key=lambda slot: slot.function.disk_bytes)
    ended: list[Slot] = []
    while order and (ram > 0 or disk > 0 or positions > 0):
        place = len(order) - 1
        if positions <= 1:
            for number, slot in enumerate(order):
                if slot.function.ram_bytes >= ram and slot.function.disk_bytes >= disk:
                    place = number
                    break
        slot = order.pop(place)
        ended.append(slot)
        ram -= slot.function.ram_bytes
        disk -= slot.function.disk_bytes
        positions -= 1
    return ended


def oldest_containers(idle: Sequence[Slot], ram: int, disk: int, positions: int) -> list[Slot]:
    """Return the containers that ``lru`` ends for these deficits: oldest last use first."""
    ended: list[Slot] = []
    for slot in sorted(idle, key=lambda slot: slot.last_used):
        if not (ram > 0 or disk > 0 or positions > 0):
            break
        ended.append(slot)
        ram -= slot.function.ram_bytes
        disk -= slot.function.disk_bytes
        positions -= 1
    return ended


def fewest_layers(ordered: Sequence[int], sizes: tuple[int, ...], missing: int) -> list[int]:
    """Return the layers that ``fewest`` evicts, given the candidates from small to large."""
    order = list(ordered)
    evicted: list[int] = []
    while order and missing > 0:
        place = len(order) - 1
        if sizes[order[place]] >= missing:
            place = next(number for number, layer in enumerate(order) if sizes[layer] >= missing)
        layer = order.pop(place)
        evicted.append(layer)
        missing -= sizes[layer]
    return evicted


def oldest_layers(ordered: Sequence[int], sizes: tuple[int, ...], missing: int) -> list[int]:
    """Return the layers that ``lru`` evicts, given the candidates from old to new."""
    evicted: list[int] = []
    for layer in ordered:
        if not missing > 0:
            break
        evicted.append(layer)
        missing -= sizes[layer]
    return evicted


class Reclaimer:
    """A built-in eviction policy at work: exact victims for a need that is known to be feasible."""

    def __init__(self, *, by_age: bool) -> None:
        self._by_age = by_age
        self._pick_containers: PickContainers = oldest_containers if by_age else fewest_containers
        self._pick_layers: PickLayers = oldest_layers if by_age else fewest_layers

    def victims(self, node: NodeRecord, ram: int, disk: int, positions: int, required: int) -> Victims:
        """Return what is freed on ``node`` for these deficits (zero or less: none); ``required`` layers are spared."""
        slots = self._pick_containers(node.idle, ram, disk, positions)
        ended: tuple[ContainerId, ...] = tuple(slot.id for slot in slots)
        for slot in slots:
            ram -= slot.function.ram_bytes
            disk -= slot.function.disk_bytes
        if not (ram > 0 or disk > 0):
            return Victims(ended)
        numbering = node.numbering
        from_ram: list[int] = []
        if ram > 0:
            candidates = [layer for layer in self._ram_order(node) if not required >> layer & 1]
            from_ram = self._pick_layers(candidates, numbering.ram_bytes, ram)
        if not disk > 0:
            return Victims(ended, tuple(from_ram))
        candidates = [layer for layer in self._disk_order(node) if not required >> layer & 1]
        from_disk = self._pick_layers(candidates, numbering.disk_bytes, disk)
        companions = [layer for layer in from_disk if node.in_ram >> layer & 1 and layer not in from_ram]
        return Victims(ended, tuple(from_ram + companions), tuple(from_disk))

    def _ram_order(self, node: NodeRecord) -> list[int]:
        room = node.ram_room()
        if room.order is None:
            key = node.ram_dates.__getitem__ if self._by_age else node.numbering.ram_bytes.__getitem__
            room.order = sorted(members(room.layers), key=key)
        return room.order

    def _disk_order(self, node: NodeRecord) -> list[int]:
        room = node.disk_room()
        if room.order is None:
            key = node.disk_dates.__getitem__ if self._by_age else node.numbering.disk_bytes.__getitem__
            room.order = sorted(members(room.layers), key=key)
        return room.order
