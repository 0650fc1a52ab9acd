"""POL: theorems about node scaling. Reals stand for dates."""

from __future__ import annotations

from functools import partial

from gaugeblock.model import (
    Catalog,
    ContainerStatus,
    Function,
    Invocation,
    Node,
    NodeName,
    NodeStatus,
    ObservedState,
    PolicyName,
    PolicyNames,
    ResidentLayer,
    ScalingRequests,
)
from gaugeblock_proofs.building import container, function, invocation, layer
from gaugeblock_proofs.engine import Condition, all_of, any_of, negate, same_truth
from gaugeblock_proofs.states import valid_state
from gaugeblock_proofs.theorem import Part, Setting, Theorem, Tier, shapes

SCALING = "gaugeblock.policies.builtin.scaling"
CHECK = "gaugeblock.round.contracts.check_scaling"
INITIAL = "gaugeblock.round.initial.working_state"
ONE = "the first deactivated node is asked for exactly when work is pending, no node has a free slot and none is activating"
IDLE = "with nothing pending, exactly the nodes that may go and were unused long enough are let go"
ELSE = "nothing else is asked for"
JUDGED = "requests are taken exactly when they are lawful"
CLAUSE = "what is refused breaks ROUND-3, or SERV-4 where nothing is wrong but a node that may not be let go"
ACCEPTED = "the scheduler's own check takes the requests"

SITUATIONS = ("nothing", "a ready container", "a starting container", "both containers", "a load", "a copy", "a layer in RAM")
"""What an activated node has besides a layer on disk; a load, a copy, and a container that starts or is busy keep it."""


def world(setting: Setting, nodes: int, situations: tuple[str, ...], pending: bool, policies: PolicyNames) -> ObservedState:
    """Return a valid state of nodes of any status and capacity, each in one of the situations if it is activated."""
    symbols, path = setting.symbols, setting.path
    layers = (layer(symbols, "layer0"), layer(symbols, "layer1"))
    f, g = function(symbols, "f", *layers), function(symbols, "g")
    made = tuple(_node(setting, number, path.choose(tuple(NodeStatus)), situations, (f, g)) for number in range(nodes))
    work: tuple[Invocation, ...] = (invocation(symbols, 1, f),) if pending else ()
    return valid_state(setting, Catalog(layers, (f.image, g.image), (f, g)), made, work, policies=policies)


def _node(
    setting: Setting, number: int, status: NodeStatus, situations: tuple[str, ...], functions: tuple[Function, Function]
) -> Node:
    symbols = setting.symbols
    situation = setting.path.choose(situations) if status is NodeStatus.ACTIVATED else "nothing"
    on_disk, copied = functions[0].image.layers
    dated = setting.path.choose((True, False)) or situation in ("a load", "a layer in RAM")
    resident = (ResidentLayer(on_disk, symbols.date(f"n{number}.disk.last_access")),) if dated else ()
    in_ram = (ResidentLayer(on_disk, symbols.date(f"n{number}.ram.last_access")),) if situation == "a layer in RAM" else ()
    statuses = {"a ready container": "R", "a starting container": "S", "both containers": "RS"}.get(situation, "")
    held = tuple(
        container(symbols, 2 * number + place, functions[1], ContainerStatus.READY if each == "R" else ContainerStatus.STARTING)
        for place, each in enumerate(statuses)
    )
    return Node(
        NodeName(f"n{number}"),
        status,
        symbols.integer(f"n{number}.ram_bytes"),
        symbols.integer(f"n{number}.disk_bytes"),
        symbols.integer(f"n{number}.max_invocations"),
        symbols.integer(f"n{number}.max_containers"),
        disk_layers=resident,
        ram_layers=in_ram,
        copying=(copied,) if situation == "a copy" else (),
        loading=(on_disk,) if situation == "a load" else (),
        containers=held,
    )


def activation(setting: Setting, policy: str, pending: bool) -> None:
    """POL-activate-one-when-no-free-slot; POL-deactivate-idle does the same while work is pending."""
    shipped = setting.shipped.policies.builtin.scaling
    idle = policy == "DeactivateIdle"
    chooser = shipped.DeactivateIdle(setting.symbols.date("seconds", 0.0)) if idle else shipped.ActivateOneWhenNoFreeSlot()
    names = PolicyNames() if not idle else PolicyNames(node_scaling=PolicyName(chooser.name, (("seconds", 0.0),)))
    state = world(setting, 2, SITUATIONS[:2], pending, names)
    requests = _asked(setting, state, chooser)
    held = [_free_or_coming(each) for each in state.nodes]
    off = [each.name for each in state.nodes if each.status is NodeStatus.DEACTIVATED]
    wanted = all_of(pending, bool(off), negate(any_of(*held)))
    setting.path.prove(same_truth(wanted, requests.activations == tuple(off[:1]) != ()), ONE)
    setting.path.prove(all_of(any_of(wanted, requests.activations == ()), requests.deactivations == ()), ELSE)


def _free_or_coming(node: Node) -> Condition:
    if node.status is not NodeStatus.ACTIVATED:
        return node.status is NodeStatus.ACTIVATING
    return sum(each.in_flight for each in node.containers) < node.max_invocations


def release(setting: Setting, nodes: int) -> None:
    """POL-deactivate-idle with an empty worklist."""
    policy = setting.shipped.policies.builtin.scaling.DeactivateIdle(setting.symbols.date("seconds", 0.0))
    state = world(setting, nodes, SITUATIONS, False, PolicyNames())
    requests = _asked(setting, state, policy)
    for node in state.nodes:
        dates = [each.last_used for each in node.containers]
        dates += [each.last_access for each in (*node.disk_layers, *node.ram_layers)]
        unused = all_of(bool(dates), *(date + policy.seconds <= state.now for date in dates))
        setting.path.prove(same_truth(all_of(_may_go(node), unused), node.name in requests.deactivations), IDLE)
    in_order = [each.name for each in state.nodes if each.name in requests.deactivations]
    setting.path.prove(requests.activations == () and list(requests.deactivations) == in_order, ELSE)


def judged(setting: Setting) -> None:
    """ROUND-3, SERV-4: whatever a policy asks for, of nodes of any status and situation."""
    path = setting.path
    state = world(setting, 1, SITUATIONS, False, PolicyNames())
    working = setting.shipped.round.initial.working_state(state)
    lists: tuple[object, ...] = ((), ("n0",), ("n0", "n0"), ("stranger",), ["n0"])
    activations, deactivations = path.choose(lists), path.choose(lists)
    wellformed = all(names in ((), ("n0",), ("stranger",)) for names in (activations, deactivations))
    asleep = state.nodes[0].status is NodeStatus.DEACTIVATED
    lawful_activations = activations == () or (activations == ("n0",) and asleep and deactivations != ("n0",))
    lawful = all_of(
        wellformed,
        lawful_activations,
        deactivations == () or all_of(deactivations == ("n0",), _may_go(state.nodes[0])),
    )
    answer = ScalingRequests(activations, deactivations)  # type: ignore[arg-type]  # what the check is there to refuse
    policy = setting.shipped.policies.builtin.scaling.NeverScale()
    try:
        setting.shipped.round.contracts.check_scaling(policy, working, answer)
    except setting.shipped.policies.errors.PolicyContractError as error:
        path.prove(negate(lawful), JUDGED)
        others = all_of(wellformed, lawful_activations)
        path.prove(same_truth(error.clause == "SERV-4", others), CLAUSE)
        path.prove(error.clause in ("ROUND-3", "SERV-4"), CLAUSE)
    else:
        path.prove(lawful, JUDGED)


def no_requests(setting: Setting) -> None:
    """ROUND-3: an answer that is no requests at all."""
    state = world(setting, 1, SITUATIONS[:1], False, PolicyNames())
    working = setting.shipped.round.initial.working_state(state)
    policy = setting.shipped.policies.builtin.scaling.NeverScale()
    error = setting.shipped.policies.errors.PolicyContractError
    answer = setting.path.choose((None, (), ("n0",)))
    setting.path.prove_raises(error, lambda: setting.shipped.round.contracts.check_scaling(policy, working, answer), JUDGED)


def _may_go(node: Node) -> Condition:
    ready = [all_of(each.status is ContainerStatus.READY, each.in_flight == 0) for each in node.containers]
    return all_of(node.status is NodeStatus.ACTIVATED, not node.loading, not node.copying, *ready)


def _asked(setting: Setting, state: ObservedState, policy: object) -> ScalingRequests:
    """Return the policy's requests, which the scheduler's own check must take."""
    working = setting.shipped.round.initial.working_state(state)
    requests: ScalingRequests = policy.scale(working)  # type: ignore[attr-defined]  # of a class that may be a mutant's
    checked = setting.shipped.round.contracts.check_scaling(policy, working, requests)
    setting.path.prove(checked == requests, ACCEPTED)
    return requests


THEOREMS: tuple[Theorem, ...] = (
    *(
        Theorem(
            f"POL-{name}.activates",
            f"{name} asks for the first deactivated node exactly when work is pending, no activated node has a free slot "
            f"and none is activating{'; while work is pending it does nothing else' if name == 'deactivate-idle' else ''}.",
            (f"POL-{name}", "ROUND-3"),
            (f"{SCALING}.{policy}", CHECK, INITIAL),
            shapes("every valid state of two nodes of any status, with a ready container or none"),
            tuple(
                Part("work pending" if pending else "nothing pending", partial(activation, policy=policy, pending=pending))
                for pending in pendings
            ),
            (ONE, ELSE, ACCEPTED),
        )
        for name, policy, pendings in (
            ("activate-one-when-no-free-slot", "ActivateOneWhenNoFreeSlot", (True, False)),
            ("deactivate-idle", "DeactivateIdle", (True,)),
        )
    ),
    Theorem(
        "ROUND-3.requests",
        "Requests are taken exactly if they are tuples of distinct nodes that exist, those to activate deactivated, those to "
        "deactivate ones that the service would let go, and no node in both.",
        ("ROUND-3", "SERV-4"),
        (CHECK, f"{SCALING}.NeverScale", INITIAL, "gaugeblock.policies.errors.PolicyContractError"),
        shapes("every valid state of one node of any status and situation; no, one, repeated, strange and mutable requests"),
        (Part("requests", judged), Part("no requests", no_requests)),
        (JUDGED, CLAUSE),
    ),
    Theorem(
        "POL-deactivate-idle.releases",
        "With nothing pending deactivate-idle lets go exactly the nodes that the service would let go and whose latest date is "
        "long enough ago; a node without dates never.",
        ("POL-deactivate-idle", "ROUND-3", "SERV-4"),
        (f"{SCALING}.DeactivateIdle", CHECK, INITIAL),
        shapes("any dates and seconds as reals; every valid state of one node (deep: two) of any status and situation"),
        (Part("one node", partial(release, nodes=1)), Part("two nodes", partial(release, nodes=2), Tier.DEEP)),
        (IDLE, ELSE, ACCEPTED),
    ),
)
