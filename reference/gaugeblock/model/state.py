"""What a scheduler is shown at the start of a round."""

from gaugeblock.model.catalog import Catalog, Function
from gaugeblock.model.names import InvocationId
from gaugeblock.model.nodes import Node
from gaugeblock.model.value import Value


class Invocation(Value, frozen=True):
    """A request to run ``function``, submitted at a date in seconds."""

    id: InvocationId
    function: Function
    submitted: float


class ObservedState(Value, frozen=True):
    """The state of the system at date ``now`` (seconds): catalogue, nodes in traversal order, pending invocations.

    Raises:
        InvalidState: when it breaks a rule of validity (:mod:`gaugeblock.model.validity`), so an invalid one cannot be had.
    """

    now: float
    catalog: Catalog
    nodes: tuple[Node, ...] = ()
    pending: tuple[Invocation, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a state that breaks a rule of validity."""
        from gaugeblock.model.validity import require_valid  # validity needs this module's types

        require_valid(self)
