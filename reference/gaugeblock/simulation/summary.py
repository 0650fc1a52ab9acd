"""What came of a run, in numbers. The same scenario gives the same summary, byte for byte."""

from collections.abc import Sequence
from math import ceil

import msgspec

from gaugeblock.model import OperationKind, PolicyNames, Value
from gaugeblock.simulation.meters import Meter
from gaugeblock.simulation.use import Use


class Waits(Value, frozen=True):
    """Seconds from submission to the beginning of the run: percentiles by nearest rank; all zero if nothing ran."""

    p50: float
    p95: float
    p99: float
    maximum: float
    mean: float


class RefusalCount(Value, frozen=True):
    """How often operations of a category were refused for one reason."""

    category: str
    reason: str
    count: int


class Summary(Value, frozen=True):
    """The outcome of a run. Bytes and seconds; ``warm`` and ``cold`` are dispatches to an existing and to a new container.

    ``waited`` counts those, of either sort, that the round of their own submission left pending. ``running`` and ``pending``
    are what is left at the end. ``idle_timeouts`` are containers that nobody used; ``terminations`` and evictions made room.
    """

    workload: str
    service: str
    finished: bool
    simulated_seconds: float
    events: int
    expected: int
    submitted: int
    warm: int
    cold: int
    waited: int
    completed: int
    failed: int
    running: int
    pending: int
    waits: Waits
    copies: int
    copied_bytes: int
    loads: int
    loaded_bytes: int
    terminations: int
    ram_evictions: int
    disk_evictions: int
    idle_timeouts: int
    prewarms: int
    activations: int
    deactivations: int
    refusals: tuple[RefusalCount, ...]
    peak_ram_bytes: int
    peak_disk_bytes: int
    peak_containers: int
    peak_pending: int
    peak_running: int
    peak_active_nodes: int
    capacity_ram_bytes: int
    capacity_disk_bytes: int
    shadowed_rounds: int
    diverging_rounds: int

    @property
    def refused(self) -> int:
        """How many operations were refused."""
        return sum(each.count for each in self.refusals)
