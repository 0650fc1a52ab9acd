"""What can be wrong with what a simulation is given."""

from gaugeblock.model import GaugeblockError


class InvalidScenario(GaugeblockError):
    """A quantity of the scenario is out of its range: ``name`` says which."""

    def __init__(self, name: str, found: object, expected: str) -> None:
        super().__init__(f"{name}: found {found!r}; expected {expected}")
        self.name = name
        self.found = found
        self.expected = expected


class InvalidTrace(GaugeblockError):
    """A table of a trace is not as its documentation says. ``line`` counts from 1 with the header; None for the whole file."""

    def __init__(self, file: str, line: int | None, column: str | None, found: str, expected: str) -> None:
        place = ":".join(str(each) for each in (file, line) if each is not None)
        super().__init__(f"{place}{f', column {column}' if column else ''}: found {found}; expected {expected}")
        self.file = file
        self.line = line
        self.column = column


class UnreadableTrace(GaugeblockError):
    """A table of a trace cannot be read."""


class PictureUnavailable(GaugeblockError):
    """A picture in this form needs a library that is not installed."""
