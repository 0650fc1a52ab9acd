"""SERV-5: no operation of a batch is refused by the state that it was planned from.

Why it holds, and what is proved of it: the service frees before it allocates, whatever the batch (`application_order`); its
availabilities move by the very amounts of the accounting steps (`same_deltas`); and if the counters of the plan never fall
below zero, nor does any reordering with the frees first (`within_totals`), so that each check finds at least the room that the
plan had. A prewarm is no step of a placement: the plan counts its position, and that its sizes fit besides is what the policy
has to see to (PREW-2). For the shapes of whole rounds all of it is proved at once, checks included (`no_refusals`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gaugeblock.model import (
    LARGEST_DATE,
    Catalog,
    ContainerId,
    ContainerStatus,
    Decisions,
    Dispatch,
    Eviction,
    Failure,
    FunctionName,
    InvocationId,
    LayerName,
    NodeName,
    NodeStatus,
    ObservedState,
    OperationKind,
    Prewarm,
    ServiceState,
    Termination,
    Transfer,
    replace,
)
from gaugeblock_proofs.building import COUNTERS, any_integer
from gaugeblock_proofs.conservation import any_world, possible_steps
from gaugeblock_proofs.deciding import AMONG_PLANS, ONE_AFTER_THE_OTHER, PREWARMING, SCHEDULER, Decided, once_decided
from gaugeblock_proofs.engine import all_of, implies
from gaugeblock_proofs.examples import (
    ONE_INVOCATION_IN_FULL,
    ONE_NODE,
    STANDARD_SHAPES,
    TWO_NODES_FOR_BOTH_LAYERS,
    deep_parts,
    labelled,
    one_invocation_in_full,
    standard_parts,
    two_nodes_for_both_layers,
)
from gaugeblock_proofs.shapes import ABSENT, IN_RAM, ON_DISK, NodeShape, RoundShape, build, node_shapes
from gaugeblock_proofs.theorem import Part, Setting, Theorem, composed, shapes

APPLICATION = "gaugeblock.service.application"
ACCOUNTING = "gaugeblock.round.accounting"
STEPS = ("start_container", "reuse_container", "end_container", "evict_from_ram", "evict_from_disk", "begin_load", "begin_copy")

ACCEPTED = "no operation is refused"
FREES_FIRST = "every operation that frees something is applied before every one that takes something"
IN_ORDER = "the operations of one category are applied in the order of the batch, and each gets its turn"
NO_OTHERS = "nothing else is applied but a wake-up; the largest of all dates stands for none"
WITHIN = "with all frees first, whatever part of the allocations follows leaves nothing below zero"
MOVES = "a step moves each counter by what it gives back, never below zero, less what it takes"
REFUSED = "a refused operation leaves the state as it was"
STARTED = "a cold start is reported with the next container id, and nothing else is"
SAME_DELTA = "each availability of the service's node is the plan's counter after the same step"

FREES = (OperationKind.DEACTIVATION, OperationKind.TERMINATION, OperationKind.RAM_EVICTION, OperationKind.DISK_EVICTION)
TAKES = (OperationKind.DISPATCH, OperationKind.LOAD, OperationKind.COPY, OperationKind.PREWARM)

NEW_CONTAINERS = ContainerId(100)
"""Beyond the ids of all containers in shapes."""


def service_state(observed: ObservedState) -> ServiceState:
    """Return a service of which a scheduler is shown this state."""
    return ServiceState(observed.now, observed.catalog, observed.nodes, observed.pending, next_container=NEW_CONTAINERS)


def no_refusals(setting: Setting, round_: Decided) -> None:
    """SERV-5, whole: the batch applied to the state that it was planned from."""
    _, outcomes = setting.shipped.service.application.apply(service_state(round_.observed), round_.decisions)
    setting.path.prove(all(outcome.refusal is None for outcome in outcomes), ACCEPTED)


def application_order(setting: Setting) -> None:
    """SERV-1: two operations in each of any categories, on nodes that do not exist, so that nothing but the order happens."""
    nowhere, layer = NodeName("nowhere"), LayerName("layer")
    pairs: dict[OperationKind, tuple[Any, Any]] = {
        OperationKind.FAILURE: (Failure(InvocationId(1), ""), Failure(InvocationId(2), "")),
        OperationKind.DEACTIVATION: (nowhere, NodeName("elsewhere")),
        OperationKind.ACTIVATION: (nowhere, NodeName("elsewhere")),
        OperationKind.TERMINATION: (Termination(nowhere, ContainerId(1)), Termination(nowhere, ContainerId(2))),
        OperationKind.RAM_EVICTION: (Eviction(nowhere, layer), Eviction(nowhere, LayerName("other"))),
        OperationKind.DISK_EVICTION: (Eviction(nowhere, layer), Eviction(nowhere, LayerName("other"))),
        OperationKind.DISPATCH: (Dispatch(InvocationId(1), nowhere, None), Dispatch(InvocationId(2), nowhere, None)),
        OperationKind.LOAD: (Transfer(nowhere, layer), Transfer(nowhere, LayerName("other"))),
        OperationKind.COPY: (Transfer(nowhere, layer), Transfer(nowhere, LayerName("other"))),
        OperationKind.PREWARM: (Prewarm(nowhere, FunctionName("f")), Prewarm(nowhere, FunctionName("g"))),
    }
    present = setting.path.choose_subset(tuple(pairs))
    fields: dict[str, Any] = {kind.value: pairs[kind] for kind in present}
    wakeup = setting.path.choose((None, 1.0, LARGEST_DATE))
    batch = Decisions(**fields, wakeup=wakeup)
    _, outcomes = setting.shipped.service.application.apply(ServiceState(0.0, Catalog(), ()), batch)
    kinds = [outcome.kind for outcome in outcomes]
    last_free = max((place for place, kind in enumerate(kinds) if kind in FREES), default=-1)
    first_take = min((place for place, kind in enumerate(kinds) if kind in TAKES), default=len(kinds))
    setting.path.prove(last_free < first_take, FREES_FIRST)
    taken = {kind: tuple(each.operation for each in outcomes if each.kind is kind) for kind in present}
    setting.path.prove(all(taken[kind] == pairs[kind] for kind in present), IN_ORDER)
    others = [outcome for outcome in outcomes if outcome.kind not in present]
    due = [(OperationKind.WAKEUP, 1.0)] if wakeup == 1.0 else []
    setting.path.prove([(outcome.kind, outcome.operation) for outcome in others] == due, NO_OTHERS)


def within_totals(setting: Setting) -> None:
    """SERV-5, ACCT-9: the induction step. So far the plan freed and had ``room`` in all, and of that has taken ``taken``."""
    world = any_world(setting)
    step = setting.path.choose(possible_steps(setting, world))
    room = {name: any_integer(setting.symbols, f"room.{name}") for name in COUNTERS}
    taken = {name: any_integer(setting.symbols, f"taken.{name}") for name in COUNTERS}
    before = replace(world.node, **{name: room[name] - taken[name] for name in COUNTERS})
    after = step.call(before, step.argument)
    for name in COUNTERS:
        left, takes, gives = getattr(after, name), step.takes.get(name, 0), step.gives.get(name, 0)
        part = any_integer(setting.symbols, f"part.{name}")
        setting.path.prove(all_of(left == getattr(before, name) + gives - takes, gives >= 0), MOVES)
        some_part = all_of(part >= 0, part <= taken[name] + takes, left >= 0)
        setting.path.prove(implies(some_part, room[name] + gives - part >= 0), WITHIN)


class Twin(NamedTuple):
    """One step, as an operation of the service and as the accounting plans it; ``started`` is the container that it starts."""

    kind: OperationKind
    operation: object
    planned: Callable[..., Any]
    argument: object
    started: ContainerId | None = None


def same_deltas(setting: Setting) -> None:
    """SERV-1, SERV-2, ACCT-9: the service's derived availabilities beside the plan's counters, step by step."""
    images = ((0,), ())
    node = setting.path.choose([each for each in node_shapes(images) if each.status is NodeStatus.ACTIVATED])
    observed = build(setting, RoundShape(images, (node,), (0, 1)))
    twin = setting.path.choose(_twins(setting, observed, node))
    batch: dict[str, Any] = {twin.kind.value: (twin.operation,)}
    before = service_state(observed)
    after, (outcome,) = setting.shipped.service.application.apply(before, Decisions(**batch))
    if outcome.refusal is not None:
        setting.path.prove(after is before and outcome.container is None, REFUSED)
        return
    (working,) = setting.shipped.round.initial.working_state(observed).nodes
    planned = twin.planned(working, twin.argument)
    for name in COUNTERS:
        setting.path.prove(getattr(after.nodes[0], name) == getattr(planned, name), SAME_DELTA)
    setting.path.prove(outcome.container == twin.started, STARTED)


def _twins(setting: Setting, observed: ObservedState, shape: NodeShape) -> list[Twin]:
    """Return every step that the node allows; a cold start and a reuse are of the second function, which needs no layer."""
    kinds, accounting = OperationKind, setting.shipped.round.accounting
    (node,), wanted = observed.nodes, observed.pending[1]
    cold = Dispatch(wanted.id, node.name, None)
    twins = [Twin(kinds.DISPATCH, cold, accounting.start_container, wanted.function, NEW_CONTAINERS)]
    for held in node.containers:
        if held.status is ContainerStatus.READY and held.function is wanted.function:
            reuse = Dispatch(wanted.id, node.name, held.id)
            twins.append(Twin(kinds.DISPATCH, reuse, accounting.reuse_container, held.id))
        twins.append(Twin(kinds.TERMINATION, Termination(node.name, held.id), accounting.end_container, held.id))
    for each, place in zip(observed.catalog.layers, shape.places, strict=True):
        eviction, transfer = Eviction(node.name, each.name), Transfer(node.name, each.name)
        if place == IN_RAM:
            twins.append(Twin(kinds.RAM_EVICTION, eviction, accounting.evict_from_ram, each))
        elif place == ON_DISK:
            twins.append(Twin(kinds.DISK_EVICTION, eviction, accounting.evict_from_disk, each))
            twins.append(Twin(kinds.LOAD, transfer, accounting.begin_load, each))
        elif place == ABSENT:
            twins.append(Twin(kinds.COPY, transfer, accounting.begin_copy, each))
    return twins


CHOSEN_AMONG = once_decided(no_refusals, arbitrary=AMONG_PLANS)
AND_PREWARMED = once_decided(no_refusals, arbitrary=PREWARMING)
WHOLE = (SCHEDULER, f"{APPLICATION}.apply")
FREE = ("reuse of a container, idle or not", "an idle container in the way", "cold starts beside a layer in the way")
ALL_OF_THEM = (*ONE_AFTER_THE_OTHER, *AMONG_PLANS, *PREWARMING)
SMALL = ("a load before a copy", "copies to either node", "a wait for disk before a copy")

ASIDE = ("no activated node", "a node to activate", "copies to either node", "cold starts, one with an eviction")
ALTERNATIVES = ("cold starts, one with an eviction", "cold starts on either node, names in both orders")

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "SERV-5.frees-first",
        "Whatever a batch holds, the service applies all that frees something before all that takes something.",
        ("SERV-5", "SERV-1", "EXEC-1"),
        (f"{APPLICATION}.apply",),
        shapes("any of the categories of operations on nodes, invocations and layers, two operations in each"),
        (Part("any categories", application_order),),
        (FREES_FIRST, IN_ORDER, NO_OTHERS),
    ),
    Theorem(
        "SERV-5.within-totals",
        "If the plan's counters never fall below zero, nor does any reordering of its steps with the frees first.",
        ("SERV-5", "ACCT-9"),
        tuple(f"{ACCOUNTING}.{name}" for name in STEPS),
        composed(
            "one step of any plan after any number of earlier ones, all integers as counters; by induction over the steps, "
            "with ACCT-9 and RECL-7 for the counters of the plan; one node, two layers anywhere, up to two containers and one "
            "planned"
        ),
        (Part("induction step", within_totals),),
        (MOVES, WITHIN),
    ),
    Theorem(
        "SERV-2.same-deltas",
        "Each accepted operation of a placement moves the availabilities of its node as its accounting step does the plan's.",
        ("SERV-2", "SERV-5", "ACCT-1", "ACCT-2", "ACCT-3", "ACCT-4", "ACCT-5"),
        (f"{APPLICATION}.apply", *(f"{ACCOUNTING}.{name}" for name in STEPS), "gaugeblock.round.initial.working_state"),
        shapes(
            "one activated node, two layers anywhere, at most one container, every operation that is possible there but a "
            "prewarm, of which the plan counts the position and PREW-2 the sizes; dispatches of a function without layers"
        ),
        (Part("one node", same_deltas),),
        (SAME_DELTA, REFUSED, STARTED),
    ),
    Theorem(
        "SERV-5.no-refusals",
        "A batch applied to the state that it was planned from is accepted in full, whichever answers the policies choose.",
        ("SERV-5",),
        WHOLE,
        shapes(
            f"standard: some of {STANDARD_SHAPES}; arbitrary are the failing, scaling, ordering and selecting policies, or "
            "those of reuse, eviction and plan selection, or prewarming (at most two containers, any later date), or, on small "
            f"ones, all eight at once, victims and the like in the order of what they are chosen from; deep, with "
            f"reuse, eviction and plan selection arbitrary: {ONE_INVOCATION_IN_FULL}, "
            f"and {TWO_NODES_FOR_BOTH_LAYERS}; under the default policies see also ROUND-1.every-shape"
        ),
        (
            *labelled("planned for", standard_parts(once_decided(no_refusals, arbitrary=ONE_AFTER_THE_OTHER), *FREE, *ASIDE)),
            *labelled("chosen", standard_parts(CHOSEN_AMONG, *ONE_NODE, *SMALL, *ALTERNATIVES)),
            *labelled("prewarmed", standard_parts(AND_PREWARMED, *SMALL, "a node to activate")),
            *labelled("all eight", standard_parts(once_decided(no_refusals, arbitrary=ALL_OF_THEM), *SMALL)),
            *deep_parts(CHOSEN_AMONG, "one node", one_invocation_in_full()),
            *deep_parts(CHOSEN_AMONG, "two nodes", two_nodes_for_both_layers()),
        ),
        (ACCEPTED,),
    ),
)
