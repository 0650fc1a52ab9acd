"""``gaugeblock prove --mutants``: deliberately wrong versions of the shipped functions, each refuted by a theorem."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TextIO

import click
import msgspec
from rich.table import Table
from rich.text import Text

from gaugeblock.cli.proof_reports import Progress, console_for
from gaugeblock_proofs.engine import Verdict
from gaugeblock_proofs.mutants import campaign
from gaugeblock_proofs.mutants.campaign import Trial
from gaugeblock_proofs.mutants.equivalent import EQUIVALENT
from gaugeblock_proofs.theorem import Theorem


def run(theorems: tuple[Theorem, ...], sampled: str | None, jobs: int, as_json: bool) -> int:
    """Try the mutants of what the theorems run, or a sample of them; return the exit status.

    Without a sample, every theorem must refute a mutant as well.
    """
    mutants = campaign.mutants_for(theorems)
    if sampled is not None:
        mutants = campaign.sample(mutants, sampled)
    with Progress(len(mutants), "refuting") as progress:
        trials = campaign.try_all(mutants, jobs, lambda trial: progress.advance(trial.mutant.function))
    refuters = campaign.try_idle_theorems(theorems, trials, jobs) if sampled is None else None
    idle = (
        []
        if refuters is None
        else [each.id for each in theorems if each.expected is Verdict.PROVED and each.id not in refuters]
    )
    if as_json:
        for line in _json_lines(trials, idle):
            click.echo(line)
    else:
        _print(sys.stdout, trials, idle)
    return 1 if idle or not trials or not all(trial.as_stated for trial in trials) else 0


def _print(stream: TextIO, trials: Sequence[Trial], idle: Sequence[str]) -> None:
    console = console_for(stream)
    table = Table("mutant", "edit", "refuted by", "because false")
    for trial in trials:
        if trial.theorem is None or not trial.as_stated:
            table.add_row(*map(Text, _cells(trial)))
    if table.row_count:
        console.print(table)
    for identifier in idle:
        console.print(Text(f"{identifier} refutes no mutant"))
    console.print(Text(summary(trials)))


def summary(trials: Sequence[Trial]) -> str:
    """Return how many mutants were refuted, and what became of the others."""
    refuted = sum(trial.theorem is not None for trial in trials)
    listed = sum(trial.theorem is None and trial.as_stated for trial in trials)
    wrong = sum(not trial.as_stated for trial in trials)
    return f"{refuted} of {len(trials)} mutants refuted, {listed} listed as equivalent, {wrong} not as stated"


def _cells(trial: Trial) -> tuple[str, ...]:
    mutant = trial.mutant
    edit = f"line {mutant.line}: {mutant.was} -> {mutant.became}"
    if trial.refutation is not None:
        return mutant.name, edit, f"{trial.theorem} ({trial.part}), though listed as equivalent", trial.refutation.label
    return mutant.name, edit, "equivalent" if trial.as_stated else "NOT REFUTED", EQUIVALENT.get(mutant.name, "")


def _json_lines(trials: Sequence[Trial], idle: Sequence[str]) -> Iterator[str]:
    for trial in trials:
        yield _json(
            {"as_stated": trial.as_stated, **msgspec.to_builtins(trial), "equivalent": EQUIVALENT.get(trial.mutant.name)}
        )
    yield _json(
        {
            "mutants": len(trials),
            "refuted": sum(trial.theorem is not None for trial in trials),
            "not_as_stated": sum(not trial.as_stated for trial in trials),
            "theorems_that_refute_none": list(idle),
        }
    )


def _json(record: Mapping[str, Any]) -> str:
    return msgspec.json.encode(record).decode()
