"""The matrix of clauses: each is exercised by the corpus and violated by a miniature, and what a miniature claims is so."""

from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from gaugeblock import miniatures
from gaugeblock.miniatures import Fault, service_faults
from gaugeblock.miniatures.matrix import (
    NOT_IN_CORPUS,
    Line,
    WrongReference,
    applicable,
    holes,
    matrix,
    violations,
    violations_of_service,
)
from gaugeblock.miniatures.trials import Trial, answer, case_trials, seeded_trial
from gaugeblock.model import Decisions
from gaugeblock.service import step
from gaugeblock_specs import registry, service

VECTORS = sorted((Path(__file__).parents[1] / "vectors").glob("*.jsonl"))
CLAUSES = [each.id for each in registry.ALL] + [each.id for each in service.CLAUSES]
ROUNDS = 4000
"""How many seeded rounds a miniature may take to violate what it claims to, after the corpus."""

CLAIMED_BY_AN_ERROR = {"stale-wake-up": "its round ends with the error that WAKE-2 demands; there is no answer to judge"}
CLAIMED_BY_THE_DRIVER = {
    "second-event-of-a-date-gets-no-round": "the driver of histories counts the rounds that follow an event"
}


@cache
def corpus() -> tuple[Trial, ...]:
    """Return the cases of the corpus."""
    return tuple(case_trials(VECTORS))


@cache
def seeded(number: int) -> Trial:
    """Return the seeded round of that number, made once."""
    return seeded_trial(number)


@pytest.mark.parametrize("fault", miniatures.FAULTS, ids=lambda fault: fault.name)
def test_a_miniature_violates_every_clause_that_it_claims_to(fault: Fault) -> None:
    """The clauses named beside a fault are those that its own decisions and trace break."""
    trials = chain(corpus(), map(seeded, range(ROUNDS)))
    if fault.name in CLAIMED_BY_AN_ERROR:
        assert any(answer(fault.name, put) is None for put in trials)
    else:
        found = violations(fault, trials, most=-1, enough=frozenset(fault.clauses))
        assert frozenset(fault.clauses) <= found.keys()


@pytest.mark.parametrize("fault", service_faults.FAULTS, ids=lambda fault: fault.name)
def test_a_wrong_service_violates_every_clause_that_it_claims_to(fault: Fault) -> None:
    """SERV-0 to SERV-6: so it is with the faults of the service."""
    if fault.name not in CLAIMED_BY_THE_DRIVER:
        claimed = frozenset(fault.clauses)
        assert claimed <= violations_of_service(service_faults.service(fault.name), enough=claimed).keys()


def test_the_right_service_violates_nothing() -> None:
    """SERV-0 to SERV-6: what catches the wrong ones accuses nobody else."""
    assert violations_of_service(step) == {}


def test_every_clause_is_claimed_by_a_miniature() -> None:
    """Together with the claims being so: each clause is evaluated with a violation by a miniature."""
    claimed = {clause for fault in (*miniatures.FAULTS, *service_faults.FAULTS) for clause in fault.clauses}
    assert set(CLAUSES) == claimed


def test_every_clause_applies_to_a_case_of_the_corpus() -> None:
    """Judged with the reference's trace each clause about a round holds for a case, but for the exemptions."""
    found = applicable(corpus())
    assert {clause.id for clause in registry.ALL} - found.keys() == set(NOT_IN_CORPUS) - {each.id for each in service.CLAUSES}


def test_the_exempt_clause_applies_to_seeded_rounds() -> None:
    """POL-random: rounds with random policies are among the seeded ones."""
    assert applicable(map(seeded, range(7, 80, 8)))["POL-random"] > 0


def test_a_matrix_has_a_line_for_each_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines stand in the order of the clauses, with the miniatures that were found to violate each."""
    faults = tuple(fault for fault in miniatures.FAULTS if fault.name == "fails-too-late")
    monkeypatch.setattr(miniatures, "FAULTS", faults)
    monkeypatch.setattr(service_faults, "FAULTS", service_faults.FAULTS[:1])
    lines = {line.clause: line for line in matrix(corpus()[:60], corpus(), most=5)}
    assert list(lines) == CLAUSES
    assert dict(lines["POL-pending-timeout"].violations).keys() == {"fails-too-late"}
    assert dict(lines["SERV-0"].violations).keys() == {service_faults.FAULTS[0].name}
    assert f"{lines['ROUND-9'].clause}: no miniature violates it" in holes(lines.values())


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (Line("RECL-5", 0, (("some", 1),)), "RECL-5: no case exercises it"),
        (Line("RECL-5", 3, ()), "RECL-5: no miniature violates it"),
        (Line("POL-random", 3, (("some", 1),)), "POL-random: is exempt from having a case, and has one"),
    ],
)
def test_a_hole_is_told(line: Line, told: str) -> None:
    """What is missing is told in a sentence, a stale exemption as well; a full line has none."""
    assert holes([line]) == (told,)
    assert holes([Line("RECL-5", 1, (("some", 1),))]) == ()


def test_a_wrong_reference_is_an_error() -> None:
    """If the right answers were wrong, nothing could be told of others."""
    put = next(put for put in corpus() if put.right.decisions.dispatches)
    with pytest.raises(WrongReference, match="ROUND-10"):
        applicable([put._replace(right=put.right._replace(decisions=Decisions()))])


def test_the_page_has_the_matrix() -> None:
    """docs/miniatures.md has a line for each clause, none without a miniature."""
    text = (Path(__file__).parents[2] / "docs" / "miniatures.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.partition("## Every clause")[2].splitlines() if line.startswith("| ")][2:]
    assert [row[0].removeprefix("| ") for row in rows] == CLAUSES
    assert all(row[2].startswith("`") for row in rows)
