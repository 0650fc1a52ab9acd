"""``gaugeblock check``: evaluate the clauses on decisions that somebody made."""

import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

import click
import msgspec
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from gaugeblock.cli import answers
from gaugeblock.cli.answers import Answer
from gaugeblock.conformance.assessing import Assessment, Basis, assess
from gaugeblock.conformance.records import violation
from gaugeblock.conformance.report import violation_lines
from gaugeblock.conformance.texts import printable
from gaugeblock.model import Value
from gaugeblock_specs.judge import summary
from gaugeblock_specs.registry import ALL
from gaugeblock_specs.verdicts import Verdict

VIOLATED: Final = 1
WIDTH_OFF_TERMINAL: Final = 170
HEADINGS: Final = {
    Verdict.HOLDS: "holds",
    Verdict.VIOLATED: "violated",
    Verdict.NOT_APPLICABLE: "not\napplicable",
    Verdict.UNDECIDABLE: "not\ndecidable",
}


class Line(Value, frozen=True):
    """What is said of one case to programs: its verdict, from what it was judged, and the clauses by what became of them."""

    id: str
    verdict: str
    basis: str
    violated: tuple[dict[str, object], ...]
    holds: tuple[str, ...]
    not_applicable: tuple[str, ...]
    undecidable: tuple[str, ...]


@click.command("check")
@click.argument("sources", metavar="[CASE]...", nargs=-1)
@click.option("--case", "wanted", multiple=True, metavar="ID", help="Judge only this case; repeatable.")
@click.option("--safety", is_flag=True, help="Judge the decisions alone, whatever policies they come from.")
@click.option("--trace", is_flag=True, help="Where the reference decides the same, evaluate the clauses on its trace as well.")
@click.option("--show", default=3, show_default=True, type=click.IntRange(min=0), help="How many violated cases to show.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON line for each case.")
@click.pass_context
def command(
    ctx: click.Context, sources: tuple[str, ...], wanted: tuple[str, ...], safety: bool, trace: bool, show: int, as_json: bool
) -> None:
    """Evaluate every clause that the evidence allows on the decisions in CASE: files of cases, one a line or one a file, or -.

    Without CASE the cases that come with gaugeblock are judged. A case is {"id", "round", "policies", "decisions"}; the id may
    be missing, and with --safety the policies, too, which then may be any.

    Without --safety, policies that are all built in admit one answer: decisions that differ from the reference's violate the
    clause at which the two part, though no clause about decisions alone may see it.

    Exit status: 0 all are satisfied; 1 some clause is violated; 2 bad usage or bad input.
    """
    if safety and trace:
        raise click.UsageError("--trace needs the policies, of which --safety takes no notice; give one of them.")
    assessed = (_assess(answer, trace) for answer in answers.load(sources, wanted, safety=safety))
    satisfied = _print_lines(assessed) if as_json else _print_report(assessed, sources, show)
    ctx.exit(0 if satisfied else VIOLATED)


def _assess(answer: Answer, trace: bool) -> Assessment:
    return assess(answer.id, answer.round, answer.decisions, answer.policies, with_trace=trace)


def _print_lines(assessed: Iterable[Assessment]) -> bool:
    """Print a line for each case as soon as it is judged; return whether all are satisfied."""
    satisfied = True
    for each in assessed:
        click.echo(msgspec.json.encode(_line(each)))  # JSON is UTF-8 whatever the terminal's encoding
        satisfied = satisfied and each.is_satisfied
    return satisfied


def _line(assessment: Assessment) -> Line:
    by_verdict = summary(assessment.results)
    return Line(
        id=assessment.case,
        verdict=_verdict(assessment),
        basis=assessment.basis.value,
        violated=tuple(violation(each) for each in assessment.violated),
        holds=by_verdict.holds,
        not_applicable=by_verdict.not_applicable,
        undecidable=by_verdict.undecidable,
    )


def _verdict(assessment: Assessment) -> str:
    return "satisfied" if assessment.is_satisfied else "violated"


class _Tally:
    """What all cases together come to."""

    def __init__(self) -> None:
        self.verdicts: Counter[tuple[str, Verdict]] = Counter()
        self.bases: Counter[tuple[Basis, bool]] = Counter()

    def add(self, assessment: Assessment) -> None:
        self.verdicts.update((result.clause, result.verdict) for result in assessment.results)
        self.bases[assessment.basis, assessment.is_satisfied] += 1

    @property
    def cases(self) -> int:
        return self.bases.total()

    @property
    def violated(self) -> int:
        return sum(count for (_, satisfied), count in self.bases.items() if not satisfied)


def _print_report(assessed: Iterable[Assessment], sources: tuple[str, ...], show: int) -> bool:
    console = Console(file=sys.stdout, highlight=False)
    if not console.is_terminal:
        console.width = max(console.width, WIDTH_OFF_TERMINAL)
    tally = _Tally()
    for each in assessed:
        tally.add(each)
        if not each.is_satisfied and tally.violated <= show:
            for line in _violation(each, sources):
                console.print(line, soft_wrap=True)
    console.print(_table(tally))
    for line in _conclusion(tally, show):
        console.print(line, soft_wrap=True)
    return tally.violated == 0


def _violation(assessment: Assessment, sources: tuple[str, ...]) -> Iterator[Text]:
    yield Text(printable(f"{assessment.case}: violated, judged from {assessment.basis.value}"), "bold red")
    for result in assessment.violated:
        for line in violation_lines(result):
            yield Text(printable(f"    {line}"))
    if len(sources) <= 1 and "-" not in sources and assessment.basis is not Basis.DECISIONS:
        words = ["gaugeblock", "explain", "--violation", "--case", assessment.case, *sources]
        yield Text(printable(f"    what would have been right: {shlex.join(words)}"))
    yield Text()


def _table(tally: _Tally) -> Table:
    """Return what became of each clause, in how many cases."""
    table = Table("clause", *(Column(HEADINGS[verdict], justify="right") for verdict in Verdict), "rule")
    for clause in ALL:
        counts = [tally.verdicts[clause.id, verdict] for verdict in Verdict]
        cells = [Text(f"{count:,}" if count else "", _style(verdict)) for verdict, count in zip(Verdict, counts, strict=True)]
        table.add_row(Text(clause.id), *cells, Text(clause.title))
    return table


def _style(verdict: Verdict) -> str:
    return {Verdict.HOLDS: "green", Verdict.VIOLATED: "bold red"}.get(verdict, "dim")


def _conclusion(tally: _Tally, show: int) -> Iterator[Text]:
    for basis in Basis:
        satisfied, violated = tally.bases[basis, True], tally.bases[basis, False]
        if satisfied + violated:
            yield Text(f"judged from {basis.value}: {satisfied + violated:,}; satisfied {satisfied:,}, violated {violated:,}")
    if tally.violated > show:
        yield Text("--show N shows more of the violated cases, --json all")
    yield (
        Text(f"violated: {tally.violated:,} of {tally.cases:,}", "bold red")
        if tally.violated
        else Text(f"satisfied: {tally.cases:,} of {tally.cases:,}", "bold green")
    )
