"""What the clauses and the comparison with the reference say of one answer."""

import pytest

from gaugeblock.conformance.assessing import Basis, assess
from gaugeblock.conformance.errors import UnusableCase
from gaugeblock.corpus import load
from gaugeblock.model import Decisions, PolicyName, PolicyNames, replace
from gaugeblock.wire.cases import Case
from gaugeblock_specs.verdicts import Verdict

QUIRKS = load("wrench-quirks")
DERIVED = {case.id: case for case in load("derived")}
PLACED = DERIVED["scenario-b18-two-idle-two-pending"]
RANDOM = PolicyName("random", (("seed", 7),))


def violated(case: Case, decisions: Decisions, policies: PolicyNames | None) -> set[str]:
    """Return the identifiers of the clauses that an answer to a case violates."""
    return {result.clause for result in assess(case.id, case.round, decisions, policies).violated}


@pytest.mark.parametrize("case", QUIRKS, ids=lambda case: case.id)
def test_a_right_answer_is_satisfied_from_every_basis(case: Case) -> None:
    """With and without policies, with and without the trace of the reference."""
    safe = assess(case.id, case.round, case.decisions)
    compared = assess(case.id, case.round, case.decisions, case.policies)
    traced = assess(case.id, case.round, case.decisions, case.policies, with_trace=True)
    assert [each.basis for each in (safe, compared, traced)] == [Basis.DECISIONS, Basis.REFERENCE, Basis.TRACE]
    assert safe.is_satisfied
    assert compared.is_satisfied
    assert traced.is_satisfied


def test_the_trace_leaves_nothing_undecided() -> None:
    """With the reference's trace and the policies' names every clause is decided."""
    traced = assess(PLACED.id, PLACED.round, PLACED.decisions, PLACED.policies, with_trace=True)
    assert Verdict.UNDECIDABLE not in {result.verdict for result in traced.results}
    assert len({result.clause for result in traced.results}) == len(traced.results)


def test_an_answer_that_no_clause_about_decisions_sees_through_is_still_wrong() -> None:
    """Safety judging accepts that nothing is done at all; known policies admit one answer, and PLACE-1 is where it parts."""
    idle = Decisions()
    assert violated(PLACED, idle, None) == set()
    assert "PLACE-1" in violated(PLACED, idle, PLACED.policies)


def test_the_clause_of_the_parting_names_the_invocation() -> None:
    """Its witness says what the reference does with it and what the answer does."""
    found = assess(PLACED.id, PLACED.round, Decisions(), PLACED.policies)
    (parted,) = (result for result in found.violated if result.clause == "PLACE-1")
    assert [witness.invocation for witness in parted.witnesses] == [1]
    assert "does not dispatch it" in parted.witnesses[0].message
    assert found.parting is not None
    assert found.differences


def test_seeded_random_policies_admit_one_answer_too() -> None:
    """Their draws follow a published rule (POL-random), so that an answer can be compared."""
    policies = PolicyNames(plan_selection=RANDOM, invocation_ordering=RANDOM)
    assert assess(PLACED.id, PLACED.round, Decisions(), policies).basis is Basis.REFERENCE


def test_policies_of_others_are_judged_as_far_as_the_clauses_go() -> None:
    """Nothing is looked up or run for a name that is not built in; the clauses about the other policies still apply."""
    policies = PolicyNames(eviction=PolicyName("os:abort"), container_prewarm=PolicyName("never"))
    found = assess(PLACED.id, PLACED.round, Decisions(), policies)
    assert (found.basis, found.trace) == (Basis.POLICIES, None)
    assert {result.verdict for result in found.results if result.clause == "POL-never"} == {Verdict.HOLDS}


def test_the_order_within_a_category_is_no_violation() -> None:
    """AMB-8."""
    turned = replace(PLACED.decisions, dispatches=PLACED.decisions.dispatches[::-1])
    assert turned != PLACED.decisions
    assert assess(PLACED.id, PLACED.round, turned, PLACED.policies, with_trace=True).is_satisfied


def test_a_policy_with_impossible_parameters_is_bad_input() -> None:
    """The message names the case and the parameter."""
    policies = PolicyNames(invocation_failing=PolicyName("pending-timeout", (("minutes", 1.0),)))
    with pytest.raises(UnusableCase, match=r"case 'scenario-b18.*minutes"):
        assess(PLACED.id, PLACED.round, PLACED.decisions, policies)
