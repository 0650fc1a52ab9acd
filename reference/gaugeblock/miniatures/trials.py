"""The rounds that miniatures are put to, each with the reference's answer, and what they make of them."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from gaugeblock import miniatures
from gaugeblock.model import Decisions, GaugeblockError, ObservedState, PolicyNames, RoundTrace
from gaugeblock.scheduler import scheduler_from
from gaugeblock.strategies import ALL_TUNINGS, random_policy_names, random_round
from gaugeblock.wire.cases import read_cases
from gaugeblock_specs.evidence import Evidence
from gaugeblock_specs.judge import Summary, evaluate, summary

RANDOM_EVERY = 8
"""Of so many seeded rounds one may have random policies."""


class Answer(NamedTuple):
    """What a scheduler decides, and how it came about."""

    decisions: Decisions
    trace: RoundTrace


class Trial(NamedTuple):
    """One round with its policies, and the reference's answer."""

    observed: ObservedState
    policies: PolicyNames
    right: Answer


def seeded_round(number: int) -> tuple[ObservedState, PolicyNames]:
    """Return the seeded round of that number with its policies; the tunings take turns."""
    observed = random_round(number, ALL_TUNINGS[number % len(ALL_TUNINGS)])
    may_draw = number % RANDOM_EVERY == RANDOM_EVERY - 1
    return observed, random_policy_names(number, observed.catalog, random_policies=may_draw)


def seeded_trial(number: int) -> Trial:
    """Return the seeded round of that number with the reference's answer."""
    return trial(*seeded_round(number))


def trial(observed: ObservedState, policies: PolicyNames) -> Trial:
    """Return a round with the reference's answer."""
    return Trial(observed, policies, Answer(*scheduler_from(policies).schedule(observed)))


def answer(name: str, put: Trial) -> Answer | None:
    """Return what the miniature of that name answers, or None where it comes to grief over its fault."""
    try:
        return Answer(*miniatures.scheduler_from(name, put.policies).schedule(put.observed))
    except (GaugeblockError, StopIteration):
        return None


def judged(put: Trial, found: Answer) -> Summary:
    """Return what the judge says of an answer, with the policies' names and the trace."""
    return summary(evaluate(Evidence(put.observed, found.decisions, put.policies, found.trace)))


def violated(put: Trial, found: Answer) -> tuple[str, ...]:
    """Return the clauses that an answer violates, judged with the policies' names and the trace."""
    return judged(put, found).violated


def unsafe(put: Trial, found: Answer) -> tuple[str, ...]:
    """Return the clauses that the bare decisions of an answer violate."""
    return summary(evaluate(Evidence(put.observed, found.decisions))).violated


def case_trials(paths: Iterable[Path]) -> Iterator[Trial]:
    """Yield the cases of vector files, in order."""
    for path in paths:
        yield from (trial(case.round, case.policies) for case in read_cases(path))
