"""Replaying a history through the reference service, every clause evaluated after every event."""

from collections.abc import Iterator
from typing import NamedTuple

from gaugeblock.model import Event, History, PolicyNames, Scheduler, ServiceError, ServiceSettings, ServiceState, Step
from gaugeblock.service import replay
from gaugeblock_specs.evidence import Evidence
from gaugeblock_specs.judge import evaluate
from gaugeblock_specs.service import evaluate_step
from gaugeblock_specs.service_story import ServiceEvidence
from gaugeblock_specs.verdicts import ClauseResult, Verdict


class Judged(NamedTuple):
    """One event of a history: the state before it, what became of it, and the clauses found violated."""

    before: ServiceState
    event: Event
    result: Step | ServiceError
    violated: tuple[ClauseResult, ...]


def judged_replay(history: History, scheduler: Scheduler) -> Iterator[Judged]:
    """Yield the judgement of each event; ``scheduler`` is the one that the history's policies name."""
    opening = history.opening
    told = zip(history.happenings, replay(history, scheduler), strict=True)
    for happening, (before, event, result) in told:
        own = happening.decisions is None
        yield Judged(
            before, event, result, violated(before, event, result, opening.settings, opening.policies if own else None)
        )


def violated(
    before: ServiceState, event: Event, result: Step | ServiceError, settings: ServiceSettings, policies: PolicyNames | None
) -> tuple[ClauseResult, ...]:
    """Return the clauses that one event and the round after it violate.

    ``policies`` are those of our own scheduler, or None where a foreign one decided: then only the service is judged.
    """
    found = breaches_of_service(before, event, result, settings, abiding=policies is not None)
    if policies is None or not isinstance(result, Step):
        return found
    results = evaluate(Evidence(result.observed, result.decisions, policies, result.trace))
    return found + tuple(each for each in results if each.verdict is Verdict.VIOLATED)


def breaches_of_service(
    before: ServiceState, event: Event, result: Step | ServiceError, settings: ServiceSettings, *, abiding: bool
) -> tuple[ClauseResult, ...]:
    """Return the clauses of the service alone that one event violates; ``abiding`` means that our own scheduler decided."""
    step, error = (result, None) if isinstance(result, Step) else (None, type(result))
    results = evaluate_step(ServiceEvidence(before, event, settings, step, error, abiding))
    return tuple(each for each in results if each.verdict is Verdict.VIOLATED)
