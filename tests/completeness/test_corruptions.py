"""The clauses admit one answer: every corruption of a right round violates one of them (issue: completeness)."""

import os
from functools import cache
from random import Random

import pytest

from gaugeblock.miniatures.corruption import campaign
from gaugeblock.miniatures.corruption.answers import ALTERNATIVES, other_answers
from gaugeblock.miniatures.corruption.campaign import SOURCES, Tally, corruptions, judge_one, violations
from gaugeblock.miniatures.corruption.placements import changed_placements
from gaugeblock.miniatures.corruption.story import Corrupted, Story, right_story, with_placement, with_trace
from gaugeblock.model import replace
from gaugeblock.policies.registry import METHODS
from gaugeblock.round.schedule import decisions_of
from gaugeblock.strategies import ALL_TUNINGS, random_policy_names, random_round

THOROUGH = os.environ.get("GAUGEBLOCK_PROFILE") == "thorough"
ROUNDS = 5000 if THOROUGH else 150
EACH = 40 if THOROUGH else 15

EXPECTED = (
    "failures: drop", "failures: add", "failures: reorder", "scale: drop activation", "scale: activate another",
    "scale: activate elsewhere", "scale: deactivate another", "order: swap", "order: reverse", "select: drop", "select: add",
    "pick: none", "pick: another container", "containers: drop a victim", "containers: an extra victim",
    "containers: another victim", "containers: reorder victims", "ram_layers: drop a victim", "ram_layers: an extra victim",
    "disk_layers: drop a victim", "disk_layers: an extra victim", "choose: none", "choose: another node", "propose: drop",
    "propose: add", "wakeup: none", "wakeup: another date", "wakeup: an earlier date", "wait elsewhere", "wait instead of acting",
    "forget the plan", "stop placing", "lose an invocation", "an invocation comes twice", "other candidates of a step",
    "other reuse candidates", "swap passes", "leave out a pass", "forget a layer of protected", "ram_available too high",
    "positions_available too low", "another wake-up", "other reports", "other prewarms", "move other layers",
    "one step as wait-does-not-protect", "one step as loads-before-waiting", "a round as head-of-line-blocking",
)  # fmt: skip
"""Corruptions that must be among those tried, lest a campaign be called clean that tried nothing."""


def story_of(seed: int) -> Story:
    """Return the right story of the seeded round of that number."""
    observed = random_round(seed, ALL_TUNINGS[seed % len(ALL_TUNINGS)])
    return right_story(observed, random_policy_names(seed, observed.catalog))


@cache
def tally() -> Tally:
    """Return the count of a campaign, run once."""
    return campaign.campaign(range(ROUNDS), EACH)


def test_no_corruption_survives() -> None:
    """Whatever is changed, some clause is violated; a survivor would be a hole in the clauses."""
    assert [(each.seed, each.corrupted.corruption) for each in tally().survivors] == []


@pytest.mark.parametrize("name", EXPECTED)
def test_the_corruption_is_tried_and_caught(name: str) -> None:
    """The campaign reaches the corruption at least once."""
    assert tally().caught[name] > 0


@pytest.mark.parametrize("seed", range(40))
def test_a_right_story_violates_nothing(seed: int) -> None:
    """What is not corrupted is not accused, so that being caught means something."""
    assert violations(story_of(seed)) == ()


@pytest.mark.parametrize("seed", range(10))
def test_a_corrupted_story_agrees_with_its_decisions(seed: int) -> None:
    """Decisions always follow from the corrupted trace; merely inconsistent ones do not count."""
    for corrupted in corruptions(story_of(seed), Random(seed), 10):
        assert corrupted.story.decisions == decisions_of(corrupted.story.trace)
        assert corrupted.story.observed == story_of(seed).observed


def test_every_call_of_every_kind_of_policy_has_other_answers() -> None:
    """No method of a policy is forgotten."""
    methods = {method for kind in METHODS.values() for method in kind} | {"wakeup"}
    assert set(ALTERNATIVES) == methods


def test_every_source_contributes() -> None:
    """Each source of corruptions yields some within a few rounds."""
    stories = [story_of(seed) for seed in range(10)]
    assert all(any(next(iter(source(story)), None) is not None for story in stories) for source in SOURCES)


def test_what_follows_a_changed_step_is_derived_anew() -> None:
    """After a forgotten plan the next invocation finds the state as it was before it."""
    story = next(story for story in map(story_of, range(200)) if story.trace.placements[1:] and story.trace.placements[0].plan)
    first = story.trace.placements[0]
    changed = with_placement(story, 0, replace(first, plan=None, after=first.before))
    assert changed.trace.placements[1].before == first.before


def test_a_survivor_is_counted_as_one() -> None:
    """The harness can fail: an unchanged story, passed off as corrupted, survives."""
    count = campaign.campaign(range(0), 1)
    judge_one(count, 3, Corrupted("nothing", story_of(3)))
    assert (count.survived["nothing"], count.caught.total(), count.survivors[0].seed) == (1, 0, 3)


def test_a_corruption_is_counted_with_the_clauses_that_it_violates() -> None:
    """A later wake-up than the earliest is caught by WAKE-1."""
    story = story_of(0)
    late = with_trace(story, replace(story.trace, wakeup=story.observed.now + 99.0))
    count = campaign.campaign(range(0), 1)
    judge_one(count, 0, Corrupted("late", late))
    assert count.caught["late"] == 1
    assert count.clauses["WAKE-1"] == 1


def test_a_corruption_is_reproducible() -> None:
    """The same seed gives the same corruptions."""
    story = story_of(5)
    names = [[each.corruption for each in corruptions(story, Random(5), 5)] for _ in range(2)]
    assert names[0] == names[1] != []


def test_answers_and_records_of_one_round_are_all_caught() -> None:
    """Without sampling: every other answer and every changed record of a small round is caught."""
    story = next(
        story for story in map(story_of, range(3, 200, 10)) if story.decisions.terminations and len(story.trace.placements) < 4
    )
    for source in (other_answers, changed_placements):
        for corrupted in corruptions_of(source, story):
            assert violations(corrupted.story), corrupted.corruption


def corruptions_of(source: object, story: Story) -> list[Corrupted]:
    """Return all corruptions from one source that can be told to their end."""
    makes = source(story) if callable(source) else ()
    found = [corrupted for make in makes for corrupted in campaign.possible(make)]
    return [each for each in found if each.story != story]
