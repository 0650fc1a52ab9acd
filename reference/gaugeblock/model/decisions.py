"""What a round decides: a batch of operations for the service to apply, by names and identifiers (ROUND-10)."""

from gaugeblock.model.names import ContainerId, FunctionName, InvocationId, LayerName, NodeName
from gaugeblock.model.value import Value


class Failure(Value, frozen=True):
    """An invocation to fail, and why. The text of ``reason`` is never compared."""

    invocation: InvocationId
    reason: str


class Termination(Value, frozen=True):
    """An idle container to end."""

    node: NodeName
    container: ContainerId


class Eviction(Value, frozen=True):
    """A layer to remove from a node's RAM or disk, as the category says."""

    node: NodeName
    layer: LayerName


class Dispatch(Value, frozen=True):
    """An invocation to run on a node, in an existing container or, where ``container`` is None, in a new (cold) one."""

    invocation: InvocationId
    node: NodeName
    container: ContainerId | None


class Transfer(Value, frozen=True):
    """A layer to load into a node's RAM or to copy to its disk, as the category says."""

    node: NodeName
    layer: LayerName


class Prewarm(Value, frozen=True):
    """A container of a function to start on a node without an invocation."""

    node: NodeName
    function: FunctionName


class Decisions(Value, frozen=True):
    """One batch, category by category, each in the order of planning (AMB-8); ``wakeup`` is a date in seconds or None."""

    failures: tuple[Failure, ...] = ()
    activations: tuple[NodeName, ...] = ()
    deactivations: tuple[NodeName, ...] = ()
    terminations: tuple[Termination, ...] = ()
    ram_evictions: tuple[Eviction, ...] = ()
    disk_evictions: tuple[Eviction, ...] = ()
    dispatches: tuple[Dispatch, ...] = ()
    loads: tuple[Transfer, ...] = ()
    copies: tuple[Transfer, ...] = ()
    prewarms: tuple[Prewarm, ...] = ()
    wakeup: float | None = None
