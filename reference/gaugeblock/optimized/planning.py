"""What a round does to the cluster while it plans, and how that is taken back.

The cluster itself serves as the working state. Before a round first changes a node, the node is saved; ``take_back`` restores
exactly the nodes saved, so that a round costs what it changes. Nothing observed is mutated in the end (ROUND-1): the
service takes every round back before it applies the decisions, and a single round has built the cluster for itself.

What a wait protects is only of interest to a search that asks what could be evicted on that very node. So it is put down as
*deferred*, and ``settle_guards`` protects it before anyone asks about the node; elsewhere waits cost next to nothing.

Invariants: ``saved`` holds every node changed so far in other than its protections, as it was when the round began; ``guarded``
every node on which the round protects a layer. ``deferred`` gives layers by the rank of the node, and ``deferring`` is the
set of its keys.
"""

from gaugeblock.model import PlacementPass
from gaugeblock.optimized.bitsets import members
from gaugeblock.optimized.choices import Choice
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.nodes import Memento, NodeRecord, Slot
from gaugeblock.optimized.numbering import NumberedFunction


class Planning:
    """The accounting of one round on a cluster (ACCT)."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.saved: dict[int, Memento] = {}
        self.guarded: dict[int, NodeRecord] = {}
        self.deferred: dict[int, int] = {}
        self.deferring = 0

    def _save(self, node: NodeRecord) -> None:
        if node.turn not in self.saved:
            self.saved[node.turn] = node.save()

    def protect(self, node: NodeRecord, layers: int) -> None:
        """Protect layers on a node for the rest of the round (ACCT-7)."""
        if layers & ~node.protected:
            self.guarded[node.turn] = node
            node.protected |= layers
            node.stamp += 1
            self.cluster.guards.note(node.bit)

    def protect_later(self, node: NodeRecord, layers: int) -> None:
        """Put down layers to be protected before anyone asks what could be evicted on the node (ACCT-6, ACCT-7)."""
        self.deferred[node.rank] = self.deferred.get(node.rank, 0) | layers
        self.deferring |= node.bit

    def settle_guards(self, nodes: int) -> None:
        """Protect what was put down for a set of nodes."""
        waited_for = nodes & self.deferring
        if waited_for:
            self.deferring ^= waited_for
            for rank in members(waited_for):
                self.protect(self.cluster.by_rank[rank], self.deferred.pop(rank))

    def select_for_deactivation(self, node: NodeRecord) -> None:
        """Exclude a node from the rest of the round (ROUND-3)."""
        self._save(node)
        node.leaving = True
        self.cluster.index_openness(node)
        self.cluster.note(node)

    def apply(self, choice: Choice, function: NumberedFunction) -> None:
        """Do to the working state what a plan does: free, take, protect (ACCT-1 to ACCT-5, ACCT-7)."""
        cluster, node = self.cluster, choice.node
        self._save(node)
        for container in choice.victims.terminations:
            cluster.drop_container(node, container)
        for layer in choice.victims.ram_evictions:
            cluster.drop_from_ram(node, layer)
        for layer in choice.victims.disk_evictions:
            cluster.drop_from_disk(node, layer)
        if choice.placement_pass is PlacementPass.RAM_LOAD:
            for layer in choice.layers:
                cluster.begin_load(node, layer)
        elif choice.placement_pass is PlacementPass.DISK_COPY:
            for layer in choice.layers:
                cluster.begin_copy(node, layer)
        else:
            self._run(choice, function)
        cluster.note(node)
        self.protect(node, function.image.mask)

    def _run(self, choice: Choice, function: NumberedFunction) -> None:
        """Take what an invocation needs, in a container to be reused or in a new one (ACCT-1, ACCT-2)."""
        node = choice.node
        self.cluster.take_invocation(node)
        if choice.container is None:
            self.cluster.take_private(node, function)
            node.planned = (*node.planned, function)
        else:
            self.cluster.put_container(node, _reused(node.containers[choice.container]))

    def prewarm(self, node: NodeRecord, function: NumberedFunction) -> None:
        """Account for the position of a container to be prewarmed (PREW-3)."""
        self._save(node)
        node.planned = (*node.planned, function)
        node.positions_free -= 1
        self.cluster.note(node)

    def take_back(self) -> None:
        """Make every node again what it was when the round began, with nothing planned or protected."""
        for turn, memento in self.saved.items():
            self.cluster.restore(self.cluster.nodes[turn], memento)
        for node in self.guarded.values():
            node.protected = 0
            node.stamp += 1
            self.cluster.guards.note(node.bit)


def _reused(slot: Slot) -> Slot:
    return Slot(slot.id, slot.function, slot.ready, slot.in_flight, slot.last_used, slot.room - 1, True)
