"""What came of a run, in numbers. The same scenario gives the same summary, byte for byte."""

from collections.abc import Sequence
from math import ceil

from gaugeblock.model import Value
from gaugeblock.simulation.meters import Meter


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


def waits_of(seconds: Sequence[float]) -> Waits:
    """Return the percentiles of waiting times."""
    if not seconds:
        return Waits(0.0, 0.0, 0.0, 0.0, 0.0)
    ordered = sorted(seconds)
    p50, p95, p99 = (ordered[ceil(len(ordered) * percent / 100) - 1] for percent in (50, 95, 99))
    return Waits(p50, p95, p99, ordered[-1], sum(ordered) / len(ordered))


def counted(meter: Meter) -> dict[str, object]:
    """Return the fields of a summary that a meter fills."""
    counts, peak = meter.counts, meter.peak
    return {
        "submitted": counts["submitted"],
        "warm": counts["warm"],
        "cold": counts["cold"],
        "waited": counts["waited"],
        "completed": counts["finished"],
        "failed": counts["failures"],
        "running": meter.now.running,
        "pending": meter.now.pending,
        "waits": waits_of(meter.waits),
        "copies": counts["copies"],
        "copied_bytes": counts["copied_bytes"],
        "loads": counts["loads"],
        "loaded_bytes": counts["loaded_bytes"],
        "terminations": counts["terminations"],
        "ram_evictions": counts["ram_evictions"],
        "disk_evictions": counts["disk_evictions"],
        "idle_timeouts": counts["idle_timeouts"],
        "prewarms": counts["prewarms"],
        "activations": counts["activations"],
        "deactivations": counts["deactivations"],
        "refusals": tuple(
            RefusalCount(kind.value, reason.value, count)
            for (kind, reason), count in sorted(meter.refusals.items(), key=lambda each: (each[0][0].value, each[0][1].value))
        ),
        "peak_ram_bytes": peak.ram_bytes,
        "peak_disk_bytes": peak.disk_bytes,
        "peak_containers": peak.containers,
        "peak_pending": peak.pending,
        "peak_running": peak.running,
        "peak_active_nodes": peak.active_nodes,
    }
