"""``gaugeblock clauses``: the rules, each with its code, tests, cases, theorems and miniatures."""

import sys

import click
import msgspec
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from gaugeblock.cli.errors import InvalidOption
from gaugeblock.conformance.texts import printable
from gaugeblock.traceability.loading import load
from gaugeblock.traceability.markdown import clause_lines, markdown
from gaugeblock.traceability.records import ClauseRecord, TheoremRecord
from gaugeblock.traceability.records import Table as ClauseTable

WIDTH_OFF_TERMINAL = 170
LISTED = 12
"""How many names of a kind are listed of one clause."""


@click.command("clauses")
@click.argument("identifier", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print everything as a Markdown document.")
def command(identifier: str | None, as_json: bool, as_markdown: bool) -> None:
    """List the clauses; with IDENTIFIER, such as RECL-5, tell all about that one."""
    if as_json and as_markdown:
        raise click.UsageError("--json and --markdown are two forms of the same; give one of them.")
    table = load()
    chosen = table if identifier is None else msgspec.structs.replace(table, clauses=(_find(table, identifier),))
    if as_json:
        one = chosen.clauses[0] if identifier else chosen.clauses
        click.echo(msgspec.json.format(msgspec.json.encode(one), indent=2))  # JSON is UTF-8 whatever the terminal's encoding
    elif as_markdown:
        click.echo((markdown(chosen) if identifier is None else "\n".join(clause_lines(chosen.clauses[0]))).strip())
    elif identifier is None:
        _print_all(table)
    else:
        _print_one(chosen.clauses[0])


def _find(table: ClauseTable, identifier: str) -> ClauseRecord:
    wanted = identifier.lower()
    for clause in table.clauses:
        if clause.id.lower() == wanted:
            return clause
    families = dict.fromkeys(clause.family for clause in table.clauses)
    own = [clause.id for clause in table.clauses if wanted.startswith(f"{clause.family.lower()}-")]
    expected = ", ".join(own) if own else f"an identifier of one of the families {', '.join(families)}"
    raise InvalidOption(f"found no clause {identifier!r}; expected {'one of ' if own else ''}{expected}")


def _console() -> Console:
    console = Console(file=sys.stdout, highlight=False)
    if not console.is_terminal:
        console.width = max(console.width, WIDTH_OFF_TERMINAL)
    return console


def _print_all(table: ClauseTable) -> None:
    counted = ("code", "tests", "cases", "miniatures", "theorems")
    shown = Table(
        Column("clause", no_wrap=True), "rule", *(Column(name, justify="right") for name in counted), "status", "scope"
    )
    for clause in table.clauses:
        counts = (len(clause.code), len(clause.tests), clause.cases, len(clause.miniatures), len(clause.theorems))
        cells = [f"{count:,}" if count else "" for count in counts]
        shown.add_row(Text(clause.id), Text(clause.title), *cells, clause.status, ", ".join(clause.reach))
    console = _console()
    console.print(shown)
    console.print(Text(f"{len(table.clauses)} clauses; gaugeblock clauses RECL-5 tells all about one."))


def _print_one(clause: ClauseRecord) -> None:
    console = _console()
    console.print(Text(f"{clause.id}: {clause.title}", "bold"), soft_wrap=True)
    console.print(Text(f"\n{' '.join(clause.doc.split())}\n"), soft_wrap=True)
    for name, value in (
        ("seed section", clause.seed),
        ("stands in", clause.module),
        ("judged from", "; ".join(clause.evidence)),
        ("depends on", ", ".join(clause.ambiguities)),
    ):
        if value:
            console.print(Text(f"{name}: {value}"), soft_wrap=True)
    _print_list(console, "code", clause.code)
    _print_list(console, "tests", clause.tests)
    _print_list(console, "cases", clause.examples, clause.cases)
    _print_list(console, "theorems", tuple(_told(each) for each in clause.theorems))
    _print_list(console, "miniatures", clause.miniatures)


def _told(theorem: TheoremRecord) -> str:
    return f"{theorem.id} ({theorem.status}; {theorem.reach}): {theorem.scope}"


def _print_list(console: Console, name: str, values: tuple[str, ...], total: int | None = None) -> None:
    total = len(values) if total is None else total
    console.print(Text(f"{name}: {total:,}"))
    for value in values[:LISTED]:
        console.print(Text(f"  {printable(value)}"), soft_wrap=True)
    if total > min(len(values), LISTED):
        console.print(Text(f"  and {total - min(len(values), LISTED):,} more"))
