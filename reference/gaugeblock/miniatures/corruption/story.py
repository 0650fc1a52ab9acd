"""A round with its story, and how it goes on from a changed step."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gaugeblock.model import Decisions, ObservedState, PlacementTrace, PolicyNames, RoundTrace, replace
from gaugeblock.policies.protocols import Policies
from gaugeblock.round.placement import place
from gaugeblock.round.prewarming import prewarm
from gaugeblock.round.schedule import decisions_of
from gaugeblock.round.wakeups import collect_wakeups
from gaugeblock.scheduler import scheduler_from


class Story(NamedTuple):
    """A round as it was decided, rightly or not."""

    observed: ObservedState
    names: PolicyNames
    policies: Policies
    decisions: Decisions
    trace: RoundTrace


class Attempt(NamedTuple):
    """A corruption by name, and what makes the corrupted story; that fails where a round cannot go on from the changed step."""

    corruption: str
    make: Callable[[], Story]


def right_story(observed: ObservedState, names: PolicyNames) -> Story:
    """Return how the reference decides the round."""
    scheduler = scheduler_from(names)
    decisions, trace = scheduler.schedule(observed)
    return Story(observed, names, scheduler, decisions, trace)


def with_trace(story: Story, trace: RoundTrace) -> Story:
    """Return the story with another trace, and the decisions that follow from it."""
    return story._replace(trace=trace, decisions=decisions_of(trace))


def with_placement(story: Story, index: int, placement: PlacementTrace) -> Story:
    """Return the story with one placement changed and everything after it derived from the state that it left."""
    return from_placements(story, (*story.trace.placements[:index], placement))


def from_placements(story: Story, placements: tuple[PlacementTrace, ...]) -> Story:
    """Return the story that begins with these placements; the rest of the worklist is placed by the reference."""
    told = list(placements)
    state = told[-1].after if told else story.trace.ordered
    for invocation in story.trace.ordered.worklist[len(told) :]:
        told.append(place(state, invocation, story.policies))
        state = told[-1].after
    return prewarmed(story, replace(story.trace, placements=tuple(told), placed=state))


def prewarmed(story: Story, trace: RoundTrace) -> Story:
    """Return the story with the phases after placement derived anew."""
    proposals, final = prewarm(trace.placed, story.policies.container_prewarm)
    reports, wakeup = collect_wakeups(final, story.policies)
    return with_trace(story, replace(trace, prewarms=proposals, final=final, wakeups=reports, wakeup=wakeup))


def indexed(story: Story) -> Iterator[tuple[int, PlacementTrace]]:
    """Yield the placements with their indexes."""
    yield from enumerate(story.trace.placements)
