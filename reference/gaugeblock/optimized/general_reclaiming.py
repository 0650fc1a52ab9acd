"""Making room on one node by an eviction policy of one's own (RECL): three steps, each checked, deficits recomputed."""

from collections.abc import Sequence

from gaugeblock.model import ContainerId, Deficits, LayerName, ResidentLayer, WorkingNode, WorkingState
from gaugeblock.optimized import contracts
from gaugeblock.optimized.bitsets import members, total
from gaugeblock.optimized.choices import Victims
from gaugeblock.optimized.nodes import NodeRecord
from gaugeblock.optimized.views import container_value
from gaugeblock.policies.protocols import EvictionPolicy


def make_room(
    policy: EvictionPolicy, state: WorkingState, view: WorkingNode, node: NodeRecord, deficits: Deficits, required: int
) -> Victims | None:
    """Return what is freed on ``node`` for ``deficits``, at least one of which is positive, or None if that falls short."""
    making = _Making(policy, state, view, node, deficits)
    ended = making.end_containers()
    kept = 0
    for slot in node.containers.values():
        if slot.id not in ended:
            kept |= slot.function.image.mask
    spared = kept | required | node.protected | node.loading | node.copying
    from_ram: tuple[int, ...] = ()
    from_disk: tuple[int, ...] = ()
    if making.ram > 0:
        from_ram = making.evict_from_ram(spared)
    if making.disk > 0:
        from_disk = making.evict_from_disk(spared)
        companions = tuple([layer for layer in from_disk if node.in_ram >> layer & 1 and layer not in from_ram])
        making.ram -= sum([node.numbering.ram_bytes[layer] for layer in companions])
        from_ram += companions
    if making.ram > 0 or making.disk > 0 or making.positions > 0:
        return None
    return Victims(ended, from_ram, from_disk)


class _Making:
    """The deficits that remain (bytes of RAM and disk, positions; no longer missing where not positive), step by step."""

    def __init__(
        self, policy: EvictionPolicy, state: WorkingState, view: WorkingNode, node: NodeRecord, deficits: Deficits
    ) -> None:
        self._policy, self._state, self._view, self._node = policy, state, view, node
        self.ram, self.disk, self.positions = deficits.ram_bytes, deficits.disk_bytes, deficits.positions

    def _deficits(self) -> Deficits:
        return Deficits(max(0, self.ram), max(0, self.disk), max(0, self.positions))

    def end_containers(self) -> tuple[ContainerId, ...]:
        """Ask for idle containers to end (RECL-4)."""
        idle = {slot.id: slot for slot in self._node.idle}
        if not idle:
            return ()
        candidates = tuple([container_value(slot) for slot in idle.values()])
        ended = self._policy.containers(self._state, self._view, candidates, self._deficits())
        self._require(ended, idle)
        for container in ended:
            self.ram -= idle[container].function.ram_bytes
            self.disk -= idle[container].function.disk_bytes
            self.positions -= 1
        return ended

    def evict_from_ram(self, spared: int) -> tuple[int, ...]:
        """Ask for layers to evict from RAM (RECL-5)."""
        node, numbering = self._node, self._node.numbering
        candidates = self._residents(node.in_ram & numbering.weighty_in_ram & ~spared, node.ram_dates)
        if not candidates:
            return ()
        names = self._policy.ram_layers(self._state, self._view, candidates, self._deficits())
        self._require(names, [candidate.layer.name for candidate in candidates])
        evicted = tuple([numbering.layer_number[name] for name in names])
        self.ram -= total(numbering.ram_bytes, numbering.as_set(evicted))
        return evicted

    def evict_from_disk(self, spared: int) -> tuple[int, ...]:
        """Ask for layers to evict from disk (RECL-6)."""
        node, numbering = self._node, self._node.numbering
        candidates = self._residents(node.on_disk & numbering.weighty_on_disk & ~spared, node.disk_dates)
        if not candidates:
            return ()
        names = self._policy.disk_layers(self._state, self._view, candidates, self._deficits())
        self._require(names, [candidate.layer.name for candidate in candidates])
        evicted = tuple([numbering.layer_number[name] for name in names])
        self.disk -= total(numbering.disk_bytes, numbering.as_set(evicted))
        return evicted

    def _residents(self, layers: int, dates: dict[int, float]) -> tuple[ResidentLayer, ...]:
        catalog = self._node.numbering.catalog.layers
        return tuple([ResidentLayer(catalog[layer], dates[layer]) for layer in members(layers)])

    def _require(self, victims: Sequence[ContainerId] | Sequence[LayerName], given: object) -> None:
        contracts.require_tuple(self._policy, "RECL-8", victims)
        contracts.require_members(self._policy, "RECL-8", victims, given)  # type: ignore[arg-type]
