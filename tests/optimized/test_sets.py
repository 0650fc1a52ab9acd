"""The small building blocks: sets as integers, and the log of changes."""

from hypothesis import given
from hypothesis import strategies as st

from gaugeblock.optimized.bitsets import ascending, lowest, members, total, transposed
from gaugeblock.optimized.changes import LONGEST, ChangeLog

NUMBERS = st.sets(st.integers(0, 300), max_size=60)


def as_bits(numbers: set[int]) -> int:
    """Return numbers as a bit set."""
    return sum(1 << number for number in numbers)


@given(NUMBERS)
def test_members_come_in_ascending_order(numbers: set[int]) -> None:
    """RECL-2: candidates come in creation order because sets of layers are listed in ascending order."""
    assert members(as_bits(numbers)) == sorted(numbers) == list(ascending(as_bits(numbers)))
    assert not numbers or lowest(as_bits(numbers)) == min(numbers)


@given(st.lists(st.sets(st.integers(0, 7)), max_size=12))
def test_transposing_turns_layers_of_nodes_into_nodes_of_layers(rows: list[set[int]]) -> None:
    """PLACE-2: the index by layer says the same as the nodes do."""
    columns = transposed([as_bits(row) for row in rows], 8)
    assert columns == [as_bits({place for place, row in enumerate(rows) if number in row}) for number in range(8)]


@given(NUMBERS)
def test_a_total_is_the_sum_over_the_set(numbers: set[int]) -> None:
    """RECL-5: what a set of layers frees is the sum of its members' sizes."""
    sizes = tuple(number * number for number in range(301))
    assert total(sizes, as_bits(numbers)) == sum(sizes[number] for number in numbers)


@given(st.lists(st.integers(0, 500), max_size=400), st.data())
def test_the_log_tells_all_that_was_noted_since(nodes: list[int], data: st.DataObject) -> None:
    """ROUND-1: a reader at any place of the log is told of every node noted after it, and of no other."""
    log = ChangeLog()
    for node in nodes:
        log.note(1 << node)
    cursor = data.draw(st.integers(0, len(nodes)))
    assert log.since(cursor) == as_bits(set(nodes[cursor:]))
    assert log.since(cursor) == as_bits(set(nodes[cursor:]))


def test_a_log_that_has_forgotten_says_that_anything_may_have_changed() -> None:
    """ROUND-1: a reader that was away for too long looks at everything again."""
    log = ChangeLog()
    for _ in range(LONGEST):
        log.note(1)
    log.note(2)
    assert log.since(0) & (1 << 500)
    assert log.since(LONGEST) == 2
