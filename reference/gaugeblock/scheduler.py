"""The scheduler as a value: eight policies, and ``schedule``, which decides one round with them."""

from gaugeblock.model import Decisions, ObservedState, PolicyKind, PolicyNames, RoundTrace, Value, replace
from gaugeblock.policies.builtin.eviction import Fewest
from gaugeblock.policies.builtin.failing import NeverFail
from gaugeblock.policies.builtin.ordering import FirstComeFirstServed
from gaugeblock.policies.builtin.plan_selection import EvictionAverse
from gaugeblock.policies.builtin.prewarm import NeverPrewarm
from gaugeblock.policies.builtin.reuse import FirstFit
from gaugeblock.policies.builtin.scaling import ActivateOneWhenNoFreeSlot
from gaugeblock.policies.builtin.selection import SelectAllPossible
from gaugeblock.policies.protocols import (
    ContainerPrewarmPolicy,
    EvictionPolicy,
    InvocationFailingPolicy,
    InvocationOrderingPolicy,
    NodeScalingPolicy,
    NodeSelectionPolicy,
    PlanSelectionPolicy,
    Policy,
    ReusableContainerPolicy,
)
from gaugeblock.policies.registry import build, name_of
from gaugeblock.round.schedule import run_round


class GreedyScheduler(Value, frozen=True):
    """An immutable scheduler with one policy of each kind; the fields are its getters.

    The defaults are the seven that the seed names and ``first-fit`` for reusable containers, which it leaves open (AMB-1).
    """

    invocation_failing: InvocationFailingPolicy = NeverFail()
    node_scaling: NodeScalingPolicy = ActivateOneWhenNoFreeSlot()
    invocation_ordering: InvocationOrderingPolicy = FirstComeFirstServed()
    node_selection: NodeSelectionPolicy = SelectAllPossible()
    reusable_container: ReusableContainerPolicy = FirstFit()
    eviction: EvictionPolicy = Fewest()
    plan_selection: PlanSelectionPolicy = EvictionAverse()
    container_prewarm: ContainerPrewarmPolicy = NeverPrewarm()

    def with_policy(self, policy: Policy) -> "GreedyScheduler":
        """Return a scheduler with ``policy`` in the slot of its kind (the seed's ``setPolicy``)."""
        scheduler: GreedyScheduler = replace(self, **{policy.kind.value: policy})
        return scheduler

    def schedule(self, observed: ObservedState) -> tuple[Decisions, RoundTrace]:
        """Decide one round; nothing observed is changed (ROUND-1).

        Returns:
            The decisions, and the trace that tells how they came about.

        Raises:
            PolicyContractError: when a policy breaks its contract.
        """
        return run_round(observed, self)


def scheduler_from(names: PolicyNames) -> GreedyScheduler:
    """Return the scheduler with the policies that a document names.

    Raises:
        UnknownPolicy, InvalidParameters, NotAPolicy: as :func:`gaugeblock.policies.registry.build` does.
    """
    policies = {kind.value: build(kind, getattr(names, kind.value)) for kind in PolicyKind}
    scheduler: GreedyScheduler = replace(GreedyScheduler(), **policies)
    return scheduler


def names_of(scheduler: GreedyScheduler) -> PolicyNames:
    """Return the names and parameters of the scheduler's policies."""
    return PolicyNames(**{kind.value: name_of(getattr(scheduler, kind.value)) for kind in PolicyKind})
