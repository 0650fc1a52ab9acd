"""The built-in warm pool on the indexed cluster (PREW, POL)."""

from gaugeblock.model import FunctionName, Prewarm
from gaugeblock.optimized.bitsets import members
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.nodes import NodeRecord
from gaugeblock.optimized.numbering import NumberedFunction
from gaugeblock.optimized.planning import Planning


class _Left:
    """What is left on a node beside the proposals made so far: bytes of RAM and disk, positions."""

    def __init__(self, node: NodeRecord) -> None:
        self.ram = node.ram_free
        self.disk = node.disk_free
        self.positions = node.positions_free

    def has_room_for(self, function: NumberedFunction) -> bool:
        """Whether one more container fits."""
        return self.positions > 0 and self.ram >= function.ram_bytes and self.disk >= function.disk_bytes

    def take(self, function: NumberedFunction) -> None:
        """Take the room of one more container."""
        self.ram -= function.ram_bytes
        self.disk -= function.disk_bytes
        self.positions -= 1


class Pool:
    """A warm pool, with what is remembered of the last search for room.

    Invariant: for a function in ``barren``, the number is a position in the cluster's log of changes; no node that has not
    changed since has room for one more of its containers. A search that does not find room for all that is lacking has
    filled every node that holds the layers, and those that it put proposals on change by that. So the next search need only
    look at changed nodes.
    """

    def __init__(self, cluster: Cluster, wanted: dict[FunctionName, int]) -> None:
        self._cluster = cluster
        self._wanted = [(each, wanted[each.name]) for each in cluster.numbering.functions if each.name in wanted]
        self.barren: dict[int, int] = {}

    def prewarms(self, planning: Planning) -> tuple[Prewarm, ...]:
        """Propose what is lacking, function by function, each on the first node where it fits; account for it (PREW-3)."""
        proposals: list[tuple[NodeRecord, NumberedFunction]] = []
        left: dict[int, _Left] = {}
        for function, wanted in self._wanted:
            lacking = wanted - self._cluster.spare[function.number]
            if lacking > 0:
                proposals += self._place(function, lacking, left)
        for node, function in proposals:
            planning.prewarm(node, function)
        return tuple(Prewarm(node.name, function.name) for node, function in proposals)

    def _place(
        self, function: NumberedFunction, lacking: int, left: dict[int, _Left]
    ) -> list[tuple[NodeRecord, NumberedFunction]]:
        """Fill the nodes that hold the function's layers in traversal order: one that is full stays full for this function."""
        placed: list[tuple[NodeRecord, NumberedFunction]] = []
        for node in self._hosts(function):
            room = left.get(node.turn) or _Left(node)
            while room.has_room_for(function):
                room.take(function)
                left[node.turn] = room
                placed.append((node, function))
                lacking -= 1
                if not lacking > 0:
                    self.barren.pop(function.number, None)
                    return placed
        self.barren[function.number] = self._cluster.changes.end
        return placed

    def _hosts(self, function: NumberedFunction) -> list[NodeRecord]:
        """Return the nodes with all layers of the function that may have room, in traversal order."""
        cluster = self._cluster
        hosts = cluster.active
        if function.number in self.barren:
            hosts &= cluster.changes.since(self.barren[function.number])
        for layer in function.image.layers:
            hosts &= cluster.in_ram[layer]
        return sorted([cluster.by_rank[rank] for rank in members(hosts)], key=lambda node: node.turn)
