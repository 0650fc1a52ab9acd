"""Who comes first among invocations of one function, as far as bare decisions show it."""

from collections.abc import Callable, Iterator

from gaugeblock.model import FunctionName, Invocation
from gaugeblock_specs.context import Context
from gaugeblock_specs.room import is_placement_known
from gaugeblock_specs.verdicts import Witness

Turn = tuple[float | int, int]
"""What the turn of an invocation depends on; the lesser goes first."""


def rivals(context: Context, turn: Callable[[Invocation], Turn]) -> Iterator[tuple[Invocation, ...]]:
    """Yield the survivors of each function that has more than one, in their turn, where all of placement is built in."""
    if not is_placement_known(context):
        return
    by_function: dict[FunctionName, list[Invocation]] = {}
    for invocation in sorted(context.survivors, key=turn):
        by_function.setdefault(invocation.function.name, []).append(invocation)
    yield from (tuple(same) for same in by_function.values() if len(same) > 1)


def first_are_dispatched_first(context: Context, same: tuple[Invocation, ...]) -> Iterator[Witness]:
    """Room for a function only shrinks in a round, so no later one of it is dispatched where an earlier one was not."""
    passed_over = False
    for invocation in same:
        dispatched = invocation.id in context.dispatched
        if dispatched and passed_over:
            yield Witness(
                "an invocation is dispatched before one of its function whose turn was first", invocation=invocation.id
            )
        passed_over = passed_over or not dispatched
