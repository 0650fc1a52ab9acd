"""What must not be: a clause that nothing carries out, tests, exercises or violates, and an identifier that no clause has."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from gaugeblock import corpus, miniatures
from gaugeblock.miniatures import service_faults
from gaugeblock.traceability.citations import cited_in
from gaugeblock.traceability.computing import python_files
from gaugeblock.traceability.records import ClauseRecord, Table

AMBIGUITIES: Final = frozenset(f"AMB-{number}" for number in range(1, 12))
"""The choices that the documentation lists."""

BY_HISTORIES: Final = "a case is one round; the service's histories in tests/service and tests/optimized exercise it"
BY_SERVICE: Final = "a case ends with the batch; what becomes of a batch is exercised by the service's histories"
EXEMPTIONS: Final[Mapping[tuple[str, str], str]] = {
    **{(f"SERV-{number}", "a case"): BY_HISTORIES for number in range(7)},
    ("EXEC-1", "a case"): BY_SERVICE,
    ("EXEC-2", "a case"): BY_SERVICE,
    ("ROUND-1", "a case"): "no decision shows it; tests compare the observed state before and after, and the initial one",
    ("POL-random", "a case"): "cases name deterministic policies only",
}
"""What a clause may lack, and why."""

UNKNOWN_ON_PURPOSE: Final[Mapping[str, str]] = {
    "ACCT-99": "tests ask the proofs for a clause that does not exist",
    "RECL-99": "a test looks up a clause that does not exist",
}
"""Identifiers that no clause has and that may be cited, and why."""

SOURCES: Final = ("reference", "specs", "proofs", "tests", "tools", "benchmarks", "examples")
TEXTS: Final = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs")


def lint(table: Table, root: Path, exemptions: Mapping[tuple[str, str], str] = EXEMPTIONS) -> Iterator[str]:
    """Yield what is wrong with the tree that ``table`` was computed from, one sentence each."""
    yield from incomplete(table, exemptions)
    known = {clause.id for clause in table.clauses} | AMBIGUITIES
    for place, cited in _citations(root):
        for identifier in sorted(cited - known - set(UNKNOWN_ON_PURPOSE)):
            yield f"{place}: cites {identifier}; expected an identifier that a clause or an ambiguity has"


def incomplete(table: Table, exemptions: Mapping[tuple[str, str], str] = EXEMPTIONS) -> Iterator[str]:
    """Yield each clause that lacks something and is not exempt, and each exemption that is not needed."""
    lacking = {(clause.id, what) for clause in table.clauses for what in _lacking(clause)}
    for identifier, what in sorted(lacking - set(exemptions)):
        yield f"{identifier}: has not {what}; expected at least one, or an exemption with its reason"
    for identifier, what in sorted(set(exemptions) - lacking):
        yield f"{identifier}: is exempt from having {what}, but has one, or is no clause; expected no stale exemption"


def _lacking(clause: ClauseRecord) -> Iterator[str]:
    if not any(not name.startswith("gaugeblock.optimized.") for name in clause.code):
        yield "a function that carries it out"
    if not clause.tests:
        yield "a test"
    if clause.cases == 0:
        yield "a case"
    if not clause.miniatures:
        yield "a miniature"


def _citations(root: Path) -> Iterator[tuple[str, frozenset[str]]]:
    for folder in SOURCES:
        if (root / folder).exists():
            for file in python_files(root / folder):
                yield file.relative_to(root).as_posix(), cited_in(file.read_text(encoding="utf-8"))
    for name in TEXTS:
        for file in _texts(root / name):
            yield file.relative_to(root).as_posix(), cited_in(file.read_text(encoding="utf-8"))
    for entry in corpus.manifest().cases:
        yield f"case {entry.id}", frozenset(entry.clauses)
    for fault in (*miniatures.FAULTS, *service_faults.FAULTS):
        yield f"miniature {fault.name}", frozenset(fault.clauses)


def _texts(where: Path) -> list[Path]:
    if where.is_dir():
        return sorted(where.rglob("*.md"))
    return [where] if where.exists() else []
