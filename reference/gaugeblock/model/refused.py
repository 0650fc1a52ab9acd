"""Why the service refuses an event: one exception class per rule. A refused event changes nothing (SERV-0)."""

from typing import ClassVar

from gaugeblock.model.errors import GaugeblockError
from gaugeblock.model.events import Event


class ServiceError(GaugeblockError):
    """An event breaks a rule of the service: ``found`` is what the event says, ``expected`` what was due.

    ``field`` names the field of the event that is wrong. The values are kept as they are and formatted only for the message.
    """

    clause: ClassVar[str] = "SERV-0"

    def __init__(self, event: Event, field: str, expected: str) -> None:
        super().__init__()
        self.event = event
        self.field = field
        self.expected = expected

    @property
    def found(self) -> object:
        """The value of the field that is wrong."""
        return getattr(self.event, self.field)

    def __str__(self) -> str:
        name = type(self.event).__name__
        where = f"event {self.event.sequence} at {self.event.date}"
        return f"{where}, {name}.{self.field}: found {self.found!r}; expected {self.expected} ({self.clause})"


class OutOfOrder(ServiceError):
    """The event is not later, in the order of date and sequence, than the last one that was accepted."""


class BadEventDate(ServiceError):
    """The event's date is not finite."""


class BadInvocationId(ServiceError):
    """The submitted id lies outside 0 .. 2^63-1."""


class RepeatedInvocation(ServiceError):
    """The submitted id was submitted before."""


class UnknownFunction(ServiceError):
    """The catalogue does not hold the function."""


class UnknownNode(ServiceError):
    """No node has the name."""


class NotCopying(ServiceError):
    """The layer is not being copied to the node: never begun, or reported before."""


class NotLoading(ServiceError):
    """The layer is not being loaded on the node: never begun, or reported before."""


class UnknownContainer(ServiceError):
    """No container has the id now, or for an idle time-out, none ever had."""


class NotStarting(ServiceError):
    """The container is ready already."""


class NotRunning(ServiceError):
    """No container holds the invocation: unknown, pending, or reported before."""


class StillStarting(ServiceError):
    """The container that holds the invocation is not ready yet."""


class NotActivating(ServiceError):
    """The node is not on its way up."""


class NotDeactivating(ServiceError):
    """The node is not on its way down."""


class UnknownGeneration(ServiceError):
    """No idle spell has had this generation so far."""


class EarlyIdleTimeout(ServiceError):
    """The idle alarm is current but rings before it is due."""
