"""What each pass could do in a working state, as one formula: PLACE again, by search over all victims instead of a policy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gaugeblock.model import (
    ContainerStatus,
    Function,
    Invocation,
    Layer,
    LayerName,
    NodeStatus,
    PlacementPass,
    WorkingContainer,
    WorkingNode,
    WorkingState,
)
from gaugeblock_proofs.engine import Condition, all_of, any_of
from gaugeblock_proofs.reclaiming import subsets


class Amounts(NamedTuple):
    """Bytes of RAM, bytes of disk, container positions."""

    ram_bytes: int = 0
    disk_bytes: int = 0
    positions: int = 0


NOTHING = Amounts()


def possible(state: WorkingState, invocation: Invocation, placement_pass: PlacementPass) -> Condition:
    """Return whether the pass could select some node for the invocation, without forking (PLACE-1 to PLACE-6)."""
    on_nodes = (
        all_of(is_eligible(node), _possible_on(state, node, invocation.function, placement_pass)) for node in state.nodes
    )
    return any_of(*on_nodes)


def is_eligible(node: WorkingNode) -> Condition:
    """Return whether the node takes work and has invocation capacity left."""
    takes_work = node.observed.status is NodeStatus.ACTIVATED and not node.selected_for_deactivation
    return all_of(takes_work, node.invocations_available > 0)


def _possible_on(state: WorkingState, node: WorkingNode, function: Function, placement_pass: PlacementPass) -> Condition:
    """Return what the pass asks of one node. Where layers are is known on a path, so only room is left open."""
    layers = function.image.layers
    not_in_ram = [each for each in layers if each.name not in node.resident_in_ram]
    not_on_disk = [each for each in layers if each.name not in node.resident_on_disk]
    to_load = [each for each in not_in_ram if each.name not in node.loading]
    to_copy = [each for each in not_on_disk if each.name not in node.copying]
    if placement_pass is PlacementPass.REUSE:
        return any_of(
            *(each.invocations_available > 0 for each in _ready(node) if each.container.function.name == function.name)
        )
    if placement_pass is PlacementPass.COLD_DISPATCH:
        need = Amounts(function.ram_bytes, function.disk_bytes, 1)
        return False if not_in_ram or not_on_disk else can_make_room(state, node, need, function)
    if placement_pass is PlacementPass.WAIT_FOR_RAM:
        return bool(not_in_ram) and not to_load
    if placement_pass is PlacementPass.RAM_LOAD:
        need = Amounts(ram_bytes=sum(each.ram_bytes for each in to_load))
        return False if not_on_disk or not to_load else can_make_room(state, node, need, function)
    if placement_pass is PlacementPass.WAIT_FOR_DISK:
        return bool(not_on_disk) and not to_copy
    need = Amounts(disk_bytes=sum(each.disk_bytes for each in to_copy))
    return False if not to_copy else can_make_room(state, node, need, function)


def can_make_room(state: WorkingState, node: WorkingNode, need: Amounts, function: Function) -> Condition:
    """Return whether some set of victims that RECL allows frees enough on the node."""
    ready = [each for each in _ready(node) if not each.chosen_for_reuse]
    return any_of(
        *(
            all_of(fits(node, need, freed), *(each.container.in_flight == 0 for each in ended))
            for ended in subsets(ready)
            for freed in _yields(state, node, ended, function)
        )
    )


def fits(node: WorkingNode, need: Amounts, freed: Amounts = NOTHING) -> Condition:
    """Return whether what is needed fits on the node once so much is freed, without forking."""
    return all_of(
        need.ram_bytes <= node.ram_available + freed.ram_bytes,
        need.disk_bytes <= node.disk_available + freed.disk_bytes,
        need.positions <= node.positions_available + freed.positions,
    )


def _yields(
    state: WorkingState, node: WorkingNode, ended: tuple[WorkingContainer, ...], function: Function
) -> Iterator[Amounts]:
    """Yield what each set of evictions frees besides these containers; a disk victim in RAM leaves RAM as well (RECL-6)."""
    staying = [each.container.function for each in node.containers if each not in ended]
    spared = _names(staying) | _names([*node.planned, function]) | node.protected
    victims = [each for each in state.catalog.layers if each.name not in spared and each.name in node.resident_on_disk]
    private = [each.container.function for each in ended]
    for from_disk in subsets(victims):
        companions = [each for each in from_disk if each.name in node.resident_in_ram]
        others = [each for each in victims if each.name in node.resident_in_ram and each not in companions]
        for from_ram in subsets(others):
            layers: list[Layer] = [*companions, *from_ram]
            yield Amounts(
                sum(each.ram_bytes for each in private) + sum(each.ram_bytes for each in layers),
                sum(each.disk_bytes for each in private) + sum(each.disk_bytes for each in from_disk),
                len(ended),
            )


def _ready(node: WorkingNode) -> list[WorkingContainer]:
    return [each for each in node.containers if each.container.status is ContainerStatus.READY]


def _names(functions: Iterable[Function]) -> frozenset[LayerName]:
    return frozenset(layer.name for function in functions for layer in function.image.layers)
