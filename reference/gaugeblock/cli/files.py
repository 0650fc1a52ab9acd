"""Reading documents from files or standard input (``-``), and writing files whole or not at all."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from gaugeblock.cli.errors import UnreadableInput, UnwritableOutput
from gaugeblock.writing import replacing


def read(source: str) -> bytes:
    """Return the bytes of a file, or of standard input for ``-``.

    Raises:
        UnreadableInput: when there is no such file, or it cannot be read.
    """
    try:
        if source == "-":
            return sys.stdin.buffer.read()
        with open(source, "rb") as stream:  # a path made of an empty name would be the working directory
            return stream.read()
    except OSError as error:
        raise UnreadableInput(f"{source}: {error.strerror}; expected a readable file, or - for standard input") from error


def shown(source: str) -> str:
    """Return the name of a source for messages."""
    return "<stdin>" if source == "-" else source


def write(target: str, text: str) -> None:
    """Write ``text`` to a file atomically: it appears whole, or the file stays as it was.

    Raises:
        UnwritableOutput: when it cannot be written.
    """
    with writing(target) as stream:
        stream.write(text.encode())


@contextmanager
def writing(target: str) -> Iterator[BinaryIO]:
    """Give a stream whose bytes become the file when the block ends well; if it does not, the file stays as it was.

    What a symbolic link leads to is written, not the link. A device or a named pipe cannot be replaced; it is written directly.

    Raises:
        UnwritableOutput: when it cannot be written.
    """
    try:
        if not target or (os.path.exists(target) and not os.path.isfile(target)):
            with open(target, "wb") as stream:
                yield stream
            return
        with replacing(Path(os.path.realpath(target))) as stream:
            yield stream
    except OSError as error:
        raise UnwritableOutput(f"{target}: {error.strerror}; expected a writable file") from error
