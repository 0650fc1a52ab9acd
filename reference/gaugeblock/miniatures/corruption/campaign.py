"""Puts corrupted rounds before the judge, and keeps count of what it catches."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from gaugeblock.miniatures.corruption.answers import other_answers
from gaugeblock.miniatures.corruption.phases import changed_phases
from gaugeblock.miniatures.corruption.placements import changed_placements
from gaugeblock.miniatures.corruption.steps import faulty_placements, faulty_rounds
from gaugeblock.miniatures.corruption.story import Attempt, Story, right_story
from gaugeblock.miniatures.trials import seeded_round
from gaugeblock.model import GaugeblockError
from gaugeblock_specs.evidence import Evidence
from gaugeblock_specs.judge import evaluate, summary

SOURCES = (other_answers, faulty_placements, faulty_rounds, changed_placements, changed_phases)
"""Where corruptions come from."""

IMPOSSIBLE = (GaugeblockError, StopIteration, RuntimeError, ValueError, KeyError)
"""What the rest of a round may raise when it is to go on from a state that cannot be."""


class Survivor(NamedTuple):
    """A corruption that no clause objects to: the seed of the round, the corruption, and the corrupted story."""

    seed: int
    corruption: str
    story: Story


class Tally(NamedTuple):
    """How many corruptions were caught and survived, by corruption; and how often each clause was violated."""

    caught: Counter[str]
    survived: Counter[str]
    clauses: Counter[str]
    survivors: list[Survivor]


def new_tally() -> Tally:
    """Return a count of nothing."""
    return Tally(Counter(), Counter(), Counter(), [])


def seeded_story(seed: int) -> Story:
    """Return the right story of the seeded round of that number."""
    return right_story(*seeded_round(seed))


def campaign(seeds: range, most: int) -> Tally:
    """Corrupt the seeded rounds, each in up to ``most`` ways; which ones depends on the seed alone."""
    tally = new_tally()
    for seed in seeds:
        story = seeded_story(seed)
        for attempt in sample(attempts(story), Random(seed), most):
            for corrupted in corrupt(story, attempt):
                judge_one(tally, seed, attempt.corruption, corrupted)
    return tally


def attempts(story: Story) -> tuple[Attempt, ...]:
    """Return every corruption of the story that there is."""
    return tuple(attempt for source in SOURCES for attempt in source(story))


def sample(made: tuple[Attempt, ...], random: Random, most: int) -> tuple[Attempt, ...]:
    """Return up to ``most`` of the attempts, no two of one name, so that frequent ones do not crowd out the rare."""
    by_name: dict[str, list[Attempt]] = {}
    for attempt in made:
        by_name.setdefault(attempt.corruption, []).append(attempt)
    one_each = [random.choice(alike) for alike in by_name.values()]
    return tuple(random.sample(one_each, min(most, len(one_each))))


def corrupt(story: Story, attempt: Attempt) -> Iterator[Story]:
    """Yield the corrupted story, or nothing where it cannot be told to its end or is the right one after all."""
    try:
        corrupted = attempt.make()
    except IMPOSSIBLE:
        return
    if corrupted.trace != story.trace or corrupted.decisions != story.decisions:
        yield corrupted


def judge_one(tally: Tally, seed: int, corruption: str, corrupted: Story) -> None:
    """Count one corrupted story."""
    violated = violations(corrupted)
    if violated:
        tally.caught[corruption] += 1
        tally.clauses.update(violated)
    else:
        tally.survived[corruption] += 1
        tally.survivors.append(Survivor(seed, corruption, corrupted))


def violations(story: Story) -> tuple[str, ...]:
    """Return the clauses that the story violates, with its policies known by name."""
    return summary(evaluate(Evidence(story.observed, story.decisions, story.names, story.trace))).violated
