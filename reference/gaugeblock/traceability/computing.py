"""The table, computed from a tree of sources and from what the installed packages say of themselves."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Final

from gaugeblock import corpus, miniatures
from gaugeblock.miniatures import service_faults
from gaugeblock.traceability.citations import Place, citing_code, citing_tests, clauses_in
from gaugeblock.traceability.records import FALSE_CLAIM, FORMAT_VERSION, PROVED, ClauseRecord, Table, TheoremRecord
from gaugeblock_specs import registry, service
from gaugeblock_specs.clause import Clause
from gaugeblock_specs.service_story import ServiceClause

CODE: Final = ("model", "round", "policies", "scheduler.py", "service", "optimized")
"""The rooms of the reference that carry clauses out; all others judge, read or tell."""

OWN_TESTS: Final = "traceability"
"""The folder of the tests of this table, which speak of clauses and test none."""

EXAMPLES: Final = 5
SERVICE_EVIDENCE: Final = "a step of a service"


def compute(root: Path) -> Table:
    """Return the table of the tree under ``root``, with the theorems of the installed proofs.

    Raises:
        ImportError: when the proofs cannot be imported, for want of Z3.
    """
    code = by_clause(_code(root))
    tests = by_clause(_tests(root))
    cases = _cases()
    theorems = _theorems()
    faults = _miniatures()
    homes = dict(_homes(root))
    records = tuple(
        ClauseRecord(
            id=clause.id,
            family=clause.id.partition("-")[0],
            title=clause.title,
            doc=cleandoc(clause.doc),
            seed=clause.seed,
            ambiguities=clause.ambiguities,
            evidence=_evidence(clause),
            module=homes[clause.id],
            code=tuple(code[clause.id]),
            tests=tuple(tests[clause.id]),
            cases=len(cases[clause.id]),
            examples=tuple(cases[clause.id][:EXAMPLES]),
            theorems=tuple(theorems[clause.id]),
            miniatures=tuple(faults[clause.id]),
        )
        for clause in all_clauses()
    )
    return Table(FORMAT_VERSION, records)


def all_clauses() -> tuple[Clause | ServiceClause, ...]:
    """Return every clause, in the order in which a reader meets them."""
    return (*registry.ALL, *service.CLAUSES)


def by_clause(places: Iterable[Place]) -> defaultdict[str, list[str]]:
    """Return the names of the places that cite each identifier, sorted."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for place in sorted(places):
        for identifier in place.cited:
            found[identifier].append(place.name)
    return found


def _evidence(clause: Clause | ServiceClause) -> tuple[str, ...]:
    if isinstance(clause, ServiceClause):
        return (SERVICE_EVIDENCE,)
    return tuple(dict.fromkeys(kind.value for kind in clause.evidence))


def _code(root: Path) -> Iterator[Place]:
    package = root / "reference" / "gaugeblock"
    for room in CODE:
        for file in python_files(package / room):
            dotted = ".".join(file.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
            yield from citing_code(file, dotted)


def _homes(root: Path) -> Iterator[tuple[str, str]]:
    for file in python_files(root / "specs"):
        for identifier in clauses_in(file):
            yield identifier, file.relative_to(root).as_posix()


def _tests(root: Path) -> Iterator[Place]:
    for file in python_files(root / "tests"):
        if file.parent.name == OWN_TESTS:
            continue
        yield from citing_tests(file, file.relative_to(root).as_posix())


def python_files(where: Path) -> list[Path]:
    """Return the Python files of a folder in order, or the file itself."""
    return [where] if where.is_file() else sorted(where.rglob("*.py"))


def _cases() -> defaultdict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for entry in corpus.manifest().cases:
        for identifier in entry.clauses:
            found[identifier].append(entry.id)
    return found


def _theorems() -> defaultdict[str, list[TheoremRecord]]:
    from gaugeblock_proofs.engine import Verdict  # needs Z3, which the package itself does not
    from gaugeblock_proofs.registry import all_theorems
    from gaugeblock_proofs.theorem import Tier

    found: defaultdict[str, list[TheoremRecord]] = defaultdict(list)
    for theorem in all_theorems():
        status = PROVED if theorem.expected is Verdict.PROVED else FALSE_CLAIM
        reach = _reach(theorem.scope.kind.value, any(part.tier is Tier.DEEP for part in theorem.parts))
        record = TheoremRecord(theorem.id, theorem.statement, status, reach, theorem.scope.text)
        for identifier in theorem.clauses:
            found[identifier].append(record)
    return found


def _reach(kind: str, has_deep_parts: bool) -> str:
    """Return the kind of a scope, and of shapes whether some are proved in the deep set only."""
    return f"{kind} with deep parts" if kind == "shapes" and has_deep_parts else kind


def _miniatures() -> defaultdict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for fault in (*miniatures.FAULTS, *service_faults.FAULTS):
        for identifier in fault.clauses:
            found[identifier].append(fault.name)
    return found
