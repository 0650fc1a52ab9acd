"""The cluster as the immutable values that policies and callers see.

A view of a node is built when it is asked for and kept until the node's stamp changes, so that a policy of one's own pays for
the nodes that changed since the last call.
"""

from gaugeblock.model import (
    Container,
    ContainerStatus,
    Invocation,
    LayerName,
    Node,
    ResidentLayer,
    WorkingContainer,
    WorkingNode,
    WorkingState,
)
from gaugeblock.optimized.bitsets import members
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.nodes import NodeRecord, Slot


def container_value(slot: Slot) -> Container:
    """Return a container as observed."""
    status = ContainerStatus.READY if slot.ready else ContainerStatus.STARTING
    return Container(slot.id, slot.function.function, status, slot.in_flight, slot.last_used)


def node_value(node: NodeRecord) -> Node:
    """Return a node as observed; asked for between rounds only, when nothing is planned."""
    layers, origin = node.numbering.catalog.layers, node.origin
    return Node(
        node.name,
        node.status,
        origin.ram_bytes,
        origin.disk_bytes,
        origin.max_invocations,
        origin.max_containers,
        tuple([ResidentLayer(layers[number], node.disk_dates[number]) for number in members(node.on_disk)]),
        tuple([ResidentLayer(layers[number], node.ram_dates[number]) for number in members(node.in_ram)]),
        tuple([layers[number] for number in members(node.copying)]),
        tuple([layers[number] for number in members(node.loading)]),
        tuple([container_value(slot) for slot in node.containers.values()]),
    )


class Views:
    """The working state of one round as policies see it; to be made when the round begins."""

    def __init__(self, cluster: Cluster, now: float) -> None:
        self._cluster = cluster
        self._now = now
        self._observed = [node_value(node) for node in cluster.nodes]
        self._kept: list[tuple[int, WorkingNode] | None] = [None] * len(cluster.nodes)

    def node(self, node: NodeRecord) -> WorkingNode:
        """Return one node as it is now."""
        kept = self._kept[node.turn]
        if kept is None or kept[0] != node.stamp:
            kept = self._kept[node.turn] = (node.stamp, self._working_node(node))
        return kept[1]

    def state(self, worklist: tuple[Invocation, ...]) -> WorkingState:
        """Return the whole working state as it is now."""
        nodes = tuple([self.node(node) for node in self._cluster.nodes])
        return WorkingState(self._now, self._cluster.numbering.catalog, nodes, worklist)

    def _working_node(self, node: NodeRecord) -> WorkingNode:
        return WorkingNode(
            observed=self._observed[node.turn],
            ram_available=node.ram_free,
            disk_available=node.disk_free,
            invocations_available=node.invocations_free,
            positions_available=node.positions_free,
            resident_in_ram=self._names(node.in_ram),
            resident_on_disk=self._names(node.on_disk),
            loading=self._names(node.loading),
            copying=self._names(node.copying),
            containers=tuple([_working_container(slot) for slot in node.containers.values()]),
            protected=self._names(node.protected | node.loading | node.copying),
            planned=tuple([function.function for function in node.planned]),
            selected_for_deactivation=node.leaving,
        )

    def _names(self, layers: int) -> frozenset[LayerName]:
        names = self._cluster.numbering.layer_names
        return frozenset([names[layer] for layer in members(layers)])


def _working_container(slot: Slot) -> WorkingContainer:
    return WorkingContainer(container_value(slot), slot.room, slot.reused)
