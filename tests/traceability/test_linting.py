"""Every clause has code, a test, a case and a miniature, or an exemption with a reason; the lint sees it where one has not."""

from functools import cache
from pathlib import Path

import pytest

from gaugeblock.model import replace
from gaugeblock.traceability.computing import compute
from gaugeblock.traceability.linting import EXEMPTIONS, incomplete, lint
from gaugeblock.traceability.loading import TableDamaged, decode, encode
from gaugeblock.traceability.records import PROVED, Table
from gaugeblock_specs import registry, service

ROOT = Path(__file__).parents[2]
pytest.importorskip("z3", reason="the theorems are part of the table; install the extra proofs")


@cache
def computed() -> Table:
    """Return the table of this tree."""
    return compute(ROOT)


def without(identifier: str, what: str) -> Table:
    """Return the table with one field of one clause emptied."""
    empty: object = 0 if what == "cases" else ()
    clauses = tuple(replace(each, **{what: empty}) if each.id == identifier else each for each in computed().clauses)
    return replace(computed(), clauses=clauses)


def test_the_tree_passes() -> None:
    """No clause lacks code, a test or a case without a reason, and no identifier is cited that nothing has."""
    assert list(lint(computed(), ROOT)) == []


def test_the_table_has_every_clause_in_order() -> None:
    """Those about a round and those about the service."""
    known = [each.id for each in registry.ALL] + [each.id for each in service.CLAUSES]
    assert [each.id for each in computed().clauses] == known
    assert all((ROOT / each.module).is_file() for each in computed().clauses)


@pytest.mark.parametrize(
    ("what", "message"),
    [("code", "a function that carries it out"), ("tests", "a test"), ("cases", "a case"), ("miniatures", "a miniature")],
)
def test_a_clause_that_lacks_something_is_named(what: str, message: str) -> None:
    """One problem for one lack."""
    (problem,) = incomplete(without("RECL-5", what))
    assert problem.startswith(f"RECL-5: has not {message}")


def test_code_of_the_optimized_model_alone_is_not_enough() -> None:
    """The reference carries every clause out itself."""
    clauses = tuple(
        replace(each, code=tuple(name for name in each.code if "optimized" in name)) if each.id == "RECL-5" else each
        for each in computed().clauses
    )
    (problem,) = incomplete(replace(computed(), clauses=clauses))
    assert "RECL-5: has not a function" in problem


def test_every_clause_of_accounting_and_reclamation_is_proved() -> None:
    """ACCT-1 to ACCT-9 and RECL-1 to RECL-8: each has a theorem that is no false claim, and says how far it reaches."""
    clauses = [each for each in computed().clauses if each.family in ("ACCT", "RECL")]
    assert len(clauses) == 17
    assert [each.id for each in clauses if not each.status.startswith(PROVED) or not each.reach] == []


def test_false_claims_prove_nothing() -> None:
    """A clause without theorems has the status none, and one about which all claims are false has no scope."""
    clause = next(each for each in computed().clauses if each.id == "POL-fewest")
    false = tuple(each for each in clause.theorems if not each.is_proved)
    assert [each.id for each in false] == ["POL-fewest.not-optimal"]
    assert clause.status == "proved, false claim"
    assert (replace(clause, theorems=false).status, replace(clause, theorems=false).reach) == ("false claim", ())
    assert (replace(clause, theorems=()).status, replace(clause, theorems=()).reach) == ("none", ())


def test_deep_parts_show_in_the_reach() -> None:
    """Of shapes, some of which are proved in the deep set alone; the widest comes first (PLACE-7)."""
    reached = {each.id: each.reach for clause in computed().clauses for each in clause.theorems}
    assert reached["ACCT-4.ram-eviction"] == "unbounded"
    assert reached["ACCT-1.reuse"] == "shapes"
    assert reached["RECL-7.feasible"] == "shapes with deep parts"
    assert reached["PLACE-7.many-nodes"] == "composed"
    assert next(each for each in computed().clauses if each.id == "PLACE-7").reach[0] == "composed"


def test_a_stale_exemption_is_named() -> None:
    """What is not lacking needs no exemption, and what is no clause neither."""
    (problem,) = incomplete(computed(), {**EXEMPTIONS, ("RECL-5", "a case"): "no reason"})
    assert problem.startswith("RECL-5: is exempt from having a case, but has one")


def test_every_exemption_has_a_reason_and_is_needed() -> None:
    """Without them the lint fails on just those."""
    assert all(EXEMPTIONS.values())
    assert len(list(incomplete(computed(), {}))) == len(EXEMPTIONS)


def test_an_identifier_that_nothing_has_is_named_with_its_file(tmp_path: Path) -> None:
    """In code and in documents alike."""
    unknown = "RECL-" + "77"
    for place, text in (("reference/a.py", f'"""{unknown}"""'), ("docs/b.md", f"See {unknown} and AMB-{12}.")):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(text)
    found = list(lint(computed(), tmp_path))
    assert [problem.partition(";")[0] for problem in found] == [
        f"reference/a.py: cites {unknown}",
        f"docs/b.md: cites AMB-{12}",
        f"docs/b.md: cites {unknown}",
    ]


def test_the_table_survives_its_file() -> None:
    """Written and read again it is the same."""
    assert decode(encode(computed())) == computed()


@pytest.mark.parametrize("data", [b"", b"[]", b'{"version": 1}', b'{"version": 2, "clauses": []}'])
def test_a_damaged_table_is_an_error_of_its_own(data: bytes) -> None:
    """The message says how to mend it."""
    with pytest.raises(TableDamaged, match="Installing gaugeblock again mends it"):
        decode(data)
