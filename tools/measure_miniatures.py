"""Measures the miniatures: how often each differs, which judging catches it, after how many cases, by which clause; and the
matrix of clauses: which cases exercise each, which miniatures violate it.

    python tools/measure_miniatures.py [--rounds N] [--only NAME] [CASES.jsonl ...]

Writes docs/miniatures.md; with --only it prints that one's row and writes nothing. Exit status: 0, or 1 where a miniature is
not caught or a clause goes without a case or a miniature; each of these is told on a line.
"""

import argparse
import datetime
import platform
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

from gaugeblock import miniatures
from gaugeblock.conformance.exact import differences
from gaugeblock.miniatures.matrix import NOT_IN_CORPUS, Line, holes, matrix
from gaugeblock.miniatures.trials import RANDOM_EVERY, Trial, answer, case_trials, seeded_trial, unsafe, violated
from gaugeblock.version import __version__

ROOT = Path(__file__).parents[1]
CORPUS = tuple(sorted((ROOT / "tests" / "vectors").glob("*.jsonl")))
REPORT = ROOT / "docs" / "miniatures.md"
SUBTLE_PERCENT = 2.0
SAFETY_ATTEMPTS = 200
MOST = 60
MATRIX_ROUNDS = 400
SHOWN = 6


class Row(NamedTuple):
    """What was found for one miniature; the case numbers start at 1, None where it was never caught."""

    fault: miniatures.Fault
    share: float
    exact: int | None
    clauses: tuple[str, ...]
    safety: int | None
    safety_clauses: tuple[str, ...]


def measure(fault: miniatures.Fault, cases: tuple[Trial, ...], seeded: tuple[Trial, ...]) -> Row:
    """Put every trial to one miniature."""
    exact: int | None = None
    safety: int | None = None
    clauses: tuple[str, ...] = ()
    safety_clauses: tuple[str, ...] = ()
    different = 0
    attempts = 0
    for number, trial in enumerate((*cases, *seeded), start=1):
        found = answer(fault.name, trial)
        if found is not None and not differences(trial.right.decisions, found.decisions):
            continue
        different += number > len(cases)
        if exact is None:
            exact, clauses = number, ("error",) if found is None else violated(trial, found)
        attempts += 1
        if found is not None and safety is None and attempts <= SAFETY_ATTEMPTS:
            safety_clauses = unsafe(trial, found)
            safety = number if safety_clauses else None
    return Row(fault, 100.0 * different / max(1, len(seeded)), exact, clauses, safety, safety_clauses)


def cells(row: Row) -> str:
    """Return the row of the table."""
    fault = row.fault
    known_as = ", ".join(fault.known_as)
    exact = "not caught" if row.exact is None else f"{row.exact}: {', '.join(row.clauses)}"
    safety = "–" if row.safety is None else f"{row.safety}: {', '.join(row.safety_clauses)}"
    return f"| `{fault.name}` | {fault.story} | {known_as} | {row.share:.2f} % | {exact} | {safety} |"


def violators(line: Line) -> str:
    """Return the miniatures that violate a clause, the most frequent first, and how many more there are."""
    ranked = sorted(line.violations, key=lambda entry: -entry[1])
    more = f" and {len(ranked) - SHOWN} more" if len(ranked) > SHOWN else ""
    return ", ".join(f"`{name}` {count}" for name, count in ranked[:SHOWN]) + more


def clause_cells(line: Line) -> str:
    """Return a clause's row of the matrix."""
    return f"| {line.clause} | {line.applicable or 'none (1)'} | {violators(line)} |"


def report(rows: tuple[Row, ...], lines: tuple[Line, ...], cases: int, rounds: int) -> str:
    """Return the whole document."""
    today = datetime.datetime.now(tz=datetime.UTC).date()
    subtle = sum(row.share < SUBTLE_PERCENT for row in rows)
    exact = sum(row.exact is not None for row in rows)
    dangerous = [row for row in rows if row.fault.unsafe]
    safety = sum(row.safety is not None for row in dangerous)
    text = [
        "# The miniatures, and what catches each of them",
        "",
        f"Written by `tools/measure_miniatures.py` on {today.isoformat()} with gaugeblock {__version__},"
        f" Python {platform.python_version()}: {cases} cases of the corpus, then {rounds} seeded rounds"
        f" (seeds 0 to {rounds - 1}, the ready-made tunings in turn, built-in policies, random ones among them in one round"
        f" of {RANDOM_EVERY}).",
        "",
        f"There are {len(rows)} miniatures. {subtle} of them differ from the reference on fewer than {SUBTLE_PERCENT:g} %"
        f" of the random rounds. Exact judging catches {exact}. {len(dangerous)} decide something at times that breaks a rule"
        f" whatever the policies are; safety judging catches {safety} of those.",
        "",
        "*Share* is the share of the random rounds on which the decisions differ. *Exact* and *safety* give the number of the"
        " first case that tells, and the clauses that are violated there: judged with the story of the round, and from its"
        " decisions alone. `error` means that the miniature came to grief over its own fault.",
        "",
        "| miniature | fault | known as | share | exact | safety |",
        "| --- | --- | --- | --- | --- | --- |",
        *map(cells, rows),
        "",
        "## Every clause, the cases that exercise it, and the miniatures that violate it",
        "",
        "*Cases* is the number of cases of the corpus that the clause is applicable to and holds for, judged with the"
        " policies' names and the reference's trace. A miniature's number says on how many rounds it violates the clause, of"
        f" up to {MOST} that it answers otherwise, the corpus and the first {MATRIX_ROUNDS} seeded rounds being put to it; for"
        " the service, in how many of 40 seeded histories the first thing to go wrong violates it. Nothing is missing, else"
        " the tool fails, and so does a test.",
        "",
        "| clause | cases | violated by |",
        "| --- | --- | --- |",
        *map(clause_cells, lines),
        "",
        "(1) " + "; ".join(dict.fromkeys(f"{reason}" for reason in NOT_IN_CORPUS.values())) + ".",
        "",
    ]
    return "\n".join(text)


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
    cases = tuple(case_trials((*CORPUS, *options.cases)))
    seeded = tuple(map(seeded_trial, range(options.rounds)))
    rows = tuple(map(partial(measure, cases=cases, seeded=seeded), faults))
    missed = [f"{row.fault.name}: exact judging does not catch it" for row in rows if row.exact is None]
    if options.only is None:
        lines = matrix(cases, (*cases, *seeded[:MATRIX_ROUNDS]), MOST)
        write(REPORT, report(rows, lines, len(cases), len(seeded)))
        missed += holes(lines)
    else:
        print("\n".join(map(cells, rows)))
    print("\n".join(missed), end="\n" if missed else "")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
