"""Exact judging, and where an answer parts from the reference."""

import math
from contextlib import nullcontext
from pathlib import Path

import pytest

from gaugeblock.conformance.answers import Decided
from gaugeblock.conformance.campaign import judge_exactly, run, what_lacks
from gaugeblock.conformance.errors import PolicyRaised, SubjectNotRunnable
from gaugeblock.conformance.exact import differences
from gaugeblock.conformance.subjects import InProcessSubject, decide_by_reference, declaration_of, named, reference
from gaugeblock.conformance.verdicts import CaseResult, CategoryDifference, RunResult, Verdict
from gaugeblock.corpus import load
from gaugeblock.model import (
    ContainerId,
    Decisions,
    Dispatch,
    Eviction,
    Failure,
    InvocationId,
    LayerName,
    NodeName,
    ObservedState,
    PolicyKind,
    PolicyName,
    PolicyNames,
    Termination,
    Transfer,
    replace,
)
from gaugeblock.policies.registry import InvalidParameters
from gaugeblock.wire.cases import Case
from gaugeblock.wire.protocol import Declaration

N = NodeName("n")
A, B = Transfer(N, LayerName("a")), Transfer(N, LayerName("b"))
QUIRKS = load("wrench-quirks")


def test_the_order_within_a_category_matters_in_strict_order_only() -> None:
    """AMB-8: categories are multisets, or lists where that is asked for."""
    expected, actual = Decisions(loads=(A, B)), Decisions(loads=(B, A))
    assert differences(expected, actual) == ()
    assert differences(expected, actual, strict_order=True) == (CategoryDifference("loads", reordered=True),)


def test_a_repeated_operation_is_no_single_one() -> None:
    """Multisets count."""
    (found,) = differences(Decisions(loads=(A,)), Decisions(loads=(A, A)))
    assert found == CategoryDifference("loads", (), ('{"node":"n","layer":"a"}',))


def test_the_reason_of_a_failure_is_never_compared() -> None:
    """Not even in strict order."""
    one, other = (Decisions(failures=(Failure(InvocationId(1), reason),)) for reason in ("late", "too late"))
    assert differences(one, other, strict_order=True) == ()
    assert differences(one, Decisions(failures=(Failure(InvocationId(2), "late"),)))


@pytest.mark.parametrize(
    "actual",
    [
        Decisions(activations=(N,)),
        Decisions(deactivations=(N,)),
        Decisions(terminations=(Termination(N, ContainerId(1)),)),
        Decisions(ram_evictions=(Eviction(N, LayerName("a")),)),
        Decisions(disk_evictions=(Eviction(N, LayerName("a")),)),
        Decisions(dispatches=(Dispatch(InvocationId(1), N, None),)),
        Decisions(copies=(A,)),
        Decisions(wakeup=3.0),
    ],
    ids=lambda actual: next(field for field in actual.__struct_fields__ if getattr(actual, field)),
)
def test_every_category_counts(actual: Decisions) -> None:
    """Whatever is decided beyond nothing is a difference of its category, and missing the other way round."""
    (found,) = differences(Decisions(), actual)
    (reverse,) = differences(actual, Decisions())
    assert (found.unexpected, found.missing) == (reverse.missing, reverse.unexpected)
    assert getattr(actual, found.category)
    assert len(found.unexpected) == 1


def test_the_reference_passes_the_quirks() -> None:
    """The decisions that the real scheduler made in its twelve oddest rounds."""
    assert run(QUIRKS, reference()).is_conformant


def test_a_wrong_subject_in_this_process_is_caught() -> None:
    """A scheduler that forgets every eviction is told where it parts from the reference, and by which clause."""

    def forgetful(observed: ObservedState, policies: PolicyNames) -> Decisions:
        return replace(decide_by_reference(observed, policies), ram_evictions=(), disk_evictions=())

    result = run(QUIRKS, InProcessSubject("forgetful", forgetful, declaration_of("forgetful")))
    failed = [each for each in result.results if each.verdict is Verdict.FAILED]
    assert failed
    assert not result.is_conformant
    for each in failed:
        assert each.parting is not None
        assert each.parting.clause.endswith(("RECL-5", "RECL-6"))


@pytest.mark.parametrize("case", QUIRKS, ids=lambda case: case.id)
def test_every_operation_left_out_is_named_with_the_place_where_it_was_due(case: Case) -> None:
    """Without any one of its operations an answer fails, parting from the reference where that operation is planned."""
    for category in ("terminations", "ram_evictions", "disk_evictions", "dispatches", "loads", "copies"):
        operations = getattr(case.decisions, category)
        for index in range(len(operations)):
            wrong = replace(case.decisions, **{category: operations[:index] + operations[index + 1 :]})
            result = judge_exactly(case, wrong)
            assert [each.category for each in result.differences] == [category]
            assert result.parting is not None
            assert result.parting.where.startswith("invocation ")


def test_an_operation_too_many_is_placed_by_its_node() -> None:
    """All that the reference plans is there; the surplus is named with the first plan on its node."""
    case = QUIRKS[0]
    wrong = replace(case.decisions, ram_evictions=(Eviction(N, LayerName("g0")),))
    parting = judge_exactly(case, wrong).parting
    assert parting is not None
    assert parting.clause == "PLACE-6, RECL-5"
    assert 'in surplus {"node":"n","layer":"g0"} in ram_evictions' in parting.sentence


def test_another_dispatch_is_told_beside_the_reference_outcome() -> None:
    """The answer dispatches what the reference has copied for."""
    case = QUIRKS[0]
    wrong = replace(case.decisions, dispatches=(Dispatch(case.round.pending[0].id, N, ContainerId(1)),))
    parting = judge_exactly(case, wrong).parting
    assert parting is not None
    assert parting.sentence == ("in the reference it has a copied to disk on n; the answer dispatches it to container 1 on n")


def test_phases_other_than_placement_have_their_own_clause() -> None:
    """ROUND-2, ROUND-3, PREW-3 and WAKE-1 each name the phase."""
    case = QUIRKS[0]
    partings = {
        clause: judge_exactly(case, replace(case.decisions, **{category: value})).parting
        for clause, category, value in (
            ("ROUND-2", "failures", (Failure(InvocationId(1), ""),)),
            ("ROUND-3", "activations", (N,)),
            ("WAKE-1", "wakeup", 99.0),
        )
    }
    assert [(clause, parting.clause) for clause, parting in partings.items() if parting] == [
        ("ROUND-2", "ROUND-2"),
        ("ROUND-3", "ROUND-3"),
        ("WAKE-1", "WAKE-1"),
    ]


def test_strict_order_expects_the_order_of_the_reference() -> None:
    """AMB-8: a case lists its decisions in any order, so that only the reference can say which one is planned."""
    case = next(each for each in QUIRKS if len(each.decisions.terminations) > 1)
    reverse = replace(case.decisions, terminations=case.decisions.terminations[::-1])
    planned = decide_by_reference(case.round, case.policies)
    other = replace(planned, terminations=planned.terminations[::-1])
    assert judge_exactly(replace(case, decisions=reverse), planned, strict_order=True).verdict is Verdict.PASSED
    (difference,) = judge_exactly(case, other, strict_order=True).differences
    assert difference == CategoryDifference("terminations", reordered=True)


def test_a_case_that_the_reference_disagrees_with_is_said_to_be_one() -> None:
    """The case decides what passes; that the reference decides otherwise is said loudly, and where they part."""
    case = replace(QUIRKS[0], decisions=Decisions())
    assert judge_exactly(case, Decisions()).verdict is Verdict.PASSED
    result = judge_exactly(case, QUIRKS[0].decisions)
    assert result.reference_disagrees
    assert result.detail.startswith("CASE AND REFERENCE DISAGREE")
    assert result.parting is not None


def test_a_failure_stands_although_the_reference_lacks_the_policy() -> None:
    """The reference cannot tell where the answer parts from it; that is said instead."""
    case = replace(QUIRKS[0], policies=replace(PolicyNames(), eviction=PolicyName("unheard-of")))
    result = judge_exactly(case, Decisions())
    assert (result.verdict, result.parting) == (Verdict.FAILED, None)
    assert result.detail == "the reference cannot decide this round with these policies"


def test_an_undeclared_policy_or_feature_is_the_reason_of_a_skip() -> None:
    """A kind that is left out of the declaration stands for its default."""
    nothing = Declaration(declaration_of("none").implementation, (), ())
    lru = next(each for each in QUIRKS if each.policies.eviction.name == "lru")
    fewest = next(each for each in QUIRKS if each.policies.eviction.name == "fewest")
    assert what_lacks(lru, nothing) == "the policy eviction lru is not declared"
    assert what_lacks(fewest, nothing) is None
    assert what_lacks(lru, replace(nothing, policies=((PolicyKind.EVICTION, ("lru",)),))) is None
    assert what_lacks(fewest, replace(nothing, policies=((PolicyKind.EVICTION, ("lru",)),))) is not None


def test_a_run_in_which_all_was_skipped_is_not_conformant() -> None:
    """Conformant means that at least one passed and none failed."""
    skipped, passed, failed = (CaseResult(each.value, each) for each in (Verdict.SKIPPED, Verdict.PASSED, Verdict.FAILED))
    assert not RunResult("s", 1, (skipped,)).is_conformant
    assert RunResult("s", 2, (skipped, passed)).is_conformant
    assert not RunResult("s", 2, (passed, failed)).is_conformant
    assert not RunResult("s", 2, (passed,), "interrupted").is_conformant


def test_an_interrupt_keeps_what_was_judged() -> None:
    """Ctrl-C ends the run; the verdicts so far stay."""

    def interrupted(observed: ObservedState, policies: PolicyNames) -> Decisions:
        if observed == QUIRKS[2].round:
            raise KeyboardInterrupt
        return decide_by_reference(observed, policies)

    result = run(QUIRKS, InProcessSubject("interrupted", interrupted, declaration_of("interrupted")))
    assert (len(result.results), result.stopped) == (2, "interrupted")


@pytest.mark.parametrize("error", [ZeroDivisionError("by zero"), RecursionError("too deep"), SystemExit(3)])
def test_what_a_subject_of_this_process_raises_is_a_crash(error: BaseException) -> None:
    """The run goes on."""

    def raising(observed: ObservedState, policies: PolicyNames) -> Decisions:
        raise error

    result = run(QUIRKS[:2], InProcessSubject("raising", raising, declaration_of("raising")))
    assert [each.verdict for each in result.results] == [Verdict.CRASHED, Verdict.CRASHED]
    assert result.results[0].detail == f"it raised {type(error).__name__}: {error}"


def test_a_function_is_found_by_module_and_attribute() -> None:
    """It is given the policies, so that it is asked about all of them."""
    assert run(QUIRKS, named("gaugeblock.conformance.subjects:decide_by_reference")).count(Verdict.PASSED) == len(QUIRKS)


def test_a_scheduler_is_found_by_module_and_attribute() -> None:
    """It has its own policies, the defaults, so that cases with others are skipped; a class is called to make one."""
    result = run(QUIRKS, named("gaugeblock.scheduler:GreedyScheduler"))
    others = {each.id for each in QUIRKS if each.policies.eviction.name != "fewest"}
    assert others
    assert {each.case for each in result.results if each.verdict is Verdict.SKIPPED} == others
    assert result.is_conformant


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nonsense", "expected reference, optimized, miniature:NAME or module:attribute"),
        ("no.such.module:thing", "ModuleNotFoundError"),
        ("gaugeblock.scheduler:nothing", "AttributeError"),
        ("gaugeblock.version:__version__", "neither a function nor has it a method schedule"),
    ],
)
def test_a_name_that_leads_to_no_subject_is_refused(name: str, reason: str) -> None:
    """The message says what was expected."""
    with pytest.raises(SubjectNotRunnable, match=reason):
        named(name)


@pytest.mark.parametrize(
    ("decisions", "said"),
    [
        (Decisions(failures=None), "decisions that no document can hold"),  # type: ignore[arg-type]  # what is tested
        (Decisions(activations="abc"), "$.activations: found 'abc'"),  # type: ignore[arg-type]
        (Decisions(terminations=(Termination(NodeName("n"), True),)), "$.terminations[0].container"),  # type: ignore[arg-type]
        (Decisions(activations=(NodeName("\ud800"),)), "decisions that no document can hold"),
        (Decisions(wakeup=math.nan), "$.wakeup: found nan"),
        (Decisions(wakeup=math.inf), "$.wakeup: found inf"),
        (Decided(Decisions(loads=[])), ""),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_decisions_of_this_process_are_held_to_the_format(decisions: object, said: str) -> None:
    """Nothing else keeps the fields of a value to their types; the run goes on."""
    result = run(QUIRKS[:2], InProcessSubject("odd", lambda observed, policies: decisions, declaration_of("odd")))
    verdicts = {each.verdict for each in result.results}
    assert verdicts == ({Verdict.MALFORMED} if said else {Verdict.FAILED})
    assert said in result.results[0].detail


def test_parameters_that_python_calls_equal_are_not_confused() -> None:
    """A seed of 1.0 or true is refused, also after a seed of 1 was accepted."""
    for seed in (1, 1.0, True):
        names = replace(PolicyNames(), plan_selection=PolicyName("random", (("seed", seed),)))
        with nullcontext() if type(seed) is int else pytest.raises(InvalidParameters):
            decide_by_reference(QUIRKS[0].round, names)


RAISING = """
from gaugeblock.model import PolicyKind


class Raising:
    kind = PolicyKind.NODE_SCALING
    name = "raising"

    def wakeup(self, state): return None
    def scale(self, state): return 1 // 0
"""


def test_what_a_foreign_policy_raises_is_told_with_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of gaugeblock's own, so that the user sees no traceback, and the author of the policy the place."""
    (tmp_path / "raising_policies.py").write_text(RAISING, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    names = replace(PolicyNames(), node_scaling=PolicyName("raising_policies:Raising"))
    with pytest.raises(PolicyRaised, match=r"a policy raised ZeroDivisionError: .* \(.*raising_policies.py, line 10\)"):
        decide_by_reference(QUIRKS[0].round, names)
