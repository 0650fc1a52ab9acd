"""Node selection: ``select-all-possible`` (POL)."""

from typing import ClassVar

from gaugeblock.model import Invocation, NodeName, PolicyKind, WorkingState
from gaugeblock.policies.builtin.base import BuiltinPolicy


class SelectAllPossible(BuiltinPolicy, frozen=True):
    """POL-select-all-possible: every node with invocation capacity left."""

    kind: ClassVar[PolicyKind] = PolicyKind.NODE_SELECTION
    name: ClassVar[str] = "select-all-possible"

    def select(self, state: WorkingState, invocation: Invocation) -> frozenset[NodeName]:
        """Return the names of all nodes whose working invocation capacity is not used up, whatever their status."""
        return frozenset(node.observed.name for node in state.nodes if node.invocations_available > 0)
