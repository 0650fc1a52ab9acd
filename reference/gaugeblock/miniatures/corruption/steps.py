"""Corruptions by a miniature: one placement is decided by a faulty scheduler, or the whole round is."""

from collections.abc import Iterator
from functools import partial

from gaugeblock import miniatures
from gaugeblock.miniatures.corruption.story import Attempt, Story, indexed, with_placement, with_trace
from gaugeblock.miniatures.loader import load

STEP_MODULES = ("gaugeblock.round.placement", "gaugeblock.round.accounting", "gaugeblock.round.reclamation")
"""Faults in these show within one placement."""


def faulty_placements(story: Story) -> Iterator[Attempt]:
    """Yield the stories in which one placement is a miniature's and all others are the reference's."""
    for fault in miniatures.FAULTS:
        if fault.module in STEP_MODULES:
            name = f"one step as {fault.name}"
            yield from (Attempt(name, partial(_step, story, fault, index)) for index, _ in indexed(story))


def faulty_rounds(story: Story) -> Iterator[Attempt]:
    """Yield the stories that the miniatures tell."""
    for fault in miniatures.FAULTS:
        if fault.module not in STEP_MODULES:
            yield Attempt(f"a round as {fault.name}", partial(_round, story, fault))


def _step(story: Story, fault: miniatures.Fault, index: int) -> Story:
    placement = story.trace.placements[index]
    place = load(fault, "gaugeblock.round.placement").place
    changed = place(placement.before, story.trace.ordered.worklist[index], story.policies)
    return with_placement(story, index, changed)


def _round(story: Story, fault: miniatures.Fault) -> Story:
    """Only what the miniature tells counts; decisions that do not follow from that are merely inconsistent."""
    _, trace = miniatures.scheduler_from(fault.name, story.names).schedule(story.observed)
    return with_trace(story, trace)
