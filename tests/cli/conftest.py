"""What tests of several parts of the command line ask for."""

from pathlib import Path

import pytest

from gaugeblock.corpus import load
from gaugeblock.wire.cases import encode_case


@pytest.fixture
def quirks(tmp_path: Path) -> Path:
    """A vector file with the twelve tiny cases."""
    path = tmp_path / "quirks.jsonl"
    path.write_bytes(b"\n".join(encode_case(case) for case in load("wrench-quirks")) + b"\n")
    return path
