"""``gaugeblock conform``: judge a scheduler on cases."""

import math
import shlex
import signal
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from io import StringIO
from typing import Any, BinaryIO, Final

import click
from click.core import ParameterSource
from rich.console import Console

from gaugeblock.cli import cases, files
from gaugeblock.cli.progress import Progress
from gaugeblock.conformance import campaign, records
from gaugeblock.conformance.command import CommandSubject
from gaugeblock.conformance.optimized_subject import both
from gaugeblock.conformance.process import Limits
from gaugeblock.conformance.report import Reproduction, print_report
from gaugeblock.conformance.subjects import Subject, Transcribing, named
from gaugeblock.conformance.verdicts import Judging, RunResult
from gaugeblock.wire.cases import Case

JUDGES: Final = click.Choice([judging.value for judging in Judging])
NOT_CONFORMANT: Final = 1
INTERRUPTED: Final = 130
COMMAND: Final = "gaugeblock.conform.command"
"""Where the context keeps what stands behind ``--``."""

SETTINGS: Final = ("subject_name", "judge", "strict_order", "timeout", "start_timeout")
"""The options that a verdict may depend on, so that they belong to the command that judges a case again."""


class Seconds(click.FloatRange):
    """A time to wait: more than none, at most a day, and a number, which a range alone does not ask for."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True, max=86400)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number of seconds."""
        seconds: float = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds


class CommandBehindDashes(click.Command):
    """A command whose last arguments, behind ``--``, are another command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the other command, and parse only what stands before ``--``."""
        if "--" in args:
            position = args.index("--")
            ctx.meta[COMMAND] = tuple(args[position + 1 :])
            args = args[:position]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Add the other command to the usage line."""
        return [*super().collect_usage_pieces(ctx), "[-- CMD ARGS...]"]


@click.command("conform", cls=CommandBehindDashes)
@click.argument("sources", metavar="[CASES]...", nargs=-1)
@click.option("--case", "wanted", multiple=True, metavar="ID", help="Judge only this case; repeatable.")
@click.option("--subject", "subject_name", metavar="NAME", help="Here: optimized, reference, miniature:NAME, module:attribute.")
@click.option("--judge", type=JUDGES, default="exact", show_default=True, help="How to judge an answer; see below.")
@click.option("--strict-order", is_flag=True, help="Compare categories as lists in the reference's order, not as multisets.")
@click.option("--timeout", default=10.0, show_default=True, type=Seconds(), help="Seconds for each answer.")
@click.option("--start-timeout", default=30.0, show_default=True, type=Seconds(), help="Seconds to start and declare.")
@click.option("--show", default=3, show_default=True, type=click.IntRange(min=0), help="How many faults to show in full.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON line for each case, and a footer.")
@click.option("--output", metavar="FILE", help="Write the report to FILE, whole or not at all, instead of printing it.")
@click.pass_context
def command(
    ctx: click.Context,
    sources: tuple[str, ...],
    wanted: tuple[str, ...],
    subject_name: str | None,
    judge: str,
    strict_order: bool,
    timeout: float,
    start_timeout: float,
    show: int,
    as_json: bool,
    output: str | None,
) -> None:
    """Judge a scheduler on CASES: vector files, or - for standard input; without any, the real cases that come with gaugeblock.

    The scheduler under test is the command behind --, which speaks the subject protocol on its standard input and output.
    Without one it is gaugeblock itself: the optimized model and the reference must decide alike, and as the case says.

    An answer is judged exact (it must be the reference's), by safety (whatever its policies are, it must break no clause
    about decisions alone), or by transcript (it must be what the reference makes of the recorded answers of its policies).

    Exit status: 0 conformant; 1 not conformant; 2 bad usage or bad input; 3 the subject could not be run; 130 interrupted.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends the run in whatever way, the subject is ended too
    limits = Limits(start_seconds=start_timeout, answer_seconds=timeout)
    selected = cases.load(sources, wanted)
    subject = _subject(ctx, subject_name, limits, Judging(judge))
    with nullcontext() if output is None else files.writing(output) as sink:  # begun first: no run that could not be reported
        result = _run(selected, subject, strict_order, Judging(judge))
        _report(result, partial(_again, ctx), show, strict_order, as_json, sink)
    ctx.exit(INTERRUPTED if result.stopped == campaign.INTERRUPTED else 0 if result.is_conformant else NOT_CONFORMANT)


def _subject(ctx: click.Context, name: str | None, limits: Limits, judging: Judging) -> Subject:
    if COMMAND not in ctx.meta:
        transcribing = Transcribing.STATES if judging is Judging.TRANSCRIPT else Transcribing.NOTHING
        return both(transcribing) if name is None else named(name, transcribing)
    other: tuple[str, ...] = ctx.meta[COMMAND]
    if name is not None:
        raise click.UsageError("--subject names the subject already; give no command behind -- with it.")
    if not other:
        raise click.UsageError("Missing the command behind --.")
    return CommandSubject(other, limits)


def _run(selected: Sequence[Case], subject: Subject, strict_order: bool, judging: Judging) -> RunResult:
    with Progress(len(selected)) as progress:
        observe: campaign.Observer = lambda result: progress.advance()  # noqa: E731
        return campaign.run(selected, subject, strict_order=strict_order, judging=judging, observe=observe)


def _report(
    result: RunResult, again: Reproduction, show: int, strict_order: bool, as_json: bool, sink: BinaryIO | None
) -> None:
    if not as_json and sink is None:
        print_report(Console(file=sys.stdout, highlight=False), result, show, again)
        return
    text = _lines(result, strict_order) if as_json else _plain(result, show, again)
    if sink is None:
        click.echo(text.encode(), nl=False)  # JSON is UTF-8 whatever the terminal's encoding
    else:
        sink.write(text.encode())


def _lines(result: RunResult, strict_order: bool) -> str:
    return "".join(f"{line}\n" for line in records.json_lines(result, strict_order))


def _plain(result: RunResult, show: int, again: Reproduction) -> str:
    stream = StringIO()
    print_report(Console(file=stream, highlight=False), result, show, again)
    return stream.getvalue()


def _again(ctx: click.Context, case: str) -> str:
    """Return the command line that judges this one case as this run did."""
    words = ["gaugeblock", "conform", "--case", case]
    for parameter in ctx.command.params:
        value = ctx.params.get(parameter.name or "")
        if parameter.name in SETTINGS and ctx.get_parameter_source(parameter.name) is not ParameterSource.DEFAULT:
            words += [parameter.opts[0]] if value is True else [parameter.opts[0], f"{value}"]
    words += ctx.params["sources"]
    return shlex.join([*words, "--", *ctx.meta[COMMAND]] if COMMAND in ctx.meta else words)
