"""Eviction: ``fewest`` (the default) and ``lru`` (POL).

Both see victims of all three steps as entries that say what each would free. Candidates come in creation order, and sorting
is stable, so ties fall to the one created first.
"""

from typing import ClassVar, Generic, TypeVar

from gaugeblock.model import (
    Container,
    ContainerId,
    Deficits,
    LayerName,
    PolicyKind,
    ResidentLayer,
    Value,
    WorkingNode,
    WorkingState,
)
from gaugeblock.policies.builtin.base import BuiltinPolicy

Identifier = TypeVar("Identifier", ContainerId, LayerName)


class Entry(Value, Generic[Identifier], frozen=True):
    """A candidate: what it frees in the resource at hand (bytes, bytes, positions) and its last access (seconds)."""

    identifier: Identifier
    ram_bytes: int
    disk_bytes: int
    positions: int
    last_access: float


def container_entries(candidates: tuple[Container, ...]) -> list[Entry[ContainerId]]:
    """Return entries of containers: all three deficits count, and each frees one position (AMB-5)."""
    return [Entry(each.id, each.function.ram_bytes, each.function.disk_bytes, 1, each.last_used) for each in candidates]


def ram_entries(candidates: tuple[ResidentLayer, ...]) -> list[Entry[LayerName]]:
    """Return entries of layers in RAM: only RAM counts."""
    return [Entry(each.layer.name, each.layer.ram_bytes, 0, 0, each.last_access) for each in candidates]


def disk_entries(candidates: tuple[ResidentLayer, ...]) -> list[Entry[LayerName]]:
    """Return entries of layers on disk: only disk counts."""
    return [Entry(each.layer.name, 0, each.layer.disk_bytes, 0, each.last_access) for each in candidates]


def remains(deficits: Deficits) -> bool:
    """Whether any deficit is above zero."""
    return deficits.ram_bytes > 0 or deficits.disk_bytes > 0 or deficits.positions > 0


def after_freeing(deficits: Deficits, entry: Entry[Identifier]) -> Deficits:
    """Return what remains of the deficits once ``entry`` is gone."""
    return Deficits(
        max(0, deficits.ram_bytes - entry.ram_bytes),
        max(0, deficits.disk_bytes - entry.disk_bytes),
        max(0, deficits.positions - entry.positions),
    )


def fewest(entries: list[Entry[Identifier]], deficits: Deficits) -> tuple[Identifier, ...]:
    """POL-fewest: again and again the smallest entry that alone covers what remains, else the largest.

    "Small" is by RAM if a RAM deficit remains at the call, else by disk, and that is not chosen anew for later picks.
    """
    by_ram = deficits.ram_bytes > 0
    left = sorted(entries, key=lambda entry: entry.ram_bytes if by_ram else entry.disk_bytes)
    victims: list[Identifier] = []
    while left and remains(deficits):
        covering = (place for place, entry in enumerate(left) if not remains(after_freeing(deficits, entry)))
        taken = left.pop(next(covering, len(left) - 1))
        victims.append(taken.identifier)
        deficits = after_freeing(deficits, taken)
    return tuple(victims)


def least_recently_used(entries: list[Entry[Identifier]], deficits: Deficits) -> tuple[Identifier, ...]:
    """POL-lru: the oldest first, until nothing remains, whatever each of them frees."""
    victims: list[Identifier] = []
    for entry in sorted(entries, key=lambda entry: entry.last_access):
        if not remains(deficits):
            break
        victims.append(entry.identifier)
        deficits = after_freeing(deficits, entry)
    return tuple(victims)


class EntryEviction(BuiltinPolicy, frozen=True):
    """What both policies share: each step's candidates as entries, and the deficits that count in that step."""

    kind: ClassVar[PolicyKind] = PolicyKind.EVICTION

    def victims(self, entries: list[Entry[Identifier]], deficits: Deficits) -> tuple[Identifier, ...]:
        """Return the identifiers of the chosen entries in the order of choice."""
        raise NotImplementedError

    def containers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[Container, ...], deficits: Deficits
    ) -> tuple[ContainerId, ...]:
        """Return the containers to end; all three deficits count."""
        return self.victims(container_entries(candidates), deficits)

    def ram_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        """Return the layers to evict from RAM, for the RAM deficit alone."""
        return self.victims(ram_entries(candidates), Deficits(deficits.ram_bytes, 0, 0))

    def disk_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        """Return the layers to evict from disk, for the disk deficit alone."""
        return self.victims(disk_entries(candidates), Deficits(0, deficits.disk_bytes, 0))


class Fewest(EntryEviction, frozen=True):
    """POL-fewest: few and small victims, one resource at a time."""

    name: ClassVar[str] = "fewest"

    def victims(self, entries: list[Entry[Identifier]], deficits: Deficits) -> tuple[Identifier, ...]:
        """Return the victims of :func:`fewest`."""
        return fewest(entries, deficits)


class LeastRecentlyUsed(EntryEviction, frozen=True):
    """POL-lru: the victims unused for longest."""

    name: ClassVar[str] = "lru"

    def victims(self, entries: list[Entry[Identifier]], deficits: Deficits) -> tuple[Identifier, ...]:
        """Return the victims of :func:`least_recently_used`."""
        return least_recently_used(entries, deficits)
