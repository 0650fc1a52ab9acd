"""What goes wrong on the command line itself."""

from gaugeblock.model import GaugeblockError


class UnreadableInput(GaugeblockError):
    """An input file cannot be read."""


class UnwritableOutput(GaugeblockError):
    """The output file cannot be written."""


class InvalidOption(GaugeblockError):
    """The value of an option is not of its documented form."""
