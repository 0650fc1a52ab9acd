"""Writes the tables of docs/assurance.md that are made from the theorems and from the list of equivalent mutants.

Run it after adding a theorem: ``python tools/assurance_tables.py``; a test fails while the page is behind.
"""

from __future__ import annotations

from pathlib import Path

from gaugeblock_proofs.engine import Verdict
from gaugeblock_proofs.mutants.equivalent import EQUIVALENT
from gaugeblock_proofs.registry import all_theorems
from gaugeblock_proofs.theorem import Theorem

PAGE = Path(__file__).parent.parent / "docs" / "assurance.md"


def marks(name: str) -> tuple[str, str]:
    """Return the lines between which a table stands."""
    return f"<!-- {name}: made by tools/assurance_tables.py -->", f"<!-- end of {name} -->"


def theorem_table() -> str:
    """Return a row for each theorem."""
    rows = [_row(theorem) for theorem in all_theorems()]
    return "\n".join(["| theorem | what it says | about | scope |", "| --- | --- | --- | --- |", *rows])


def equivalent_table() -> str:
    """Return a row for each mutant that nothing refutes."""
    rows = [f"| `{name}` | {reason} |" for name, reason in EQUIVALENT.items()]
    return "\n".join(["| mutant | why it is not refuted |", "| --- | --- |", *rows])


def with_tables(page: str) -> str:
    """Return the page with its tables as they should be."""
    for name, table in (("theorems", theorem_table()), ("equivalent", equivalent_table())):
        begin, end = marks(name)
        before, _, rest = page.partition(begin)
        page = f"{before}{begin}\n{table}\n{end}{rest.partition(end)[2]}"
    return page


def _row(theorem: Theorem) -> str:
    kind = "a false claim" if theorem.expected is Verdict.REFUTED else theorem.scope.kind.value
    deep = ", with deep parts" if any(part.tier.value == "deep" for part in theorem.parts) else ""
    return f"| `{theorem.id}` | {theorem.statement} | {', '.join(theorem.clauses)} | {kind}{deep}: {theorem.scope.text} |"


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
