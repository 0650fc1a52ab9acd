"""Use over time, in buckets of equal width: the peak of each level and the number of cold starts.

A run's length is not known beforehand. The width starts small, and doubles whenever the buckets would become too many.
"""

from typing import Final

from gaugeblock.simulation.use import Use

FIRST_WIDTH: Final = 0.125
MOST_BUCKETS: Final = 720


class Timeline:
    """The buckets from date 0 on, each ``width`` seconds; dates are recorded in ascending order."""

    def __init__(self, start: Use) -> None:
        self.width = FIRST_WIDTH
        self.peaks = [start.copy()]
        self.cold_starts = [0]
        self._latest = start.copy()
        self._cold_so_far = 0

    def record(self, date: float, use: Use, cold_so_far: int) -> None:
        """Take in the use from ``date`` on, and how many cold starts there were up to it."""
        index = self._bucket(date)
        while len(self.peaks) <= index:
            self.peaks.append(self._latest.copy())
            self.cold_starts.append(0)
        self.peaks[index].rise_to(use)
        self.cold_starts[index] += cold_so_far - self._cold_so_far
        self._cold_so_far = cold_so_far
        self._latest = use.copy()

    @property
    def seconds(self) -> float:
        """The date at which the last bucket ends."""
        return len(self.peaks) * self.width

    def widen_to(self, width: float) -> None:
        """Double the width until it is at least ``width``, so that timelines can be shown side by side."""
        while self.width < width:
            self._halve()

    def _bucket(self, date: float) -> int:
        while date >= MOST_BUCKETS * self.width:
            self._halve()
        return int(date / self.width)

    def _halve(self) -> None:
        for first, second in zip(self.peaks[::2], self.peaks[1::2], strict=False):
            first.rise_to(second)
        self.peaks = self.peaks[::2]
        self.cold_starts = [sum(self.cold_starts[index : index + 2]) for index in range(0, len(self.cold_starts), 2)]
        self.width *= 2
