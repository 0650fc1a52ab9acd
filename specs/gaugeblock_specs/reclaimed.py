"""What follows from a search for room: what remains missing after each step, and who may be a candidate in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gaugeblock.model import (
    Container,
    ContainerId,
    Deficits,
    Layer,
    LayerName,
    ReclamationStep,
    ReclamationStepKind,
    ReclamationTrace,
)
from gaugeblock_specs.context import Context
from gaugeblock_specs.derive import is_idle, less, missing, required_names, used_by
from gaugeblock_specs.subjects import Found, passes

CONTAINERS, RAM_LAYERS, DISK_LAYERS = ReclamationStepKind


@dataclass(frozen=True)
class Reclaimed:
    """How room was sought on one node for one alternative."""

    found: Found
    reclamation: ReclamationTrace
    known: dict[LayerName, Layer]

    def step(self, kind: ReclamationStepKind) -> ReclamationStep | None:
        """Return the step of that kind, if it was taken."""
        return next((step for step in self.reclamation.steps if step.kind is kind), None)

    def _victims(self, kind: ReclamationStepKind) -> tuple[ContainerId, ...] | tuple[LayerName, ...]:
        step = self.step(kind)
        return () if step is None else step.victims

    @cached_property
    def ended(self) -> tuple[ContainerId, ...]:
        """The victims of the container step."""
        return tuple(ContainerId(int(victim)) for victim in self._victims(CONTAINERS))

    @cached_property
    def leaving_ram(self) -> tuple[LayerName, ...]:
        """The victims of the RAM step."""
        return tuple(LayerName(str(victim)) for victim in self._victims(RAM_LAYERS))

    @cached_property
    def leaving_disk(self) -> tuple[LayerName, ...]:
        """The victims of the disk step."""
        return tuple(LayerName(str(victim)) for victim in self._victims(DISK_LAYERS))

    @cached_property
    def companions(self) -> tuple[LayerName, ...]:
        """The disk victims whose RAM copy goes with them, having not gone before (RECL-6)."""
        resident = self.found.node.resident_in_ram
        return tuple(layer for layer in self.leaving_disk if layer in resident and layer not in self.leaving_ram)

    @cached_property
    def at_first(self) -> Deficits:
        """What is missing before anything is freed (RECL-1)."""
        return missing(self.reclamation.need, self.found.node)

    @cached_property
    def after_containers(self) -> Deficits:
        """What remains missing once the containers are ended."""
        functions = [member.container.function for member in self.found.node.containers if member.container.id in self.ended]
        return less(
            self.at_first,
            ram_bytes=sum(function.ram_bytes for function in functions),
            disk_bytes=sum(function.disk_bytes for function in functions),
            positions=len(functions),
        )

    @cached_property
    def after_ram(self) -> Deficits:
        """What remains missing once the RAM victims are gone as well."""
        return less(self.after_containers, ram_bytes=sum(self.known[layer].ram_bytes for layer in self.leaving_ram))

    @cached_property
    def after_disk(self) -> Deficits:
        """What remains missing once the disk victims and their RAM copies are gone as well."""
        return less(
            self.after_ram,
            ram_bytes=sum(self.known[layer].ram_bytes for layer in self.companions),
            disk_bytes=sum(self.known[layer].disk_bytes for layer in self.leaving_disk),
        )

    @cached_property
    def idle(self) -> tuple[ContainerId, ...]:
        """The containers that may be ended: idle, and not chosen for reuse (RECL-4)."""
        members = self.found.node.containers
        return tuple(member.container.id for member in members if is_idle(member.container) and not member.chosen_for_reuse)

    @cached_property
    def held(self) -> frozenset[LayerName]:
        """The layers that somebody holds on to: protected, required here, or used by a container that is kept (RECL-5)."""
        node = self.found.node
        return node.protected | required_names(self.found.function) | used_by(self._kept())

    def _kept(self) -> Iterator[Container]:
        return (member.container for member in self.found.node.containers if member.container.id not in self.ended)

    @cached_property
    def ram_candidates(self) -> tuple[LayerName, ...]:
        """The layers that may leave RAM, in creation order (RECL-5)."""
        node = self.found.node
        layers = (resident.layer for resident in node.observed.ram_layers if resident.layer.name in node.resident_in_ram)
        return tuple(layer.name for layer in layers if layer.name not in self.held and layer.ram_bytes > 0)

    @cached_property
    def disk_candidates(self) -> tuple[LayerName, ...]:
        """The layers that may leave the disk, in creation order (RECL-6)."""
        node = self.found.node
        layers = (resident.layer for resident in node.observed.disk_layers if resident.layer.name in node.resident_on_disk)
        return tuple(layer.name for layer in layers if layer.name not in self.held and layer.disk_bytes > 0)


def reclamations(context: Context) -> tuple[Reclaimed, ...]:
    """Return every search for room."""
    return context.once(_reclamations)


def _reclamations(context: Context) -> tuple[Reclaimed, ...]:
    return tuple(
        Reclaimed(found, found.finding.reclamation, context.layers)
        for tried in passes(context)
        for found in tried.found
        if found.finding.reclamation is not None
    )
