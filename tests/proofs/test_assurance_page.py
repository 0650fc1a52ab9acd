"""docs/assurance.md says what the theorems say."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_tables_are_up_to_date() -> None:
    """After a new theorem, run tools/assurance_tables.py."""
    page = (ROOT / "docs" / "assurance.md").read_text(encoding="utf-8")
    tool = runpy.run_path(str(ROOT / "tools" / "assurance_tables.py"))
    assert tool["with_tables"](page) == page


def test_a_missing_row_is_noticed() -> None:
    """The check can fail."""
    page = (ROOT / "docs" / "assurance.md").read_text(encoding="utf-8")
    tool = runpy.run_path(str(ROOT / "tools" / "assurance_tables.py"))
    row = next(line for line in page.splitlines() if line.startswith("| `ACCT-5.load`"))
    assert tool["with_tables"](page.replace(f"{row}\n", "")) == page
