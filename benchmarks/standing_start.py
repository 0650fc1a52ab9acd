"""A round from a standing start: the state is given, then the indexes are built and the round is decided.

    python benchmarks/standing_start.py DIR [--repeats N]

``DIR`` holds the large vector rounds (``perf-*.jsonl``). For each, the tight ones first, the table gives processor time in
milliseconds, the best of N: the optimized model as a whole, the building of the indexes within it, the reference, and the
yardstick (``yardstick.py``). ``C++`` is the time of the real scheduler and ``plain`` that of a prototype like the yardstick,
both measured elsewhere in one hour; ``ratio`` is yardstick over plain. ``goal`` is the share of the C++ time that is allowed,
``share`` the one reached when the C++ time is scaled by the median of the ratios, ``as is`` when it is not scaled. Every round
is also checked against the decisions in its file.
"""

import argparse
import gc
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from yardstick import decide_plainly

from gaugeblock.model import Decisions
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.rounds import decide
from gaugeblock.scheduler import scheduler_from
from gaugeblock.wire.cases import Case, read_cases


class Elsewhere(NamedTuple):
    """Milliseconds measured elsewhere: the C++ scheduler and a plain prototype; and the goal as a share of the former."""

    cpp: float
    plain: float
    goal: float | None


ROUNDS = {
    "perf-tight-256-fewest": Elsewhere(126, 469, 1 / 2),
    "perf-tight-256-lru": Elsewhere(100, 476, 1 / 2),
    "perf-tight-1000-fewest": Elsewhere(1100, 2935, 1 / 5),
    "perf-64": Elsewhere(9.1, 32, None),
    "perf-256": Elsewhere(118, 318, 1 / 3),
    "perf-1000": Elsewhere(1080, 2405, 1 / 10),
}


def bests(repeats: int, *actions: Callable[[], object]) -> list[float]:
    """Return the least processor time of each action in milliseconds; they take turns, so that a busy hour hits all alike."""
    least = [float("inf")] * len(actions)
    for _ in range(repeats):
        for number, action in enumerate(actions):
            gc.collect()
            start = time.process_time()
            action()
            least[number] = min(least[number], 1000 * (time.process_time() - start))
    return least


def canonical(decisions: Decisions) -> dict[str, list[str]]:
    return {
        field: sorted(map(repr, getattr(decisions, field)))
        for field in decisions.__struct_fields__
        if field not in ("failures", "wakeup")
    }


class Measured(NamedTuple):
    """Milliseconds measured here."""

    optimized: float
    indexes: float
    reference: float
    yardstick: float


def measure(case: Case, repeats: int) -> Measured:
    observed, policies = case.round, case.policies
    scheduler = scheduler_from(policies)
    lru = policies.eviction.name == "lru"
    optimized, indexes, yardstick = bests(
        repeats,
        lambda: decide(observed, policies),
        lambda: Cluster(observed.catalog, observed.nodes),
        lambda: decide_plainly(observed, lru=lru),
    )
    (reference,) = bests(1, lambda: scheduler.schedule(observed))
    return Measured(optimized, indexes, reference, yardstick)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    measured: dict[str, Measured] = {}
    for name in ROUNDS:
        case = next(iter(read_cases(arguments.folder / f"{name}.jsonl")))
        assert case.decisions is not None
        if canonical(decide(case.round, case.policies)) != canonical(case.decisions):
            raise SystemExit(f"{name}: the decisions are not those of the file")
        measured[name] = measure(case, arguments.repeats)
    machine = statistics.median(measured[name].yardstick / ROUNDS[name].plain for name in ROUNDS)
    print(f"this machine takes {machine:.2f} times as long as the other one (yardstick / plain)")
    print(
        f"{'round':24}{'optimized':>10}{'indexes':>9}{'reference':>11}{'yardstick':>11}{'ratio':>7}{'C++':>8}{'goal':>6}"
        f"{'share':>7}{'as is':>7}"
    )
    for name, here in measured.items():
        cpp, plain, goal = ROUNDS[name]
        as_is = here.optimized / cpp
        share = here.optimized / (cpp * machine)
        verdict = "  missed" if goal is not None and share > goal else ""
        print(
            f"{name:24}{here.optimized:10.1f}{here.indexes:9.1f}{here.reference:11.1f}{here.yardstick:11.1f}"
            f"{here.yardstick / plain:7.2f}{cpp:8.1f}{goal or float('nan'):6.2f}{share:7.2f}{as_is:7.2f}{verdict}"
        )


if __name__ == "__main__":
    main()
