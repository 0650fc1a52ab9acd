"""The root of every error that gaugeblock raises on purpose."""


class GaugeblockError(Exception):
    """Something was not as a documented rule wants it; the message says what, where, and what was expected."""
