"""Plan selection: ``eviction-averse`` (the default) and ``random`` (POL)."""

from typing import ClassVar

from gaugeblock.model import Invocation, NodeName, PlacementPass, Plan, PolicyKind, WorkingState
from gaugeblock.policies.builtin.base import BuiltinPolicy
from gaugeblock.policies.builtin.parameters import Seed
from gaugeblock.policies.builtin.random_stream import draw


def rank(plan: Plan) -> tuple[int, int, int, int, int]:
    """Return (disk evictions, RAM evictions, terminations, copies, loads) of the plan; less is better (RECL-6)."""
    freed = plan.reclamation
    copies = len(plan.layers) if plan.placement_pass is PlacementPass.DISK_COPY else 0
    loads = len(plan.layers) if plan.placement_pass is PlacementPass.RAM_LOAD else 0
    return len(freed.disk_evictions), len(freed.ram_evictions), len(freed.terminations), copies, loads


class EvictionAverse(BuiltinPolicy, frozen=True):
    """POL-eviction-averse: the lowest rank; ties go to the node whose name comes first by code points."""

    kind: ClassVar[PolicyKind] = PolicyKind.PLAN_SELECTION
    name: ClassVar[str] = "eviction-averse"

    def choose(
        self,
        state: WorkingState,
        invocation: Invocation,
        alternatives: tuple[Plan, ...],
    ) -> NodeName | None:
        """Return the node of the best alternative."""
        return min(alternatives, key=lambda plan: (rank(plan), plan.node)).node


class RandomPlan(BuiltinPolicy, frozen=True):
    """POL-random: one draw per call decides among the alternatives."""

    kind: ClassVar[PolicyKind] = PolicyKind.PLAN_SELECTION
    name: ClassVar[str] = "random"

    seed: Seed

    def choose(self, state: WorkingState, invocation: Invocation, alternatives: tuple[Plan, ...]) -> NodeName | None:
        """Return the node of the alternative at the drawn index."""
        number = draw("plan-selection", self.seed, state.now, invocation.id)
        return alternatives[number % len(alternatives)].node
