"""The alternatives of one pass, ranked by what they cost, with as few exact plans as possible.

A *ranking* belongs to a function (cold dispatch) or to an image (load, copy: their needs do not depend on the function). It
sorts nodes into *dead* (room can never be made while the node stays as it is), *fit* (feasible under the protections of now)
and the rest, and holds the fit ones in a heap by (disk evictions, RAM evictions, terminations, copies, loads, rank of name).

A node enters the heap with a *bound* that costs a few additions: the exact rank if nothing need be freed, and otherwise
a rank that no exact one can beat:

- ending all idle containers covers the deficits: no evictions, and at least as many terminations as positions are missing;
- else all idle containers are ended (fact 1 of ``reclaiming``), and at least one layer leaves RAM if RAM is still missing,
  or at least one leaves the disk if disk is.

Nodes are looked at by name, and only until one has the least counts that the pass can have at all (its *floor*).
Only when a bound comes to the top are the victims computed and the node put back under its exact rank. So the node on
top with victims is the least of all, which is what ``eviction-averse`` asks for; the rank of names breaks ties.

Invariants, for every node in none of the sets that the two logs have noted since the cursors:

- ``dead`` nodes cannot make room whatever is protected (computed with the protections of transfers alone);
- ``known`` nodes are dead, or have been looked at under the protections of now; ``fit`` are those of them that are feasible;
- each fit node has exactly one entry in the heap whose stamp is the node's, and that entry's rank is exact or a bound as above.
  As a node that changes passes only with a new stamp into another pass, no entry with the node's stamp is of a node outside.

Nothing in a node's finding depends on another node, so the logs tell all that can be out of date. Protections only ever
take candidates away, and a plan is feasible exactly when sums suffice (fact 3), so a dead node stays dead in any round that
leaves it as it is.
"""

from collections.abc import Callable
from heapq import heappop, heappush, heapreplace
from typing import NamedTuple

from gaugeblock.optimized.bitsets import ascending, members, total
from gaugeblock.optimized.choices import NO_VICTIMS, Victims
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.nodes import NodeRecord
from gaugeblock.optimized.numbering import NumberedFunction, NumberedImage
from gaugeblock.optimized.reclaiming import Reclaimer


class Demand(NamedTuple):
    """What a pass needs on a node: bytes of RAM and disk, positions, and how many copies and loads it starts."""

    ram_bytes: int = 0
    disk_bytes: int = 0
    positions: int = 0
    copies: int = 0
    loads: int = 0


DemandOn = Callable[[NodeRecord], Demand]

Counts = tuple[int, int, int, int, int]
"""Disk evictions, RAM evictions, terminations, copies, loads."""

COLD_FLOOR: Counts = (0, 0, 0, 0, 0)
LOAD_FLOOR: Counts = (0, 0, 0, 0, 1)
COPY_FLOOR: Counts = (0, 0, 0, 1, 0)
"""The least counts that an alternative of each pass can have."""

Entry = tuple[int, int, int, int, int, int, int, Victims | None]
"""The five counts of a rank, the rank of the node's name, its stamp, and the victims once they are known."""


def cold_demand(function: NumberedFunction) -> DemandOn:
    """Return what a new container of ``function`` needs, on whatever node (PLACE-2)."""
    demand = Demand(function.ram_bytes, function.disk_bytes, 1)
    return lambda node: demand


def load_demand(image: NumberedImage, ram_bytes: tuple[int, ...]) -> DemandOn:
    """Return what loading an image's missing layers needs (PLACE-4)."""

    def demand(node: NodeRecord) -> Demand:
        missing = image.mask & ~(node.in_ram | node.loading)
        return Demand(ram_bytes=total(ram_bytes, missing), loads=missing.bit_count())

    return demand


def copy_demand(image: NumberedImage, disk_bytes: tuple[int, ...]) -> DemandOn:
    """Return what copying an image's missing layers needs (PLACE-6)."""

    def demand(node: NodeRecord) -> Demand:
        missing = image.mask & ~(node.on_disk | node.copying)
        return Demand(disk_bytes=total(disk_bytes, missing), copies=missing.bit_count())

    return demand


class Ranking:
    """The alternatives of one pass for one function or image, kept up to date by the cluster's logs."""

    def __init__(
        self, cluster: Cluster, image: NumberedImage, demand_on: DemandOn, floor: Counts, reclaimer: Reclaimer
    ) -> None:
        self.cluster = cluster
        self.image = image
        self.demand_on = demand_on
        self.floor = floor
        self.reclaimer = reclaimer
        self._ram_bytes, self._disk_bytes = cluster.numbering.ram_bytes, cluster.numbering.disk_bytes
        self._image_ram = total(self._ram_bytes, image.mask)
        self._image_disk = total(self._disk_bytes, image.mask)
        self.known = self.dead = self.fit = 0
        self.heap: list[Entry] = []
        self.changes_cursor = cluster.changes.end
        self.guards_cursor = cluster.guards.end

    def best(self, candidates: int) -> tuple[NodeRecord, Victims] | None:
        """Return the alternative of least rank among ``candidates``, the nodes that are in the pass now, or None."""
        self.forget()
        self._look_for_floor(candidates & ~self.known)
        entry = self._top()
        while entry is not None and entry[7] is None:
            node = self.cluster.by_rank[entry[5]]
            heapreplace(self.heap, self._exact(entry, node))
            entry = self._top()
        return None if entry is None else (self.cluster.by_rank[entry[5]], entry[7] or NO_VICTIMS)

    def _top(self) -> Entry | None:
        """Return the least entry that is not stale."""
        heap, by_rank = self.heap, self.cluster.by_rank
        while heap:
            entry = heap[0]
            if entry[6] == by_rank[entry[5]].stamp:
                return entry
            heappop(heap)
        return None

    def _look_for_floor(self, unknown: int) -> None:
        """Look at unknown nodes by name, until one has the floor rank: no later name can have a lesser rank.

        A known node with the floor rank need not be asked for: it was chosen when it was found, and has changed since.
        """
        by_rank = self.cluster.by_rank
        for rank in ascending(unknown):
            node = by_rank[rank]
            self.known |= node.bit
            if self._find(node) == self.floor:
                break
        self._shed()

    def feasible(self, candidates: int) -> list[NodeRecord]:
        """Return the nodes of all alternatives among ``candidates``, in traversal order."""
        self.forget()
        unknown = candidates & ~self.known
        self.known |= unknown
        by_rank = self.cluster.by_rank
        for rank in members(unknown):
            self._find(by_rank[rank])
        self._shed()
        return sorted([by_rank[rank] for rank in members(candidates & self.fit)], key=lambda node: node.turn)

    def victims(self, node: NodeRecord) -> Victims:
        """Return what the alternative on a feasible node frees."""
        demand = self.demand_on(node)
        ram, disk = demand.ram_bytes - node.ram_free, demand.disk_bytes - node.disk_free
        return self.reclaimer.victims(node, ram, disk, demand.positions - node.positions_free, self.image.mask)

    def undead(self, candidates: int) -> int:
        """Return the candidates that are not known to be dead: what is protected elsewhere does not matter to the ranking."""
        self.forget()
        return candidates & ~self.dead

    def is_dead(self, candidates: int) -> bool:
        """Whether, as last looked at, no candidate can make room whatever is protected."""
        return not candidates & ~self.dead

    def _shed(self) -> None:
        """Drop the stale entries where they have become many."""
        by_rank = self.cluster.by_rank
        if len(self.heap) > 64 + 2 * self.fit.bit_count():
            self.heap = sorted(entry for entry in self.heap if entry[6] == by_rank[entry[5]].stamp)

    def forget(self) -> None:
        """Forget what the logs say may be out of date."""
        changes, guards = self.cluster.changes, self.cluster.guards
        if self.changes_cursor < changes.start or self.guards_cursor < guards.start:
            self.known = self.dead = self.fit = 0
            self.heap.clear()
        elif self.changes_cursor != changes.end or self.guards_cursor != guards.end:
            unchanged = ~changes.since(self.changes_cursor)
            self.dead &= unchanged
            unchanged &= self.dead | ~guards.since(self.guards_cursor)
            self.known &= unchanged
            self.fit &= unchanged
        self.changes_cursor, self.guards_cursor = changes.end, guards.end

    def _find(self, node: NodeRecord) -> Counts | None:
        """Sort a node into dead, fit or neither; return the exact counts of its rank if nothing need be freed."""
        demand = self.demand_on(node)
        ram = demand.ram_bytes - node.ram_free
        disk = demand.disk_bytes - node.disk_free
        positions = demand.positions - node.positions_free
        if not (ram > 0 or disk > 0 or positions > 0):
            return self._push(node, demand, 0, 0, 0, NO_VICTIMS)
        idle = len(node.idle)
        ram, disk = ram - node.idle_ram, disk - node.idle_disk
        if positions > idle:
            self.dead |= node.bit
        elif not (ram > 0 or disk > 0):
            self._push(node, demand, 0, 0, max(1, positions), None)
        elif (ram > 0 and node.ram_room().hard_size < ram) or self._cannot_yield(node, ram, disk):
            self.dead |= node.bit
        elif not node.protected or self._can_yield_now(node, ram, disk):
            self._push(node, demand, 1 if disk > 0 else 0, 1 if ram > 0 else 0, idle, None)
        return None

    def _cannot_yield(self, node: NodeRecord, ram: int, disk: int) -> bool:
        """Whether the layers fall short even without this round's protections."""
        if ram > 0:
            room = node.ram_room()
            if self._falls_short(room.hard_size, room.hard_layers, self._ram_bytes, self._image_ram, ram):
                return True
        if disk > 0:
            room = node.disk_room()
            return self._falls_short(room.hard_size, room.hard_layers, self._disk_bytes, self._image_disk, disk)
        return False

    def _can_yield_now(self, node: NodeRecord, ram: int, disk: int) -> bool:
        """Whether the layers suffice under the protections of now."""
        if ram > 0:
            room = node.ram_room()
            if self._falls_short(room.size, room.layers, self._ram_bytes, self._image_ram, ram):
                return False
        if disk > 0:
            room = node.disk_room()
            return not self._falls_short(room.size, room.layers, self._disk_bytes, self._image_disk, disk)
        return True

    def _falls_short(self, size: int, layers: int, sizes: tuple[int, ...], image_size: int, missing: int) -> bool:
        """Whether ``layers`` without those of the image are smaller than what is missing.

        Only the image's layers among them are to be left out; that all of its layers might be, and that none might, are two
        bounds that spare the exact sum where either decides.
        """
        if size < missing:
            return True
        if size - image_size >= missing:
            return False
        return size - total(sizes, layers & self.image.mask) < missing

    def _push(self, node: NodeRecord, demand: Demand, disk: int, ram: int, ended: int, victims: Victims | None) -> Counts:
        self.fit |= node.bit
        heappush(self.heap, (disk, ram, ended, demand.copies, demand.loads, node.rank, node.stamp, victims))
        return disk, ram, ended, demand.copies, demand.loads

    def _exact(self, entry: Entry, node: NodeRecord) -> Entry:
        victims = self.victims(node)
        counts = (len(victims.disk_evictions), len(victims.ram_evictions), len(victims.terminations))
        return (*counts, *entry[3:7], victims)
