"""All nodes, and the indexes over them that tell where a layer, a container or free capacity is without looking at each node.

Invariants (``checks.check_cluster`` recomputes them all); sets of nodes are by rank of name unless "by turn" is said:

- ``in_ram[l]``, ``on_disk[l]``: the nodes where layer ``l`` is resident. ``ram_or_loading[l]``, ``disk_or_copying[l]``: those
  and the nodes where it is in progress.
- ``open`` and ``open_by_turn``: the nodes that invocations may go to (``NodeRecord.is_open``).
- ``active``: the activated nodes that stay in this round.
- ``reusable[f]``, by turn: the nodes with a ready container of function ``f`` that has room.
- ``spare[f]``: how many containers of ``f`` a warm pool counts, over all nodes.
- ``layout[i]`` is another number after every change of a set of a layer of image ``i``, ``openings`` after every change of
  ``open``.
- ``changes`` has an entry for every change of what a node holds, may hold, or has free; ``guards`` one for every change of what
  is protected on a node. A node's stamp is new after each.

The mutations below are the only places where a quantity is added or taken. Each keeps the indexes right; whoever makes one
or several of them on a node then calls ``note`` once.
"""

from gaugeblock.model import Catalog, ContainerId, Node, NodeName, NodeStatus
from gaugeblock.optimized.bitsets import members, transposed
from gaugeblock.optimized.changes import ChangeLog
from gaugeblock.optimized.nodes import Memento, NodeRecord, Slot
from gaugeblock.optimized.numbering import NumberedFunction, Numbering


class Cluster:
    """The nodes of one service or of one round, mutable, with their indexes."""

    def __init__(self, catalog: Catalog, nodes: tuple[Node, ...]) -> None:
        self.numbering = Numbering(catalog)
        ranks = {name: rank for rank, name in enumerate(sorted(node.name for node in nodes))}
        self.nodes = [NodeRecord(node, turn, ranks[node.name], self.numbering) for turn, node in enumerate(nodes)]
        self.by_rank = sorted(self.nodes, key=lambda node: node.rank)
        self.named: dict[NodeName, NodeRecord] = {node.name: node for node in self.nodes}
        self.changes = ChangeLog()
        self.guards = ChangeLog()
        self.layout = [0] * len(self.numbering.images)
        self.openings = 0
        self._index_layers()
        self.open = self.open_by_turn = self.active = 0
        self.reusable = [0] * len(self.numbering.functions)
        self.spare = [0] * len(self.numbering.functions)
        for node in self.nodes:
            self.index_openness(node)
            for slot in node.containers.values():
                self.spare[slot.function.number] += slot.is_spare
                if slot.ready and slot.room > 0:
                    self.reusable[slot.function.number] |= node.turn_bit

    def _index_layers(self) -> None:
        width = len(self.numbering.layer_names)
        self.in_ram = transposed([node.in_ram for node in self.by_rank], width)
        self.on_disk = transposed([node.on_disk for node in self.by_rank], width)
        self.ram_or_loading, self.disk_or_copying = list(self.in_ram), list(self.on_disk)
        for node in self.nodes:
            for layer in members(node.loading):
                self.ram_or_loading[layer] |= node.bit
            for layer in members(node.copying):
                self.disk_or_copying[layer] |= node.bit

    def index_openness(self, node: NodeRecord) -> None:
        """Bring the sets of open and active nodes up to date with one node."""
        if node.status is NodeStatus.ACTIVATED and not node.leaving:
            self.active |= node.bit
        else:
            self.active &= ~node.bit
        if bool(node.is_open) == bool(self.open & node.bit):
            return
        self.openings += 1
        self.open ^= node.bit
        self.open_by_turn ^= node.turn_bit

    def note(self, node: NodeRecord) -> None:
        """Tell every search that the node is no longer as it was."""
        node.stamp += 1
        self.changes.note(node.bit)

    def restore(self, node: NodeRecord, memento: Memento) -> None:
        """Make a node and what is indexed of it again as when ``memento`` was saved."""
        for slot in node.containers.values():
            self.spare[slot.function.number] -= slot.is_spare
        planned = tuple(node.containers.values())
        layers = node.in_ram ^ memento.in_ram | node.on_disk ^ memento.on_disk
        layers |= node.loading ^ memento.loading | node.copying ^ memento.copying
        node.restore(memento)
        for layer in members(layers):
            self._index_layer(node, layer)
        for slot in node.containers.values():
            self.spare[slot.function.number] += slot.is_spare
        for function in {slot.function.number: slot.function for slot in (*planned, *node.containers.values())}.values():
            self._index_function(node, function)
        self.index_openness(node)
        self.note(node)

    # Layers.

    def drop_from_ram(self, node: NodeRecord, layer: int) -> None:
        """Evict a layer from RAM: its footprint is free, and it is no longer resident there (ACCT-4)."""
        self._shift(layer)
        node.in_ram &= ~(1 << layer)
        node.ram_free += self.numbering.ram_bytes[layer]
        self.in_ram[layer] &= ~node.bit
        self.ram_or_loading[layer] &= ~node.bit

    def drop_from_disk(self, node: NodeRecord, layer: int) -> None:
        """Evict a layer from disk, where it is neither in RAM nor being loaded: its footprint is free (ACCT-4)."""
        self._shift(layer)
        node.on_disk &= ~(1 << layer)
        node.disk_free += self.numbering.disk_bytes[layer]
        self.on_disk[layer] &= ~node.bit
        self.disk_or_copying[layer] &= ~node.bit

    def begin_load(self, node: NodeRecord, layer: int) -> None:
        """Reserve RAM for a layer that is now being loaded (ACCT-5)."""
        self._shift(layer)
        node.loading |= 1 << layer
        node.ram_free -= self.numbering.ram_bytes[layer]
        self.ram_or_loading[layer] |= node.bit

    def begin_copy(self, node: NodeRecord, layer: int) -> None:
        """Reserve disk for a layer that is now being copied (ACCT-5)."""
        self._shift(layer)
        node.copying |= 1 << layer
        node.disk_free -= self.numbering.disk_bytes[layer]
        self.disk_or_copying[layer] |= node.bit

    def end_load(self, node: NodeRecord, layer: int, date: float | None) -> None:
        """End a load: the layer is resident since ``date``, or, where that is None, its space is free again (SERV-0)."""
        self._shift(layer)
        node.loading &= ~(1 << layer)
        if date is None:
            node.ram_free += self.numbering.ram_bytes[layer]
            self.ram_or_loading[layer] &= ~node.bit
        else:
            node.in_ram |= 1 << layer
            node.ram_dates[layer] = date
            self.in_ram[layer] |= node.bit

    def end_copy(self, node: NodeRecord, layer: int, date: float | None) -> None:
        """End a copy: the layer is resident since ``date``, or, where that is None, its space is free again (SERV-0)."""
        self._shift(layer)
        node.copying &= ~(1 << layer)
        if date is None:
            node.disk_free += self.numbering.disk_bytes[layer]
            self.disk_or_copying[layer] &= ~node.bit
        else:
            node.on_disk |= 1 << layer
            node.disk_dates[layer] = date
            self.on_disk[layer] |= node.bit

    def _shift(self, layer: int) -> None:
        for image in self.numbering.images_with[layer]:
            self.layout[image] += 1

    def _index_layer(self, node: NodeRecord, layer: int) -> None:
        self._shift(layer)
        here = 1 << layer
        in_ram, on_disk = node.in_ram & here, node.on_disk & here
        for index, member in (
            (self.in_ram, in_ram),
            (self.on_disk, on_disk),
            (self.ram_or_loading, in_ram | node.loading & here),
            (self.disk_or_copying, on_disk | node.copying & here),
        ):
            index[layer] = index[layer] | node.bit if member else index[layer] & ~node.bit

    # Containers.

    def add_container(self, node: NodeRecord, slot: Slot) -> None:
        """Put a new container on a node; its room is taken by ``take_private`` and ``take_invocation``."""
        node.containers[slot.id] = slot
        self.spare[slot.function.number] += slot.is_spare
        node.survey_containers()

    def put_container(self, node: NodeRecord, slot: Slot) -> None:
        """Put a container on a node in the place of its former self."""
        self.spare[slot.function.number] += slot.is_spare - node.containers[slot.id].is_spare
        node.containers[slot.id] = slot
        node.survey_containers()
        self._index_function(node, slot.function)

    def drop_container(self, node: NodeRecord, container: ContainerId) -> Slot:
        """End a container: its private RAM and disk and its position are free (ACCT-3)."""
        slot = node.containers.pop(container)
        self.spare[slot.function.number] -= slot.is_spare
        node.ram_free += slot.function.ram_bytes
        node.disk_free += slot.function.disk_bytes
        node.positions_free += 1
        node.survey_containers()
        self._index_function(node, slot.function)
        return slot

    def take_private(self, node: NodeRecord, function: NumberedFunction) -> None:
        """Take the private RAM and disk and the position of one more container (ACCT-2)."""
        node.ram_free -= function.ram_bytes
        node.disk_free -= function.disk_bytes
        node.positions_free -= 1

    def take_invocation(self, node: NodeRecord) -> None:
        """Take one invocation's capacity (ACCT-1, ACCT-2)."""
        node.invocations_free -= 1
        if node.invocations_free <= 0:
            self.index_openness(node)

    def give_invocation(self, node: NodeRecord) -> None:
        """Give one invocation's capacity back (SERV-0)."""
        node.invocations_free += 1
        self.index_openness(node)

    def set_status(self, node: NodeRecord, status: NodeStatus) -> None:
        """Change a node's status."""
        node.status = status
        self.index_openness(node)

    def _index_function(self, node: NodeRecord, function: NumberedFunction) -> None:
        for slot in node.containers.values():
            if slot.function is function and slot.ready and slot.room > 0:
                self.reusable[function.number] |= node.turn_bit
                return
        self.reusable[function.number] &= ~node.turn_bit
