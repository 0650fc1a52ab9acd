"""Writes the tables of docs/assurance.md that are made from the theorems and from the list of equivalent mutants.

Run it after adding a theorem: ``python tools/assurance_tables.py``; a test fails while the page is behind. With a file that
``gaugeblock prove --mutants --json`` wrote it also fills in what became of the mutants.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from gaugeblock_proofs.engine import Verdict
from gaugeblock_proofs.mutants.equivalent import EQUIVALENT
from gaugeblock_proofs.mutants.operators import DELETIONS
from gaugeblock_proofs.registry import all_theorems
from gaugeblock_proofs.theorem import Theorem

PAGE = Path(__file__).parent.parent / "docs" / "assurance.md"
ACCOUNTED = ("gaugeblock.round.accounting", "gaugeblock.round.reclamation")


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


def deletion_table(trials: list[dict[str, Any]]) -> str:
    """Return a row for each function of accounting and reclamation: what was deleted there, and which theorems noticed."""
    rows = ["| function | deletions | refuted | by |", "| --- | --- | --- | --- |"]
    wanted = [each for each in trials if each["mutant"]["operator"] in DELETIONS and each["mutant"]["module"] in ACCOUNTED]
    for function in dict.fromkeys(each["mutant"]["function"] for each in wanted):
        own = [each for each in wanted if each["mutant"]["function"] == function]
        by = dict.fromkeys(each["theorem"] for each in own if each["theorem"])
        refuted = sum(each["theorem"] is not None for each in own)
        names = ", ".join(f"`{name}`" for name in by)
        rows.append(f"| `{function.removeprefix('gaugeblock.')}` | {len(own)} | {refuted} | {names} |")
    return "\n".join(rows)


def mutant_table(trials: list[dict[str, Any]]) -> str:
    """Return a row for each module."""
    rows = ["| module | mutants | refuted | listed as equivalent |", "| --- | --- | --- | --- |"]
    tried = Counter(each["mutant"]["module"] for each in trials)
    refuted = Counter(each["mutant"]["module"] for each in trials if each["theorem"])
    rows += [f"| `{name}` | {tried[name]} | {refuted[name]} | {tried[name] - refuted[name]} |" for name in tried]
    rows.append(f"| all | {len(trials)} | {sum(refuted.values())} | {len(trials) - sum(refuted.values())} |")
    return "\n".join(rows)


def with_table(page: str, name: str, table: str) -> str:
    """Return the page with one table replaced."""
    begin, end = marks(name)
    before, _, rest = page.partition(begin)
    return f"{before}{begin}\n{table}\n{end}{rest.partition(end)[2]}"


def with_tables(page: str) -> str:
    """Return the page with its tables as they should be."""
    return with_table(with_table(page, "theorems", theorem_table()), "equivalent", equivalent_table())


def _row(theorem: Theorem) -> str:
    kind = "a false claim" if theorem.expected is Verdict.REFUTED else theorem.scope.kind.value
    deep = ", with deep parts" if any(part.tier.value == "deep" for part in theorem.parts) else ""
    return f"| `{theorem.id}` | {theorem.statement} | {', '.join(theorem.clauses)} | {kind}{deep}: {theorem.scope.text} |"


def main() -> None:
    """Write the page."""
    page = with_tables(PAGE.read_text(encoding="utf-8"))
    for source in sys.argv[1:]:
        trials = [json.loads(line) for line in Path(source).read_text(encoding="utf-8").splitlines()[:-1]]
        page = with_table(with_table(page, "mutants", mutant_table(trials)), "deletions", deletion_table(trials))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
