"""Tables of a trace: CSV files with a header, read strictly."""

import csv
from collections.abc import Iterator
from pathlib import Path

from gaugeblock.model import LARGEST_INTEGER
from gaugeblock.simulation.errors import InvalidTrace, UnreadableTrace

LARGEST_AMOUNT = 1e15


class Row:
    """One row of a table, which knows where it stands."""

    __slots__ = ("file", "line", "values")

    def __init__(self, file: str, line: int, values: dict[str, str]) -> None:
        self.file = file
        self.line = line
        self.values = values

    def text(self, column: str) -> str:
        """Return the column's text, which must not be empty."""
        value = self.values[column]
        if not value:
            raise self.problem(column, "a text that is not empty")
        return value

    def integer(self, column: str) -> int:
        """Return the column as an integer from 0 to 2^63-1."""
        value = self.values[column]
        if not (value.isascii() and value.isdigit() and len(value) <= 19 and int(value) <= LARGEST_INTEGER):
            raise self.problem(column, "an integer from 0 to 2^63-1")
        return int(value)

    def amount(self, column: str) -> float:
        """Return the column as a number that is not negative."""
        try:
            value = float(self.values[column])
        except ValueError:
            value = -1.0
        if not 0 <= value <= LARGEST_AMOUNT:
            raise self.problem(column, f"a number from 0 to {LARGEST_AMOUNT:g}")
        return value

    def problem(self, column: str, expected: str) -> InvalidTrace:
        """Return the error that says that something else was due in this column."""
        return InvalidTrace(self.file, self.line, column, repr(self.values[column][:80]), expected)


def read_table(path: Path, columns: tuple[str, ...]) -> list[Row]:
    """Return the rows of a table that has at least these columns, and at least one row.

    Raises:
        UnreadableTrace: when the file cannot be read.
        InvalidTrace: when it is not UTF-8, lacks a column, has none or a row of another length.
    """
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            rows = list(_rows(path, stream, columns))
    except OSError as error:
        raise UnreadableTrace(f"{path}: {error.strerror}; expected a table of the trace") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InvalidTrace(str(path), None, None, str(error), "comma-separated values in UTF-8") from error
    if not rows:
        raise InvalidTrace(str(path), None, None, "no row", "a header and at least one row")
    return rows


def by_key(rows: list[Row], column: str) -> dict[str, Row]:
    """Return the rows by the text of a column, in their order.

    Raises:
        InvalidTrace: when two have the same.
    """
    keyed: dict[str, Row] = {}
    for row in rows:
        if keyed.setdefault(row.text(column), row) is not row:
            raise row.problem(column, "a value that no earlier row has")
    return keyed


def _rows(path: Path, stream: Iterator[str], columns: tuple[str, ...]) -> Iterator[Row]:
    reader = csv.reader(stream, strict=True)
    header = next(reader, [])
    for column in columns:
        if header.count(column) != 1:
            found = f"the columns {', '.join(header[:12])}"[:200]
            raise InvalidTrace(str(path), 1, None, found, f"the column {column} once")
    for values in reader:
        if len(values) != len(header):
            found = f"{len(values)} values"
            raise InvalidTrace(str(path), reader.line_num, None, found, f"{len(header)} values, as many as the header names")
        yield Row(str(path), reader.line_num, dict(zip(header, values, strict=True)))
