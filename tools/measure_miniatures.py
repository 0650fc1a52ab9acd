"""Measures the miniatures: how often each differs, which judging catches it, after how many cases, by which clause.

    python tools/measure_miniatures.py [--rounds N] [--only NAME] [CASES.jsonl ...]

Writes docs/miniatures.md; with --only it prints that one's row and writes nothing.
"""

import argparse
import datetime
import platform
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import gaugeblock_specs.judge as judge
from gaugeblock import miniatures
from gaugeblock.conformance.exact import differences
from gaugeblock.model import Decisions, GaugeblockError, ObservedState, PolicyNames, RoundTrace
from gaugeblock.scheduler import scheduler_from
from gaugeblock.strategies import ALL_TUNINGS, random_policy_names, random_round
from gaugeblock.version import __version__
from gaugeblock.wire.cases import read_cases
from gaugeblock_specs.evidence import Evidence

ROOT = Path(__file__).parents[1]
CORPUS = tuple(sorted((ROOT / "tests" / "vectors").glob("*.jsonl")))
REPORT = ROOT / "docs" / "miniatures.md"
SUBTLE_PERCENT = 2.0
SAFETY_ATTEMPTS = 200


class Trial(NamedTuple):
    """One round to put to the miniatures, with the right decisions."""

    observed: ObservedState
    policies: PolicyNames
    right: Decisions
    is_random: bool


class Row(NamedTuple):
    """What was found for one miniature; the case numbers start at 1, None where it was never caught."""

    fault: miniatures.Fault
    share: float
    exact: int | None
    clauses: tuple[str, ...]
    safety: int | None
    safety_clauses: tuple[str, ...]


def corpus_trials(paths: tuple[Path, ...]) -> Iterator[Trial]:
    """Yield the cases of the vector files, in order."""
    for path in paths:
        for case in read_cases(path):
            yield Trial(case.round, case.policies, case.decisions, False)


def random_trial(seed: int) -> Trial:
    """Return the seeded round of that number; the tunings take turns."""
    observed = random_round(seed, ALL_TUNINGS[seed % len(ALL_TUNINGS)])
    policies = random_policy_names(seed, observed.catalog)
    return Trial(observed, policies, scheduler_from(policies).schedule(observed)[0], True)


def answer(name: str, trial: Trial) -> tuple[Decisions, RoundTrace] | None:
    """Return what the miniature decides, or None where it comes to grief over its fault."""
    try:
        return miniatures.scheduler_from(name, trial.policies).schedule(trial.observed)
    except (GaugeblockError, StopIteration):
        return None


def violated(trial: Trial, found: tuple[Decisions, RoundTrace] | None, *, safety: bool) -> tuple[str, ...]:
    """Return the clauses that the answer violates, judged from the decisions alone or from the whole story."""
    if found is None:
        return ()
    decisions, trace = found
    evidence = Evidence(trial.observed, decisions)
    if not safety:
        evidence = Evidence(trial.observed, decisions, trial.policies, trace)
    return judge.summary(judge.evaluate(evidence)).violated


def measure(fault: miniatures.Fault, trials: tuple[Trial, ...]) -> Row:
    """Put every trial to one miniature."""
    exact: int | None = None
    safety: int | None = None
    clauses: tuple[str, ...] = ()
    safety_clauses: tuple[str, ...] = ()
    different = 0
    attempts = 0
    for number, trial in enumerate(trials, start=1):
        found = answer(fault.name, trial)
        if found is not None and not differences(trial.right, found[0]):
            continue
        different += trial.is_random
        if exact is None:
            exact, clauses = number, violated(trial, found, safety=False) or (() if found else ("error",))
        attempts += 1
        if safety is None and attempts <= SAFETY_ATTEMPTS:
            safety_clauses = violated(trial, found, safety=True)
            safety = number if safety_clauses else None
    share = 100.0 * different / max(1, sum(trial.is_random for trial in trials))
    return Row(fault, share, exact, clauses, safety, safety_clauses)


def cells(row: Row) -> str:
    """Return the row of the table."""
    fault = row.fault
    known_as = ", ".join(fault.known_as)
    exact = "not caught" if row.exact is None else f"{row.exact}: {', '.join(row.clauses)}"
    safety = "–" if row.safety is None else f"{row.safety}: {', '.join(row.safety_clauses)}"
    return f"| `{fault.name}` | {fault.story} | {known_as} | {row.share:.2f} % | {exact} | {safety} |"


def report(rows: tuple[Row, ...], trials: tuple[Trial, ...], today: datetime.date) -> str:
    """Return the whole document."""
    rounds = sum(trial.is_random for trial in trials)
    subtle = sum(row.share < SUBTLE_PERCENT for row in rows)
    exact = sum(row.exact is not None for row in rows)
    unsafe = [row for row in rows if row.fault.unsafe]
    safety = sum(row.safety is not None for row in unsafe)
    lines = [
        "# The miniatures, and what catches each of them",
        "",
        f"Written by `tools/measure_miniatures.py` on {today.isoformat()} with gaugeblock {__version__},"
        f" Python {platform.python_version()}: {len(trials) - rounds} cases of the corpus, then {rounds} seeded rounds"
        f" (seeds 0 to {rounds - 1}, the ready-made tunings in turn, deterministic built-in policies).",
        "",
        f"There are {len(rows)} miniatures. {subtle} of them differ from the reference on fewer than {SUBTLE_PERCENT:g} %"
        f" of the random rounds. Exact judging catches {exact}. {len(unsafe)} decide something at times that breaks a rule"
        f" whatever the policies are; safety judging catches {safety} of those.",
        "",
        "*Share* is the share of the random rounds on which the decisions differ. *Exact* and *safety* give the number of the"
        " first case that tells, and the clauses that are violated there: judged with the story of the round, and from its"
        " decisions alone. `error` means that the miniature came to grief over its own fault.",
        "",
        "| miniature | fault | known as | share | exact | safety |",
        "| --- | --- | --- | --- | --- | --- |",
        *(cells(row) for row in rows),
        "",
    ]
    return "\n".join(lines)


def write(path: Path, text: str) -> None:
    """Write the document in one step."""
    draft = path.with_suffix(".new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def main(arguments: list[str]) -> int:
    """Measure, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2500)
    parser.add_argument("--only")
    parser.add_argument("cases", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    faults = tuple(fault for fault in miniatures.FAULTS if options.only in (None, fault.name))
    trials = (*corpus_trials((*CORPUS, *options.cases)), *map(random_trial, range(options.rounds)))
    rows = tuple(map(partial(measure, trials=trials), faults))
    if options.only is None:
        write(REPORT, report(rows, trials, datetime.datetime.now(tz=datetime.UTC).date()))
    else:
        print("\n".join(map(cells, rows)))
    return 0 if all(row.exact is not None for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
