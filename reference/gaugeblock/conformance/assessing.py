"""Holding one answer against the clauses, and against the reference where its policies are all built in."""

from collections.abc import Iterator
from enum import Enum

from gaugeblock.conformance.errors import UnusableCase
from gaugeblock.conformance.exact import differences
from gaugeblock.conformance.parting import find_parting
from gaugeblock.conformance.subjects import schedule_by_reference
from gaugeblock.conformance.verdicts import CategoryDifference, Parting
from gaugeblock.model import Decisions, GaugeblockError, ObservedState, PolicyNames, RoundTrace, Value
from gaugeblock.policies.registry import all_builtin
from gaugeblock_specs.evidence import Evidence
from gaugeblock_specs.judge import evaluate
from gaugeblock_specs.verdicts import ClauseResult, EvidenceKind, Witness
from gaugeblock_specs.verdicts import Verdict as ClauseVerdict


class Basis(Enum):
    """What an answer was judged from; each includes all before it."""

    DECISIONS = "decisions"
    POLICIES = "decisions and policies"
    REFERENCE = "decisions and policies, compared with the reference"
    TRACE = "decisions and policies, with the trace of the reference, which decides the same"


class Assessment(Value, frozen=True):
    """What the clauses say of one answer.

    ``differences`` and ``parting`` tell how it differs from the reference and where, if both are known to have the same
    policies. ``trace`` is the reference's story of the round then, whether or not the answer is the same.
    """

    case: str
    basis: Basis
    results: tuple[ClauseResult, ...]
    differences: tuple[CategoryDifference, ...] = ()
    parting: Parting | None = None
    trace: RoundTrace | None = None

    @property
    def violated(self) -> tuple[ClauseResult, ...]:
        """The clauses that are not satisfied; those at which the answer parts from the reference come last."""
        return tuple(result for result in self.results if result.verdict is ClauseVerdict.VIOLATED)

    @property
    def is_satisfied(self) -> bool:
        """Whether nothing speaks against the answer."""
        return not self.violated and not self.differences


def assess(
    case: str, observed: ObservedState, decisions: Decisions, policies: PolicyNames | None = None, *, with_trace: bool = False
) -> Assessment:
    """Evaluate all clauses on ``decisions``; without ``policies`` those about decisions alone (safety judging).

    Where all policies are built in, they admit one answer: then one that differs from the reference's violates the clause at
    which the two part, even if no other clause can see that. The reference's trace is evidence for an answer only if the
    reference decides the same, and is taken as such only if that is asked for (``with_trace``).

    Raises:
        UnusableCase: when the reference cannot decide the round with these policies.
    """
    results = evaluate(Evidence(observed, decisions, policies))
    if policies is None or not all_builtin(policies):
        return Assessment(case, Basis.DECISIONS if policies is None else Basis.POLICIES, results)
    right, trace = _ask_reference(case, observed, policies)
    found = differences(right, decisions)
    if found:
        parting = find_parting(trace, decisions)
        return Assessment(case, Basis.REFERENCE, _with_parting(results, parting), found, parting, trace)
    if not with_trace:
        return Assessment(case, Basis.REFERENCE, results, trace=trace)
    results = evaluate(Evidence(observed, right, policies, trace))
    return Assessment(case, Basis.TRACE, results, trace=trace)


def violations(observed: ObservedState, decisions: Decisions) -> tuple[ClauseResult, ...]:
    """Return the clauses that decisions of unknown policies violate."""
    results = evaluate(Evidence(observed, decisions))
    return tuple(result for result in results if result.verdict is ClauseVerdict.VIOLATED)


def _ask_reference(case: str, observed: ObservedState, policies: PolicyNames) -> tuple[Decisions, RoundTrace]:
    try:
        return schedule_by_reference(observed, policies)
    except GaugeblockError as error:
        raise UnusableCase(case, str(error)) from error


def _with_parting(results: tuple[ClauseResult, ...], parting: Parting | None) -> tuple[ClauseResult, ...]:
    """Return the results with the clauses of the parting violated, unless they are so already."""
    if parting is None:
        return results
    violated = {result.clause for result in results if result.verdict is ClauseVerdict.VIOLATED}
    added = {each.clause: each for each in _parted(parting) if each.clause not in violated}
    kept = tuple(result for result in results if result.clause not in added)
    return kept + tuple(added.values())


def _parted(parting: Parting) -> Iterator[ClauseResult]:
    if parting.where == f"invocation {parting.invocation}":
        witness = Witness(parting.sentence, invocation=parting.invocation)
    else:
        witness = Witness(f"{parting.where}: {parting.sentence}")
    for clause in parting.clause.split(", "):
        yield ClauseResult(clause, ClauseVerdict.VIOLATED, (witness,), (EvidenceKind.TRACE,))
