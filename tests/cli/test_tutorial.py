"""The tutorial does what it says: its files are written, its commands executed, and the outputs are those that it shows."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "first-subject.md"
FILE = re.compile(r"^\*\*`(?P<name>[\w.-]+)`\*\*\n\n```python\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


class Step(NamedTuple):
    """A command of the page, and the output that it shows."""

    command: str
    output: str


def steps(page: str) -> Iterator[Step]:
    """Yield the commands in order."""
    for block in CONSOLE.finditer(page):
        for part in re.split(r"^\$ ", block["text"], flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield Step(command, output)


def execute(command: str, folder: Path) -> str:
    """Return the output of a command, with ``gaugeblock`` and ``python3`` those of these tests."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "100"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120
    )
    return done.stdout.decode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files of the page."""
    for found in FILE.finditer(PAGE.read_text("utf-8")):
        (tmp_path / found["name"]).write_text(found["text"], "utf-8")
    return tmp_path


@pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not beside the tests")
def test_the_tutorial_does_what_it_says(folder: Path) -> None:
    """Every command, in order, from nothing to a passing subject."""
    page = PAGE.read_text("utf-8")
    assert sorted(each.name for each in folder.iterdir()) == ["decline.py", "partial_subject.py", "reuse.py"]
    shown = list(steps(page))
    assert len(shown) >= 7
    for step in shown:
        assert execute(step.command, folder) == step.output, step.command


@pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not beside the tests")
def test_the_tutorial_shows_the_partial_subject_that_is_shipped(folder: Path) -> None:
    """One text, in the page and in the package."""
    shipped = files("gaugeblock.examples").joinpath("partial_subject.py").read_text("utf-8")
    assert (folder / "partial_subject.py").read_text("utf-8") == shipped
