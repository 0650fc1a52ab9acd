"""The root of every error that gaugeblock raises on purpose."""

from typing import TypeVar

Raised = TypeVar("Raised", bound="GaugeblockError")


class GaugeblockError(Exception):
    """Something was not as a documented rule wants it; the message says what, where, and what was expected.

    Every error can be copied and pickled, whatever its fields, so that it comes unharmed out of another process.
    """

    def __reduce__(self) -> tuple[object, ...]:
        """Take the fields along as they are, instead of calling the class with the message."""
        return _remade, (type(self), self.args), self.__dict__


def _remade(kind: type[Raised], arguments: tuple[object, ...]) -> Raised:
    error = kind.__new__(kind)
    error.args = arguments
    return error
