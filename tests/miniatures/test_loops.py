"""A faulty copy whose loop has lost its end is cut off; one whose loops end runs as if nothing limited them."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaugeblock.miniatures.fault import Fault
from gaugeblock.miniatures.loader import load, original_text
from gaugeblock.miniatures.loops import ROUNDS, EndlessLoop, LimitedLoops, rounds

PAIRS = """
def pairs(count, skipped):
    found = []
    outer = 0
    while outer < count:
        outer += 1
        if outer in skipped:
            continue
        inner = 0
        while inner < outer:
            inner += 1
            if inner == 4:
                break
            found.append((outer, inner))
    return found
"""


def function(text: str, limit: int | None) -> object:
    """Return the function ``pairs`` of the text, with limited loops or as it stands."""
    tree = ast.parse(text)
    names: dict[str, object] = {}
    if limit is not None:
        tree = ast.fix_missing_locations(LimitedLoops().visit(tree))
        names[ROUNDS] = lambda: rounds(limit)
    exec(compile(tree, "pairs", "exec"), names)
    return names["pairs"]


@given(st.integers(0, 9), st.frozensets(st.integers(1, 9)))
def test_a_loop_that_ends_is_unchanged(count: int, skipped: frozenset[int]) -> None:
    """Breaks, continues and loops within loops do what they did, up to the last round that is allowed."""
    limited, plain = function(PAIRS, 10), function(PAIRS, None)
    assert callable(limited)
    assert callable(plain)
    assert limited(count, skipped) == plain(count, skipped)


def test_a_loop_that_goes_on_is_cut_off() -> None:
    """After so many rounds it says so."""
    limited = function(PAIRS.replace("outer += 1", "pass"), 10)
    assert callable(limited)
    with pytest.raises(EndlessLoop, match="more than 10 times"):
        limited(1, frozenset())


def test_a_loop_elsewhere_in_the_copy_is_limited_as_well() -> None:
    """The fault is in one module, the loop that it robs of its end may be in another that uses it."""
    module = "gaugeblock.optimized.nodes"
    text = original_text(module)
    copied = Fault("robbed-of-its-end", "", (), module, text, text + "\n", roots=("gaugeblock.optimized",), loop_limit=3)
    prewarming = load(copied, "gaugeblock.optimized.prewarming")
    assert ROUNDS in vars(prewarming)
    plain = Fault("not-limited", "", (), module, text, text + "\n", roots=("gaugeblock.optimized",))
    assert ROUNDS not in vars(load(plain, "gaugeblock.optimized.prewarming"))
