"""The working state: the planning copy that a round makes of what it observed, and advances. Policies see it, read only."""

from gaugeblock.model.catalog import Catalog, Function
from gaugeblock.model.names import LayerName
from gaugeblock.model.nodes import Container, Node
from gaugeblock.model.state import Invocation
from gaugeblock.model.value import Value


class WorkingContainer(Value, frozen=True):
    """A container that the round has not ended, how many more invocations it has room for, and whether this round reuses it.

    Room is not readiness: a starting container takes no further invocation, whatever its room (AMB-10).
    """

    container: Container
    invocations_available: int
    chosen_for_reuse: bool = False

    @property
    def is_idle(self) -> bool:
        """Whether it is idle and not chosen for reuse in this round (AMB-3)."""
        return self.container.is_idle and not self.chosen_for_reuse


class WorkingNode(Value, frozen=True):
    """A node during a round: what was observed, the counters that each step advances (ACCT), and what changed so far.

    The four ``*_available`` counters are bytes, bytes, invocations and container positions. The sets of layer names tell
    what is resident and what is in progress; nothing becomes resident during a round, so ``observed.ram_layers`` and
    ``observed.disk_layers`` still give the catalogue order and dates of all that is resident. ``containers`` are those
    not ended, by ascending id; ``planned`` are the functions of the containers that this round starts, prewarmed ones
    included, which nobody may select (ACCT-2).
    """

    observed: Node
    ram_available: int
    disk_available: int
    invocations_available: int
    positions_available: int
    resident_in_ram: frozenset[LayerName]
    resident_on_disk: frozenset[LayerName]
    loading: frozenset[LayerName]
    copying: frozenset[LayerName]
    containers: tuple[WorkingContainer, ...]
    protected: frozenset[LayerName]
    planned: tuple[Function, ...] = ()
    selected_for_deactivation: bool = False


class WorkingState(Value, frozen=True):
    """The whole working state at date ``now`` (seconds): nodes in traversal order, and the worklist that survived so far."""

    now: float
    catalog: Catalog
    nodes: tuple[WorkingNode, ...]
    worklist: tuple[Invocation, ...]
