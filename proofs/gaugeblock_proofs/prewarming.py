"""PREW: theorems about prewarming, for proposals of any policy and for ``warm-pool``."""

from __future__ import annotations

from functools import partial
from typing import Any

from gaugeblock.model import (
    Catalog,
    Container,
    ContainerStatus,
    Function,
    FunctionName,
    LayerName,
    Node,
    NodeName,
    NodeStatus,
    PolicyKind,
    PolicyName,
    PolicyNames,
    Prewarm,
    ResidentLayer,
    WorkingNode,
    WorkingState,
    replace,
)
from gaugeblock_proofs.building import COUNTERS, container, function, layer
from gaugeblock_proofs.engine import all_of, any_of, implies
from gaugeblock_proofs.states import valid_state
from gaugeblock_proofs.theorem import Part, Setting, Theorem, Tier, shapes

PREWARMING = "gaugeblock.round.prewarming"
WARM_POOL = "gaugeblock.policies.builtin.prewarm.WarmPool"
INITIAL = "gaugeblock.round.initial.working_state"
ERROR = "gaugeblock.policies.errors.PolicyContractError"

IN_ORDER = "the proposals are appended as they are, each one container, repeated ones included"
POSITIONS = "positions fall by one for each proposal, and never below zero"
ELSEWHERE = "no other counter and no other node changes"
REFUSED = "a batch is refused exactly when a proposal names a node that takes no work, lacks layers or has no position left"
STRANGE = "an answer that is no tuple of proposals, or names what does not exist, is refused"
JOINT = "the proposals of a node fit together what it has left"
READY = "every proposal has its layers and a node that takes work"
FIRST = "every proposal is for the first node with room, in the order of the catalogue's functions"
LACKING = "no function gets more proposals than its pool lacks, and fewer only if no node has room for another"


class Proposer:
    """A prewarming policy with a fixed answer."""

    kind = PolicyKind.CONTAINER_PREWARM
    name = "proposer"

    def __init__(self, proposals: tuple[Prewarm, ...]) -> None:
        self._proposals = proposals

    def propose(self, state: object) -> tuple[Prewarm, ...]:
        """Return the answer."""
        return self._proposals


def world(setting: Setting, nodes: int, policies: PolicyNames | None = None) -> WorkingState:
    """Return the working state of nodes with any capacities, where a layer of ``f`` is resident or not; ``g`` has no layers."""
    symbols, path = setting.symbols, setting.path
    needed = layer(symbols, "layer0")
    f, g = function(symbols, "f", needed), function(symbols, "g")
    catalog = Catalog((needed,), (f.image, g.image), (f, g))
    resident = (ResidentLayer(needed, symbols.date("layer0.last_access")),)
    made = []
    for number in range(nodes):
        place = path.choose(("in RAM", "on disk only", "nowhere"))
        used = path.choose(((), (ContainerStatus.READY,), (ContainerStatus.STARTING,))) if number == 0 else ()
        held = tuple(container(symbols, 1, g, each) for each in used)
        inactive = number == nodes - 1 and not held and place != "in RAM" and path.choose((False, True))
        status = NodeStatus.DEACTIVATED if inactive else NodeStatus.ACTIVATED
        on_disk, in_ram = (resident if place in where else () for where in (("in RAM", "on disk only"), ("in RAM",)))
        made.append(_node(setting, number, status, on_disk, in_ram, held))
    state = valid_state(setting, catalog, tuple(made), policies=policies)
    working: WorkingState = setting.shipped.round.initial.working_state(state)
    return working


def _node(
    setting: Setting,
    number: int,
    status: NodeStatus,
    on_disk: tuple[ResidentLayer, ...],
    in_ram: tuple[ResidentLayer, ...],
    held: tuple[Container, ...],
) -> Node:
    symbols = setting.symbols
    return Node(
        NodeName(f"n{number}"),
        status,
        symbols.integer(f"n{number}.ram_bytes"),
        symbols.integer(f"n{number}.disk_bytes"),
        symbols.integer(f"n{number}.max_invocations"),
        symbols.integer(f"n{number}.max_containers"),
        on_disk,
        in_ram,
        containers=held,
    )


def proposals(setting: Setting, count: int) -> None:
    """PREW-3, PREW-4: any proposals on two nodes, one of which may be selected for deactivation."""
    path, shipped = setting.path, setting.shipped
    before = world(setting, 2)
    if path.choose((False, True)):
        before = replace(before, nodes=(before.nodes[0], replace(before.nodes[1], selected_for_deactivation=True)))
    choices = [(node, of) for node in before.nodes for of in before.catalog.functions]
    chosen = [path.choose(choices) for _ in range(count)]
    batch = tuple(Prewarm(node.observed.name, of.name) for node, of in chosen)
    able = all(_has_layers(node, of) and _takes_work(node) for node, of in chosen)
    asked = [sum(node is each for each, _ in chosen) for node in before.nodes]
    room = all_of(*(more <= node.positions_available for node, more in zip(before.nodes, asked, strict=True)))
    try:
        answer, after = shipped.round.prewarming.prewarm(before, Proposer(batch))
    except shipped.policies.errors.PolicyContractError as error:
        path.prove(not able or not room, REFUSED)
        path.prove(error.clause in ("PREW-2", "PREW-3"), REFUSED)
        path.prove(implies(able, error.clause == "PREW-3"), REFUSED)
        path.prove(implies(room, error.clause == "PREW-2"), REFUSED)
        return
    path.prove(all_of(able, room), REFUSED)
    path.prove(answer == batch, IN_ORDER)
    for was, now, more in zip(before.nodes, after.nodes, asked, strict=True):
        here = tuple(of for node, of in chosen if node is was)
        path.prove(len(now.planned) == len(here) and all(a is b for a, b in zip(now.planned, here, strict=True)), IN_ORDER)
        path.prove(all_of(now.positions_available == was.positions_available - more, now.positions_available >= 0), POSITIONS)
        same = [name for name in WorkingNode.__struct_fields__ if name not in (*COUNTERS, "planned")]
        path.prove(all(getattr(now, name) is getattr(was, name) for name in same), ELSEWHERE)
        path.prove_all((getattr(now, name) == getattr(was, name) for name in COUNTERS[:3]), ELSEWHERE)


def refused(setting: Setting) -> None:
    """PREW-2, PREW-3: answers that are no proposals, or name what does not exist."""
    shipped = setting.shipped
    before = world(setting, 1)
    good = Prewarm(NodeName("n0"), FunctionName("g"))
    answers: tuple[Any, ...] = (
        [good],
        (("n0", "g"),),
        (replace(good, node=NodeName("stranger")),),
        (replace(good, function=FunctionName("stranger")),),
    )
    answer = setting.path.choose(answers)
    error = shipped.policies.errors.PolicyContractError
    setting.path.prove_raises(error, lambda: shipped.round.prewarming.prewarm(before, Proposer(answer)), STRANGE)


def _takes_work(node: WorkingNode) -> bool:
    return node.observed.status is NodeStatus.ACTIVATED and not node.selected_for_deactivation


def _has_layers(node: WorkingNode, of: Function) -> bool:
    names = {LayerName(each.name) for each in of.image.layers}
    return names <= node.resident_in_ram & node.resident_on_disk


def warm_pool(setting: Setting, nodes: int, most: int) -> None:
    """POL-warm-pool, PREW-2."""
    path = setting.path
    listed = path.choose((("f", "g"), ("f",), ("g",)))
    pools = tuple((FunctionName(name), path.choose(range(most + 1))) for name in listed)
    named = PolicyName("warm-pool", (("per_function", pools),))
    before = _advanced(setting, world(setting, nodes, PolicyNames(container_prewarm=named)))
    policy = setting.shipped.policies.builtin.prewarm.WarmPool(pools)
    batch = policy.propose(before)
    made = [(_the(before.nodes, each.node), _function(before, each)) for each in batch]
    path.prove(all(_has_layers(node, of) and _takes_work(node) for node, of in made), READY)
    for node in before.nodes:
        here = [of for each, of in made if each is node]
        path.prove(_fits(node, here), JOINT)
    places = [_place(before, of) for _, of in made]
    path.prove(places == sorted(places), FIRST)
    for number, (chosen, of) in enumerate(made):
        passed_over = before.nodes[: next(place for place, each in enumerate(before.nodes) if each is chosen)]
        path.prove_all((_has_no_room(node, made[:number], of) for node in passed_over), FIRST)
    for of in before.catalog.functions:
        wanted = dict(pools).get(of.name, 0)
        waiting = [each for node in before.nodes for each in node.containers if each.container.in_flight == 0]
        warm = len([each for each in waiting if each.container.function is of and not each.chosen_for_reuse])
        got = sum(each is of for _, each in made)
        path.prove(got <= max(0, wanted - warm), LACKING)
        if got < wanted - warm:
            last = [each for each, _ in enumerate(made) if before.catalog.functions.index(made[each][1]) <= _place(before, of)]
            earlier = [made[each] for each in last]
            path.prove_all((_has_no_room(node, earlier, of) for node in before.nodes), LACKING)


def _advanced(setting: Setting, state: WorkingState) -> WorkingState:
    """Return the state after what the round may have done before: a reuse of the first container, the first node let go."""
    first, *others = state.nodes
    if (
        first.containers
        and first.containers[0].container.status is ContainerStatus.READY
        and setting.path.choose((False, True))
    ):
        first = setting.shipped.round.accounting.reuse_container(first, first.containers[0].container.id)
    first = replace(first, selected_for_deactivation=setting.path.choose((False, True)))
    return replace(state, nodes=(first, *others))


def _place(state: WorkingState, of: Function) -> int:
    return next(place for place, each in enumerate(state.catalog.functions) if each is of)


def _has_no_room(node: WorkingNode, made: list[tuple[WorkingNode, Function]], of: Function) -> Any:
    """Return whether the node cannot take one more container of the function beside those made before."""
    return any_of(not _takes_work(node), not _has_layers(node, of), _full(node, made, of))


def _full(node: WorkingNode, made: list[tuple[WorkingNode, Function]], of: Function) -> Any:
    """Return whether one more container of the function does not fit beside those made before."""
    here = [each for where, each in made if where is node] + [of]
    return any_of(
        sum(each.ram_bytes for each in here) > node.ram_available,
        sum(each.disk_bytes for each in here) > node.disk_available,
        len(here) > node.positions_available,
    )


def _fits(node: WorkingNode, here: list[Function]) -> Any:
    if not here:
        return True
    return all_of(
        sum(each.ram_bytes for each in here) <= node.ram_available,
        sum(each.disk_bytes for each in here) <= node.disk_available,
        len(here) <= node.positions_available,
    )


def _the(nodes: tuple[WorkingNode, ...], name: NodeName) -> WorkingNode:
    return next(each for each in nodes if each.observed.name == name)


def _function(state: WorkingState, proposal: Prewarm) -> Function:
    return next(each for each in state.catalog.functions if each.name == proposal.function)


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "PREW-3.positions",
        "Any batch is appended in order, one container each, and takes positions alone, never below zero; it is refused "
        "exactly when a proposal has no position, no resident layers or no node that takes work.",
        ("PREW-3", "PREW-2", "PREW-4", "PREW-5", "ACCT-9"),
        (f"{PREWARMING}.prewarm", INITIAL, ERROR),
        shapes(
            "every valid state of two nodes, the second one activated or not, with a container or none, a layer in RAM, on "
            "disk or nowhere; any batch of up to two proposals"
        ),
        tuple(Part(f"{count} proposals", partial(proposals, count=count)) for count in (0, 1, 2)),
        (IN_ORDER, POSITIONS, ELSEWHERE, REFUSED),
    ),
    Theorem(
        "PREW-2.refused",
        "An answer that is no tuple of proposals, or names a node or function that does not exist, is refused.",
        ("PREW-2", "PREW-3"),
        (f"{PREWARMING}.prewarm", INITIAL, ERROR),
        shapes("every valid state of one node with a container or none, a layer in RAM, on disk or nowhere"),
        (Part("one node", refused),),
        (STRANGE,),
    ),
    Theorem(
        "PREW-2.warm-pool",
        "warm-pool proposes jointly what fits, each on the first node with the layers and room, what each pool lacks and no "
        "more, and less only without room.",
        ("PREW-2", "POL-warm-pool"),
        (WARM_POOL, INITIAL, "gaugeblock.round.accounting.reuse_container"),
        shapes(
            "every valid state of one node (deep: two), activated or not, with a container or none, a layer in RAM, on disk or "
            "nowhere; the container reused or not, the first node selected for deactivation or not; pools of up to two"
        ),
        (
            Part("one node", partial(warm_pool, nodes=1, most=2)),
            Part("two nodes", partial(warm_pool, nodes=2, most=2), Tier.DEEP),
        ),
        (READY, JOINT, FIRST, LACKING),
    ),
)
