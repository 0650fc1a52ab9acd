"""The judge: evaluates clauses on evidence, and sums up what it found."""

from gaugeblock.model import Value
from gaugeblock_specs.clause import Check, Clause
from gaugeblock_specs.context import Context
from gaugeblock_specs.evidence import Evidence
from gaugeblock_specs.registry import ALL
from gaugeblock_specs.verdicts import ClauseResult, Verdict

_GRAVITY = (Verdict.VIOLATED, Verdict.HOLDS, Verdict.NOT_APPLICABLE)


class Summary(Value, frozen=True):
    """The identifiers of the clauses by verdict, each in the order in which they were evaluated."""

    holds: tuple[str, ...]
    violated: tuple[str, ...]
    not_applicable: tuple[str, ...]
    undecidable: tuple[str, ...]

    @property
    def is_clean(self) -> bool:
        """Whether nothing is violated and something was judged at all."""
        return not self.violated and len(self.holds) > 0


def evaluate(evidence: Evidence, clauses: tuple[Clause, ...] = ALL) -> tuple[ClauseResult, ...]:
    """Evaluate every check that the evidence allows, one result a clause, in the order of ``clauses``.

    A clause is violated if any of its checks is; it holds if one applied and none was violated. Decisions that name things
    that do not exist break ROUND-10 and are ignored elsewhere; a trace that does so leaves other clauses about it undecided.
    """
    context = Context(evidence)
    return tuple(_evaluate_clause(clause, context) for clause in clauses)


def summary(results: tuple[ClauseResult, ...]) -> Summary:
    """Group the clauses by verdict."""

    def those(verdict: Verdict) -> tuple[str, ...]:
        return tuple(result.clause for result in results if result.verdict is verdict)

    return Summary(
        holds=those(Verdict.HOLDS),
        violated=those(Verdict.VIOLATED),
        not_applicable=those(Verdict.NOT_APPLICABLE),
        undecidable=those(Verdict.UNDECIDABLE),
    )


def _evaluate_clause(clause: Clause, context: Context) -> ClauseResult:
    possible = tuple(check for check in clause.checks if _is_possible(check, context))
    findings = tuple(check.judge(context) for check in possible)
    if not findings:
        return ClauseResult(clause.id, Verdict.UNDECIDABLE)
    return ClauseResult(
        clause=clause.id,
        verdict=min((verdict for verdict, _ in findings), key=_GRAVITY.index),
        witnesses=tuple(witness for _, witnesses in findings for witness in witnesses),
        judged_from=tuple(check.kind for check in possible),
    )


def _is_possible(check: Check, context: Context) -> bool:
    evidence = context.evidence
    if check.needs_policies and evidence.policies is None:
        return False
    if not check.needs_trace or evidence.trace is None:
        return not check.needs_trace
    return check.reads_any_trace or context.trace_is_readable
