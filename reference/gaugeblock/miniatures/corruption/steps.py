"""Corruptions by a miniature: one placement is decided by a faulty scheduler, or the whole round is."""

from collections.abc import Callable, Iterator
from functools import partial

from gaugeblock import miniatures
from gaugeblock.miniatures.corruption.story import Corrupted, Story, indexed, with_placement
from gaugeblock.miniatures.loader import load

STEP_MODULES = ("gaugeblock.round.placement", "gaugeblock.round.accounting", "gaugeblock.round.reclamation")
"""Faults in these show within one placement."""


def faulty_placements(story: Story) -> Iterator[Callable[[], Corrupted]]:
    """Yield the stories in which one placement is a miniature's and all others are the reference's."""
    for fault in miniatures.FAULTS:
        if fault.module in STEP_MODULES:
            yield from (partial(_step, story, fault, index) for index, _ in indexed(story))


def faulty_rounds(story: Story) -> Iterator[Callable[[], Corrupted]]:
    """Yield the stories that the miniatures tell."""
    for fault in miniatures.FAULTS:
        if fault.module not in STEP_MODULES:
            yield partial(_round, story, fault)


def _step(story: Story, fault: miniatures.Fault, index: int) -> Corrupted:
    placement = story.trace.placements[index]
    place = load(fault, "gaugeblock.round.placement").place
    changed = place(placement.before, story.trace.ordered.worklist[index], story.policies)
    return Corrupted(f"one step as {fault.name}", with_placement(story, index, changed))


def _round(story: Story, fault: miniatures.Fault) -> Corrupted:
    decisions, trace = miniatures.scheduler_from(fault.name, story.names).schedule(story.observed)
    return Corrupted(f"a round as {fault.name}", story._replace(decisions=decisions, trace=trace))
