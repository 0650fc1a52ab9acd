"""RECL: making room on one node for one alternative, without effect on the working state (ACCT-8)."""

from typing import NamedTuple

from gaugeblock.model import (
    Container,
    ContainerId,
    Deficits,
    Function,
    LayerName,
    Need,
    Reclamation,
    ReclamationStep,
    ReclamationStepKind,
    ReclamationTrace,
    ResidentLayer,
    WorkingNode,
    WorkingState,
)
from gaugeblock.policies.protocols import EvictionPolicy
from gaugeblock.round.contracts import check_victims


class Reclaimed(NamedTuple):
    """What reclamation found: how it went, and what it would free, or None where it is not feasible."""

    trace: ReclamationTrace
    reclamation: Reclamation | None


def plan_reclamation(
    state: WorkingState, node: WorkingNode, need: Need, function: Function, policy: EvictionPolicy
) -> Reclaimed:
    """Look for victims on ``node`` that make room for ``need`` on behalf of ``function`` (RECL-1, RECL-2, RECL-7).

    Raises:
        PolicyContractError: when the eviction policy answers anything but distinct candidates (RECL-8).
    """
    at_first = deficits_for(need, node)
    if not is_short(at_first):
        return Reclaimed(ReclamationTrace(need, at_first, (), at_first), Reclamation())
    ended = _container_step(state, node, at_first, policy)
    kept = kept_layers(node, ended.victims)
    from_ram = _ram_step(state, node, ended.deficits, kept, function, policy)
    from_disk = _disk_step(state, node, from_ram.deficits, kept, function, policy, from_ram.victims)
    steps = ended.steps + from_ram.steps + from_disk.steps
    trace = ReclamationTrace(need, at_first, steps, from_disk.deficits)
    if is_short(from_disk.deficits):
        return Reclaimed(trace, None)
    companions = companions_in_ram(node, from_disk.victims, from_ram.victims)
    return Reclaimed(trace, Reclamation(ended.victims, from_ram.victims + companions, from_disk.victims))


def deficits_for(need: Need, node: WorkingNode) -> Deficits:
    """RECL-1: what is needed beyond what is available, never below zero."""
    return Deficits(
        max(0, need.ram_bytes - node.ram_available),
        max(0, need.disk_bytes - node.disk_available),
        max(0, need.positions - node.positions_available),
    )


def reduced(deficits: Deficits, ram: int = 0, disk: int = 0, positions: int = 0) -> Deficits:
    """Return what remains of ``deficits`` once so much more is free; never below zero."""
    return Deficits(
        max(0, deficits.ram_bytes - ram), max(0, deficits.disk_bytes - disk), max(0, deficits.positions - positions)
    )


def is_short(deficits: Deficits) -> bool:
    """RECL-7: whether anything is still missing."""
    return deficits.ram_bytes > 0 or deficits.disk_bytes > 0 or deficits.positions > 0


def idle_candidates(node: WorkingNode) -> tuple[Container, ...]:
    """RECL-4: the idle containers that this round neither ended nor chose for reuse, by ascending id."""
    return tuple(each.container for each in node.containers if each.is_idle)


def kept_layers(node: WorkingNode, ended: tuple[ContainerId, ...]) -> frozenset[LayerName]:
    """RECL-5: the layers used by containers that stay, starting and planned ones included (AMB-4)."""
    staying = [each.container.function for each in node.containers if each.container.id not in ended]
    return frozenset(layer.name for function in (*staying, *node.planned) for layer in function.image.layers)


def ram_candidates(node: WorkingNode, kept: frozenset[LayerName], function: Function) -> tuple[ResidentLayer, ...]:
    """RECL-5: layers in RAM with a RAM footprint that nothing forbids to evict, in catalogue order."""
    excluded = _excluded(node, kept, function)
    return tuple(
        resident
        for resident in node.observed.ram_layers
        if resident.layer.name in node.resident_in_ram and resident.layer.name not in excluded and resident.layer.ram_bytes > 0
    )


def disk_candidates(node: WorkingNode, kept: frozenset[LayerName], function: Function) -> tuple[ResidentLayer, ...]:
    """RECL-6: layers on disk with a disk footprint that nothing forbids to evict, in catalogue order."""
    excluded = _excluded(node, kept, function)
    return tuple(
        resident
        for resident in node.observed.disk_layers
        if resident.layer.name in node.resident_on_disk
        and resident.layer.name not in excluded
        and resident.layer.disk_bytes > 0
    )


def companions_in_ram(
    node: WorkingNode, from_disk: tuple[LayerName, ...], from_ram: tuple[LayerName, ...]
) -> tuple[LayerName, ...]:
    """RECL-6: the disk victims that leave RAM too and are not among the RAM victims already."""
    return tuple(name for name in from_disk if name in node.resident_in_ram and name not in from_ram)


class _Step(NamedTuple):
    """The outcome of one step: its record (none if the policy was not asked), the victims, the deficits left."""

    steps: tuple[ReclamationStep, ...]
    victims: tuple[LayerName, ...]
    deficits: Deficits


class _ContainerStep(NamedTuple):
    """The same for the container step, whose victims are container ids."""

    steps: tuple[ReclamationStep, ...]
    victims: tuple[ContainerId, ...]
    deficits: Deficits


def _container_step(state: WorkingState, node: WorkingNode, deficits: Deficits, policy: EvictionPolicy) -> _ContainerStep:
    """RECL-3, RECL-4: have idle containers ended; the only step that frees positions, one for each."""
    candidates = idle_candidates(node)
    if not candidates:
        return _ContainerStep((), (), deficits)
    names = tuple(container.id for container in candidates)
    victims = check_victims(policy, names, policy.containers(state, node, candidates, deficits), "RECL-4")
    step = ReclamationStep(ReclamationStepKind.CONTAINERS, deficits, names, victims)
    ended = [container.function for container in candidates if container.id in victims]
    freed_ram = sum(function.ram_bytes for function in ended)
    freed_disk = sum(function.disk_bytes for function in ended)
    return _ContainerStep((step,), victims, reduced(deficits, freed_ram, freed_disk, len(ended)))


def _ram_step(
    state: WorkingState,
    node: WorkingNode,
    deficits: Deficits,
    kept: frozenset[LayerName],
    function: Function,
    policy: EvictionPolicy,
) -> _Step:
    candidates = ram_candidates(node, kept, function) if deficits.ram_bytes > 0 else ()
    if not candidates:
        return _Step((), (), deficits)
    names = tuple(resident.layer.name for resident in candidates)
    victims = check_victims(policy, names, policy.ram_layers(state, node, candidates, deficits), "RECL-5")
    step = ReclamationStep(ReclamationStepKind.RAM_LAYERS, deficits, names, victims)
    freed = sum(resident.layer.ram_bytes for resident in candidates if resident.layer.name in victims)
    return _Step((step,), victims, reduced(deficits, ram=freed))


def _disk_step(
    state: WorkingState,
    node: WorkingNode,
    deficits: Deficits,
    kept: frozenset[LayerName],
    function: Function,
    policy: EvictionPolicy,
    from_ram: tuple[LayerName, ...],
) -> _Step:
    candidates = disk_candidates(node, kept, function) if deficits.disk_bytes > 0 else ()
    if not candidates:
        return _Step((), (), deficits)
    names = tuple(resident.layer.name for resident in candidates)
    victims = check_victims(policy, names, policy.disk_layers(state, node, candidates, deficits), "RECL-6")
    step = ReclamationStep(ReclamationStepKind.DISK_LAYERS, deficits, names, victims)
    chosen = [resident.layer for resident in candidates if resident.layer.name in victims]
    companions = companions_in_ram(node, victims, from_ram)
    freed_ram = sum(layer.ram_bytes for layer in chosen if layer.name in companions)
    freed_disk = sum(layer.disk_bytes for layer in chosen)
    return _Step((step,), victims, reduced(deficits, freed_ram, freed_disk))


def _excluded(node: WorkingNode, kept: frozenset[LayerName], function: Function) -> frozenset[LayerName]:
    """RECL-5: layers protected, required by the invocation, or used by a container that stays."""
    return node.protected | kept | {layer.name for layer in function.image.layers}
