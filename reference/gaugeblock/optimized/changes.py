"""The log of changes: what lets a search pay only for what happened since it last looked.

A reader keeps a cursor and asks ``since(cursor)`` for the set of nodes noted from there on. Entries are grouped in blocks with
the union of each, so that an answer costs one step for ``BLOCK`` entries.

Invariants: ``blocks[k]`` is the union of ``entries[k * BLOCK : (k + 1) * BLOCK]`` for every full block; ``end - start`` is the
number of entries kept. When the log grows past ``LONGEST`` it is emptied; a cursor from before that is answered with ``ALL``,
which is always a safe answer: a reader that forgets too much only works more.
"""

BLOCK = 32
LONGEST = 8192
ALL = -1
"""The set of all nodes, whatever their number."""


class ChangeLog:
    """A log of sets of nodes, with the position ``end`` of the next entry."""

    __slots__ = ("_answer", "_asked", "blocks", "end", "entries", "start")

    def __init__(self) -> None:
        self.entries: list[int] = []
        self.blocks: list[int] = []
        self.start = 0
        self.end = 0
        self._asked = (0, 0)
        self._answer = 0

    def note(self, nodes: int) -> None:
        """Append a set of nodes."""
        entries = self.entries
        entries.append(nodes)
        self.end += 1
        if len(entries) % BLOCK == 0:
            self.blocks.append(_union(entries[-BLOCK:]))
            if len(entries) >= LONGEST:
                self._forget()

    def since(self, cursor: int) -> int:
        """Return the union of all entries from ``cursor`` on, or ``ALL`` where they are no longer kept.

        The last answer is kept, since many readers stand at the same place.
        """
        if self._asked != (cursor, self.end):
            self._answer = self._union_from(cursor)
            self._asked = (cursor, self.end)
        return self._answer

    def _union_from(self, cursor: int) -> int:
        if cursor < self.start:
            return ALL
        first = cursor - self.start
        whole = first // BLOCK + 1
        complete = len(self.entries) // BLOCK
        if whole >= complete:
            return _union(self.entries[first:])
        middle = _union(self.blocks[whole:complete])
        return _union(self.entries[first : whole * BLOCK]) | middle | _union(self.entries[complete * BLOCK :])

    def _forget(self) -> None:
        self.entries.clear()
        self.blocks.clear()
        self.start = self.end


def _union(sets: list[int]) -> int:
    union = 0
    for each in sets:
        union |= each
    return union
