"""What was found for one invocation: an operation on a node, or a wait there."""

from typing import NamedTuple

from gaugeblock.model import ContainerId, PlacementPass
from gaugeblock.optimized.nodes import NodeRecord


class Victims(NamedTuple):
    """What is freed on a node, in the order chosen: containers by id, layers by number (RECL)."""

    terminations: tuple[ContainerId, ...] = ()
    ram_evictions: tuple[int, ...] = ()
    disk_evictions: tuple[int, ...] = ()


NO_VICTIMS = Victims()


class Choice(NamedTuple):
    """The plan selected for an invocation. ``layers`` are those to load, to copy, or waited for, in image order."""

    placement_pass: PlacementPass
    node: NodeRecord
    container: ContainerId | None = None
    layers: tuple[int, ...] = ()
    victims: Victims = NO_VICTIMS
