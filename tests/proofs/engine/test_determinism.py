"""The same theorem is explored alike in every run, in any process."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable

import msgspec
import pytest

from gaugeblock_proofs.engine import NondeterministicTheorem, Path, Source, explore

SCRIPT = """
from gaugeblock_proofs.engine import explore
orders = []
def theorem(symbols, path):
    names = sorted("abcd", key=symbols.integer)
    orders.append("".join(names))
    path.prove(3 * symbols.integer(names[0]) + symbols.integer(names[1]) != 50)
report = explore(theorem)
print(orders, report.counterexample, report.paths, report.queries)
"""


def walk() -> list[object]:
    """Explore a theorem with forks and choices, noting each path in order."""
    seen: list[object] = []

    def theorem(symbols: Source, path: Path) -> None:
        names = sorted("abc", key=symbols.integer)
        seen.append((tuple(names), path.choose((1, 2))))
        path.prove(symbols.integer(names[0]) <= symbols.integer(names[2]))

    seen.append(msgspec.structs.replace(explore(theorem), seconds=0.0))
    return seen


def test_two_explorations_in_one_process_are_alike() -> None:
    """Paths come in the same order, and the reports are equal but for their seconds."""
    assert walk() == walk()


def test_explorations_under_different_hash_seeds_are_alike() -> None:
    """Nothing hangs on the order of sets or on addresses."""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert "fails for the smallest input" in outputs.pop()


def remembering(symbols: Source, path: Path, memory: dict[str, int]) -> None:
    """Keep what the first run found, as a cache in the code under proof would; the claim is false above 5."""
    number = symbols.integer("number", 0, 9)
    if "found" not in memory:
        memory["found"] = 1 if number <= 5 else 2
    path.prove(memory["found"] == 1)


def counting(symbols: Source, path: Path, memory: dict[str, int]) -> None:
    """Behave otherwise on the second run than on the first; the claim is false up to 5."""
    number = symbols.integer("number", 0, 9)
    memory["runs"] = memory.get("runs", 0) + 1
    path.prove(bool(number > 5) or True if memory["runs"] == 1 else number > 5)


def turning_aside(symbols: Source, path: Path, memory: dict[str, int]) -> None:
    """Ask about another number on every run."""
    memory["runs"] = memory.get("runs", 0) + 1
    path.prove(bool(symbols.integer(f"number {memory['runs']}", 0, 9) > 5) or True)


def swallowing(symbols: Source, path: Path, memory: dict[str, int]) -> None:
    """The same, by code that goes on whatever happens."""
    with contextlib.suppress(BaseException):
        turning_aside(symbols, path, memory)
    path.prove(True)


@pytest.mark.parametrize("theorem", [remembering, counting, turning_aside, swallowing], ids=lambda theorem: theorem.__name__)
def test_what_one_run_leaves_to_the_next_is_noticed(theorem: Callable[[Source, Path, dict[str, int]], None]) -> None:
    """A run that does not come by the decisions that it shares with the one before proves nothing."""
    memory: dict[str, int] = {}
    with pytest.raises(NondeterministicTheorem):
        explore(lambda symbols, path: theorem(symbols, path, memory))
