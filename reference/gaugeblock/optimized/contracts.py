"""What a policy of one's own must not answer (POL): each breach is a ``PolicyContractError`` that names policy and clause."""

from collections.abc import Collection

from gaugeblock.model import LARGEST_DATE, Failure, Invocation, NodeStatus, Prewarm, ScalingRequests
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.scaling import may_leave
from gaugeblock.policies.errors import InvalidWakeup, PolicyContractError
from gaugeblock.policies.protocols import AnyPolicy


def breach(policy: AnyPolicy, clause: str, found: str, expected: str) -> PolicyContractError:
    """Return the error for an answer of ``policy``."""
    return PolicyContractError(policy.kind, policy.name, clause, found, expected)


def require_tuple(policy: AnyPolicy, clause: str, answer: object, of: type = object) -> None:
    """Refuse a list that could change later, what is no collection at all, and what holds anything but values of a class."""
    if not isinstance(answer, tuple):
        raise breach(policy, clause, f"the answer is a {type(answer).__name__}", "a tuple")
    strangers = [each for each in answer if not isinstance(each, of)]
    if strangers:
        raise breach(policy, clause, f"a {type(strangers[0]).__name__} in the answer", f"a tuple of {of.__name__}")


def require_identifiers(policy: AnyPolicy, clause: str, answer: Collection[object]) -> None:
    """Refuse what is no plain text or whole number: it could not be looked up, or would be equal to an id that it is not."""
    for each in answer:
        if type(each) is not str and type(each) is not int:
            raise breach(policy, clause, f"{each!r}", "a name or an id")


def require_distinct(policy: AnyPolicy, clause: str, answer: Collection[object]) -> None:
    """Refuse an answer with the same name or id twice, or with something that is neither."""
    require_identifiers(policy, clause, answer)
    if len(set(answer)) < len(answer):
        raise breach(policy, clause, f"something occurs twice in {answer!r}", "distinct names or ids")


def require_members(policy: AnyPolicy, clause: str, answer: Collection[object], allowed: Collection[object]) -> None:
    """Refuse an answer with something that was not given, or with the same twice."""
    require_distinct(policy, clause, answer)
    for each in answer:
        if each not in allowed:
            raise breach(policy, clause, f"{each!r} was not given", "only what the policy was given")


def require_failures(policy: AnyPolicy, answer: tuple[Failure, ...], worklist: tuple[Invocation, ...]) -> None:
    """Refuse failures of anything but members of the worklist, each once, with a reason in words (ROUND-2)."""
    require_tuple(policy, "ROUND-2", answer, Failure)
    failed = [failure.invocation for failure in answer]
    require_members(policy, "ROUND-2", failed, {each.id for each in worklist})
    if not all(isinstance(failure.reason, str) for failure in answer):
        raise breach(policy, "ROUND-2", "a reason that is no text", "a text")


def require_selection(policy: AnyPolicy, answer: object, cluster: Cluster) -> None:
    """Refuse anything but a frozen set of names of nodes (PLACE-1)."""
    if not isinstance(answer, frozenset):
        raise breach(policy, "PLACE-1", f"the answer is a {type(answer).__name__}", "a frozenset of node names")
    if not answer <= cluster.named.keys():
        unknown = sorted(map(repr, answer - cluster.named.keys()))
        raise breach(policy, "PLACE-1", f"unknown {', '.join(unknown)}", "names of nodes")


def require_permutation(policy: AnyPolicy, answer: tuple[Invocation, ...], worklist: tuple[Invocation, ...]) -> None:
    """Refuse an order that is not one of the worklist (ROUND-4)."""
    require_tuple(policy, "ROUND-4", answer, Invocation)
    require_distinct(policy, "ROUND-4", [each.id for each in answer])
    known = {each.id: each for each in worklist}
    if len(answer) != len(worklist) or any(known.get(each.id) != each for each in answer):
        raise breach(policy, "ROUND-4", f"{len(answer)} invocations", "a permutation of the worklist")


def require_scaling(policy: AnyPolicy, answer: ScalingRequests, cluster: Cluster) -> None:
    """Refuse requests that the service would not take (ROUND-3, SERV-4)."""
    if not isinstance(answer, ScalingRequests):
        raise breach(policy, "ROUND-3", f"the answer is a {type(answer).__name__}", "ScalingRequests")
    for names in (answer.activations, answer.deactivations):
        require_tuple(policy, "ROUND-3", names)
        require_distinct(policy, "ROUND-3", names)
    for name in answer.activations:
        if name not in cluster.named or cluster.named[name].status is not NodeStatus.DEACTIVATED:
            raise breach(policy, "ROUND-3", f"activation of {name!r}", "a deactivated node")
    for name in answer.deactivations:
        if name in answer.activations:
            raise breach(policy, "ROUND-3", f"{name!r} is to be activated and deactivated", "no node in both requests")
    for name in answer.deactivations:
        if name not in cluster.named or not may_leave(cluster.named[name]):
            raise breach(policy, "SERV-4", f"deactivation of {name!r}", "an activated node that holds no work and no transfer")


def require_prewarm(policy: AnyPolicy, proposal: Prewarm, cluster: Cluster) -> None:
    """Refuse a proposal that no node could take, or for which no position is left (PREW-2, PREW-3)."""
    require_identifiers(policy, "PREW-2", (proposal.node, proposal.function))
    node = cluster.named.get(proposal.node)
    function = cluster.numbering.function_named.get(proposal.function)
    if function is None:
        raise breach(policy, "PREW-2", f"unknown function {proposal.function!r}", "a function of the catalogue")
    if node is None or not cluster.active & node.bit:
        raise breach(policy, "PREW-2", f"node {proposal.node!r}", "an activated node that stays")
    if function.image.mask & ~node.in_ram:
        found = f"{proposal.function!r} on {proposal.node!r}"
        raise breach(policy, "PREW-2", found, "a node where all its layers are resident in RAM")
    if not node.positions_free > 0:
        raise breach(policy, "PREW-3", f"{proposal.node!r} has no position left", "proposals within the positions")


def require_later(policy: AnyPolicy, date: object, now: float) -> None:
    """Refuse a wake-up date that is no number, not finite or not later than now (WAKE-2)."""
    if not isinstance(date, int | float) or not now < date <= LARGEST_DATE:
        raise InvalidWakeup(policy.kind, policy.name, "WAKE-2", f"wake-up at {date}", f"a finite date after {now}")
