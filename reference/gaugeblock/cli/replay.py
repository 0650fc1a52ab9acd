"""``gaugeblock replay``: a history through the reference service, every clause evaluated."""

from io import BytesIO

import click

from gaugeblock.cli import files
from gaugeblock.cli.errors import InvalidOption
from gaugeblock.conformance.replaying import Judged, judged_replay
from gaugeblock.conformance.subjects import schedule_by_reference
from gaugeblock.model import Decisions, History, ObservedState, PolicyNames, RoundTrace, Step, Value
from gaugeblock.wire.cases import Case, encode_case
from gaugeblock.wire.histories import read_history
from gaugeblock.wire.replays import encode_footer, encode_record

VIOLATED = 1


@click.command("replay")
@click.argument("source", metavar="FILE")
@click.option("--round", "wanted", type=click.IntRange(min=0), metavar="N", help="Tell only of event N, counted from 0.")
@click.option("--as-case", is_flag=True, help="Print that event's round as a case of a vector file.")
@click.option("--output", metavar="FILE", help="Write to FILE, whole or not at all, instead of printing.")
@click.pass_context
def command(ctx: click.Context, source: str, wanted: int | None, as_case: bool, output: str | None) -> None:
    """Run the history in FILE (or - for standard input) through the reference service, and print a JSON line for each event.

    Every clause of the service is evaluated after each event, and those of a round where the scheduler is our own. A history is
    a header line, {"format": "gaugeblock-history", "version": 1, ...}, and a line for each event. The last line printed is a
    footer. A round that a foreign scheduler decided becomes a case with the decisions of the reference.

    Exit status: 0 no clause is violated; 1 one is; 2 bad usage or bad input.
    """
    if as_case and wanted is None:
        raise InvalidOption("found --as-case without --round; expected --round N, which says what to cut out")
    history = read_history(BytesIO(files.read(source)), source=files.shown(source))
    if wanted is not None and wanted >= len(history.happenings):
        raise InvalidOption(f"found --round {wanted}; expected a number below {len(history.happenings)}, the number of events")
    told = _Account()
    for number, judged in enumerate(judged_replay(history, _Reference(history.opening.policies))):
        if wanted is None or number == wanted:
            told.add(number, judged)
        if number == wanted:
            lines = _case(history, number, judged) if as_case else told.lines()
            break
    else:
        lines = told.lines()
    if output is None:
        click.echo(lines.encode(), nl=False)  # JSON is UTF-8 whatever the terminal's encoding
    else:
        files.write(output, lines)
    ctx.exit(VIOLATED if told.violations > 0 else 0)


class _Reference(Value, frozen=True):
    """The reference with the history's policies, whose code may be a third party's."""

    policies: PolicyNames

    def schedule(self, observed: ObservedState) -> tuple[Decisions, RoundTrace]:
        """Decide one round, or raise an error that says which policy failed."""
        return schedule_by_reference(observed, self.policies)


class _Account:
    """The lines about the events told so far, and what the footer sums up."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._refused = 0
        self.violations = 0

    def add(self, number: int, judged: Judged) -> None:
        found = tuple((each.clause, tuple(witness.message for witness in each.witnesses)) for each in judged.violated)
        self._lines.append(encode_record(number, judged.event, judged.result, found).decode())
        self._refused += not isinstance(judged.result, Step)
        self.violations += len(judged.violated)

    def lines(self) -> str:
        footer = encode_footer(len(self._lines), self._refused, self.violations).decode()
        return "".join(f"{line}\n" for line in (*self._lines, footer))


def _case(history: History, number: int, judged: Judged) -> str:
    if not isinstance(judged.result, Step):
        raise InvalidOption(f"found --round {number}, an event that was refused; expected one that a round followed")
    observed, policies = judged.result.observed, history.opening.policies
    decisions, _ = schedule_by_reference(observed, policies)
    return encode_case(Case(f"round-{number}", observed, policies, decisions)).decode() + "\n"
