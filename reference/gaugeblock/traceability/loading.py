"""The table that the package carries, and the error where it does not."""

from functools import cache
from importlib import resources

import msgspec

from gaugeblock.model import GaugeblockError
from gaugeblock.traceability.records import FORMAT_VERSION, Table

PACKAGE = "gaugeblock.traceability"
FILE_NAME = "clauses.json"


class TableDamaged(GaugeblockError):
    """The table of clauses of the installed package is missing or cannot be read."""

    def __init__(self, found: str) -> None:
        super().__init__(f"{FILE_NAME}: found {found}; expected a table of clauses. Installing gaugeblock again mends it.")


@cache
def load() -> Table:
    """Return the table.

    Raises:
        TableDamaged: when it is missing or cannot be read.
    """
    try:
        return decode(resources.files(PACKAGE).joinpath(FILE_NAME).read_bytes())
    except OSError as error:
        raise TableDamaged(error.strerror or str(error)) from None


def encode(table: Table) -> bytes:
    """Return the table as JSON that reads well in a diff."""
    return msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n"


def decode(data: bytes) -> Table:
    """Return the table that ``data`` holds.

    Raises:
        TableDamaged: when it holds none of this version.
    """
    try:
        table = msgspec.json.decode(data, type=Table)
    except msgspec.DecodeError as error:
        raise TableDamaged(str(error)) from None
    if table.version != FORMAT_VERSION:
        raise TableDamaged(f"format version {table.version}")
    return table
