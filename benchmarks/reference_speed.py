"""How fast the reference is: start-up, the corpus, a subject over pipes, one large round, and growth with nodes and pending.

    python benchmarks/reference_speed.py [--vectors DIR] [--plot FILE.svg]

Times are medians of processor time (``wall`` where processes talk to each other), so that a busy machine disturbs them little.
``DIR`` holds ``perf-256.jsonl`` and the like; without it the large rounds are generated.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pictures import picture

from gaugeblock import corpus
from gaugeblock.model import ObservedState, PolicyNames
from gaugeblock.scheduler import scheduler_from
from gaugeblock.strategies import Tuning, random_round
from gaugeblock.wire.cases import read_cases

GROWTH = (16, 32, 64, 128, 256)
REPEATS = 3
DEFAULT = PolicyNames()


def median_seconds(action: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    seconds = []
    for _ in range(REPEATS):
        start = clock()
        action()
        seconds.append(clock() - start)
    return statistics.median(seconds)


def command(*arguments: str) -> Callable[[], object]:
    executable = str(Path(sys.executable).with_name("gaugeblock"))
    return lambda: subprocess.run([executable, *arguments], check=True, capture_output=True)


def sized_round(nodes: int, pending: int) -> ObservedState:
    """Return the generated round with exactly so many nodes and at least so many pending, trimmed."""
    tuning = Tuning(
        fewest_nodes=nodes,
        most_nodes=nodes,
        most_layers=60,
        most_images=30,
        most_functions=60,
        most_pending=pending,
        image_percent=8,
        inactive_percent=0,
        full_percent=0,
        invocation_slack=8,
        position_slack=8,
    )
    found = random_round(nodes, tuning)
    seed = 0
    while len(found.pending) < pending * 0.9:
        seed += 1
        found = random_round(nodes + 1000 * seed, tuning)
    return found


def decide_seconds(observed: ObservedState, names: PolicyNames = DEFAULT) -> float:
    scheduler = scheduler_from(names)
    return median_seconds(lambda: scheduler.schedule(observed))


def corpus_rate() -> float:
    cases = corpus.load()
    schedulers = [scheduler_from(case.policies) for case in cases]

    def judge() -> None:
        for case, scheduler in zip(cases, schedulers, strict=True):
            scheduler.schedule(case.round)

    return len(cases) / median_seconds(judge)


def pipe_rate(*options: str) -> float:
    """Return cases a second of ``gaugeblock serve``, asked and judged over pipes; what one case alone takes is start-up."""
    served = ("--", str(Path(sys.executable).with_name("gaugeblock")), "serve", *options)
    cases = corpus.load()
    whole = median_seconds(command("conform", *served), time.perf_counter)
    one = median_seconds(command("conform", "--case", cases[0].id, *served), time.perf_counter)
    return (len(cases) - 1) / (whole - one)


def decide_command_seconds(round_bytes: bytes) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "round.json"
        path.write_bytes(round_bytes)
        return median_seconds(command("decide", str(path)), time.perf_counter)


def growth() -> list[tuple[int, float, float]]:
    """Return for each size the seconds with so many nodes (64 pending), and with so many pending (64 nodes)."""
    return [(size, decide_seconds(sized_round(size, 64)), decide_seconds(sized_round(64, size))) for size in GROWTH]


def plot(rows: list[tuple[int, float, float]]) -> str:
    """Return an SVG picture of the growth."""
    return picture(
        {
            "nodes (64 pending)": [(size, 1000 * by_nodes) for size, by_nodes, _ in rows],
            "pending (64 nodes)": [(size, 1000 * by_pending) for size, _, by_pending in rows],
        },
        title="Reference: one round",
        across="nodes, or pending invocations",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    print(f"cold start, --version              {median_seconds(command('--version'), time.perf_counter):8.3f} s wall")
    print(f"corpus in process, trace included  {corpus_rate():8.0f} cases/s")
    for options in ((), ("--optimized",)):
        name = " ".join(("gaugeblock serve", *options))
        print(f"{name:34} {pipe_rate(*options):8.0f} cases/s, over pipes and judged, without start-up, wall")
    for name in ("perf-tight-256-fewest", "perf-tight-256-lru", "perf-64", "perf-256", "perf-tight-1000-fewest", "perf-1000"):
        path = arguments.vectors / f"{name}.jsonl" if arguments.vectors else None
        if path is None or not path.exists():
            continue
        case = next(iter(read_cases(path)))
        print(f"{name:34} {decide_seconds(case.round, case.policies):8.3f} s of processor time in schedule()")
        if "256" in name:
            print(f"{'  the command decide':34} {decide_command_seconds(path.read_bytes()):8.3f} s wall")
    rows = growth()
    for size, by_nodes, by_pending in rows:
        print(f"{size:4} nodes: {1000 * by_nodes:8.1f} ms    {size:4} pending: {1000 * by_pending:8.1f} ms")
    if arguments.plot:
        arguments.plot.write_text(plot(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
