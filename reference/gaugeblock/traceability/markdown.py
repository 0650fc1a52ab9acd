"""The table of clauses as a document."""

from collections.abc import Iterator, Sequence

from gaugeblock.traceability.records import ClauseRecord, Table

HEAD = """\
# The clauses

Written by `tools/build_traceability.py` from the tree; change the sources, not this page. `gaugeblock clauses` prints the same.

*Code* are the functions that carry a clause out, by their docstrings; *tests* those that cite it and can fail; *cases* those
of the embedded corpus that exercise it; *theorems* say how far they reach and whether they are to be proved or refuted;
*miniatures* are the deliberate faults that violate it. *Evidence* is what it can be judged from.
"""


def markdown(table: Table) -> str:
    """Return the whole document."""
    return "\n".join([HEAD, *_overview(table), *(line for clause in table.clauses for line in clause_lines(clause))])


def clause_lines(clause: ClauseRecord) -> Iterator[str]:
    """Yield the section about one clause."""
    yield from ("", f"## {clause.id}", "", f"**{clause.title}.**", "", _escaped(clause.doc), "")
    yield f"- seed section: {clause.seed}"
    yield f"- stands in: `{clause.module}`"
    yield f"- evidence: {'; '.join(clause.evidence)}"
    if clause.ambiguities:
        yield f"- depends on: {', '.join(clause.ambiguities)} ([ambiguities](ambiguities.md))"
    yield f"- code: {_quoted(clause.code)}"
    yield f"- tests: {_quoted(clause.tests)}"
    examples = f", such as {_quoted(clause.examples)}" if clause.examples else ""
    yield f"- cases: {clause.cases:,}{examples}"
    yield f"- miniatures: {_quoted(clause.miniatures)}"
    if clause.theorems:
        yield "- theorems:"
        for theorem in clause.theorems:
            yield f"  - `{theorem.id}` ({theorem.status}): {_escaped(theorem.statement)} Scope: {_escaped(theorem.scope)}"


def _overview(table: Table) -> Iterator[str]:
    yield "| clause | rule | code | tests | cases | theorems | miniatures |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for clause in table.clauses:
        counts = (len(clause.code), len(clause.tests), clause.cases, len(clause.theorems), len(clause.miniatures))
        cells = " | ".join(f"{count:,}" if count else "–" for count in counts)
        yield f"| [{clause.id}](#{clause.id.lower()}) | {_escaped(clause.title)} | {cells} |"


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


def _escaped(text: str) -> str:
    """Keep text from being taken for markup or for a cell's end."""
    for character in "\\*_[]<|":
        text = text.replace(character, f"\\{character}")
    return text
