"""Each miniature is wrong in its one way, and is caught; the real scheduler is untouched by it."""

import os
from collections.abc import Iterator
from functools import cache
from itertools import chain, count, islice
from pathlib import Path

import pytest

from gaugeblock import miniatures
from gaugeblock.conformance.exact import differences
from gaugeblock.miniatures import Fault
from gaugeblock.miniatures.loader import faulty_text, original_text
from gaugeblock.miniatures.trials import Answer, Trial, answer, case_trials, seeded_trial, unsafe
from gaugeblock.model import ObservedState, replace
from gaugeblock.policies.errors import PolicyContractError
from gaugeblock.scheduler import GreedyScheduler
from gaugeblock.strategies import TIGHT, random_round
from gaugeblock.wire.cases import read_cases

VECTORS = sorted((Path(__file__).parents[1] / "vectors").glob("*.jsonl"))
ROUNDS = 8000
"""How many seeded rounds a miniature may take to be caught, after the corpus. The rarest need some thousands."""


@cache
def seeded(number: int) -> Trial:
    """Return the seeded round of that number, made once."""
    return seeded_trial(number)


@cache
def corpus() -> tuple[Trial, ...]:
    """Return the cases of the corpus."""
    return tuple(case_trials(VECTORS))


def wrong_answers(name: str, rounds: int = ROUNDS) -> Iterator[tuple[Trial, Answer | None]]:
    """Yield the rounds on which the miniature decides otherwise, with its answer or None for an error."""
    for put in chain(corpus(), map(seeded, range(rounds))):
        found = answer(name, put)
        if found is None or differences(put.right.decisions, found.decisions):
            yield put, found


@pytest.mark.parametrize("name", miniatures.names())
def test_exact_judging_catches_it(name: str) -> None:
    """On the corpus or one of the seeded rounds its decisions differ from the right ones."""
    assert next(wrong_answers(name), None) is not None


@pytest.mark.parametrize("name", [fault.name for fault in miniatures.FAULTS if fault.unsafe])
def test_safety_judging_catches_it(name: str) -> None:
    """Where it breaks what holds under all policies, its decisions alone give it away."""
    assert any(unsafe(put, found) for put, found in wrong_answers(name) if found is not None)


@pytest.mark.parametrize("name", [fault.name for fault in miniatures.FAULTS if not fault.unsafe])
def test_a_fault_called_safe_is_not_accused_by_safety_judging(name: str) -> None:
    """Decisions that other policies could have led to violate nothing: safety judging raises no false alarm."""
    for put, found in islice(wrong_answers(name, rounds=1000), 20):
        assert found is None or unsafe(put, found) == ()


@pytest.mark.parametrize("fault", miniatures.FAULTS, ids=lambda fault: fault.name)
def test_its_original_text_occurs_exactly_once(fault: Fault) -> None:
    """A fault fits the shipped sources, and changes one module by one edit."""
    text = original_text(fault.module)
    assert faulty_text(fault) == text.replace(fault.original, fault.faulty, 1)
    assert faulty_text(fault) != text


def test_a_fault_whose_text_is_gone_is_stale() -> None:
    """Text that the module no longer holds is an error that names the miniature and the module."""
    stale = replace(miniatures.FAULTS[0], name="stale-missing", original="no such text")
    with pytest.raises(miniatures.StaleFault, match=r"stale-missing.*0 times in gaugeblock\.round\.schedule") as caught:
        faulty_text(stale)
    assert (caught.value.fault, caught.value.occurrences) == (stale, 0)


def test_a_fault_whose_text_is_ambiguous_is_stale() -> None:
    """Text that the module holds twice is an error too: the edit would not be one edit."""
    stale = replace(miniatures.FAULTS[0], name="stale-twice", original="return ")
    with pytest.raises(miniatures.StaleFault, match="expected it once"):
        faulty_text(stale)


def test_an_unknown_name_is_an_error_that_lists_the_known_ones() -> None:
    """A misspelt miniature is not silently the reference."""
    with pytest.raises(miniatures.UnknownMiniature, match="head-of-line-blocking"):
        miniatures.scheduler("head-of-line")


def test_the_real_scheduler_is_untouched_by_a_loaded_miniature() -> None:
    """The copy is private: the reference decides as before, by the same modules."""
    observed = next(observed for observed in (random_round(seed, TIGHT) for seed in count()) if is_blocked(observed))
    before = GreedyScheduler().schedule(observed)
    wrong = miniatures.scheduler("head-of-line-blocking").schedule(observed)
    assert GreedyScheduler().schedule(observed) == before
    assert wrong[0] != before[0]


def is_blocked(observed: ObservedState) -> bool:
    """Whether an invocation without a plan stands before one that is dispatched."""
    plans = [placement.plan for placement in GreedyScheduler().schedule(observed)[1].placements]
    return None in plans and any(plan is not None and plan.container for plan in plans[plans.index(None) :])


def test_its_values_are_of_the_shared_classes() -> None:
    """Decisions and traces compare equal to the reference's wherever the fault does not show."""
    observed = random_round(0)
    right = GreedyScheduler().schedule(observed)
    assert miniatures.scheduler("ties-by-utf-16").schedule(observed) == right


def test_it_raises_the_shared_errors() -> None:
    """A contract that a miniature's policy breaks is the same PolicyContractError as the reference's."""
    put = next(put for put, found in wrong_answers("stale-wake-up") if found is None)
    with pytest.raises(PolicyContractError, match="WAKE-2"):
        miniatures.scheduler_from("stale-wake-up", put.policies).schedule(put.observed)


def test_a_policy_can_be_installed() -> None:
    """A miniature takes policies like the reference does."""
    observed = random_round(7, TIGHT)
    policy = GreedyScheduler().eviction
    assert miniatures.scheduler("ties-by-utf-16").with_policy(policy).schedule(observed) == GreedyScheduler().schedule(observed)


def test_every_round_level_scenario_and_quirk_has_a_miniature() -> None:
    """The faulty behaviours that public bug reports tell of at the level of one round, and the ten easily mistaken points."""
    covered = {known for fault in miniatures.FAULTS for known in fault.known_as}
    scenarios = {f"B{number:02}" for number in (1, 3, 6, 13, 14, 15, 16, 17, 18, 19, 23, 24, 25)}
    assert (scenarios | {f"quirk {number}" for number in range(1, 11)}) - covered == set()


def test_names_are_unique_and_there_are_at_least_thirty() -> None:
    """A name stands for one fault."""
    assert len(set(miniatures.names())) == len(miniatures.names()) >= 30


def test_the_measured_table_is_of_these_miniatures() -> None:
    """docs/miniatures.md has a row for each, caught by exact judging, and half of them are subtle."""
    rows = [line.split(" | ") for line in page().splitlines() if line.startswith("| `")]
    assert [row[0].strip("| `") for row in rows] == list(miniatures.names())
    assert [row[0] for row in rows if "not caught" in row[4]] == []
    assert 2 * sum(float(row[3].removesuffix(" %")) < 2 for row in rows) >= len(rows)
    unsafe = [fault.name for fault in miniatures.FAULTS if fault.unsafe]
    assert [row[0].strip("| `") for row in rows if not row[5].startswith("–")] == unsafe


def page() -> str:
    """Return the measured document."""
    return (Path(__file__).parents[2] / "docs" / "miniatures.md").read_text(encoding="utf-8")


@pytest.mark.skipif("GAUGEBLOCK_VECTORS" not in os.environ, reason="GAUGEBLOCK_VECTORS names no folder of vector files")
def test_the_real_cases_alone_catch_most_of_what_they_cover() -> None:
    """The cases that the real scheduler decided tell every quirk from the reference."""
    cases = [
        case for path in sorted(Path(os.environ["GAUGEBLOCK_VECTORS"]).glob("wrench-*.jsonl")) for case in read_cases(path)
    ]
    missed = []
    for fault in miniatures.FAULTS:
        if not any(known.startswith("quirk") for known in fault.known_as):
            continue
        answers = (miniatures.scheduler_from(fault.name, case.policies).schedule(case.round)[0] for case in cases)
        if not any(differences(case.decisions, found) for case, found in zip(cases, answers, strict=True)):
            missed.append(fault.name)
    assert missed == []
