"""The version of gaugeblock, printed with every generated case."""

__version__ = "0.1.0"
