"""Policies by name, and what crosses between the scheduler and a policy besides the working state."""

from enum import Enum
from typing import TypeAlias

from gaugeblock.model.names import FunctionName, NodeName
from gaugeblock.model.nodes import Container
from gaugeblock.model.value import Value


class PolicyKind(Enum):
    """The eight kinds of policy, in the order in which a round first asks them. The value is the key on the wire."""

    INVOCATION_FAILING = "invocation_failing"
    NODE_SCALING = "node_scaling"
    INVOCATION_ORDERING = "invocation_ordering"
    NODE_SELECTION = "node_selection"
    REUSABLE_CONTAINER = "reusable_container"
    EVICTION = "eviction"
    PLAN_SELECTION = "plan_selection"
    CONTAINER_PREWARM = "container_prewarm"


ParameterValue: TypeAlias = int | float | str | bool | tuple[tuple[FunctionName, int], ...]


class PolicyName(Value, frozen=True):
    """A policy by name with its parameters, as pairs of name and value in the order of the policy's own fields."""

    name: str
    parameters: tuple[tuple[str, ParameterValue], ...] = ()


class PolicyNames(Value, frozen=True):
    """One named policy of each kind; the defaults are the seed's seven and, for reusable containers, AMB-1's."""

    invocation_failing: PolicyName = PolicyName("never")
    node_scaling: PolicyName = PolicyName("activate-one-when-no-free-slot")
    invocation_ordering: PolicyName = PolicyName("fcfs")
    node_selection: PolicyName = PolicyName("select-all-possible")
    reusable_container: PolicyName = PolicyName("first-fit")
    eviction: PolicyName = PolicyName("fewest")
    plan_selection: PolicyName = PolicyName("eviction-averse")
    container_prewarm: PolicyName = PolicyName("never")


class ScalingRequests(Value, frozen=True):
    """The nodes that a node-scaling policy asks to activate and to deactivate (ROUND-3)."""

    activations: tuple[NodeName, ...] = ()
    deactivations: tuple[NodeName, ...] = ()


class ReuseCandidate(Value, frozen=True):
    """A container that could take the invocation at hand, and how many more invocations it has room for (PLACE-1)."""

    node: NodeName
    container: Container
    invocations_available: int
