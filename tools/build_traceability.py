"""Build what the package knows of its clauses, and docs/clauses.md, from the tree.

    python tools/build_traceability.py

Needs the proofs (the extra ``proofs``), since the theorems are part of it. Run it whenever a clause, a citation of one, a case,
a theorem or a miniature changes; tools/lint_clauses.py fails until then.
"""

import os
import sys
from pathlib import Path

from gaugeblock.traceability.computing import compute
from gaugeblock.traceability.loading import FILE_NAME, encode
from gaugeblock.traceability.markdown import markdown

ROOT = Path(__file__).parents[1]
DATA = ROOT / "reference" / "gaugeblock" / "traceability" / FILE_NAME
PAGE = ROOT / "docs" / "clauses.md"


def main() -> int:
    """Write both files; return the exit status."""
    table = compute(ROOT)
    _write(DATA, encode(table))
    _write(PAGE, markdown(table).encode() + b"\n")
    print(f"{len(table.clauses)} clauses written to {DATA.relative_to(ROOT)} and {PAGE.relative_to(ROOT)}")
    return 0


def _write(path: Path, content: bytes) -> None:
    """Write atomically: readers see the old file or the new one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(content)
    temporary.replace(path)


if __name__ == "__main__":
    sys.exit(main())
