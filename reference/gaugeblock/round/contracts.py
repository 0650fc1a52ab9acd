"""The checks of what policies answer: the scheduler trusts none of them (RECL-8)."""

from typing import TypeVar

from gaugeblock.model import (
    ContainerId,
    ContainerStatus,
    Failure,
    Invocation,
    Node,
    NodeName,
    NodeStatus,
    Plan,
    ReuseCandidate,
    ScalingRequests,
    WorkingState,
)
from gaugeblock.policies.errors import PolicyContractError
from gaugeblock.policies.protocols import (
    AnyPolicy,
    EvictionPolicy,
    InvocationFailingPolicy,
    InvocationOrderingPolicy,
    NodeScalingPolicy,
    NodeSelectionPolicy,
    PlanSelectionPolicy,
    ReusableContainerPolicy,
)

Identifier = TypeVar("Identifier", bound=str | int)


def check_failures(policy: InvocationFailingPolicy, state: WorkingState, answer: tuple[Failure, ...]) -> tuple[Failure, ...]:
    """ROUND-2: only members of the worklist are failed, each once."""
    _require_tuple(policy, answer, Failure, "ROUND-2")
    _require_distinct(policy, tuple(failure.invocation for failure in answer), "ROUND-2")
    known = {invocation.id for invocation in state.worklist}
    for failure in answer:
        if not isinstance(failure.reason, str):
            raise _breach(policy, "ROUND-2", f"it gives the reason {failure.reason!r}", "a text")
        if failure.invocation not in known:
            raise _breach(policy, "ROUND-2", f"it fails invocation {failure.invocation}", "a member of the worklist")
    return answer


def check_scaling(policy: NodeScalingPolicy, state: WorkingState, answer: ScalingRequests) -> ScalingRequests:
    """ROUND-3: activate only deactivated nodes, deactivate only nodes that SERV-4 lets go, no node in both."""
    if not isinstance(answer, ScalingRequests):
        raise _breach(policy, "ROUND-3", f"it answers a {type(answer).__name__}", "ScalingRequests")
    for names in (answer.activations, answer.deactivations):
        _require_tuple(policy, names, object, "ROUND-3")
        _require_distinct(policy, names, "ROUND-3")
    nodes = {node.observed.name: node.observed for node in state.nodes}
    for name in answer.activations:
        if name not in nodes or nodes[name].status is not NodeStatus.DEACTIVATED:
            raise _breach(policy, "ROUND-3", f"it activates {name!r}", "a node that is deactivated")
        if name in answer.deactivations:
            raise _breach(policy, "ROUND-3", f"it both activates and deactivates {name!r}", "each node in one request")
    for name in answer.deactivations:
        if name not in nodes or not may_deactivate(nodes[name]):
            raise _breach(policy, "SERV-4", f"it deactivates {name!r}", "an activated node without work or transfers")
    return answer


def may_deactivate(node: Node) -> bool:
    """SERV-4: activated, holding no invocation, no starting container, no transfer."""
    return (
        node.status is NodeStatus.ACTIVATED
        and not node.copying
        and not node.loading
        and all(each.status is ContainerStatus.READY and each.in_flight == 0 for each in node.containers)
    )


def check_order(
    policy: InvocationOrderingPolicy, state: WorkingState, answer: tuple[Invocation, ...]
) -> tuple[Invocation, ...]:
    """ROUND-4: the order is a permutation of the worklist."""
    _require_tuple(policy, answer, Invocation, "ROUND-4")
    _require_distinct(policy, tuple(invocation.id for invocation in answer), "ROUND-4")
    if {invocation.id for invocation in answer} != {invocation.id for invocation in state.worklist}:
        raise _breach(policy, "ROUND-4", "it adds or drops invocations", "a permutation of the worklist")
    by_id = {invocation.id: invocation for invocation in state.worklist}
    return tuple(by_id[invocation.id] for invocation in answer)


def check_selection(policy: NodeSelectionPolicy, state: WorkingState, answer: frozenset[NodeName]) -> tuple[NodeName, ...]:
    """PLACE: only nodes that exist are selected; returned in traversal order."""
    if not isinstance(answer, frozenset):
        raise _breach(policy, "PLACE-1", f"it answers a {type(answer).__name__}", "a frozenset of node names")
    selected = tuple(node.observed.name for node in state.nodes if node.observed.name in answer)
    if len(selected) != len(answer):
        unknown = min(str(name) for name in answer if name not in selected)
        raise _breach(policy, "PLACE-1", f"it selects {unknown!r}", "names of nodes")
    return selected


def check_reuse(
    policy: ReusableContainerPolicy, candidates: tuple[ReuseCandidate, ...], answer: ContainerId | None
) -> ReuseCandidate | None:
    """PLACE-1: the container is one of the candidates."""
    if answer is None:
        return None
    for candidate in candidates:
        if candidate.container.id == answer:
            return candidate
    raise _breach(policy, "PLACE-1", f"it picks container {answer}", "one of the candidates or none")


def check_victims(
    policy: EvictionPolicy, candidates: tuple[Identifier, ...], answer: tuple[Identifier, ...], clause: str
) -> tuple[Identifier, ...]:
    """RECL-8: victims are distinct candidates."""
    _require_tuple(policy, answer, object, "RECL-8")
    _require_distinct(policy, answer, "RECL-8")
    for victim in answer:
        if victim not in candidates:
            raise _breach(policy, "RECL-8", f"it picks {victim!r}", f"candidates of {clause} only")
    return answer


def check_choice(policy: PlanSelectionPolicy, alternatives: tuple[Plan, ...], answer: NodeName | None) -> Plan | None:
    """PLACE-7: the node is that of one of the alternatives."""
    if answer is None:
        return None
    for plan in alternatives:
        if plan.node == answer:
            return plan
    raise _breach(policy, "PLACE-7", f"it chooses {answer!r}", "the node of an alternative or none")


def _require_tuple(policy: AnyPolicy, answer: tuple[object, ...], member: type, clause: str) -> None:
    if not isinstance(answer, tuple):
        raise _breach(policy, clause, f"it answers a {type(answer).__name__}", "a tuple")
    for each in answer:
        if not isinstance(each, member):
            raise _breach(policy, clause, f"it answers a tuple with a {type(each).__name__}", "what the protocol says")


def _require_distinct(policy: AnyPolicy, names: tuple[Identifier, ...], clause: str) -> None:
    seen: set[Identifier] = set()
    for name in names:
        if type(name) not in (str, int):  # 1.0 and True are equal to 1, but no ids
            raise _breach(policy, clause, f"it names {name!r}", "names or ids")
        if name in seen:
            raise _breach(policy, clause, f"it names {name!r} twice", "distinct members")
        seen.add(name)


def _breach(policy: AnyPolicy, clause: str, found: str, expected: str) -> PolicyContractError:
    return PolicyContractError(policy.kind, policy.name, clause, found, expected)
