"""What came of simulations, for people and for programs."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gaugeblock.cli.simulation_options import Variant
from gaugeblock.simulation.axes import in_bytes
from gaugeblock.simulation.running import Result
from gaugeblock.simulation.summary import Summary
from gaugeblock.wire.documents import PoliciesDocument
from gaugeblock.wire.policies import policies_document

DIVERGENCES_SHOWN: Final = 5


class Run(NamedTuple):
    """A variant and what came of it."""

    variant: Variant
    result: Result


class DivergenceRecord(msgspec.Struct, frozen=True):
    """A round that the reference decides otherwise: its number, its date, and what differs."""

    round: int
    date: float
    fields: tuple[str, ...]


class RunRecord(msgspec.Struct, frozen=True):
    """One line of the report for programs."""

    variant: str
    policies: PoliciesDocument
    summary: Summary
    divergences: tuple[DivergenceRecord, ...]


Cell = Callable[[Summary], str]

SECTIONS: Final[tuple[tuple[tuple[str, Cell], ...], ...]] = (
    (
        ("invocations", lambda of: f"{of.submitted:,} of {of.expected:,}"),
        ("completed", lambda of: f"{of.completed:,}"),
        ("warm", lambda of: _share(of.warm, of.warm + of.cold)),
        ("cold", lambda of: _share(of.cold, of.warm + of.cold)),
        ("waited beyond their first round", lambda of: _share(of.waited, of.warm + of.cold)),
        ("failed", lambda of: f"{of.failed:,}"),
        ("left running, pending", lambda of: f"{of.running:,}, {of.pending:,}"),
    ),
    (
        ("wait p50", lambda of: f"{of.waits.p50:.3f} s"),
        ("wait p95", lambda of: f"{of.waits.p95:.3f} s"),
        ("wait p99", lambda of: f"{of.waits.p99:.3f} s"),
        ("longest wait", lambda of: f"{of.waits.maximum:.3f} s"),
    ),
    (
        ("copied", lambda of: f"{in_bytes(of.copied_bytes)} in {of.copies:,}"),
        ("loaded", lambda of: f"{in_bytes(of.loaded_bytes)} in {of.loads:,}"),
        ("containers ended for room", lambda of: f"{of.terminations:,}"),
        ("layers evicted from RAM", lambda of: f"{of.ram_evictions:,}"),
        ("layers evicted from disk", lambda of: f"{of.disk_evictions:,}"),
        ("containers timed out", lambda of: f"{of.idle_timeouts:,}"),
        ("containers prewarmed", lambda of: f"{of.prewarms:,}"),
        ("nodes activated, deactivated", lambda of: f"{of.activations:,}, {of.deactivations:,}"),
    ),
    (
        ("peak RAM", lambda of: f"{in_bytes(of.peak_ram_bytes)} of {in_bytes(of.capacity_ram_bytes)}"),
        ("peak disk", lambda of: f"{in_bytes(of.peak_disk_bytes)} of {in_bytes(of.capacity_disk_bytes)}"),
        ("peak containers", lambda of: f"{of.peak_containers:,}"),
        ("peak pending, running", lambda of: f"{of.peak_pending:,}, {of.peak_running:,}"),
    ),
    (
        ("events", lambda of: f"{of.events:,}"),
        ("simulated time", lambda of: f"{of.simulated_seconds:,.1f} s"),
        ("operations refused", lambda of: f"{of.refused:,}"),
        ("rounds shadowed, diverging", lambda of: f"{of.shadowed_rounds:,}, {of.diverging_rounds:,}"),
    ),
)
"""The rows of the table, section by section."""


def json_line(run: Run) -> str:
    """Return the line that tells a program what came of a run; always the same for the same run."""
    found = tuple(DivergenceRecord(each.round, each.date, each.fields) for each in run.result.divergences)
    document = policies_document(run.variant.policies)
    return msgspec.json.encode(RunRecord(run.variant.name, document, run.result.summary, found)).decode()


def print_report(console: Console, runs: Sequence[Run]) -> None:
    """Print all runs side by side, then what was refused and where they diverge from the reference."""
    first = runs[0].result.summary
    console.print(Text(first.workload, "bold"))
    console.print(Text(f"service: {first.service}"))
    table = Table("", show_header=len(runs) > 1)
    for run in runs:
        table.add_column(Text(run.variant.name), justify="right")
    for section in SECTIONS:
        for name, cell in section:
            table.add_row(Text(name), *(Text(cell(run.result.summary)) for run in runs))
        table.add_section()
    console.print(table)
    for run in runs:
        _print_exceptions(console, run)


def _print_exceptions(console: Console, run: Run) -> None:
    name = f"{run.variant.name}: " if run.variant.name else ""
    summary = run.result.summary
    if not summary.finished:
        console.print(Text(f"{name}interrupted at {summary.simulated_seconds!r} s; this is what was done until then", "yellow"))
    for refusal in summary.refusals:
        console.print(Text(f"{name}{refusal.count:,} {refusal.category} refused: {refusal.reason}", "red"))
    for each in run.result.divergences[:DIVERGENCES_SHOWN]:
        fields = ", ".join(each.fields)
        console.print(Text(f"{name}round {each.round} at {each.date!r} s: the reference differs in {fields}", "red"))
    more = summary.diverging_rounds - DIVERGENCES_SHOWN
    if more > 0:
        console.print(Text(f"{name}and {more:,} more rounds", "red"))


def _share(count: int, total: int) -> str:
    return f"{count:,}" + (f" ({100 * count / total:.1f} %)" if total > 0 else "")
