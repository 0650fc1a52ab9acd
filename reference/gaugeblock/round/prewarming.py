"""PREW: containers started without an invocation, considered after placement."""

from gaugeblock.model import Function, FunctionName, NodeName, Prewarm, WorkingNode, WorkingState, replace
from gaugeblock.policies.errors import PolicyContractError
from gaugeblock.policies.protocols import ContainerPrewarmPolicy
from gaugeblock.round.accounting import prewarm_container
from gaugeblock.round.placement import takes_work


def prewarm(state: WorkingState, policy: ContainerPrewarmPolicy) -> tuple[tuple[Prewarm, ...], WorkingState]:
    """Return the policy's proposals in order and the state after their positions are accounted for (PREW-1, PREW-3).

    Raises:
        PolicyContractError: when a proposal names what does not exist, a node that takes no work, a function whose layers
            are not resident there, or goes beyond the positions (PREW-2, PREW-3).
    """
    proposals = policy.propose(state)
    if not isinstance(proposals, tuple):
        raise _breach(policy, "PREW-3", f"it answers a {type(proposals).__name__}", "a tuple")
    for proposal in proposals:
        state = _append(state, policy, proposal)
    return proposals, state


def _append(state: WorkingState, policy: ContainerPrewarmPolicy, proposal: Prewarm) -> WorkingState:
    """PREW-4: one proposal is one container, even where a function and node are repeated."""
    if not isinstance(proposal, Prewarm):
        raise _breach(policy, "PREW-3", f"it answers a tuple with a {type(proposal).__name__}", "what the protocol says")
    function = _function(state, policy, proposal.function)
    _check_node(state, policy, proposal.node, function)
    nodes = tuple(prewarm_container(node, function) if node.observed.name == proposal.node else node for node in state.nodes)
    return replace(state, nodes=nodes)


def _function(state: WorkingState, policy: ContainerPrewarmPolicy, name: FunctionName) -> Function:
    for function in state.catalog.functions:
        if function.name == name:
            return function
    raise _breach(policy, "PREW-2", f"it prewarms function {name!r}", "a function of the catalogue")


def _check_node(state: WorkingState, policy: ContainerPrewarmPolicy, name: NodeName, function: Function) -> None:
    node: WorkingNode | None = next((each for each in state.nodes if each.observed.name == name), None)
    if node is None or not takes_work(node):
        raise _breach(policy, "PREW-2", f"it prewarms on node {name!r}", "an activated node not selected for deactivation")
    for layer in function.image.layers:
        if layer.name not in node.resident_in_ram or layer.name not in node.resident_on_disk:
            raise _breach(policy, "PREW-2", f"layer {layer.name!r} is not resident on {name!r}", "every required layer there")
    if not node.positions_available > 0:
        raise _breach(policy, "PREW-3", f"no container position is left on {name!r}", "proposals within the positions")


def _breach(policy: ContainerPrewarmPolicy, clause: str, found: str, expected: str) -> PolicyContractError:
    return PolicyContractError(policy.kind, policy.name, clause, found, expected)
