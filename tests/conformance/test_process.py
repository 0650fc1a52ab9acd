"""A child process that lines are exchanged with: every misbehaviour of it comes back as a value (scenario B29)."""

import os
import sys
import time
from pathlib import Path

import pytest

from gaugeblock.conformance.process import ChildProcess, Gone, Limits, Line, Quiet, TooLong

LIMITS = Limits(grace_seconds=0.3, line_bytes=200_000)
PATIENCE = 60.0
"""Seconds to wait for what comes for certain, on a machine however busy."""


def child(script: str, grace_seconds: float = LIMITS.grace_seconds) -> ChildProcess:
    """Return a running Python child."""
    command = [sys.executable, "-c", f"import os, signal, sys, time\n{script}"]
    return ChildProcess(command, LIMITS._replace(grace_seconds=grace_seconds))


def test_a_line_comes_back() -> None:
    """What the child writes on a line is received, without its line feed."""
    echo = child("print(sys.stdin.readline().upper(), end='', flush=True)")
    echo.send(b"hello\n")
    assert echo.receive(PATIENCE) == Line(b"HELLO")
    echo.end()


def test_a_silent_child_is_quiet() -> None:
    """A child that writes nothing is reported when its time is over."""
    silent = child("time.sleep(60)")
    assert silent.receive(0.2) == Quiet(0.2)
    silent.end()


def test_a_child_that_never_reads_does_not_block_the_sender() -> None:
    """A message larger than the pipe is handed over without waiting for a reader."""
    deaf = child("time.sleep(60)")
    deaf.send(b"x" * 5_000_000 + b"\n")
    assert deaf.receive(0.2) == Quiet(0.2)
    deaf.end()


def test_a_large_message_arrives_whole() -> None:
    """A message larger than the pipe reaches a child that floods standard error before it reads."""
    counting = child("sys.stderr.write('log ' * 200000); print(len(sys.stdin.readline()), flush=True)")
    counting.send(b"x" * 3_000_000 + b"\n")
    assert counting.receive(PATIENCE) == Line(b"3000001")
    counting.end()
    assert len(counting.stderr_tail) <= LIMITS.stderr_bytes


def test_an_exit_is_reported_with_its_status_and_the_beginning_of_the_line() -> None:
    """A child that dies mid-answer leaves the part that it wrote, and standard error in its tail."""
    dying = child("sys.stdout.write('{\"se'); sys.stdout.flush(); sys.stderr.write('out of luck'); sys.exit(7)", PATIENCE)
    assert dying.receive(PATIENCE) == Gone("it exited with status 7", b'{"se')
    assert dying.stderr_tail == "out of luck"
    dying.end()


def test_a_signal_is_reported_by_name() -> None:
    """A child ended by a signal is told from one that exits."""
    killed = child("os.kill(os.getpid(), signal.SIGKILL)", PATIENCE)
    assert killed.receive(PATIENCE) == Gone("it was ended by SIGKILL", b"")
    killed.end()


def test_a_grandchild_that_holds_stdout_does_not_hide_the_death() -> None:
    """The child is gone although another process keeps its standard output open."""
    leaving = child("import subprocess; subprocess.Popen(['sleep', '60']); sys.exit(3)")
    assert leaving.receive(PATIENCE) == Gone("it exited with status 3", b"")
    leaving.end()


def test_a_line_without_end_is_cut_off() -> None:
    """A flood without line feed is not read for ever."""
    flood = child("while True: sys.stdout.write('x' * 65536)")
    assert flood.receive(PATIENCE) == TooLong(LIMITS.line_bytes)
    flood.end()


def test_a_closed_stdout_is_reported() -> None:
    """A child that closes its standard output and lives on will never answer."""
    closed = child("os.close(1); time.sleep(60)")
    assert closed.receive(PATIENCE) == Gone("it closed its standard output", b"")
    closed.end()


def test_the_lines_written_after_the_farewell_are_returned() -> None:
    """A child that is told to stop may still write; whole lines of that are returned when it has ended."""
    talkative = child("sys.stdin.readline(); print('one'); print('two'); sys.stdout.write('half')", PATIENCE)
    assert talkative.end(b"stop\n") == (b"one", b"two")


def test_sigterm_that_is_ignored_is_followed_by_sigkill(tmp_path: Path) -> None:
    """Ending a child that ignores SIGTERM ends it all the same, with all that it started."""
    pids = tmp_path / "pids"
    stubborn = child(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "import subprocess; grandchild = subprocess.Popen(['sleep', '60'])\n"
        f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{grandchild.pid}}')\n"
        "print('ready', flush=True); time.sleep(60)"
    )
    assert stubborn.receive(PATIENCE) == Line(b"ready")
    stubborn.end(b"stop\n")
    for pid in pids.read_text().split():
        assert not is_running(int(pid))


def is_running(pid: int) -> bool:
    """Whether a process still runs, given a moment to vanish; one that only waits to be reaped does not."""
    for _ in range(1000):
        status = Path(f"/proc/{pid}/stat")
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z":
            return False
        time.sleep(0.02)
    return True


def test_a_command_that_does_not_exist_is_an_os_error() -> None:
    """There is nothing to talk to."""
    with pytest.raises(OSError, match="No such file"):
        ChildProcess([os.fspath(Path("no") / "such" / "command")], LIMITS)
