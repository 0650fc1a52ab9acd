"""``python -m gaugeblock.miniatures.corruption [--rounds N] [--first SEED] [--most N] [--page FILE]``.

Exit status: 0 nothing survives; 1 something does.
"""

import argparse
import datetime
import sys
from pathlib import Path

from gaugeblock.miniatures.corruption.campaign import campaign
from gaugeblock.miniatures.corruption.report import lines, page


def main(arguments: list[str]) -> int:
    """Run a campaign and print what was caught, what survived, and by which clause; with ``--page`` write that as a page."""
    parser = argparse.ArgumentParser(
        prog="python -m gaugeblock.miniatures.corruption", description="Look for holes in the clauses."
    )
    parser.add_argument("--rounds", type=int, default=200, help="how many seeded rounds to corrupt")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--most", type=int, default=25, help="how many corruptions to try in a round")
    parser.add_argument("--page", type=Path, help="a Markdown file to write the report to")
    options = parser.parse_args(arguments)
    seeds = range(options.first, options.first + options.rounds)
    tally = campaign(seeds, options.most)
    print("\n".join(lines(tally)))
    if options.page is not None:
        _write(options.page, page(tally, seeds, options.most, datetime.datetime.now(tz=datetime.UTC).date()))
    return 1 if tally.survivors else 0


def _write(file: Path, text: str) -> None:
    """Write in one step: readers see the old page or the new one."""
    draft = file.with_name(f".{file.name}.new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(file)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
