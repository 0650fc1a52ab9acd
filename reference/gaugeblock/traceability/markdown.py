"""The table of clauses as a document."""

from collections.abc import Iterator, Sequence

from gaugeblock.traceability.records import ClauseRecord, Table

HEAD = """\
# The clauses

Written by `tools/build_traceability.py` from the tree; change the sources, not this page. `gaugeblock clauses` prints the same.

*Code* are the functions that carry a clause out, by their docstrings; *tests* those that cite it and can fail; *cases* those
of the embedded corpus that exercise it; *theorems* are about it; *miniatures* are the deliberate faults that violate it.
*Evidence* is what it can be judged from.

*Status* and *scope* are those of its theorems. `gaugeblock prove` proves a *proved* one, refutes a *false claim*, or fails.
*Unbounded*: whatever the shape; *shapes*: the shapes listed, completely; *with deep parts*: some of them by `--deep` only;
*composed*: from other theorems, by the argument given. [Assurance](assurance.md) tells more.
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
            said = f"{_escaped(theorem.statement)} Scope: {_escaped(theorem.scope)}"
            yield f"  - `{theorem.id}` ({theorem.status}; {theorem.reach}): {said}"


def _overview(table: Table) -> Iterator[str]:
    yield "| clause | rule | code | tests | cases | miniatures | theorems | status | scope |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | --- |"
    for clause in table.clauses:
        counts = (len(clause.code), len(clause.tests), clause.cases, len(clause.miniatures), len(clause.theorems))
        cells = " | ".join(f"{count:,}" if count else "–" for count in counts)
        reach = ", ".join(clause.reach) or "–"
        yield f"| [{clause.id}](#{clause.id.lower()}) | {_escaped(clause.title)} | {cells} | {clause.status} | {reach} |"


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


def _escaped(text: str) -> str:
    """Keep text from being taken for markup or for a cell's end."""
    for character in "\\*_[]<|":
        text = text.replace(character, f"\\{character}")
    return text
