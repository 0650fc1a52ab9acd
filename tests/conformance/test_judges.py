"""Safety and transcript judging of subjects, right, wrong and odd."""

import json
from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec
import pytest
from command_lines import GAUGEBLOCK

from gaugeblock.conformance.answers import Decided
from gaugeblock.conformance.campaign import judge, run
from gaugeblock.conformance.command import CommandSubject
from gaugeblock.conformance.errors import SubjectNotRunnable
from gaugeblock.conformance.process import Limits
from gaugeblock.conformance.recording import decide_recorded
from gaugeblock.conformance.subjects import InProcessSubject, Transcribing, declaration_of, named, reference_scheduler
from gaugeblock.conformance.transcripts import CLAUSES, NO_TRANSCRIPT, OUTPUTS, judge_transcript
from gaugeblock.conformance.verdicts import CaseResult, Judging, Verdict
from gaugeblock.corpus import load
from gaugeblock.model import (
    Container,
    ContainerId,
    Decisions,
    Deficits,
    LayerName,
    ObservedState,
    PolicyKind,
    PolicyName,
    PolicyNames,
    ResidentLayer,
    Value,
    WorkingNode,
    WorkingState,
    replace,
)
from gaugeblock.policies.registry import METHODS
from gaugeblock.scheduler import GreedyScheduler
from gaugeblock.wire.cases import Case
from gaugeblock.wire.protocol import PolicyCall

QUIRKS = load("wrench-quirks")
DERIVED = load("derived")
RECLAIMING = [case for case in DERIVED if case.decisions.terminations or case.decisions.ram_evictions]
FEW = (*QUIRKS, *DERIVED[::12], *RECLAIMING[:12])
UNSAFE = "miniature:evicts-what-containers-use"


class EvictsEverything(Value, frozen=True):
    """An eviction policy that nobody asked for: all candidates, last first."""

    kind: ClassVar[PolicyKind] = PolicyKind.EVICTION
    name: ClassVar[str] = "everything"

    def containers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[Container, ...], deficits: Deficits
    ) -> tuple[ContainerId, ...]:
        """Return all."""
        return tuple(each.id for each in reversed(candidates))

    def ram_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        """Return all."""
        return tuple(each.layer.name for each in reversed(candidates))

    disk_layers = ram_layers

    def wakeup(self, state: WorkingState) -> float | None:
        """Ask for a round a second from now."""
        return state.now + 1.0


ODD = GreedyScheduler().with_policy(EvictsEverything())


def odd(observed: ObservedState, policies: PolicyNames) -> object:
    """A subject with an eviction policy of its own, which tells what it asked it."""
    return decide_recorded(ODD, observed)


def results(name: str, judging: Judging) -> tuple[CaseResult, ...]:
    """Return the verdicts on a subject of this process for a few cases."""
    cases = tuple({case.id: case for case in FEW}.values())
    return run(cases, named(name, Transcribing.STATES), judging=judging).results


def recorded(case: Case) -> Decided:
    """Return the reference's answer with its transcript."""
    return decide_recorded(reference_scheduler(case.policies), case.round, with_states=True)


@pytest.mark.parametrize("judging", Judging)
@pytest.mark.parametrize("name", ["reference", "optimized"])
def test_both_models_pass_every_judge(name: str, judging: Judging) -> None:
    """They are right, break nothing, and their transcripts replay."""
    assert {each.verdict for each in results(name, judging)} == {Verdict.PASSED}


def test_an_unsafe_miniature_is_caught_by_safety_with_clause_and_witness() -> None:
    """RECL-5: the layer, the node, and the container that still uses it."""
    found = [each for each in results(UNSAFE, Judging.SAFETY) if each.verdict is Verdict.FAILED]
    found += [judge(case, named(UNSAFE), declaration_of(UNSAFE), False, Judging.SAFETY) for case in DERIVED if "b15" in case.id]
    violations = [violation for each in found for violation in each.violations if violation.clause == "RECL-5"]
    assert violations
    assert all(witness.node and witness.layer and witness.container for each in violations for witness in each.witnesses)


def test_safety_takes_whatever_policies_the_subject_has() -> None:
    """A subject that declares none of the case's policies is judged, and its odd evictions accuse nobody."""
    subject = InProcessSubject("odd", odd, replace(declaration_of("odd"), policies=((PolicyKind.EVICTION, ("everything",)),)))
    result = run(RECLAIMING[:20], subject, judging=Judging.SAFETY)
    assert {each.verdict for each in result.results} == {Verdict.PASSED}


def test_a_subject_with_policies_of_its_own_passes_by_transcript() -> None:
    """Orchestration is judged alone; exact judging would refuse it, for it evicts more and wants wake-ups."""
    subject = InProcessSubject("odd", odd, declaration_of("odd"))
    by_transcript = run(RECLAIMING, subject, judging=Judging.TRANSCRIPT)
    exactly = run(RECLAIMING, subject)
    assert {each.verdict for each in by_transcript.results} == {Verdict.PASSED}
    assert Verdict.PASSED not in {each.verdict for each in exactly.results}


ORCHESTRATION = (
    "failed-still-placed",
    "deactivated-node-gets-work",
    "prewarm-before-placement",
    "cold-before-reuse",
    "waits-before-cold-dispatch",
    "loads-again",
    "evicts-protected-layers",
    "evicts-what-containers-use",
    "starting-containers-take-no-position",
)
"""Miniatures that ask the right policies the wrong things, or make something else of their answers."""


@pytest.mark.parametrize("name", ORCHESTRATION)
def test_wrong_orchestration_is_caught_by_transcript(name: str) -> None:
    """The place where the subject departs is named, with a clause (ROUND-2, PLACE-7, RECL-5 and the like)."""
    subject = named(f"miniature:{name}", Transcribing.CALLS)
    failed = [each for each in run(DERIVED, subject, judging=Judging.TRANSCRIPT).results if each.verdict is Verdict.FAILED]
    assert failed
    assert all(each.parting is not None or each.detail for each in failed)


@pytest.mark.parametrize("name", ["largest-again", "lru-ties-newest-first", "reuses-smallest-id"])
def test_a_wrong_policy_is_no_wrong_orchestration(name: str) -> None:
    """A miniature whose built-in policy alone is wrong passes by transcript, and fails by exact judging."""
    subject = named(f"miniature:{name}", Transcribing.CALLS)
    assert run(DERIVED, subject, judging=Judging.TRANSCRIPT).is_conformant
    assert not run((*DERIVED, *QUIRKS), subject).is_conformant


def test_a_command_that_tells_its_calls_is_judged_by_them() -> None:
    """End to end: ``serve --transcript`` of a miniature behind a pipe."""
    command = (*GAUGEBLOCK, "serve", "--transcript", "--subject")
    cases = [case for case in DERIVED if "b14" in case.id]
    limits = Limits(start_seconds=60, answer_seconds=60)
    right = run(cases, CommandSubject((*command, "reference"), limits), judging=Judging.TRANSCRIPT)
    wrong = run(cases, CommandSubject((*command, "miniature:evicts-protected-layers"), limits), judging=Judging.TRANSCRIPT)
    assert right.is_conformant
    assert not wrong.is_conformant


def test_an_answer_without_a_transcript_is_malformed() -> None:
    """It was asked for by the choice of the judge; leaving it out is no way around judgement."""
    case = QUIRKS[0]
    found = judge_transcript(case, Decided(case.decisions))
    assert (found.verdict, found.detail) == (Verdict.MALFORMED, NO_TRANSCRIPT)


def test_an_answer_that_its_own_transcript_does_not_lead_to_fails() -> None:
    """The calls are right, the decisions are not what follows from them."""
    case = RECLAIMING[0]
    answer = recorded(case)
    found = judge_transcript(case, Decided(Decisions(), answer.transcript))
    assert found.verdict is Verdict.FAILED
    assert found.differences


def calls(case: Case) -> list[PolicyCall]:
    """Return the reference's transcript."""
    transcript = recorded(case).transcript
    assert transcript is not None
    return list(transcript)


def verdict_on(case: Case, transcript: list[PolicyCall]) -> CaseResult:
    """Judge the reference's decisions with another transcript."""
    return judge_transcript(case, Decided(recorded(case).decisions, tuple(transcript)))


@pytest.mark.parametrize("case", [*QUIRKS[:3], *RECLAIMING[:3]], ids=lambda case: case.id)
def test_no_call_can_be_left_out_repeated_or_moved(case: Case) -> None:
    """ROUND-2 to ROUND-7: the calls and their order are pinned, but for the order in which wake-up dates are collected."""
    right = calls(case)
    for index, call in enumerate(right):
        assert verdict_on(case, right[:index] + right[index + 1 :]).verdict is Verdict.FAILED
        assert verdict_on(case, [*right[: index + 1], *right[index:]]).verdict is Verdict.FAILED
        if index and call.method != "wakeup" and right[index - 1] != call:
            moved = [*right[: index - 1], call, right[index - 1], *right[index + 1 :]]
            assert verdict_on(case, moved).verdict is Verdict.FAILED


def test_wakeup_dates_are_collected_last_in_any_order() -> None:
    """WAKE-1 takes the earliest of them all; ROUND-7 says that they come last."""
    right = calls(QUIRKS[0])
    last = [call for call in right if call.method == "wakeup"]
    assert len(last) == len(PolicyKind)
    assert right[-len(last) :] == last
    assert verdict_on(QUIRKS[0], right[: -len(last)] + last[::-1]).verdict is Verdict.PASSED
    assert verdict_on(QUIRKS[0], last + right[: -len(last)]).verdict is Verdict.FAILED


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths to the scalars in a JSON value."""
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*path, key))
    else:
        yield path


def changed(value: Any, path: tuple[Any, ...]) -> Any:
    """Return a copy in which the scalar at ``path`` is another one."""
    if not path:
        return "other" if not isinstance(value, str) else value + "?"
    copied = dict(value) if isinstance(value, dict) else list(value)
    copied[path[0]] = changed(value[path[0]], path[1:])
    return copied


def test_every_part_of_every_input_is_compared() -> None:
    """No name, number or state that a subject passes to a policy can be another one unnoticed."""
    case = RECLAIMING[0]
    right = calls(case)
    for index, call in enumerate(right):
        asked = json.loads(call.input)
        for path in leaves(asked):
            wrong = replace(call, input=msgspec.json.encode(changed(asked, path)))
            found = verdict_on(case, [*right[:index], wrong, *right[index + 1 :]])
            assert found.verdict is Verdict.FAILED
            assert found.parting is not None
            assert found.parting.where == f"policy call {index} of the transcript"


def test_an_unknown_or_missing_key_of_an_input_is_a_departure() -> None:
    """The message says which key it was."""
    case = QUIRKS[0]
    first, *rest = calls(case)
    for given in ({}, {**json.loads(first.input), "extra": 1}):
        found = verdict_on(case, [replace(first, input=msgspec.json.encode(given)), *rest])
        assert found.parting is not None
        assert "no such key" in found.parting.sentence


def test_states_may_be_left_out() -> None:
    """A subject shows the working states that its policies were given, or does not."""
    case = RECLAIMING[0]
    bare = decide_recorded(reference_scheduler(case.policies), case.round)
    assert bare.transcript is not None
    assert all(b'"state"' not in call.input for call in bare.transcript)
    assert judge_transcript(case, bare).verdict is Verdict.PASSED


BAD_OUTPUTS: dict[str, tuple[str, object, str]] = {
    "no list": ("failures", 3, "output"),
    "a stranger in the order": ("order", [10**9], "expected members of the worklist"),
    "a node that is not there": ("select", ["ghost"], "cannot be decided"),
    "a victim that is no candidate": ("containers", [10**9], "cannot be decided"),
    "a victim twice": ("containers", None, "cannot be decided"),
    "an alternative that is none": ("choose", "ghost", "cannot be decided"),
    "a function that is not there": ("propose", [{"node": "n", "function": "ghost"}], "cannot be decided"),
    "a stale wake-up": ("wakeup", 0.0, "cannot be decided"),
    "an unknown key": ("propose", [{"node": "n", "function": "f", "count": 2}], "output"),
}


@pytest.mark.parametrize("what", BAD_OUTPUTS)
def test_an_output_that_breaks_the_contract_fails_with_a_message(what: str) -> None:
    """RECL-8, ROUND-3, PREW-2 and the like hold for everybody's policies."""
    method, output, fragment = BAD_OUTPUTS[what]
    case = next(case for case in RECLAIMING if case.decisions.terminations)
    right = calls(case)
    index = next(index for index, call in enumerate(right) if call.method == method)
    if output is None:
        output = json.loads(right[index].output) * 2
    right[index] = replace(right[index], output=msgspec.json.encode(output))
    found = verdict_on(case, right)
    assert found.verdict is Verdict.FAILED
    assert fragment in found.detail + (found.parting.sentence if found.parting else "")


def test_every_method_of_a_policy_has_a_form_and_a_clause() -> None:
    """The transcript knows all that a policy can be asked."""
    methods = {method for kind in METHODS.values() for method in kind} | {"wakeup"}
    assert set(OUTPUTS) == set(CLAUSES) == methods


def test_a_miniature_that_is_not_there_is_refused() -> None:
    """The message lists those that are."""
    with pytest.raises(SubjectNotRunnable, match=r"found miniature 'nobody'; expected one of "):
        named("miniature:nobody")


def test_exact_judging_still_skips_undeclared_policies() -> None:
    """Only the other two judges take whatever policies a subject has."""
    case = replace(QUIRKS[0], policies=replace(QUIRKS[0].policies, eviction=PolicyName("theirs")))
    assert judge(case, named("reference"), declaration_of("reference")).verdict is Verdict.SKIPPED
    assert judge(case, named("reference"), declaration_of("reference"), False, Judging.SAFETY).verdict is not Verdict.SKIPPED
