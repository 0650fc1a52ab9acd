"""Histories from a seed: fast, the same for ever for a given release, and without Hypothesis."""

from collections.abc import Callable, Iterator
from functools import partial

from gaugeblock.model import (
    Event,
    Happening,
    History,
    Opening,
    PolicyNames,
    Scheduler,
    ServiceError,
    ServiceState,
    Step,
    StepFunction,
)
from gaugeblock.strategies.choices import SeededChoices, chance
from gaugeblock.strategies.foreign import ForeignScheduler, build_batch
from gaugeblock.strategies.histories import COMMON, HistoryTuning, build_event, build_opening
from gaugeblock.strategies.strays import build_stray


def random_opening(seed: int, tuning: HistoryTuning = COMMON) -> Opening:
    """Return the opening that belongs to ``seed`` and ``tuning``."""
    return build_opening(SeededChoices(f"opening {seed}"), tuning)


def drive(
    seed: int,
    length: int,
    take: StepFunction,
    scheduler_for: Callable[[PolicyNames], Scheduler],
    tuning: HistoryTuning = COMMON,
    foreign_percent: int = 10,
) -> Iterator[tuple[Opening, Happening, ServiceState, Step | ServiceError]]:
    """Let ``length`` events happen to the service whose step is ``take``, and yield each with the state before and the result.

    A foreign scheduler decides about ``foreign_percent`` in a hundred rounds; its batches stand in the happenings.
    """
    opening, choices = random_opening(seed, tuning), SeededChoices(f"history {seed}")
    state = ServiceState(opening.now, opening.catalog, opening.nodes)
    own = scheduler_for(opening.policies)
    for _ in range(length):
        event: Event = build_event(choices, state, tuning, build_stray)
        foreign = ForeignScheduler(partial(build_batch, choices)) if chance(choices, foreign_percent) else None
        result = _taken(take, state, event, foreign or own, opening)
        given = result.decisions if foreign is not None and isinstance(result, Step) else None
        yield opening, Happening(event, given), state, result
        if isinstance(result, Step):
            state = result.state


def random_history(
    seed: int,
    length: int,
    take: StepFunction,
    scheduler_for: Callable[[PolicyNames], Scheduler],
    tuning: HistoryTuning = COMMON,
    foreign_percent: int = 10,
) -> History:
    """Return a history of ``length`` events; the service's own answers decide what can happen next."""
    driven = drive(seed, length, take, scheduler_for, tuning, foreign_percent)
    return History(random_opening(seed, tuning), tuple(happening for _, happening, _, _ in driven))


def _taken(
    take: StepFunction, state: ServiceState, event: Event, scheduler: Scheduler, opening: Opening
) -> Step | ServiceError:
    try:
        return take(state, event, scheduler, opening.settings)
    except ServiceError as error:
        return error
