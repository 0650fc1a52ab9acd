"""PLACE: theorems about the six passes for one invocation, on working nodes with any counters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise, product
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from gaugeblock.model import (
    Container,
    ContainerId,
    ContainerStatus,
    Function,
    Invocation,
    InvocationId,
    Layer,
    LayerName,
    NodeName,
    PassTrace,
    PlacementPass,
    PlacementTrace,
    Plan,
    ReuseCandidate,
    WorkingContainer,
    WorkingNode,
    WorkingState,
)
from gaugeblock_proofs.any_policies import AnyPlan, Choosing, Placing, Selecting
from gaugeblock_proofs.building import any_integer, any_working_node, function, layer
from gaugeblock_proofs.engine import all_of, same_truth
from gaugeblock_proofs.opaque import anything
from gaugeblock_proofs.possibility import NOTHING, Amounts, fits
from gaugeblock_proofs.shapes import ABSENT, COPYING, IN_RAM, LOADING, PLACES, placed_node
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes

PLACEMENT = "gaugeblock.round.placement"
CONTRACTS = "gaugeblock.round.contracts"
ERROR = "gaugeblock.policies.errors.PolicyContractError"

CANDIDATE = "a candidate exactly when ready, of the function and with room, in the order of the node"
ROOM = "a candidate tells its node and its room"
IN_ORDER = "the passes are tried in order, and the first that selects a plan is the last"
FOUND = "each pass finds on each node what it would move or wait for, and what rules it out there"
OFFERED = "an alternative stands exactly where the pass is open and what it needs fits, and is what was stated"
CHOSEN = "what is done is what the policy chose, or the first wait, and nothing without a choice"
REFUSED = "an answer that names nothing on offer is refused and said, and any other is taken"


WAITING = (PlacementPass.WAIT_FOR_RAM, PlacementPass.WAIT_FOR_DISK)
"""The passes in which no policy is asked."""


class Finding(NamedTuple):
    """What one pass should find on one node: what rules it out, what it would move or wait for, and what that needs."""

    blocking: list[LayerName]
    layers: list[LayerName]
    is_open: bool
    need: Amounts = NOTHING


def reuse_candidates(setting: Setting) -> None:
    """PLACE-1: two containers in any situation, of the function, of one that only differs by name, or of another."""
    path = setting.path
    own = SimpleNamespace(name="f")
    held = tuple(
        WorkingContainer(
            Container(
                ContainerId(number),
                cast("Function", path.choose((own, SimpleNamespace(name="g")))),
                path.choose(tuple(ContainerStatus)),
                anything("in flight"),
                anything("date"),
            ),
            any_integer(setting.symbols, f"container{number}.room"),
            path.choose((False, True)),
        )
        for number in range(2)
    )
    node = any_working_node(setting.symbols, observed=SimpleNamespace(name="n"), containers=held)
    wanted = cast("Invocation", SimpleNamespace(function=own))
    found: tuple[ReuseCandidate, ...] = setting.shipped.round.placement.reuse_candidates(node, wanted)
    for each in held:
        there = any(every.container is each.container for every in found)
        fits = each.container.function is cast("Function", own) and each.container.status is ContainerStatus.READY
        path.prove(same_truth(there, all_of(fits, each.invocations_available > 0)), CANDIDATE)
    path.prove(all(one.container.id < other.container.id for one, other in pairwise(found)), CANDIDATE)
    for candidate in found:
        (own_room,) = (each.invocations_available for each in held if each.container is candidate.container)
        path.prove(all_of(candidate.node == "n", candidate.invocations_available == own_room), ROOM)


def passes(setting: Setting, count: int, nodes: int, holding: bool = False) -> None:
    """PLACE-1 to PLACE-8: ``count`` required layers, each anywhere on each node; on the last one a container to reuse."""
    symbols, path = setting.symbols, setting.path
    layers = tuple(layer(symbols, f"layer{number}") for number in range(count))
    wanted = Invocation(InvocationId(1), function(symbols, "f", *layers), anything("date"))
    places = [path.choose(tuple(product(PLACES, repeat=count))) for _ in range(nodes)]
    held = (_ready_container(setting, wanted.function),) if holding else ()
    working = tuple(
        _node(setting, NodeName(f"n{number}"), layers, each, held if number == nodes - 1 else ())
        for number, each in enumerate(places)
    )
    state = WorkingState(anything("now"), anything("catalog"), working, anything("worklist"))
    choosing = Choosing(path)
    policies = Placing(Selecting(), choosing, choosing, anything("eviction"))
    found = setting.shipped.round.placement.place(state, wanted, policies)
    _prove_told(setting, state, wanted, places, found)
    prove_asked(setting, found, choosing, OFFERED, CHOSEN)


def prove_asked(setting: Setting, found: PlacementTrace, choosing: Choosing, asked: str, taken: str) -> None:
    """Oblige the policies to be asked about all that is on offer and nothing else, and what they take to be chosen."""
    offers = [(each, offered_in(each)) for each in found.passes if each.placement_pass not in WAITING]
    setting.path.prove(choosing.offered == [names for _, names in offers if names], asked)
    setting.path.prove(choosing.taken == [each.chosen and each.chosen.node for each, names in offers if names], taken)


def offered_in(told: PassTrace) -> list[NodeName]:
    """Return the nodes of what a pass had on offer, in its order."""
    plans = [each.plan.node for each in told.findings if each.plan is not None]
    return [each.node for each in told.candidates] + plans


def _ready_container(setting: Setting, of: Function) -> WorkingContainer:
    one = Container(ContainerId(0), of, ContainerStatus.READY, 1, anything("date"))
    return WorkingContainer(one, any_integer(setting.symbols, "container.room"))


def _node(
    setting: Setting, name: NodeName, layers: tuple[Layer, ...], places: tuple[str, ...], held: tuple[WorkingContainer, ...]
) -> WorkingNode:
    counters = ("ram_available", "disk_available", "positions_available")
    counted: dict[str, Any] = {each: any_integer(setting.symbols, f"{name}.{each}") for each in counters}
    placed = tuple(zip(layers, places, strict=True))
    return placed_node(setting.symbols, name, placed, containers=held, invocations_available=1, **counted)


def _prove_told(
    setting: Setting, state: WorkingState, wanted: Invocation, places: list[tuple[str, ...]], found: PlacementTrace
) -> None:
    path = setting.path
    tried = [each.placement_pass for each in found.passes]
    path.prove(tried == list(PlacementPass)[: len(tried)], IN_ORDER)
    path.prove(all(each.chosen is None for each in found.passes[:-1]), IN_ORDER)
    path.prove(found.plan is found.passes[-1].chosen and (found.plan is not None or len(tried) == len(PlacementPass)), IN_ORDER)
    path.prove(found.eligible == tuple(each.observed.name for each in state.nodes), IN_ORDER)
    for told in found.passes[1:]:
        should = [_expected(told.placement_pass, wanted.function, each) for each in places]
        _prove_found(setting, state, wanted, told, should)
    if found.plan is None:
        path.prove(found.after is state, CHOSEN)
    else:
        changed = [now is not was for was, now in zip(state.nodes, found.after.nodes, strict=True)]
        path.prove(changed == [each.observed.name == found.plan.node for each in state.nodes], CHOSEN)
        # What a plan does to a node is the subject of ACCT; here, that it is all of this plan that is done.
        path.prove(found.after == setting.shipped.round.accounting.apply_plan(state, found.plan, wanted), CHOSEN)
    _prove_reuse(setting, state, wanted, found.passes[0])


def _prove_reuse(setting: Setting, state: WorkingState, wanted: Invocation, told: PassTrace) -> None:
    """Oblige the reuse pass to offer the container that has room, and to plan for it if it was picked (PLACE-1)."""
    held = [(node.observed.name, each) for node in state.nodes for each in node.containers]
    with_room = all_of(bool(held), *(each.invocations_available > 0 for _, each in held))
    setting.path.prove(same_truth(bool(told.candidates), with_room), OFFERED)
    if told.chosen is not None:
        ((name, picked),) = held
        plan = Plan(PlacementPass.REUSE, wanted.id, name, picked.container.id)
        setting.path.prove(all_of(with_room, told.chosen == plan), CHOSEN)


def _expected(placement_pass: PlacementPass, of: Function, places: tuple[str, ...]) -> Finding:
    """Return what a pass should find where the function's layers are in these places (PLACE-2 to PLACE-6)."""
    placed = tuple(zip(of.image.layers, places, strict=True))
    not_in_ram = [each.name for each, place in placed if place != IN_RAM]
    not_stored = [each.name for each, place in placed if place in (ABSENT, COPYING)]
    to_load = [each for each, place in placed if place not in (IN_RAM, LOADING)]
    to_copy = [each for each, place in placed if place == ABSENT]
    names_to_load, names_to_copy = [each.name for each in to_load], [each.name for each in to_copy]
    if placement_pass is PlacementPass.COLD_DISPATCH:
        return Finding(not_in_ram, [], not not_in_ram, Amounts(of.ram_bytes, of.disk_bytes, 1))
    if placement_pass is PlacementPass.WAIT_FOR_RAM:
        return Finding(names_to_load, not_in_ram, bool(not_in_ram) and not to_load)
    if placement_pass is PlacementPass.RAM_LOAD:
        need = Amounts(ram_bytes=sum(each.ram_bytes for each in to_load))
        return Finding(not_stored, names_to_load, bool(to_load) and not not_stored, need)
    if placement_pass is PlacementPass.WAIT_FOR_DISK:
        return Finding(names_to_copy, not_stored, bool(not_stored) and not to_copy)
    return Finding([], names_to_copy, bool(to_copy), Amounts(disk_bytes=sum(each.disk_bytes for each in to_copy)))


def _prove_found(setting: Setting, state: WorkingState, wanted: Invocation, told: PassTrace, should: Sequence[Finding]) -> None:
    """Oblige one of the passes 2 to 6 to tell what it should, node by node."""
    waits = told.placement_pass in WAITING
    looked_at = len(should)
    if waits:
        looked_at = next((number for number, each in enumerate(should, 1) if each.is_open), looked_at)
    names = [each.observed.name for each in state.nodes]
    setting.path.prove([each.node for each in told.findings] == names[:looked_at], FOUND)
    for node, expected, finding in zip(state.nodes, should, told.findings, strict=False):
        moved = (list(finding.blocking), list(finding.layers))
        setting.path.prove(moved == (expected.blocking, expected.layers), FOUND)
        there_is_room = True if waits else fits(node, expected.need)
        setting.path.prove(same_truth(finding.plan is not None, all_of(expected.is_open, there_is_room)), OFFERED)
        if finding.plan is not None:
            plan = Plan(told.placement_pass, wanted.id, node.observed.name, None, tuple(expected.layers))
            setting.path.prove(finding.plan == plan, OFFERED)
    plans = [each.plan for each in told.findings if each.plan is not None]
    if waits:
        setting.path.prove(told.chosen is (plans[0] if plans else None), CHOSEN)
    else:
        setting.path.prove(told.chosen is None or any(told.chosen is each for each in plans), CHOSEN)


def refused(setting: Setting) -> None:
    """PLACE-1, PLACE-7: whatever the policies of placement answer."""
    contracts, path = setting.shipped.round.contracts, setting.path
    names = (NodeName("n1"), NodeName("n0"))
    nodes = tuple(any_working_node(setting.symbols, observed=SimpleNamespace(name=name)) for name in names)
    state = WorkingState(anything("now"), anything("catalog"), nodes, anything("worklist"))
    candidates = tuple(SimpleNamespace(container=SimpleNamespace(id=number)) for number in range(2))
    plans = tuple(SimpleNamespace(node=name) for name in names)
    policy = AnyPlan(path)
    chosen = path.choose_subset((*names, NodeName("stranger"), NodeName("p")))
    strangers = sorted(each for each in chosen if each not in names)
    selected = tuple(each for each in names if each in chosen)
    asked: tuple[tuple[Callable[[], object], object, str], ...] = (
        (lambda: contracts.check_selection(policy, state, frozenset(chosen)), selected, _first_of("selects", strangers)),
        (lambda: contracts.check_selection(policy, state, set(chosen)), None, "it answers a set"),
        (lambda: contracts.check_reuse(policy, candidates, 0), candidates[0], ""),
        (lambda: contracts.check_reuse(policy, candidates, 1), candidates[1], ""),
        (lambda: contracts.check_reuse(policy, candidates, 2), None, "it picks container 2"),
        (lambda: contracts.check_reuse(policy, candidates, None), None, ""),
        (lambda: contracts.check_choice(policy, plans, "n1"), plans[0], ""),
        (lambda: contracts.check_choice(policy, plans, "n0"), plans[1], ""),
        (lambda: contracts.check_choice(policy, plans, "n2"), None, "it chooses 'n2'"),
        (lambda: contracts.check_choice(policy, plans, None), None, ""),
    )
    check, expected, complaint = path.choose(asked)
    try:
        answer = check()
    except setting.shipped.policies.errors.PolicyContractError as error:
        path.prove(bool(complaint) and error.found == complaint, REFUSED)
    else:
        path.prove(not complaint and answer == expected, REFUSED)


def _first_of(verb: str, strangers: list[NodeName]) -> str:
    return f"it {verb} {strangers[0]!r}" if strangers else ""


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "PLACE-1.candidates",
        "The containers offered for reuse are exactly the ready ones of the invocation's function that have room.",
        ("PLACE-1",),
        (f"{PLACEMENT}.reuse_candidates",),
        shapes("any room; two containers of any status, mark and of one of two functions; whatever else there is is opaque"),
        (Part("two containers", reuse_candidates),),
        (CANDIDATE, ROOM),
    ),
    Theorem(
        "PLACE-7.passes",
        "The passes are tried in order; each offers exactly the nodes where what it needs fits, with what it moves or waits "
        "for, and the first choice of the policy, or the first wait, decides.",
        ("PLACE-7", *(f"PLACE-{number}" for number in (1, 2, 3, 4, 5, 6, 8))),
        (f"{PLACEMENT}.place", "gaugeblock.round.accounting.apply_plan"),
        shapes(
            "any sizes and any integers as counters, but for a capacity of one more invocation; one node and two required "
            "layers, two nodes and one, or one of each and a container of the function; layers anywhere, nothing to evict; "
            "policies that pick anything on offer or nothing"
        ),
        (
            Part("one node, two layers", partial(passes, count=2, nodes=1)),
            Part("two nodes, one layer", partial(passes, count=1, nodes=2)),
            Part("a container to reuse", partial(passes, count=1, nodes=1, holding=True)),
        ),
        (IN_ORDER, FOUND, OFFERED, CHOSEN),
    ),
    Theorem(
        "PLACE-7.refused",
        "A selection that is no set of nodes that exist, a container that is no candidate and a node without an alternative "
        "are refused; everything else, none included, is taken as it is.",
        ("PLACE-7", "PLACE-1"),
        (*(f"{CONTRACTS}.{name}" for name in ("check_selection", "check_reuse", "check_choice")), ERROR),
        shapes("two nodes, two candidates, two alternatives, and a stranger"),
        (Part("any answer", refused),),
        (REFUSED,),
    ),
)
