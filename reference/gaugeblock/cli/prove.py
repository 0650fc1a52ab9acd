"""``gaugeblock prove``: run the theorems about the shipped code."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gaugeblock.model import GaugeblockError

if TYPE_CHECKING:
    from gaugeblock_proofs.theorem import Theorem

NOT_PROVED: Final = 1


class ProofsNotInstalled(GaugeblockError):
    """The theorem prover is not installed."""


@click.command("prove")
@click.option("--family", "families", multiple=True, metavar="NAME", help="Only this family, such as RECL; repeatable.")
@click.option("--clause", "clauses", multiple=True, metavar="ID", help="Only theorems about this clause; repeatable.")
@click.option("--theorem", "theorems", multiple=True, metavar="ID", help="Only this theorem; repeatable.")
@click.option("--deep", is_flag=True, help="Prove the deep parts as well; allow up to an hour.")
@click.option("--mutants", is_flag=True, help="Refute deliberately wrong versions of the shipped functions instead.")
@click.option("--sample", metavar="HASH", help="With --mutants: only a sample that this text decides, such as a commit's hash.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes; as many as there are cores by default.")
@click.option("--no-cache", is_flag=True, help="Run everything, also what the same code has proved before.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON line for each theorem or mutant, and a footer.")
@click.option("--counterexamples", "folder", metavar="DIR", help="Write counterexamples here, those of false claims as well.")
@click.option("--replay", "replayed", metavar="FILE", help="Run one counterexample again, on its numbers, and nothing else.")
@click.pass_context
def command(
    ctx: click.Context,
    families: tuple[str, ...],
    clauses: tuple[str, ...],
    theorems: tuple[str, ...],
    deep: bool,
    mutants: bool,
    sample: str | None,
    jobs: int | None,
    no_cache: bool,
    as_json: bool,
    folder: str | None,
    replayed: str | None,
) -> None:
    """Prove the theorems about the shipped scheduler, each by running its functions on symbolic sizes along every path.

    --family, --clause and --theorem add up; without any, all theorems are meant.

    A theorem counts only if every one of its parts ends as it states; anything less is reported with its reason, and a refuted
    one with the smallest counterexample as files (into ./counterexamples unless --counterexamples says otherwise).

    Exit status: 0 everything as stated; 1 not; 2 bad usage or bad input, or the prover is not installed; 130 interrupted.
    """
    if importlib.util.find_spec("z3") is None:
        raise ProofsNotInstalled("found no z3; expected the extra: pip install 'gaugeblock[proofs]'")
    if sample is not None and not mutants:
        raise click.UsageError("--sample chooses among mutants; give --mutants with it.")
    if folder == "":
        raise click.UsageError("--counterexamples needs the name of a folder.")
    if mutants and (deep or folder is not None):
        raise click.UsageError("--mutants tries each mutant until one part refutes it; leave out --deep and --counterexamples.")
    if replayed is not None:
        if any((families, clauses, theorems, deep, mutants, folder is not None, as_json)):
            raise click.UsageError("--replay runs one counterexample and nothing else; give it alone.")
        ctx.exit(_replay(replayed))
    from gaugeblock_proofs import registry

    selected = registry.select(families, clauses, theorems)
    processes = jobs or os.cpu_count() or 1
    if mutants:
        from gaugeblock.cli import prove_mutants

        ctx.exit(prove_mutants.run(selected, sample, processes, as_json))
    ctx.exit(prove_and_report(selected, deep, processes, no_cache, as_json, folder))


def prove_and_report(
    theorems: tuple[Theorem, ...], deep: bool, jobs: int, no_cache: bool, as_json: bool, folder: str | None
) -> int:
    """Prove the theorems, print what came of them, write the counterexamples, and return the exit status."""
    from gaugeblock.cli import proof_reports
    from gaugeblock_proofs import running

    total = sum(len(running.parts_of(theorem, deep)) for theorem in theorems)
    with proof_reports.Progress(total) as progress:
        cache = None if no_cache else running.default_cache()
        results = running.prove(theorems, deep, jobs, cache, lambda part: progress.advance(part.theorem))
    if as_json:
        for line in proof_reports.json_lines(results):
            click.echo(line)
    else:
        proof_reports.print_table(sys.stdout, results)
    bad = [result for result in results if not result.as_stated]
    shown = results if folder is not None else tuple(bad)
    for line in proof_reports.write_counterexamples(Path("counterexamples" if folder is None else folder), shown):
        click.echo(line, err=as_json)
    return NOT_PROVED if bad or not results else 0


def _replay(source: str) -> int:
    """Run a counterexample again: 1 if it fails as written, 0 if the code has become right there."""
    from gaugeblock.cli import files
    from gaugeblock_proofs.counterexamples import InvalidReplay, decode_replay
    from gaugeblock_proofs.engine import TheoremMisuse
    from gaugeblock_proofs.proving import replay_part
    from gaugeblock_proofs.registry import by_id, part_of

    found = decode_replay(files.read(source), files.shown(source))
    theorem = by_id(found.theorem)
    try:
        outcome, _ = replay_part(theorem, part_of(theorem, found.part), found.refutation)
    except TheoremMisuse as error:
        wanted = f"numbers and choices of {theorem.id} as it is now"
        raise InvalidReplay(f"{files.shown(source)}: {error}; expected {wanted}") from error
    click.echo(theorem.statement)
    for name, value in found.refutation.values:
        click.echo(f"  {name} = {value}")
    if found.refutation.choices:
        click.echo(f"  choices {list(found.refutation.choices)}")
    for label in dict.fromkeys(outcome.reached):
        click.echo(f"{'FAILS' if label in outcome.failed else 'holds'}: {label}")
    for label in outcome.failed:
        if label not in outcome.reached:
            click.echo(f"FAILS: {label} {outcome.message}")
    if outcome.discarded:
        click.echo("The state is not valid any more.")
    return NOT_PROVED if outcome.failed else 0
