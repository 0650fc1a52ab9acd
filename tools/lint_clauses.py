"""Fail on a clause without code, test, case or miniature, on an unknown identifier, and on an outdated table of clauses.

    python tools/lint_clauses.py

Exit status: 0 all is well; 1 something is wrong, told one a line.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from gaugeblock.traceability.computing import compute
from gaugeblock.traceability.linting import lint
from gaugeblock.traceability.loading import FILE_NAME, encode
from gaugeblock.traceability.markdown import markdown
from gaugeblock.traceability.records import Table

ROOT = Path(__file__).parents[1]
DATA = Path("reference/gaugeblock/traceability") / FILE_NAME
PAGE = Path("docs/clauses.md")


def main() -> int:
    """Print what is wrong; return the exit status."""
    table = compute(ROOT)
    found = [*lint(table, ROOT), *outdated(table, ROOT)]
    for problem in found:
        print(problem)
    return 1 if found else 0


def outdated(table: Table, root: Path) -> Iterator[str]:
    """Yield each file that does not hold what was computed from the tree."""
    for path, due in ((DATA, encode(table)), (PAGE, markdown(table).encode() + b"\n")):
        file = root / path
        if not file.exists() or file.read_bytes() != due:
            yield f"{path}: is out of date; expected what tools/build_traceability.py writes"


if __name__ == "__main__":
    sys.exit(main())
