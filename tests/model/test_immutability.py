"""States, decisions, plans, traces and policies are frozen, deeply."""

from collections.abc import Iterator
from enum import Enum

import msgspec
import pytest
from worlds import catalog, container, function, invocation, layer, node, world

from gaugeblock.model import Decisions, ObservedState, Value
from gaugeblock.policies.builtin.prewarm import WarmPool
from gaugeblock.scheduler import GreedyScheduler, names_of

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
