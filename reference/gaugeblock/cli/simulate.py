"""``gaugeblock simulate``: a workload through the service, and what became of it."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, Final

import click
from rich.console import Console

from gaugeblock.cli import files
from gaugeblock.cli.errors import InvalidOption
from gaugeblock.cli.simulation_options import Variant, options, scenario_of, variants_of
from gaugeblock.cli.simulation_progress import SimulationProgress, interruptible
from gaugeblock.cli.simulation_report import Run, json_line, print_report
from gaugeblock.simulation.picture import Curve, png, renderer, svg
from gaugeblock.simulation.recording import Recorder
from gaugeblock.simulation.running import Options, simulate
from gaugeblock.simulation.scenarios import Scenario
from gaugeblock.simulation.services import SERVICES
from gaugeblock.wire.cases import Case, encode_case

DIVERGED: Final = 1
INTERRUPTED: Final = 130
PICTURES: Final = (".svg", ".png")
WIDTH_OFF_TERMINAL: Final = 120


@click.command("simulate")
@options
@click.option("--policy", "policy_options", multiple=True, metavar="KIND=NAME", help="Install a policy; repeatable.")
@click.option("--compare", "comparisons", multiple=True, metavar="KIND=NAME,NAME", help="Run once with each; repeatable.")
@click.option("--service", type=click.Choice(tuple(SERVICES)), default="optimized", help="Which model to drive.")
@click.option("--shadow", type=float, default=0.0, show_default=True, help="The share of rounds that the reference re-decides.")
@click.option("--divergent", metavar="FILE", help="Write rounds that the reference decides otherwise to FILE, as cases.")
@click.option("--events", metavar="FILE", help="Write the run to FILE as a history, from which replay cuts out any round.")
@click.option("--timeline", metavar="FILE", help="Draw use over time to FILE, .svg or .png.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line for each run.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    policy_options: tuple[str, ...],
    comparisons: tuple[str, ...],
    service: str,
    shadow: float,
    divergent: str | None,
    events: str | None,
    timeline: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Run a workload through the service and say what became of it: a made-up one, that of a trace, or one's own.

    The same options give the same output, byte for byte. Sizes are in bytes or with a unit (64GiB, 1.25GB), times in seconds.
    --policy is as for decide. --compare eviction=fewest,lru runs the workload once with each; given again for another kind,
    once with each combination. Ctrl-C ends a run early: what was done is kept, written and reported.

    Exit status: 0 all is well; 1 a shadowed round diverges; 2 bad usage or bad input; 130 interrupted.
    """
    if timeline is not None and Path(timeline).suffix not in PICTURES:
        raise InvalidOption(f"--timeline {timeline}: found {Path(timeline).suffix!r}; expected a file named .svg or .png")
    variants = variants_of(policy_options, comparisons)
    if events is not None and len(variants) > 1:
        raise InvalidOption("--events and --compare: found both; expected one run, for a history is of one")
    if timeline is not None and timeline.endswith(".png"):
        renderer()  # so that a missing library is told before the run, not after it
    scenario = scenario_of(given)
    with ExitStack() as stack:  # all files are begun before the run, so that it is not in vain where one cannot be written
        history, cases, drawing = _streams(stack, (events, divergent, timeline))
        runs = _runs(scenario, variants, service, Options(shadow, given["seed"]), history)
        if cases is not None:
            cases.write("".join(f"{line}\n" for line in _cases(runs)).encode())
        if drawing is not None:
            drawing.write(_picture(scenario, runs, as_png=timeline is not None and timeline.endswith(".png")))
    _report(runs, as_json)
    if not all(run.result.summary.finished for run in runs):
        ctx.exit(INTERRUPTED)
    ctx.exit(DIVERGED if any(run.result.summary.diverging_rounds for run in runs) else 0)


def _streams(stack: ExitStack, targets: Sequence[str | None]) -> list[BinaryIO | None]:
    """Begin the files that are wanted; they become what they are called when ``stack`` ends well."""
    wanted = [Path(target).resolve() for target in targets if target]
    if len(set(wanted)) < len(wanted):
        raise InvalidOption("--events, --divergent and --timeline: found one file twice; expected different ones")
    return [None if target is None else stack.enter_context(files.writing(target)) for target in targets]


def _runs(
    scenario: Scenario, variants: tuple[Variant, ...], service: str, watch: Options, history: BinaryIO | None
) -> list[Run]:
    """Run the variants one after another, until one is interrupted."""
    runs: list[Run] = []
    with SimulationProgress() as progress, interruptible() as interrupted:
        for variant in variants:
            each = scenario._replace(policies=variant.policies)
            recorders = () if history is None else (Recorder(each.opening(), history),)
            watched = watch._replace(stop=interrupted.is_set, observers=(progress, *recorders))
            progress.begin(variant.name, scenario.workload.total)
            runs.append(Run(variant, simulate(each, SERVICES[service], service, watched)))
            if not runs[-1].result.summary.finished:
                break
    return runs


def _cases(runs: Sequence[Run]) -> Iterator[str]:
    for run in runs:
        for each in run.result.divergences:
            name = f"{run.variant.name or 'run'}-round-{each.round}"
            yield encode_case(Case(name, each.observed, run.variant.policies, each.expected)).decode()


def _picture(scenario: Scenario, runs: Sequence[Run], *, as_png: bool) -> bytes:
    picture = svg(scenario.workload.label, [Curve(run.variant.name, run.result.summary, run.result.timeline) for run in runs])
    return png(picture) if as_png else picture.encode()


def _report(runs: Sequence[Run], as_json: bool) -> None:
    if as_json:
        for run in runs:
            click.echo(json_line(run))
        return
    console = Console(file=sys.stdout, highlight=False)
    if not console.is_terminal:
        console.width = max(console.width, WIDTH_OFF_TERMINAL)
    print_report(console, runs)
