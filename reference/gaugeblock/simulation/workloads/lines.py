"""A workload of one's own, as JSON lines: first the catalogue, then one arrival a line, by ascending date.

``{"version": 1, "catalog": CATALOG}`` and then ``{"date": 0.5, "function": "resize", "duration": 0.2}``, seconds both. The
catalogue is that of a round. Everything is strict: unknown or repeated keys, dates that go back, unknown functions are errors.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from gaugeblock.model import Catalog, FunctionName
from gaugeblock.simulation.errors import UnreadableTrace
from gaugeblock.simulation.scenarios import Arrival, Workload
from gaugeblock.wire.documents import CatalogDocument, Date, Document, RoundDocument
from gaugeblock.wire.errors import DocumentProblem, InvalidDocument
from gaugeblock.wire.reading import read_as
from gaugeblock.wire.resolving import observed_state

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


class HeaderDocument(Document, frozen=True):
    """The first line: the version of the format and the catalogue."""

    version: Literal[1]
    catalog: CatalogDocument


class ArrivalDocument(Document, frozen=True):
    """Every other line: when which function is asked for, and how long it will run."""

    date: Date
    function: FunctionName
    duration: Date


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a line."""
    forms, definitions = msgspec.json.schema_components((HeaderDocument, ArrivalDocument), ref_template="#/$defs/{name}")
    return {"$schema": DIALECT, "title": "gaugeblock workload", "anyOf": list(forms), "$defs": definitions}


def read_workload(path: Path) -> Workload:
    """Return the workload that a file holds; blank lines are skipped.

    Raises:
        UnreadableTrace: when the file cannot be read.
        InvalidDocument: at the first bad line, with its number and the path in it.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableTrace(f"{path}: {error.strerror}; expected a workload, JSON lines") from error
    lines = ((number, line) for number, line in enumerate(data.split(b"\n"), start=1) if line.strip())
    number, first = next(lines, (1, b""))
    catalog = read_as(HeaderDocument, first, _catalog, str(path), number)
    arrivals = tuple(_arrivals(lines, catalog, str(path)))
    return Workload(f"{path.name}: {len(arrivals)} invocations", catalog, len(arrivals), lambda: iter(arrivals))


def _catalog(header: HeaderDocument) -> Catalog:
    return observed_state(RoundDocument(0.0, header.catalog, (), ())).catalog


def _arrivals(lines: Iterator[tuple[int, bytes]], catalog: Catalog, source: str) -> Iterator[Arrival]:
    names = {function.name: function.name for function in catalog.functions}
    latest = 0.0

    def build(document: ArrivalDocument) -> Arrival:
        problems = []
        if document.function not in names:
            problems.append(DocumentProblem("$.function", repr(document.function), "the name of a function of the catalogue"))
        if document.date < latest:
            expected = f"a date not before that of the arrival above, from {latest!r} on"
            problems.append(DocumentProblem("$.date", repr(document.date), expected))
        if document.duration < 0:
            problems.append(DocumentProblem("$.duration", repr(document.duration), "seconds, not negative"))
        if problems:
            raise InvalidDocument(tuple(problems))
        return Arrival(document.date, names[document.function], document.duration)

    for number, line in lines:
        arrival = read_as(ArrivalDocument, line, build, source, number)
        latest = arrival.date
        yield arrival
