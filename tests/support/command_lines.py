"""The command line, run in this process with standard streams of its own."""

import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple

from gaugeblock.cli.main import main

GAUGEBLOCK = (sys.executable, "-c", "from gaugeblock.cli.main import main; main()")
"""The command line as a process of its own."""


class Done(NamedTuple):
    """How a run of the command line ended."""

    returncode: int
    stdout: bytes
    stderr: bytes


def gaugeblock(*arguments: str | Path, given: bytes = b"") -> Done:
    """Run the command line in this process, with standard streams of its own; a traceback would come out as an exception."""
    before = sys.stdin, sys.stdout, sys.stderr
    streams = [TextIOWrapper(BytesIO(each), encoding="utf-8") for each in (given, b"", b"")]
    sys.stdin, sys.stdout, sys.stderr = streams
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 0
    else:
        raise AssertionError("the command line did not exit")
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
    for stream in streams[1:]:
        stream.flush()
    outputs = [stream.buffer for stream in streams[1:]]
    assert all(isinstance(output, BytesIO) for output in outputs)
    return Done(status, *(output.getvalue() for output in outputs))


def message(done: Done) -> str:
    """Return what was said on standard error."""
    return done.stderr.decode()
