"""How far a simulation has come (on a terminal), and the polite way to stop it."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from gaugeblock.model import Event, Submit
from gaugeblock.simulation.services import Reply

EVENTS_A_LOOK: Final = 128


class RateColumn(ProgressColumn):
    """How many invocations a second are simulated."""

    def render(self, task: Task) -> Text:
        """Return the rate, once there is one."""
        return Text("" if task.speed is None else f"{task.speed:,.0f}/s")


class SimulationProgress:
    """Watches runs and shows, on standard error and on a terminal only, invocations submitted, their rate and the time left."""

    def __init__(self) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), RateColumn(), TimeRemainingColumn())
        self._wanted = sys.stderr.isatty()
        self._display = Progress(*columns, console=Console(stderr=True), transient=True, disable=not self._wanted)
        self._task = self._display.add_task("simulating", start=False)
        self._events = self._submitted = 0

    def __enter__(self) -> Self:
        """Show the display."""
        self._display.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Take it away."""
        self._display.stop()

    def begin(self, name: str, total: int) -> None:
        """Begin to show a run of ``total`` invocations."""
        self._submitted = 0
        self._display.reset(self._task, description=name or "simulating", total=total)

    def before(self, event: Event) -> None:
        """Nothing has happened yet."""

    def after(self, event: Event, reply: Reply) -> None:
        """Count the event."""
        self._events += 1
        self._submitted += isinstance(event, Submit)
        if self._wanted and self._events % EVENTS_A_LOOK == 0:
            self._display.update(self._task, completed=self._submitted)


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """Give a flag that the first Ctrl-C raises instead of breaking off; a second one breaks off."""
    raised = threading.Event()

    def ask(number: int, frame: object) -> None:
        raised.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if threading.current_thread() is not threading.main_thread():
        yield raised
        return
    former = signal.signal(signal.SIGINT, ask)
    try:
        yield raised
    finally:
        signal.signal(signal.SIGINT, former)
