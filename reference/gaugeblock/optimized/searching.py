"""What can be done for an invocation of a function, found without looking at every node (PLACE).

An *image search* holds the five classes of open nodes for an image, each an intersection of a few sets of the cluster:

- ``ready``: every layer in RAM (hence on disk); ``awaiting_ram``: not ready, but every layer in RAM or being loaded;
- ``loadable``: every layer on disk, and some neither in RAM nor being loaded; ``awaiting_disk``: some layer not on disk, but
  every layer on disk or being copied; ``copyable``: some layer neither on disk nor being copied.

These are the nodes of passes 2 to 6 word by word, and as the classes are disjoint each node is in one of them.
Invariant: the classes are right while the cluster's ``layout`` of the image and its ``openings`` are those last seen.

A *function search* adds reuse and the ranking of cold dispatches. The outcome of a function's invocation is a function of the
cluster, its protections and, for random plan selection alone, of the invocation; the invocation's id and date only order it.
``settled`` remembers an outcome that changes nothing, a wait or none at all:

- Within a round it holds until some node changes: protections only grow, and grown protections only take alternatives away
  (fact 3 of ``reclaiming``), none of which there were; the waiting passes do not depend on protections.
- Across rounds it holds until some node changes if it is *firm*: every alternative ruled out on the way was dead, that is,
  infeasible whatever is protected. Otherwise the next round looks again, since it begins with fewer protections.
- A firm outcome outlives changes too. A node that did not change is in the class it was in, and dead if it was. So if no
  changed node is a candidate of the passes that were ruled out (cold dispatch by every settled outcome, loads by a wait for
  disk, all by none at all), they still are, and the classes alone tell the outcome: the first waiting pass with a node, or
  none.
"""

from operator import attrgetter

from gaugeblock.model import PlacementPass
from gaugeblock.optimized.bitsets import lowest, members
from gaugeblock.optimized.choices import Choice
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.nodes import NodeRecord
from gaugeblock.optimized.numbering import NumberedFunction, NumberedImage
from gaugeblock.optimized.ranking import COLD_FLOOR, COPY_FLOOR, LOAD_FLOOR, Ranking, cold_demand, copy_demand, load_demand
from gaugeblock.optimized.reclaiming import Reclaimer

_TURN = attrgetter("turn")


class ImageSearch:
    """The classes of nodes for one image, and the rankings of loads and copies."""

    def __init__(self, cluster: Cluster, image: NumberedImage, reclaimer: Reclaimer) -> None:
        numbering = cluster.numbering
        self.cluster = cluster
        self.image = image
        self.loads = Ranking(cluster, image, load_demand(image, numbering.ram_bytes), LOAD_FLOOR, reclaimer)
        self.copies = Ranking(cluster, image, copy_demand(image, numbering.disk_bytes), COPY_FLOOR, reclaimer)
        self._layout = self._openings = -1
        self._ram_wait: Choice | None = None
        self._disk_wait: Choice | None = None
        self.ready = self.awaiting_ram = self.loadable = self.awaiting_disk = self.copyable = 0

    def classify(self) -> None:
        """Bring the classes up to date."""
        cluster = self.cluster
        layout = cluster.layout[self.image.number]
        if self._layout == layout and self._openings == cluster.openings:
            return
        self._layout, self._openings = layout, cluster.openings
        self._ram_wait = self._disk_wait = None
        ready = coming = stored = arriving = cluster.open
        for layer in self.image.layers:
            ready &= cluster.in_ram[layer]
            coming &= cluster.ram_or_loading[layer]
            stored &= cluster.on_disk[layer]
            arriving &= cluster.disk_or_copying[layer]
        self.ready = ready
        self.awaiting_ram = coming & ~ready
        self.loadable = stored & ~coming
        self.awaiting_disk = arriving & ~stored
        self.copyable = cluster.open & ~arriving

    def await_ram(self) -> Choice:
        """Return the wait for RAM; some node awaits it (PLACE-3)."""
        if self._ram_wait is None:
            self._ram_wait = Choice(PlacementPass.WAIT_FOR_RAM, self._first(self.awaiting_ram))
        return self._ram_wait

    def await_disk(self) -> Choice:
        """Return the wait for disk; some node awaits it (PLACE-5)."""
        if self._disk_wait is None:
            self._disk_wait = Choice(PlacementPass.WAIT_FOR_DISK, self._first(self.awaiting_disk))
        return self._disk_wait

    def _first(self, nodes: int) -> NodeRecord:
        """Return the first in traversal order of a set of nodes that has one."""
        by_rank = self.cluster.by_rank
        return min([by_rank[rank] for rank in members(nodes)], key=_TURN)


class FunctionSearch:
    """What can be done for invocations of one function, and what is remembered of the last time that nothing could."""

    def __init__(self, cluster: Cluster, function: NumberedFunction, images: ImageSearch, reclaimer: Reclaimer) -> None:
        self.cluster = cluster
        self.function = function
        self.image = images
        self.colds = Ranking(cluster, function.image, cold_demand(function), COLD_FLOOR, reclaimer)
        self.settled: Choice | None = None
        self.settled_at = -1
        self.loads_ruled_out = False
        self.firm = False
        self.passed_over = -1

    def reuse(self) -> Choice | None:
        """Return what ``first-fit`` picks: first node in traversal order, then the smallest id (PLACE-1)."""
        cluster, function = self.cluster, self.function
        nodes = cluster.reusable[function.number] & cluster.open_by_turn
        if not nodes:
            return None
        node = cluster.nodes[lowest(nodes)]
        slot = next(slot for slot in node.containers.values() if slot.function is function and slot.ready and slot.room > 0)
        return Choice(PlacementPass.REUSE, node, slot.id)

    def is_settled(self) -> bool:
        """Whether ``settled`` is, or could be made, the outcome of now without ranking anything."""
        if not self.firm:
            return False
        cluster, image, end = self.cluster, self.image, self.cluster.changes.end
        if self.settled_at == end:
            return True
        if cluster.reusable[self.function.number] & cluster.open_by_turn:
            return False
        image.classify()
        changed = cluster.changes.since(self.settled_at)
        if changed & image.ready:
            return False
        if image.awaiting_ram:
            self.settle(image.await_ram(), firm=True)
            return True
        if not self.loads_ruled_out or changed & image.loadable:
            return False
        if image.awaiting_disk:
            self.settle(image.await_disk(), firm=True)
            return True
        if self.settled is not None or changed & image.copyable:
            return False
        self.settle(None, firm=True)
        return True

    def missing(self, placement_pass: PlacementPass, node: NodeRecord) -> tuple[int, ...]:
        """Return the layers that a load or copy transfers, in image order (PLACE-4, PLACE-6)."""
        there = node.in_ram | node.loading if placement_pass is PlacementPass.RAM_LOAD else node.on_disk | node.copying
        return tuple([layer for layer in self.function.image.layers if not there >> layer & 1])

    def settle(self, choice: Choice | None, firm: bool) -> Choice | None:
        """Remember and return an outcome that changes nothing."""
        self.settled = choice
        self.loads_ruled_out = choice is None or choice.placement_pass is PlacementPass.WAIT_FOR_DISK
        self.settled_at = self.cluster.changes.end
        self.firm = firm
        return choice
