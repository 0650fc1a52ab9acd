"""A run: every case put to a subject, every answer judged."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from gaugeblock.conformance import features
from gaugeblock.conformance.answers import Crashed, Decided, Declined, Errored, Malformed, TimedOut
from gaugeblock.conformance.assessing import violations
from gaugeblock.conformance.exact import differences
from gaugeblock.conformance.parting import find_parting
from gaugeblock.conformance.subjects import Subject, schedule_by_reference
from gaugeblock.conformance.transcripts import judge_transcript
from gaugeblock.conformance.verdicts import CaseResult, Judging, RunResult, Verdict
from gaugeblock.model import Decisions, GaugeblockError, PolicyKind, PolicyNames, RoundTrace
from gaugeblock.wire.cases import Case
from gaugeblock.wire.protocol import Declaration

Observer: TypeAlias = Callable[[CaseResult], None]
Undecided: TypeAlias = Declined | Errored | Crashed | TimedOut | Malformed

DEFAULTS: Final = PolicyNames()
INTERRUPTED: Final = "interrupted"
ANSWERED_AGAIN: Final = "it answered this round more than once"
DISAGREEMENT: Final = "CASE AND REFERENCE DISAGREE: the case states other decisions than the reference makes"


def run(
    cases: Sequence[Case],
    subject: Subject,
    *,
    strict_order: bool = False,
    judging: Judging = Judging.EXACT,
    observe: Observer | None = None,
) -> RunResult:
    """Judge ``subject`` on ``cases`` and end it; after an interrupt (Ctrl-C) the result says that the run was stopped.

    ``observe`` is told of each verdict as it falls; one may still change, when a case turns out to be answered again.

    Raises:
        SubjectNotRunnable: when the subject cannot be started at all.
    """
    results: dict[str, CaseResult] = {}
    stopped = None
    try:
        declaration = subject.start()
        for case in cases:
            stopped = subject.gave_up()
            if stopped is not None:
                break
            results[case.id] = judge(case, subject, declaration, strict_order, judging)
            _retract(results, subject.answered_again())
            if observe is not None:
                observe(results[case.id])
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    finally:
        subject.stop()
    _retract(results, subject.answered_again())
    return RunResult(subject.name, len(cases), tuple(results.values()), stopped, judging)


def judge(
    case: Case, subject: Subject, declaration: Declaration, strict_order: bool = False, judging: Judging = Judging.EXACT
) -> CaseResult:
    """Put one case to ``subject``, unless it needs what ``declaration`` lacks, and judge the answer.

    Only exact judging needs the policies of the case; the other two take whatever policies the subject has.
    """
    lacking = what_lacks(case, declaration) if judging is Judging.EXACT else features_lacking(case, declaration)
    if lacking is not None:
        return CaseResult(case.id, Verdict.SKIPPED, lacking)
    answer = subject.put(case)
    if not isinstance(answer, Decided):
        return _undecided(case.id, answer)
    match judging:
        case Judging.EXACT:
            return judge_exactly(case, answer.decisions, strict_order)
        case Judging.SAFETY:
            return judge_safely(case, answer.decisions)
        case Judging.TRANSCRIPT:
            return judge_transcript(case, answer, strict_order)


def what_lacks(case: Case, declaration: Declaration) -> str | None:
    """Return the first policy or feature that the case needs and the subject did not declare.

    A kind of policies that the declaration leaves out means its default, as it does in a case.
    """
    declared = dict(declaration.policies)
    for kind in PolicyKind:
        name = getattr(case.policies, kind.value).name
        if name not in declared.get(kind, (getattr(DEFAULTS, kind.value).name,)):
            return f"the policy {kind.value} {name} is not declared"
    return features_lacking(case, declaration)


def features_lacking(case: Case, declaration: Declaration) -> str | None:
    """Return the first feature that the round needs and the subject did not declare."""
    lacking = [feature for feature in features.needed(case.round, case.policies) if feature not in declaration.features]
    return f"the feature {lacking[0]} is not declared" if lacking else None


def judge_exactly(case: Case, decisions: Decisions, strict_order: bool = False) -> CaseResult:
    """Compare decisions with those that the case states, and where they differ find out where they part.

    The order within a category is the reference's business (AMB-8): in strict order the reference's own list is expected,
    as long as it holds what the case states.
    """
    expected = _in_order_of_reference(case) if strict_order else case.decisions
    found = differences(expected, decisions, strict_order)
    if not found:
        return CaseResult(case.id, Verdict.PASSED)
    scheduled = _ask_reference(case)
    if scheduled is None:
        return CaseResult(case.id, Verdict.FAILED, "the reference cannot decide this round with these policies", found)
    reference, trace = scheduled
    if differences(case.decisions, reference):
        return CaseResult(case.id, Verdict.FAILED, DISAGREEMENT, found, find_parting(trace, case.decisions), True)
    return CaseResult(case.id, Verdict.FAILED, "", found, find_parting(trace, decisions))


def judge_safely(case: Case, decisions: Decisions) -> CaseResult:
    """Judge decisions of policies that nobody knows: by every clause about decisions alone."""
    found = violations(case.round, decisions)
    return CaseResult(case.id, Verdict.FAILED if found else Verdict.PASSED, violations=found)


def _undecided(case: str, answer: Undecided) -> CaseResult:
    match answer:
        case Declined(reason):
            return CaseResult(case, Verdict.SKIPPED, f"the subject says: {reason}")
        case Errored(message):
            return CaseResult(case, Verdict.ERRORED, message)
        case Crashed(how):
            return CaseResult(case, Verdict.CRASHED, how)
        case TimedOut(how):
            return CaseResult(case, Verdict.TIMED_OUT, how)
        case Malformed(problem):
            return CaseResult(case, Verdict.MALFORMED, problem)


def _retract(results: dict[str, CaseResult], again: tuple[str, ...]) -> None:
    for case in again:
        results[case] = CaseResult(case, Verdict.MALFORMED, ANSWERED_AGAIN)


def _in_order_of_reference(case: Case) -> Decisions:
    scheduled = _ask_reference(case)
    return case.decisions if scheduled is None or differences(case.decisions, scheduled[0]) else scheduled[0]


def _ask_reference(case: Case) -> tuple[Decisions, RoundTrace] | None:
    try:
        return schedule_by_reference(case.round, case.policies)
    except GaugeblockError:
        return None
