"""A child process that one exchanges lines with, whatever it does: it may be silent, flood, die, or leave children behind.

Nothing here knows the subject protocol. A child runs in a session of its own, so that it can be ended together with all that it
started; its pipes are never read or written blockingly, so that no misbehaviour of it can stop the caller (scenario B29).
"""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

CHUNK: Final = 65536
"""Bytes read or written at once."""

WATCH_SECONDS: Final = 0.05
"""How often a quiet child is looked at: one that died may have left its pipes open in the hands of another process."""


class Limits(NamedTuple):
    """How long and how much: seconds to start, to answer and to end in peace; bytes of a line and of standard error kept."""

    start_seconds: float = 30.0
    answer_seconds: float = 10.0
    grace_seconds: float = 1.0
    line_bytes: int = 16 * 1024 * 1024
    stderr_bytes: int = 4096


class Line(NamedTuple):
    """The child wrote this line (without its line feed)."""

    content: bytes


class Quiet(NamedTuple):
    """The child wrote no whole line in the time that it had."""

    seconds: float


class Gone(NamedTuple):
    """The child exited, or closed its standard output: ``how`` says which. ``partial`` is what it wrote of a line."""

    how: str
    partial: bytes


class TooLong(NamedTuple):
    """The child wrote more than ``limit`` bytes without ending the line."""

    limit: int


Reception: TypeAlias = Line | Quiet | Gone | TooLong


class ChildProcess:
    """A running child.

    Raises:
        OSError: when the command cannot be started.
    """

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self._limits = limits
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin = self._process.stdin.fileno()
        self._stdout = self._process.stdout.fileno()
        self._stderr = self._process.stderr.fileno()
        self._selector = selectors.DefaultSelector()
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._unsent = memoryview(b"")
        self._received = bytearray()
        self._searched = 0
        self._stdout_open = True
        self._stderr_tail = bytearray()
        self._ended = False

    @property
    def stderr_tail(self) -> str:
        """The last part of what the child wrote on standard error, for people to read."""
        return self._stderr_tail.decode("utf-8", "backslashreplace").strip()

    def send(self, line: bytes) -> None:
        """Hand ``line`` (with its line feed) over; what the child does not take at once is written while it is listened to."""
        self._unsent = memoryview(bytes(self._unsent) + line)
        self._write()
        if self._unsent:
            self._watch_stdin()

    def receive(self, seconds: float) -> Reception:
        """Return the next line, or why there is none within ``seconds``."""
        deadline = time.monotonic() + seconds
        while True:
            reception = self._next_line()
            if reception is not None:
                return reception
            if not self._stdout_open:
                how = self._how_gone()
                self._drain()
                return Gone(how, bytes(self._received))
            left = deadline - time.monotonic()
            if left <= 0:
                return Quiet(seconds)
            if not self._pump(min(left, WATCH_SECONDS)) and self._process.poll() is not None:
                self._drain()

    def end(self, farewell: bytes = b"") -> tuple[bytes, ...]:
        """End the child and all that it started, if it was not ended before; return the whole lines that it still wrote.

        With a ``farewell`` it is first told so and given the grace period to go by itself. Then it is asked by SIGTERM,
        and after another grace period made to by SIGKILL.
        """
        if self._ended:
            return ()
        self._ended = True
        try:
            if farewell:
                self.send(farewell)
                self._wait()
            if self._process.poll() is None:
                self._signal(signal.SIGTERM)
                self._wait()
        finally:
            self._signal(signal.SIGKILL)
            self._process.wait()
        self._drain()
        self._close()
        *lines, _ = bytes(self._received).split(b"\n")
        return tuple(lines)

    def _next_line(self) -> Line | TooLong | None:
        end = self._received.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._received)
            return TooLong(self._limits.line_bytes) if self._searched > self._limits.line_bytes else None
        content = bytes(self._received[:end])
        del self._received[: end + 1]
        self._searched = 0
        return Line(content) if end <= self._limits.line_bytes else TooLong(self._limits.line_bytes)

    def _pump(self, seconds: float) -> bool:
        """Move what can be moved within ``seconds``, at most one chunk read per pipe; return whether standard output moved."""
        moved = False
        for key, _ in self._selector.select(seconds):
            if key.fd == self._stdin:
                self._write()
            elif key.fd == self._stdout:
                moved = self._read_stdout()
            else:
                self._read_stderr()
        return moved

    def _write(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._stdin, self._unsent[:CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:
            self._unsent = memoryview(b"")  # the child closed its standard input: whether that matters, its answer will tell
        self._unwatch(self._stdin)

    def _watch_stdin(self) -> None:
        if self._stdin not in self._selector.get_map():
            self._selector.register(self._stdin, selectors.EVENT_WRITE)

    def _unwatch(self, descriptor: int) -> None:
        if descriptor in self._selector.get_map():
            self._selector.unregister(descriptor)

    def _read_stdout(self) -> bool:
        chunk = self._read(self._stdout)
        self._received += chunk or b""
        if chunk == b"":
            self._stdout_open = False
        return bool(chunk)

    def _read_stderr(self) -> bool:
        chunk = self._read(self._stderr)
        self._stderr_tail += chunk or b""
        del self._stderr_tail[: -self._limits.stderr_bytes]
        return bool(chunk)

    def _read(self, descriptor: int) -> bytes | None:
        """Return a chunk, nothing at the end of the stream, or None when there is nothing to read at the moment."""
        try:
            chunk = os.read(descriptor, CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            chunk = b""
        if not chunk:
            self._unwatch(descriptor)
        return chunk

    def _drain(self) -> None:
        """Take what a child that is gone left in its pipes, within the limits; another process may still be writing there."""
        for read, limit in ((self._read_stdout, self._limits.line_bytes), (self._read_stderr, CHUNK * 16)):
            for _ in range(limit // CHUNK + 1):
                if not read():
                    break
        self._stdout_open = False

    def _wait(self) -> None:
        """Give the child the grace period to exit, reading along so that a full pipe does not hold it up."""
        deadline = time.monotonic() + self._limits.grace_seconds
        while self._process.poll() is None and (left := deadline - time.monotonic()) > 0:
            self._pump(min(left, WATCH_SECONDS))
            if not self._unsent and self._process.stdin:
                self._unwatch(self._stdin)
                self._process.stdin.close()
                self._process.stdin = None
            if len(self._received) > self._limits.line_bytes:
                return

    def _signal(self, number: signal.Signals) -> None:
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):
            return  # the whole group is gone

    def _how_gone(self) -> str:
        try:
            status = self._process.wait(self._limits.grace_seconds)
        except subprocess.TimeoutExpired:
            return "it closed its standard output"
        if status < 0:
            return f"it was ended by {_signal_name(-status)}"
        return f"it exited with status {status}"

    def _close(self) -> None:
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                stream.close()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
