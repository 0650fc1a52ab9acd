"""The tester tested: each wrong optimized model is told from the reference, by seeded histories or rounds or by the corpus."""

from functools import cache
from typing import TypeAlias

import pytest
from twins import Taken, compare_history, differing

from gaugeblock import corpus
from gaugeblock.miniatures.fault import UnknownMiniature
from gaugeblock.miniatures.optimized_faults import FAULTS, WrongModel, model
from gaugeblock.model import Decisions, ObservedState, PolicyNames
from gaugeblock.optimized.model import OptimizedService
from gaugeblock.optimized.rounds import decide
from gaugeblock.scheduler import scheduler_from
from gaugeblock.service import step
from gaugeblock.strategies import ALL_TUNINGS, random_policy_names, random_round
from gaugeblock.strategies.seeded_histories import drive

HISTORIES = 40
EVENTS = 80
ROUNDS = 1500
RANDOM_EVERY = 8
"""Of so many rounds one may have random policies."""

Round: TypeAlias = tuple[ObservedState, PolicyNames, Decisions]


@cache
def histories() -> tuple[tuple[Taken, ...], ...]:
    """Return what the reference made of the first seeded histories."""
    return tuple(tuple(drive(seed, EVENTS, step, scheduler_from)) for seed in range(HISTORIES))


@cache
def rounds() -> tuple[Round, ...]:
    """Return seeded rounds, then the corpus, each with what the reference decides."""
    seeded = (random_round(seed, ALL_TUNINGS[seed % len(ALL_TUNINGS)]) for seed in range(ROUNDS))
    chosen = [
        (observed, random_policy_names(seed, observed.catalog, random_policies=seed % RANDOM_EVERY == RANDOM_EVERY - 1))
        for seed, observed in enumerate(seeded)
    ]
    chosen += [(case.round, case.policies) for case in corpus.load()]
    return tuple((observed, policies, scheduler_from(policies).schedule(observed)[0]) for observed, policies in chosen)


def goes_another_way(found: WrongModel) -> bool:
    """Whether some history of the service goes another way than the reference's, or breaks down over the fault."""
    for taken in histories():
        try:
            compare_history(found.service, taken, check_indexes=False)
        except Exception:
            return True
    return False


@pytest.mark.parametrize("name", [fault.name for fault in FAULTS])
def test_a_wrong_optimized_model_is_found(name: str) -> None:
    """SERV-0 to SERV-6, ROUND-1 to ROUND-9: a model with this one fault in it does not do what the reference does."""
    found = model(name)
    assert goes_another_way(found) or any(differing(found.decide, rounds()))


def test_the_right_model_is_not_accused() -> None:
    """SERV-5: what finds the wrong models finds nothing wrong with the one that ships."""
    right = WrongModel(OptimizedService, decide)
    assert not goes_another_way(right)
    assert not any(differing(right.decide, rounds()))


def test_there_are_enough_of_them_and_each_breaks_a_clause() -> None:
    """ROUND-1: at least fifteen, by different names, each with the clauses that it breaks and its story."""
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 15
    assert all(fault.clauses and fault.story and fault.original != fault.faulty for fault in FAULTS)


def test_an_unknown_name_is_refused() -> None:
    """SERV-0: a wrong model is known by its name, and by no other."""
    with pytest.raises(UnknownMiniature):
        model("nobody")
