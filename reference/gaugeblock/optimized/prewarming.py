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


def prewarms(cluster: Cluster, planning: Planning, pool: dict[FunctionName, int]) -> tuple[Prewarm, ...]:
    """Propose what the warm pool lacks, function by function, each on the first node where it fits; account for it (PREW-3)."""
    proposals: list[tuple[NodeRecord, NumberedFunction]] = []
    left: dict[int, _Left] = {}
    for function in cluster.numbering.functions:
        lacking = pool.get(function.name, 0) - cluster.spare[function.number]
        if lacking > 0:
            _propose(cluster, function, lacking, left, proposals)
    for node, function in proposals:
        planning.prewarm(node, function)
    return tuple(Prewarm(node.name, function.name) for node, function in proposals)


def _propose(
    cluster: Cluster,
    function: NumberedFunction,
    lacking: int,
    left: dict[int, _Left],
    proposals: list[tuple[NodeRecord, NumberedFunction]],
) -> None:
    """Fill the nodes that hold the function's layers in traversal order: one that is full stays full for this function."""
    hosts = cluster.active
    for layer in function.image.layers:
        hosts &= cluster.in_ram[layer]
    for node in sorted([cluster.by_rank[rank] for rank in members(hosts)], key=lambda node: node.turn):
        room = left.get(node.turn) or _Left(node)
        while lacking > 0 and room.has_room_for(function):
            room.take(function)
            left[node.turn] = room
            proposals.append((node, function))
            lacking -= 1
        if not lacking > 0:
            return
