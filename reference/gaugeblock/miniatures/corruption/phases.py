"""Corruptions of the phases: the states before placement, the order of placements, prewarming and wake-ups as recorded."""

from collections.abc import Iterator
from functools import partial

from gaugeblock.miniatures.corruption.answers import neighbours_swapped, without_each
from gaugeblock.miniatures.corruption.placements import other_nodes
from gaugeblock.miniatures.corruption.story import Attempt, Story, from_placements, with_trace
from gaugeblock.model import RoundTrace, WorkingState, replace
from gaugeblock.round.schedule import place_all


def changed_phases(story: Story) -> Iterator[Attempt]:
    """Yield the stories in which one phase is told otherwise."""
    for source in (_before_placement, _worklist, _placements, _after_placement, _wakeups):
        yield from source(story)


def _before_placement(story: Story) -> Iterator[Attempt]:
    """Begin placement from a state that the earlier phases did not leave."""
    for name, state in _other_states(story.trace.ordered):
        yield Attempt(f"before placement: {name}", partial(_placed_from, story, replace(story.trace, ordered=state)))
    for name, state in _other_states(story.trace.initial):
        yield Attempt(f"at first: {name}", partial(with_trace, story, replace(story.trace, initial=state)))


def _worklist(story: Story) -> Iterator[Attempt]:
    """Lose an invocation between failing and placement, or bring a failed one back."""
    ordered = story.trace.ordered
    failed = {failure.invocation for failure in story.trace.failures}
    back = [each for each in story.observed.pending if each.id in failed]
    for worklist in without_each(ordered.worklist):
        trace = replace(story.trace, ordered=replace(ordered, worklist=worklist))
        yield Attempt("lose an invocation", partial(_placed_from, story, trace))
    for each in back:
        trace = replace(story.trace, ordered=replace(ordered, worklist=(*ordered.worklist, each)))
        yield Attempt("a failed invocation comes back", partial(_placed_from, story, trace))
    for each in ordered.worklist:
        trace = replace(story.trace, ordered=replace(ordered, worklist=(*ordered.worklist, each)))
        yield Attempt("an invocation comes twice", partial(_placed_from, story, trace))


def _placements(story: Story) -> Iterator[Attempt]:
    """Leave the last placements out, as if an invocation had ended placement."""
    for count in range(len(story.trace.placements)):
        kept = story.trace.placements[:count]
        placed = kept[-1].after if kept else story.trace.ordered
        yield Attempt("stop placing", partial(with_trace, story, replace(story.trace, placements=kept, placed=placed)))


def _after_placement(story: Story) -> Iterator[Attempt]:
    """Change the state that prewarming sees or leaves, and the proposals as recorded."""
    trace = story.trace
    for name, state in _other_states(trace.placed):
        yield Attempt(f"after placement: {name}", partial(with_trace, story, replace(trace, placed=state)))
    for name, state in _other_states(trace.final):
        yield Attempt(f"after prewarming: {name}", partial(with_trace, story, replace(trace, final=state)))
    for prewarms in (*without_each(trace.prewarms), *neighbours_swapped(trace.prewarms)):
        yield Attempt("other prewarms", partial(with_trace, story, replace(trace, prewarms=prewarms)))


def _wakeups(story: Story) -> Iterator[Attempt]:
    """Report other dates, and another date as the earliest."""
    trace = story.trace
    for reports in (*without_each(trace.wakeups), *neighbours_swapped(trace.wakeups)):
        yield Attempt("other reports", partial(with_trace, story, replace(trace, wakeups=reports)))
    for date in (None, story.observed.now + 1.0, story.observed.now + 1000.0):
        yield Attempt("another wake-up", partial(with_trace, story, replace(trace, wakeup=date)))


def _other_states(state: WorkingState) -> Iterator[tuple[str, WorkingState]]:
    for index, node in enumerate(state.nodes):
        for name, changed in other_nodes(node):
            yield name, replace(state, nodes=(*state.nodes[:index], changed, *state.nodes[index + 1 :]))
    yield "a node is lost", replace(state, nodes=state.nodes[:-1])


def _placed_from(story: Story, trace: RoundTrace) -> Story:
    placements, _ = place_all(trace.ordered, story.policies)
    return from_placements(story._replace(trace=trace), placements)
