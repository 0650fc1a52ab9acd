"""Measures the wrong optimized models: which history, seeded round and case of the corpus is the first to tell each apart.

    python tools/measure_optimized.py

Writes docs/optimized.md, in one step. Exit status: 0 each was found; 1 otherwise.
"""

import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from twin_campaign import EVENTS, HISTORIES, ROUNDS, Round, corpus_rounds, first_history, seeded_rounds  # noqa: E402 (no package)
from twins import differing  # noqa: E402

from gaugeblock.miniatures.fault import Fault  # noqa: E402
from gaugeblock.miniatures.optimized_faults import FAULTS, WrongModel, model  # noqa: E402

PAGE = ROOT / "docs" / "optimized.md"

INTRODUCTION = """\
# The optimized model, and what tells a wrong one from it

`gaugeblock.optimized` is the service of the reference a second time: the same events, state, decisions in the same order, fates
and errors, at a cost that follows what changed and not nodes times pending. It is mutable inside and indexed. The docstring of
each module states its indexes, their invariants, and why they are right; the docstring of the package is the list of modules.

| you want | call |
| --- | --- |
| one round decided | `gaugeblock.optimized.rounds.decide(observed, policies)` |
| a service | `gaugeblock.optimized.model.OptimizedService.opened(opening)`, then `step(event)` |
| every index recomputed | `check_indexes()` of the service |
| a subject | `gaugeblock conform --subject optimized`, `gaugeblock serve --optimized`, `gaugeblock decide --optimized` |

Built-in policies are given by name, and decided by indexes. Policy values, or names that are not built in, are called as the
protocols say, in the general path: the same decisions, but every node is visited for every invocation. How fast all this is
stands in `benchmarks/README.md`.

That it never differs is tested, not proved: on every case of the corpus, on seeded and generated rounds, in seeded histories,
by a stateful machine that drives both services and compares them after every event, and in simulations with `--shadow`. That
these tests notice something is shown by wrong optimized models, one fault each (`gaugeblock.miniatures.optimized_faults`).
"""


def row(fault: Fault) -> tuple[str, bool]:
    """Return the line of one wrong model, and whether it was found."""
    wrong = model(fault.name)
    found = (first_history(wrong.service), _first(wrong, seeded_rounds), _first(wrong, corpus_rounds))
    cells = " | ".join("–" if number is None else str(number) for number in found)
    known_as = ", ".join(fault.known_as)
    return f"| `{fault.name}` | {fault.story} | {', '.join(fault.clauses)} | {known_as} | {cells} |", any(found)


def _first(wrong: WrongModel, rounds: Callable[[], tuple[Round, ...]]) -> int | None:
    return next(differing(wrong.decide, rounds()), None)


def main() -> int:
    """Measure, and write the page."""
    rows = [row(fault) for fault in FAULTS]
    missed = sum(not found for _, found in rows)
    share = "each is" if missed == 0 else f"all but {missed} are"
    lines = (
        INTRODUCTION,
        f"There are {len(rows)}; {share} found. The numbers are those of the first of {HISTORIES} seeded histories of {EVENTS}"
        f" events, of {ROUNDS} seeded rounds, and of the {len(corpus_rounds())} cases of the corpus that tells; a dash: not by"
        " these. What is remembered between rounds goes wrong in histories only, ties between many nodes in rounds. Written by"
        " `tools/measure_optimized.py`.",
        "",
        "| wrong model | story | clauses | known as | history | round | case |",
        "| --- | --- | --- | --- | ---: | ---: | ---: |",
        *(line for line, _ in rows),
        "",
    )
    draft = PAGE.with_suffix(".new")
    draft.write_text("\n".join(lines), encoding="utf-8")
    draft.replace(PAGE)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
