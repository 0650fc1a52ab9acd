"""What happens to the service, one value an event (SERV-0).

Events are taken in the order of ``(date, sequence)``: ``date`` is in seconds, ``sequence`` tells apart events of one date.
"""

from typing import TypeAlias

from gaugeblock.model.names import ContainerId, FunctionName, InvocationId, LayerName, NodeName
from gaugeblock.model.value import Value


class Submit(Value, frozen=True):
    """Somebody asks for an invocation of a function, under an id that nobody used before."""

    date: float
    sequence: int
    invocation: InvocationId
    function: FunctionName


class CopyCompleted(Value, frozen=True):
    """A layer that was being copied to a node's disk is there."""

    date: float
    sequence: int
    node: NodeName
    layer: LayerName


class CopyFailed(Value, frozen=True):
    """A copy to a node's disk came to nothing."""

    date: float
    sequence: int
    node: NodeName
    layer: LayerName


class LoadCompleted(Value, frozen=True):
    """A layer that was being loaded into a node's RAM is there."""

    date: float
    sequence: int
    node: NodeName
    layer: LayerName


class LoadFailed(Value, frozen=True):
    """A load into a node's RAM came to nothing."""

    date: float
    sequence: int
    node: NodeName
    layer: LayerName


class ContainerStarted(Value, frozen=True):
    """A starting container is ready."""

    date: float
    sequence: int
    container: ContainerId


class ContainerFailed(Value, frozen=True):
    """A starting container did not come up and is gone."""

    date: float
    sequence: int
    container: ContainerId


class InvocationFinished(Value, frozen=True):
    """An invocation that ran in a ready container is done."""

    date: float
    sequence: int
    invocation: InvocationId


class InvocationFailed(Value, frozen=True):
    """An invocation that ran in a ready container broke; the container outlives it."""

    date: float
    sequence: int
    invocation: InvocationId


class NodeActivated(Value, frozen=True):
    """An activating node takes work from now on."""

    date: float
    sequence: int
    node: NodeName


class NodeDeactivated(Value, frozen=True):
    """A deactivating node is off."""

    date: float
    sequence: int
    node: NodeName


class IdleTimeout(Value, frozen=True):
    """The idle alarm of a container rings; it is stale unless the container is still in the idle spell ``generation``."""

    date: float
    sequence: int
    container: ContainerId
    generation: int


class WakeUp(Value, frozen=True):
    """The date comes at which a round was asked for; it is stale unless a wake-up stands that is due."""

    date: float
    sequence: int


Event: TypeAlias = (
    Submit
    | CopyCompleted
    | CopyFailed
    | LoadCompleted
    | LoadFailed
    | ContainerStarted
    | ContainerFailed
    | InvocationFinished
    | InvocationFailed
    | NodeActivated
    | NodeDeactivated
    | IdleTimeout
    | WakeUp
)
