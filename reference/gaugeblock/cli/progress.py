"""How far a run has come: shown on standard error, on a terminal only, and only of a run that takes its time."""

import sys
import time
from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

PATIENCE_SECONDS: Final = 2.0
"""A run that is over sooner shows nothing."""


class Progress:
    """Counts the cases judged."""

    def __init__(self, total: int) -> None:
        columns = (TextColumn("judging"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._display = RichProgress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._display.add_task("judging", total=total)
        self._wanted = sys.stderr.isatty()
        self._due = time.monotonic() + PATIENCE_SECONDS

    def __enter__(self) -> Self:
        """Begin to count; nothing is shown yet."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        """Take the display away, if it ever came."""
        if self._display.live.is_started:
            self._display.stop()

    def advance(self) -> None:
        """Count one case."""
        if not self._wanted:
            return
        self._display.advance(self._task)
        if not self._display.live.is_started and time.monotonic() > self._due:
            self._display.start()
