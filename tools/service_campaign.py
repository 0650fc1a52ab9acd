"""Drives the reference service through histories for a given time, every clause evaluated, and tells what was reached.

    python tools/service_campaign.py --minutes 30 --output reach.md
    python tools/service_campaign.py --twin --minutes 60 --output reach.md

With --twin the optimized service takes every event too, and must come to the same state, decisions in order and refusals, with
every index right; the clauses are not evaluated then. Each batch is the stateful machine of the tests under a seed of its own;
--seed N --batches 1 finds a failure again.
Exit status: 0 nothing was broken and everything was reached; 1 otherwise.
"""

import argparse
import sys
import time
from pathlib import Path

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from service_machines import BrokenHistory, machine  # noqa: E402 (the tests are not a package)
from twins import Differs, twin_machine  # noqa: E402

from gaugeblock.service import step  # noqa: E402
from gaugeblock.strategies.reach import Reach  # noqa: E402

EXAMPLES = 100


def main() -> int:
    """Run batches until the time is up, or as many as asked for."""
    options = _options()
    reach, began, number = Reach(), time.monotonic(), options.seed
    chosen = settings(
        max_examples=EXAMPLES,
        stateful_step_count=50,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    while time.monotonic() - began < 60 * options.minutes and number - options.seed < options.batches:
        try:
            driven = twin_machine(reach) if options.twin else machine(step, reach)
            run_state_machine_as_test(seed(number)(driven), settings=chosen)
        except (BrokenHistory, Differs) as error:
            print(f"seed {number}: {error}")
            return 1
        number += 1
    seconds = time.monotonic() - began
    text = _report(reach, range(options.seed, number), seconds, twin=options.twin)
    if options.output is None:
        print(text)
    else:
        options.output.write_text(text, encoding="utf-8")
    return 1 if reach.missing else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--twin", action="store_true", help="compare the optimized service with the reference")
    parser.add_argument("--minutes", type=float, default=30.0, help="how long to go on beginning batches")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first batch")
    parser.add_argument("--batches", type=int, default=10**9, help="the most batches to run")
    parser.add_argument("--output", type=Path, help="the file for the table, else standard output")
    return parser.parse_args()


def _report(reach: Reach, seeds: range, seconds: float, *, twin: bool) -> str:
    events = sum(count for label, count in reach.counts.items() if label.startswith(("event: ", "error: ")))
    events -= reach.counts["event: a foreign scheduler decides"]
    missing = ", ".join(reach.missing) or "nothing"
    outcome = "the optimized service never differed" if twin else "no clause was broken"
    head = f"Seeds {seeds.start} to {seeds.stop - 1}, {events} events in {seconds / 60:.1f} minutes; {outcome}."
    return f"{head} Never reached: {missing}.\n\n{reach.table()}\n"


if __name__ == "__main__":
    sys.exit(main())
