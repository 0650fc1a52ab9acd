"""The same theorem is explored alike in every run, in any process."""

from __future__ import annotations

import subprocess
import sys

import msgspec

from gaugeblock_proofs.engine import Path, Source, explore

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
