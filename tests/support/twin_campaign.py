"""The campaign by which wrong optimized models are told from the reference: seeded histories, seeded rounds, the corpus."""

from functools import cache
from typing import TypeAlias

from twins import Taken, compare_history

from gaugeblock import corpus
from gaugeblock.model import Decisions, ObservedState, PolicyNames
from gaugeblock.optimized.model import OptimizedService
from gaugeblock.scheduler import scheduler_from
from gaugeblock.service import step
from gaugeblock.strategies import ALL_TUNINGS, random_policy_names, random_round
from gaugeblock.strategies.seeded_histories import drive

HISTORIES = 40
EVENTS = 80
ROUNDS = 1500
RANDOM_EVERY = 8
"""Of so many seeded rounds one may have random policies."""

Round: TypeAlias = tuple[ObservedState, PolicyNames, Decisions]


@cache
def histories() -> tuple[tuple[Taken, ...], ...]:
    """Return what the reference made of the first seeded histories."""
    return tuple(tuple(drive(seed, EVENTS, step, scheduler_from)) for seed in range(HISTORIES))


@cache
def seeded_rounds() -> tuple[Round, ...]:
    """Return the first seeded rounds, the tunings in turn, with what the reference decides."""
    return tuple(map(_seeded, range(ROUNDS)))


@cache
def corpus_rounds() -> tuple[Round, ...]:
    """Return the rounds of the corpus, with what the reference decides."""
    return tuple(_decided(case.round, case.policies) for case in corpus.load())


def first_history(service: type[OptimizedService]) -> int | None:
    """Return the number, from 1, of the first history that goes another way or that the service breaks down over, or None."""
    for number, taken in enumerate(histories(), start=1):
        try:
            compare_history(service, taken, check_indexes=False)
        except Exception:  # a wrong model may come to grief over its fault
            return number
    return None


def _seeded(seed: int) -> Round:
    observed = random_round(seed, ALL_TUNINGS[seed % len(ALL_TUNINGS)])
    may_draw = seed % RANDOM_EVERY == RANDOM_EVERY - 1
    return _decided(observed, random_policy_names(seed, observed.catalog, random_policies=may_draw))


def _decided(observed: ObservedState, policies: PolicyNames) -> Round:
    return observed, policies, scheduler_from(policies).schedule(observed)[0]
