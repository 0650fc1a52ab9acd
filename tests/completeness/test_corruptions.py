"""The clauses admit one answer: every corruption of a right round violates one of them (issue: completeness)."""

import os
from datetime import date
from functools import cache
from pathlib import Path
from random import Random

import pytest

from gaugeblock.miniatures.corruption import campaign
from gaugeblock.miniatures.corruption.answers import ALTERNATIVES, other_answers
from gaugeblock.miniatures.corruption.campaign import (
    SOURCES,
    Tally,
    attempts,
    corrupt,
    judge_one,
    new_tally,
    sample,
    seeded_story,
    violations,
)
from gaugeblock.miniatures.corruption.placements import changed_placements
from gaugeblock.miniatures.corruption.report import lines, page
from gaugeblock.miniatures.corruption.story import Attempt, Story, with_placement, with_trace
from gaugeblock.model import replace
from gaugeblock.policies.registry import METHODS
from gaugeblock.round.schedule import decisions_of
from gaugeblock.strategies import ALL_TUNINGS, LARGE
from gaugeblock.version import __version__
from gaugeblock_specs.registry import ALL

THOROUGH = os.environ.get("GAUGEBLOCK_PROFILE") == "thorough"
ROUNDS = 5000 if THOROUGH else 200
MOST = 1000 if THOROUGH else 20
SEARCHED = 600
"""How many rounds are searched for those that a corruption can be tried on."""

EXPECTED = (
    "failures: drop",
    "failures: add",
    "failures: reorder",
    "scale: drop activation",
    "scale: activate another",
    "scale: activate elsewhere",
    "scale: deactivate another",
    "order: swap",
    "order: reverse",
    "select: drop",
    "select: add",
    "pick: none",
    "pick: another container",
    "containers: drop a victim",
    "containers: an extra victim",
    "containers: another victim",
    "containers: reorder victims",
    "ram_layers: drop a victim",
    "ram_layers: an extra victim",
    "disk_layers: drop a victim",
    "disk_layers: an extra victim",
    "choose: none",
    "choose: another node",
    "propose: drop",
    "propose: add",
    "wakeup: none",
    "wakeup: another date",
    "wakeup: an earlier date",
    "wait elsewhere",
    "wait instead of acting",
    "forget the plan",
    "stop placing",
    "lose an invocation",
    "an invocation comes twice",
    "other candidates of a step",
    "other reuse candidates",
    "swap passes",
    "leave out a pass",
    "forget a layer of protected",
    "ram_available too high",
    "positions_available too low",
    "another wake-up",
    "other reports",
    "other prewarms",
    "move other layers",
    "one step as wait-does-not-protect",
    "one step as loads-before-waiting",
    "a round as head-of-line-blocking",
)
"""Corruptions that must be among those tried, lest a campaign be called clean that tried nothing."""


@cache
def tally() -> Tally:
    """Return the count of a campaign, run once."""
    return campaign.campaign(range(ROUNDS), MOST)


def test_no_corruption_survives() -> None:
    """Whatever is changed, some clause is violated; a survivor would be a hole in the clauses."""
    assert [(each.seed, each.corruption) for each in tally().survivors] == []


@cache
def first_attempts() -> dict[str, list[tuple[Story, Attempt]]]:
    """Return for each corruption by name a few rounds that it can be tried on."""
    found: dict[str, list[tuple[Story, Attempt]]] = {}
    for seed in (seed for seed in range(SEARCHED) if ALL_TUNINGS[seed % len(ALL_TUNINGS)] is not LARGE):
        story = seeded_story(seed)
        for attempt in attempts(story):
            tried = found.setdefault(attempt.corruption, [])
            if len(tried) < 60:
                tried.append((story, attempt))
    return found


@pytest.mark.parametrize("name", EXPECTED)
def test_the_corruption_is_tried_and_caught(name: str) -> None:
    """There are rounds that it changes, and some clause is violated each time."""
    made = [corrupted for story, attempt in first_attempts()[name] for corrupted in corrupt(story, attempt)]
    assert made
    assert [corrupted for corrupted in made if not violations(corrupted)] == []


@pytest.mark.parametrize("seed", range(40))
def test_a_right_story_violates_nothing(seed: int) -> None:
    """What is not corrupted is not accused, so that being caught means something."""
    assert violations(seeded_story(seed)) == ()


@pytest.mark.parametrize("seed", range(10))
def test_a_corrupted_story_agrees_with_its_decisions(seed: int) -> None:
    """Decisions always follow from the corrupted trace; merely inconsistent ones do not count."""
    story = seeded_story(seed)
    for attempt in sample(attempts(story), Random(seed), 40):
        for corrupted in corrupt(story, attempt):
            assert corrupted.decisions == decisions_of(corrupted.trace)
            assert corrupted.observed == story.observed


def test_every_call_of_every_kind_of_policy_has_other_answers() -> None:
    """No method of a policy is forgotten."""
    methods = {method for kind in METHODS.values() for method in kind} | {"wakeup"}
    assert set(ALTERNATIVES) == methods


def test_every_source_contributes() -> None:
    """Each source of corruptions yields some within a few rounds."""
    stories = [seeded_story(seed) for seed in range(10)]
    assert all(any(next(iter(source(story)), None) is not None for story in stories) for source in SOURCES)


def test_what_follows_a_changed_step_is_derived_anew() -> None:
    """After a forgotten plan the next invocation finds the state as it was before it."""
    story = next(
        story for story in map(seeded_story, range(200)) if story.trace.placements[1:] and story.trace.placements[0].plan
    )
    first = story.trace.placements[0]
    changed = with_placement(story, 0, replace(first, plan=None, after=first.before))
    assert changed.trace.placements[1].before == first.before


def test_a_survivor_is_counted_as_one() -> None:
    """The harness can fail: an unchanged story, passed off as corrupted, survives."""
    count = new_tally()
    judge_one(count, 3, "nothing", seeded_story(3))
    assert (count.survived["nothing"], count.caught.total(), count.survivors[0].seed) == (1, 0, 3)


def test_a_corruption_is_counted_with_the_clauses_that_it_violates() -> None:
    """A later wake-up than the earliest is caught by WAKE-1."""
    story = seeded_story(0)
    count = new_tally()
    judge_one(count, 0, "late", with_trace(story, replace(story.trace, wakeup=story.observed.now + 99.0)))
    assert count.caught["late"] == 1
    assert count.clauses["WAKE-1"] == 1


def test_the_page_tells_totals_survivors_and_how_to_repeat_it() -> None:
    """What was tried, by corruption and by clause, with seeds, date and version; a survivor is named with its seed."""
    count = new_tally()
    judge_one(count, 3, "nothing", seeded_story(3))
    story = seeded_story(0)
    judge_one(count, 0, "late", with_trace(story, replace(story.trace, wakeup=story.observed.now + 99.0)))
    text = page(count, range(2, 7), 25, date(2026, 11, 30))
    for part in ("**1 corruptions caught, 1 survived.**", "- seed 3: nothing", "| late | 1 | 0 |", "| WAKE-1 | 1 |"):
        assert part in text
    assert f"on 2026-11-30 with gaugeblock {__version__}" in text
    assert "--rounds 5 --first 2 --most 25" in text
    assert "seed 3: nothing" in lines(count)


def test_the_published_page_has_no_survivor() -> None:
    """docs/completeness.md was written by a campaign in which every clause about a round was violated and nothing survived."""
    text = (Path(__file__).parents[2] / "docs" / "completeness.md").read_text(encoding="utf-8")
    assert "No corruption survived." in text
    assert [clause.id for clause in ALL if f"| {clause.id} | " not in text] == []


def test_the_choice_of_corruptions_is_reproducible() -> None:
    """The same seed gives the same corruptions."""
    made = attempts(seeded_story(5))
    assert sample(made, Random(5), 9) == sample(made, Random(5), 9) != ()


def test_answers_and_records_of_one_round_are_all_caught() -> None:
    """Without sampling: every other answer and every changed record of a small round is caught."""
    stories = map(seeded_story, range(3, 200, 10))
    story = next(story for story in stories if story.decisions.terminations and len(story.trace.placements) < 4)
    for attempt in (*other_answers(story), *changed_placements(story)):
        for corrupted in corrupt(story, attempt):
            assert violations(corrupted), attempt.corruption
