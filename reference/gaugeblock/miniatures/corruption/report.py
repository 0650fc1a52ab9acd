"""The report of a campaign, as a page and as lines of text."""

import datetime
import platform
from collections.abc import Iterator

from gaugeblock.miniatures.corruption.campaign import Survivor, Tally
from gaugeblock.version import __version__


def lines(tally: Tally) -> Iterator[str]:
    """Yield what was caught and what survived, by corruption, then how often each clause was violated."""
    yield summed_up(tally)
    for name in _tried(tally):
        yield f"{tally.caught[name]:8} caught {tally.survived[name]:6} survived  {name}"
    for clause, count in sorted(tally.clauses.items()):
        yield f"{count:8} violations of {clause}"
    yield from map(named, tally.survivors)


def summed_up(tally: Tally) -> str:
    """Return the two totals."""
    return f"{tally.caught.total()} corruptions caught, {tally.survived.total()} survived"


def named(survivor: Survivor) -> str:
    """Return how to find a survivor again."""
    return f"seed {survivor.seed}: {survivor.corruption}"


def page(tally: Tally, seeds: range, most: int, today: datetime.date) -> str:
    """Return the page in Markdown: the question, how it was asked, and the two tables."""
    survivors = [f"- {named(each)}" for each in tally.survivors] or ["No corruption survived."]
    text = [
        "# Completeness: do the clauses admit one answer?",
        "",
        "A right round is changed in one step and everything after that step is derived anew by the reference, so that"
        " story and decisions agree with each other. If the clauses admit one answer, then each such corruption violates one"
        " of them; one that does not, a survivor, is a hole in the clauses. Corruptions that change nothing, or after which"
        " the round cannot go on, do not count. They come from four sources: a policy that answers otherwise at one call,"
        " within its contract; one placement, or the whole round, as a [miniature](miniatures.md) has it; a placement recorded"
        " otherwise, its passes, findings, reclamation, plan or working state; and the phases recorded otherwise.",
        "",
        f"Written by `python -m gaugeblock.miniatures.corruption --rounds {len(seeds)} --first {seeds.start} --most {most}"
        f" --page docs/completeness.md` on {today.isoformat()} with gaugeblock {__version__},"
        f" Python {platform.python_version()}: seeds {seeds.start} to {seeds.stop - 1}, in each round up to {most} corruptions"
        " of different names, chosen by the seed.",
        "",
        f"**{summed_up(tally)}.**",
        "",
        "## Survivors",
        "",
        *survivors,
        "",
        "## By clause",
        "",
        "On how many corrupted rounds each clause was violated; one corruption mostly violates several.",
        "",
        "| clause | violated |",
        "| --- | --- |",
        *(f"| {clause} | {count} |" for clause, count in sorted(tally.clauses.items())),
        "",
        "## By corruption",
        "",
        "| corruption | caught | survived |",
        "| --- | --- | --- |",
        *(f"| {name} | {tally.caught[name]} | {tally.survived[name]} |" for name in _tried(tally)),
        "",
    ]
    return "\n".join(text)


def _tried(tally: Tally) -> list[str]:
    return sorted({*tally.caught, *tally.survived})
