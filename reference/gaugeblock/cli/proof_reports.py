"""How ``gaugeblock prove`` shows what came of its theorems."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote
from types import TracebackType
from typing import Any, Final, Self, TextIO

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress
from rich.table import Table
from rich.text import Text

from gaugeblock.cli.errors import UnwritableOutput
from gaugeblock_proofs.counterexamples import encode_replay, encode_round, write
from gaugeblock_proofs.engine import Verdict
from gaugeblock_proofs.proving import PartResult, replay_part
from gaugeblock_proofs.registry import part_of
from gaugeblock_proofs.running import TheoremResult

WIDTH_OFF_TERMINAL: Final = 160
LEAST_WIDTH: Final = 100
"""A narrower terminal breaks the lines of a table; a narrower table would have no room for its words."""


class Progress:
    """Counts parts on standard error, on a terminal only."""

    def __init__(self, total: int, what: str = "proving") -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._display = RichProgress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
        self._task = self._display.add_task(what, total=total)

    def __enter__(self) -> Self:
        """Show the bar."""
        self._display.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        """Take the bar away."""
        self._display.stop()

    def advance(self, current: str) -> None:
        """Count one, and say which it was."""
        self._display.update(self._task, advance=1, description=current)


def print_table(stream: TextIO, results: Sequence[TheoremResult]) -> None:
    """Print a row for each theorem, the reasons of those that are not as stated, and the sums."""
    console = console_for(stream)
    table = Table("theorem", "scope", "parts", "paths", "queries", "seconds", "verdict")
    for result in results:
        table.add_row(*map(Text, _cells(result)))
    console.print(table)
    for result in results:
        for line in _reasons(result):
            console.print(Text(line))
    console.print(Text(summary(results)))


def summary(results: Sequence[TheoremResult]) -> str:
    """Return how many theorems ended as stated, and what that took."""
    parts = [part for result in results for part in result.parts]
    good = sum(result.as_stated for result in results)
    false = sum(result.as_stated and result.theorem.expected is Verdict.REFUTED for result in results)
    sums = f"{len(parts)} parts, {sum(part.paths for part in parts)} paths, {sum(part.queries for part in parts)} queries"
    cached = sum(part.cached for part in parts)
    stated = f"{good} of {len(results)} theorems as stated, {false} of them false claims refuted"
    return f"{stated}; {sums}; {cached} parts from the cache"


def json_lines(results: Sequence[TheoremResult]) -> Iterator[str]:
    """Yield a line for each theorem and a footer."""
    for result in results:
        yield _json(_record(result))
    good = sum(result.as_stated for result in results)
    yield _json({"theorems": len(results), "as_stated": good, "not_as_stated": len(results) - good})


def write_counterexamples(folder: Path, results: Sequence[TheoremResult]) -> Iterator[str]:
    """Write the counterexample of every refuted part, and yield what to run on it.

    Raises:
        UnwritableOutput: when one cannot be written.
    """
    refuted = [(result, part) for result in results for part in result.parts if part.counterexample is not None]
    try:
        for result, part in refuted:
            yield from _write_counterexample(folder, result, part)
    except OSError as error:
        raise UnwritableOutput(f"{folder}: {error.strerror}; expected a folder for counterexamples") from error


def _write_counterexample(folder: Path, result: TheoremResult, part: PartResult) -> Iterator[str]:
    refutation = part.counterexample
    if refutation is None:
        return
    name = f"{result.theorem.id}.{part.part}".replace(" ", "-").replace("/", "-").replace(",", "")
    _, setting = replay_part(result.theorem, part_of(result.theorem, part.part), refutation)
    yield f"{result.theorem.id} ({part.part}): {refutation.label}"
    if setting.round is not None:
        path = write(folder, f"{name}.round.json", encode_round(result.theorem.id, setting.round, setting.policies))
        yield f"  gaugeblock explain {quote(str(path))}"
    path = write(folder, f"{name}.replay.json", encode_replay(result.theorem.id, part.part, refutation))
    yield f"  gaugeblock prove --replay {quote(str(path))}"


def _cells(result: TheoremResult) -> tuple[str, ...]:
    parts = result.parts
    return (
        result.theorem.id,
        result.theorem.scope.kind.value,
        str(len(parts)),
        str(sum(part.paths for part in parts)),
        str(sum(part.queries for part in parts)),
        f"{sum(part.seconds for part in parts):.2f}",
        _verdict(result),
    )


def _verdict(result: TheoremResult) -> str:
    if result.as_stated:
        return "refuted, as stated" if result.theorem.expected is Verdict.REFUTED else result.verdict.value
    return f"{result.verdict.value.upper()}: not as stated"


def _reasons(result: TheoremResult) -> Iterator[str]:
    if result.as_stated:
        return
    yield f"{result.theorem.id}: {result.theorem.statement}"
    for label in result.missing:
        yield f"  never reached: {label}"
    for part in result.parts:
        if not part.as_stated:
            why = "; ".join((*(reason.value for reason in part.reasons), part.detail)) or part.verdict.value
            yield f"  {part.part}: {why if part.counterexample is None else part.counterexample.label}"


def _record(result: TheoremResult) -> dict[str, Any]:
    theorem = result.theorem
    return {
        "theorem": theorem.id,
        "statement": theorem.statement,
        "clauses": theorem.clauses,
        "runs": theorem.runs,
        "scope": {"kind": theorem.scope.kind.value, "text": theorem.scope.text},
        "expected": theorem.expected.value,
        "verdict": result.verdict.value,
        "as_stated": result.as_stated,
        "never_reached": result.missing,
        "parts": result.parts,
    }


def _json(record: dict[str, Any]) -> str:
    return msgspec.json.encode(record).decode()


def console_for(stream: TextIO) -> Console:
    """Return a console that is wide enough for a table."""
    console = Console(file=stream, highlight=False)
    console.width = max(console.width, LEAST_WIDTH) if console.is_terminal else WIDTH_OFF_TERMINAL
    return console
