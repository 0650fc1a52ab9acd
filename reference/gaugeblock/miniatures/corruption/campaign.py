"""Puts corrupted rounds before the judge, and keeps count of what it catches."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from random import Random
from typing import NamedTuple

from gaugeblock.miniatures.corruption.answers import other_answers
from gaugeblock.miniatures.corruption.phases import changed_phases
from gaugeblock.miniatures.corruption.placements import changed_placements
from gaugeblock.miniatures.corruption.steps import faulty_placements, faulty_rounds
from gaugeblock.miniatures.corruption.story import Corrupted, Story, right_story
from gaugeblock.model import GaugeblockError
from gaugeblock.strategies import ALL_TUNINGS, random_policy_names, random_round
from gaugeblock_specs.evidence import Evidence
from gaugeblock_specs.judge import evaluate, summary

SOURCES = (other_answers, faulty_placements, faulty_rounds, changed_placements, changed_phases)
"""Where corruptions come from."""

IMPOSSIBLE = (GaugeblockError, StopIteration, RuntimeError, ValueError, KeyError)
"""What the rest of a round may raise when it is to go on from a state that cannot be."""


class Survivor(NamedTuple):
    """A corruption that no clause objects to: the seed of the round, and the corrupted story."""

    seed: int
    corrupted: Corrupted


class Tally(NamedTuple):
    """How many corruptions were caught and survived, by corruption; and how often each clause was violated."""

    caught: Counter[str]
    survived: Counter[str]
    clauses: Counter[str]
    survivors: list[Survivor]


def campaign(seeds: range, each_source: int) -> Tally:
    """Corrupt the seeded rounds, up to so many times a round by each source; the choice depends on the seed alone."""
    tally = Tally(Counter(), Counter(), Counter(), [])
    for seed in seeds:
        observed = random_round(seed, ALL_TUNINGS[seed % len(ALL_TUNINGS)])
        story = right_story(observed, random_policy_names(seed, observed.catalog))
        for corrupted in corruptions(story, Random(seed), each_source):
            judge_one(tally, seed, corrupted)
    return tally


def corruptions(story: Story, random: Random, each_source: int) -> Iterator[Corrupted]:
    """Yield corrupted stories that differ from the right one and can be told to their end."""
    for source in SOURCES:
        made = list(source(story))
        chosen = made if len(made) <= each_source else random.sample(made, each_source)
        for corrupted in chain.from_iterable(map(possible, chosen)):
            if corrupted.story.trace != story.trace or corrupted.story.decisions != story.decisions:
                yield corrupted


def possible(make: Callable[[], Corrupted]) -> Iterator[Corrupted]:
    """Yield the corrupted story, or nothing where the round cannot go on from the changed step."""
    try:
        yield make()
    except IMPOSSIBLE:
        return


def judge_one(tally: Tally, seed: int, corrupted: Corrupted) -> None:
    """Count one corrupted story."""
    violated = violations(corrupted.story)
    if violated:
        tally.caught[corrupted.corruption] += 1
        tally.clauses.update(violated)
    else:
        tally.survived[corrupted.corruption] += 1
        tally.survivors.append(Survivor(seed, corrupted))


def violations(story: Story) -> tuple[str, ...]:
    """Return the clauses that the story violates, with its policies known by name."""
    return summary(evaluate(Evidence(story.observed, story.decisions, story.names, story.trace))).violated


def lines(tally: Tally) -> Iterator[str]:
    """Yield the report: by corruption, then by clause."""
    yield f"{tally.caught.total()} corruptions caught, {tally.survived.total()} survived"
    for name in sorted({*tally.caught, *tally.survived}):
        yield f"{tally.caught[name]:8} caught {tally.survived[name]:6} survived  {name}"
    for clause, count in sorted(tally.clauses.items()):
        yield f"{count:8} violations of {clause}"
