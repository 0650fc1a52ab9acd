"""States, decisions, plans, traces and policies are frozen, deeply."""

import copy
import pickle
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

import msgspec
import pytest
from worlds import catalog, container, function, invocation, layer, node, world

from gaugeblock.model import Decisions, InvalidState, ObservedState, PolicyKind, Value
from gaugeblock.model.problems import BadDate
from gaugeblock.policies.builtin.prewarm import WarmPool
from gaugeblock.policies.errors import PolicyContractError
from gaugeblock.scheduler import GreedyScheduler, names_of
from gaugeblock.wire.errors import DocumentProblem, InvalidDocument

ATOMS = (str, int, float, bool, Enum, type(None))


def busy_world() -> ObservedState:
    """Return a state in which a round reuses, starts, loads and waits."""
    a, b = layer("a"), layer("b")
    f, g = function("f", a), function("g", a, b)
    return world(
        catalog(f, g),
        node("n", (a, b), (a,), (container(1, f),)),
        node("m", (a,), copying=(b,)),
        pending=(invocation(1, f), invocation(2, f), invocation(3, g), invocation(4, g)),
    )


def parts(value: object) -> Iterator[object]:
    """Yield everything reachable from ``value``."""
    yield value
    if isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from parts(getattr(value, field))
    elif isinstance(value, tuple | frozenset):
        for member in value:
            yield from parts(member)


@pytest.mark.parametrize("which", ["state", "decisions", "trace", "scheduler", "names"])
def test_nothing_mutable_is_reachable(which: str) -> None:
    """No list, dict or set can be reached from what a round takes and gives."""
    state = busy_world()
    scheduler = GreedyScheduler().with_policy(WarmPool(((state.catalog.functions[0].name, 2),)))
    decisions, trace = scheduler.schedule(state)
    values = {"state": state, "decisions": decisions, "trace": trace, "scheduler": scheduler, "names": names_of(scheduler)}
    reached = list(parts(values[which]))
    assert len(reached) > 5
    strange = [part for part in reached if not isinstance(part, (*ATOMS, Value, tuple, frozenset))]
    assert strange == []


def test_a_field_cannot_be_set_even_by_force() -> None:
    """A frozen value refuses assignment and ``object.__setattr__``."""
    decisions = Decisions()
    with pytest.raises(AttributeError):
        decisions.wakeup = 1.0  # type: ignore[misc]  # the refusal is what is tested
    with pytest.raises(TypeError):
        object.__setattr__(decisions, "wakeup", 1.0)


def test_a_round_leaves_its_input_as_it_was() -> None:
    """ROUND-1: the observed state is neither changed nor aliased by anything that could change."""
    state, twin = busy_world(), busy_world()
    GreedyScheduler().schedule(state)
    assert state == twin


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_values_and_errors_can_be_copied_and_pickled(again: Callable[[Any], Any]) -> None:
    """They come out of another process as they went in, an error with its fields and its message."""
    state = busy_world()
    assert again(state) == state
    assert again(GreedyScheduler().schedule(state)) == GreedyScheduler().schedule(state)
    for error in (
        InvalidState((BadDate("$.now", 3.0, "a date"),)),
        InvalidDocument((DocumentProblem("$", "x", "y"),), "file", 3),
        PolicyContractError(PolicyKind.EVICTION, "mine", "RECL-8", "this", "that"),
    ):
        copied = again(error)
        assert type(copied) is type(error)
        assert str(copied) == str(error)
        assert vars(copied).keys() == vars(error).keys()
