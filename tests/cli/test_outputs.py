"""What becomes of output that cannot be written, is cut short, or goes where no regular file is."""

import os
import shlex
import signal
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

import pytest
from command_lines import GAUGEBLOCK, gaugeblock, message

EXAMPLE = files("gaugeblock.examples").joinpath("first-round.json").read_bytes()

WAITS_IN_THE_SECOND_ROUND = """
import json, os, pathlib, sys, time
for number, line in enumerate(sys.stdin):
    if number == 2:
        pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
        time.sleep(60)
    implementation = {"name": "waiting", "version": "1", "language": "Python"}
    declaration = {"version": 1, "implementation": implementation, "policies": {}, "features": []}
    print(json.dumps(declaration if number == 0 else {"seq": json.loads(line)["seq"], "decisions": {}}), flush=True)
"""


def test_the_report_is_written_whole_or_not_at_all(quirks: Path, tmp_path: Path) -> None:
    """``--output`` takes the place of printing; a directory that is not there is bad usage."""
    report = tmp_path / "report.jsonl"
    done = gaugeblock("conform", "--json", "--output", report, quirks)
    assert (done.returncode, done.stdout) == (0, b"")
    assert len(report.read_text().splitlines()) == 13
    assert sorted(each.name for each in tmp_path.iterdir()) == ["quirks.jsonl", "report.jsonl"]


def test_an_output_that_cannot_be_written_is_told_before_the_run(quirks: Path, tmp_path: Path) -> None:
    """No subject is started for a report that would be lost."""
    started = tmp_path / "started"
    subject = ("touch", started)
    done = gaugeblock("conform", "--output", tmp_path / "nowhere" / "report", quirks, "--", *subject)
    assert done.returncode == 2
    assert "expected a writable file" in message(done)
    assert not started.exists()
    assert gaugeblock("conform", "--output", tmp_path / "report", quirks, "--", *subject).returncode == 3
    assert started.exists()
    assert not (tmp_path / "report").exists()


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_prints_what_was_judged_so_far(quirks: Path, tmp_path: Path, ending: signal.Signals) -> None:
    """Ctrl-C or the end of a time limit: exit status 130, the verdict of the first case, and the subject ended."""
    command = [*GAUGEBLOCK, "conform", str(quirks), "--timeout", "60", "--", sys.executable, "-c", WAITS_IN_THE_SECOND_ROUND]
    second = tmp_path / "second"
    with subprocess.Popen([*command, str(second)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        while running.poll() is None and not (second.exists() and second.read_text()):
            time.sleep(0.05)
        running.send_signal(ending)
        output, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert b"Traceback" not in errors
    assert "stopped early: interrupted" in output.decode()
    assert "judged: 1 of 12 cases" in output.decode()
    with pytest.raises(ProcessLookupError):
        os.kill(int(second.read_text()), 0)


@pytest.mark.parametrize("verb", ["explain --example", "decide --example", "schema", "--help", "conform --case a-0001"])
def test_a_closed_pipe_is_no_error(verb: str) -> None:
    """The reader has seen enough; the status is that of other programs, and says nothing of conformance."""
    pipe = f"{{ {shlex.join(GAUGEBLOCK)} {verb}; echo $? >&2; }} | true"
    done = subprocess.run(pipe, shell=True, capture_output=True, timeout=120)
    assert done.stderr == b"141\n"


@pytest.mark.parametrize("verb", ["explain --example", "decide --example", "schema", "--help", "conform --case a-0001"])
def test_a_full_device_is_told(verb: str) -> None:
    """What could not be written whole is no success."""
    done = subprocess.run(f"{shlex.join(GAUGEBLOCK)} {verb} > /dev/full", shell=True, capture_output=True, timeout=120)
    assert (done.returncode, done.stderr) == (2, b"gaugeblock: No space left on device; expected to write the whole output\n")


@pytest.mark.parametrize(("streams", "status"), [("<&-", 2), (">&-", 2), ("<&- >&- 2>&-", 2)])
def test_streams_may_be_closed_from_the_start(streams: str, status: int) -> None:
    """They are as good as empty; nothing is said of it by a traceback."""
    command = f"{shlex.join(GAUGEBLOCK)} decide - {streams}"
    done = subprocess.run(command, shell=True, input=b"", capture_output=True, timeout=120)
    assert done.returncode == status
    assert b"Traceback" not in done.stderr


def test_an_output_that_is_no_regular_file_is_written_directly(quirks: Path, tmp_path: Path) -> None:
    """A named pipe stays one, as a device does, and a symbolic link stays a link to the file that is replaced."""
    pipe, link, report = tmp_path / "pipe", tmp_path / "link", tmp_path / "report"
    os.mkfifo(pipe)
    link.symlink_to(report)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert gaugeblock("conform", "--json", "--output", pipe, quirks).returncode == 0
        piped, _ = reader.communicate(timeout=60)
    assert pipe.is_fifo()
    assert gaugeblock("conform", "--json", "--output", link, quirks).returncode == 0
    assert link.is_symlink()
    assert report.read_bytes() == piped
    assert len(piped.splitlines()) == 13


@pytest.mark.parametrize(("verb", "shown"), [("decide", "n\u0153ud".encode()), ("explain", b"n\\u0153ud")])
def test_an_output_in_ascii_is_no_reason_to_fail(verb: str, shown: bytes) -> None:
    """Text escapes what the encoding of the terminal lacks; JSON stays UTF-8."""
    named = EXAMPLE.replace(b"node-0", "n\u0153ud".encode())
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*GAUGEBLOCK, verb, "-"], input=named, capture_output=True, env=environment, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert shown in done.stdout
