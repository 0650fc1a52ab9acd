"""What is still to come, by date and then by the order in which it was put there."""

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Any, TypeAlias

from gaugeblock.model import LARGEST_DATE, Event

Entry: TypeAlias = tuple[float, int, type[Event], tuple[Any, ...]]


class Agenda:
    """A heap of events to be. An event gets its sequence number only when its turn has come."""

    __slots__ = ("_heap", "_number")

    def __init__(self) -> None:
        self._heap: list[Entry] = []
        self._number = 0

    def put(self, date: float, kind: type[Event], *fields: Any) -> None:
        """Note that an event of ``kind`` with these ``fields`` comes at ``date``; past the last finite date it never comes."""
        if date <= LARGEST_DATE:
            heappush(self._heap, (date, self._number, kind, fields))
            self._number += 1

    def __iter__(self) -> Iterator[Entry]:
        """Take entry after entry, those put there meanwhile among them, until there is none."""
        while self._heap:
            yield heappop(self._heap)
