"""Plans: what one invocation could make a node do. A plan is a value; accounting applies it."""

from enum import Enum

from gaugeblock.model.names import ContainerId, InvocationId, LayerName, NodeName
from gaugeblock.model.value import Value


class PlacementPass(Enum):
    """The six passes, in the order in which they are tried (PLACE-1 to PLACE-6). The value is the clause number."""

    REUSE = 1
    COLD_DISPATCH = 2
    WAIT_FOR_RAM = 3
    RAM_LOAD = 4
    WAIT_FOR_DISK = 5
    DISK_COPY = 6

    @property
    def clause(self) -> str:
        """The identifier of the pass's clause, such as ``PLACE-2``."""
        return f"PLACE-{self.value}"


class Need(Value, frozen=True):
    """What an operation needs on a node: bytes of RAM, bytes of disk, container positions."""

    ram_bytes: int = 0
    disk_bytes: int = 0
    positions: int = 0


class Deficits(Value, frozen=True):
    """What is still missing on a node, never negative: bytes of RAM, bytes of disk, container positions (RECL-1)."""

    ram_bytes: int
    disk_bytes: int
    positions: int


class Reclamation(Value, frozen=True):
    """What a plan frees on its node, each list in the order chosen.

    ``ram_evictions`` holds the victims of the RAM step and then the RAM copies that go with ``disk_evictions`` (RECL-6).
    """

    terminations: tuple[ContainerId, ...] = ()
    ram_evictions: tuple[LayerName, ...] = ()
    disk_evictions: tuple[LayerName, ...] = ()


class Plan(Value, frozen=True):
    """An outcome that the invocation could have on ``node`` in one pass.

    ``container`` is set in the reuse pass only. ``layers`` are those to load or copy (PLACE-4, PLACE-6), or those waited
    for (PLACE-3, PLACE-5), in image order; no other pass has any.
    """

    placement_pass: PlacementPass
    invocation: InvocationId
    node: NodeName
    container: ContainerId | None = None
    layers: tuple[LayerName, ...] = ()
    reclamation: Reclamation = Reclamation()
