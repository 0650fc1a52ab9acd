"""The theorems are well formed, and every clause of ACCT and RECL has one."""

from __future__ import annotations

import importlib
import re

import pytest

from gaugeblock_proofs.engine import Verdict
from gaugeblock_proofs.registry import UnknownTheorem, all_theorems, by_id, home_of, part_of, select
from gaugeblock_proofs.shipped import as_shipped
from gaugeblock_proofs.theorem import Theorem, Tier

CLAUSE = re.compile(r"[A-Z]+-[0-9a-z][0-9a-z-]*")
ACCT_AND_RECL = [f"ACCT-{number}" for number in range(1, 10)] + [f"RECL-{number}" for number in range(1, 9)]


def test_ids_are_unique() -> None:
    """A verdict belongs to one theorem."""
    ids = [theorem.id for theorem in all_theorems()]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("theorem", all_theorems(), ids=lambda theorem: theorem.id)
def test_a_theorem_is_well_formed(theorem: Theorem) -> None:
    """Its id begins with its first clause, and it has a statement, parts of different names, and a standard part."""
    assert theorem.id.startswith(f"{theorem.clauses[0]}.")
    assert all(CLAUSE.fullmatch(clause) for clause in theorem.clauses)
    assert theorem.statement.endswith(".")
    assert theorem.scope.text
    assert len({part.name for part in theorem.parts}) == len(theorem.parts)
    assert any(part.tier is Tier.STANDARD for part in theorem.parts)
    assert theorem.assertions
    assert theorem.statement.startswith("False: ") == (theorem.expected is Verdict.REFUTED)


@pytest.mark.parametrize("theorem", all_theorems(), ids=lambda theorem: theorem.id)
def test_what_a_theorem_runs_is_shipped(theorem: Theorem) -> None:
    """Every name that it lists leads to something callable in the very module that users import."""
    for name in theorem.runs:
        module, _, attribute = name.rpartition(".")
        assert callable(getattr(importlib.import_module(module), attribute)), name


def test_the_modules_at_hand_are_the_real_ones() -> None:
    """No copy stands between a proof and what ships."""
    theorem = by_id("ACCT-1.reuse")
    shipped = as_shipped(theorem.modules)
    assert shipped.round.accounting is importlib.import_module("gaugeblock.round.accounting")


@pytest.mark.parametrize("clause", ACCT_AND_RECL)
def test_a_clause_has_a_proved_theorem(clause: str) -> None:
    """ACCT-1 to ACCT-9 and RECL-1 to RECL-8 are each the subject of a theorem that is not a refuted claim."""
    assert any(clause in theorem.clauses and theorem.expected is Verdict.PROVED for theorem in all_theorems())


def test_selection_is_by_family_clause_or_id() -> None:
    """Each option of the command line selects what it says."""
    assert {theorem.family for theorem in select(families=("WAKE",))} == {"WAKE"}
    assert all("RECL-6" in theorem.clauses for theorem in select(clauses=("RECL-6",)))
    assert [theorem.id for theorem in select(ids=("ACCT-5.load",))] == ["ACCT-5.load"]
    assert select() == all_theorems()


@pytest.mark.parametrize("names", [{"families": ("NONE",)}, {"clauses": ("ACCT-99",)}, {"ids": ("ACCT-1.none",)}])
def test_a_selection_of_nothing_is_an_error(names: dict[str, tuple[str, ...]]) -> None:
    """A misspelt name must not pass as "all proved"."""
    with pytest.raises(UnknownTheorem, match="expected one of"):
        select(**names)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ("ACCT-5", rf"one of {len(all_theorems())}, such as ACCT-5.load, ACCT-5.copy$"),
        ("acct-5.lod", rf"one of {len(all_theorems())}, such as ACCT-5.load"),
        ("", rf"one of {len(all_theorems())}, such as ACCT-1.reuse"),
    ],
)
def test_an_unknown_name_is_answered_by_those_like_it(found: str, expected: str) -> None:
    """Nobody searches for a slip of the pen in a list of all theorems."""
    with pytest.raises(UnknownTheorem, match=expected):
        by_id(found)


def test_a_home_and_a_part_are_found() -> None:
    """The cache needs the module that holds a theorem, a replay its part."""
    theorem = by_id("RECL-1.deficits")
    assert home_of(theorem) == "gaugeblock_proofs.reclamation"
    assert part_of(theorem, "all integers") is theorem.parts[0]
    with pytest.raises(UnknownTheorem):
        part_of(theorem, "none of them")
