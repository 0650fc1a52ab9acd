"""docs/assurance.md says what the theorems say."""

from __future__ import annotations

import runpy
from collections import Counter
from pathlib import Path

from gaugeblock_proofs.mutants import campaign
from gaugeblock_proofs.mutants.equivalent import EQUIVALENT
from gaugeblock_proofs.registry import all_theorems

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


def test_the_table_of_mutants_counts_those_that_are_generated_and_listed() -> None:
    """After a change of the code or of the list, run all mutants again and fill in the table."""
    page = (ROOT / "docs" / "assurance.md").read_text(encoding="utf-8")
    table = page.partition("<!-- mutants:")[2].partition("<!-- end of mutants -->")[0]
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("| `")]
    mutants = campaign.mutants_for(all_theorems())
    generated = Counter(each.module for each in mutants)
    listed = Counter(each.module for each in mutants if each.name in EQUIVALENT)
    assert {module: (int(all_), int(left)) for module, all_, _, left in rows} == {
        module: (count, listed[module]) for module, count in generated.items()
    }
    assert f"| all | {len(mutants)} | {len(mutants) - len(EQUIVALENT)} | {len(EQUIVALENT)} |" in table
