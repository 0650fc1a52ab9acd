"""ACCT-9: what is available and what is in use add up to the capacity, and nothing is ever below zero.

What is in use is derived here once more, from the sets and containers of a working node, and compared with the counters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from gaugeblock.model import (
    Function,
    Invocation,
    InvocationId,
    Layer,
    Node,
    NodeName,
    NodeStatus,
    PlacementPass,
    Plan,
    Reclamation,
    ResidentLayer,
    WorkingContainer,
    WorkingNode,
    replace,
)
from gaugeblock_proofs.building import COUNTERS, any_integer, any_working_node, container, function, layer
from gaugeblock_proofs.engine import all_of, implies
from gaugeblock_proofs.opaque import anything
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes

ACCOUNTING = "gaugeblock.round.accounting"
CONSERVED = "available and in use add up to the same as before"
NEVER_NEGATIVE = "from counters not below zero and what fits, no counter falls below zero"
COLLECTIONS = "exactly the stated changes of collections"
EXACT = "each counter changes by what is freed less what is taken"

RESIDENCY = ("absent", "copying", "on disk", "loading", "in RAM")
"""Where a layer can be on a node; loading and in RAM imply on disk."""


class World(NamedTuple):
    """A working node with the parts that it is made of."""

    layers: tuple[Layer, ...]
    functions: tuple[Function, ...]
    node: WorkingNode


def in_use(world: World, node: WorkingNode, cold: int) -> dict[str, int]:
    """Return what ``node`` uses of each resource; ``cold`` of its planned containers hold an invocation."""
    started = [*(each.container.function for each in node.containers), *node.planned]
    ram = [each.ram_bytes for each in world.layers if each.name in node.resident_in_ram | node.loading]
    disk = [each.disk_bytes for each in world.layers if each.name in node.resident_on_disk | node.copying]
    held = [each.container.function.max_invocations_per_container - each.invocations_available for each in node.containers]
    return {
        "ram_available": sum(ram) + sum(each.ram_bytes for each in started),
        "disk_available": sum(disk) + sum(each.disk_bytes for each in started),
        "invocations_available": sum(held) + cold,
        "positions_available": len(started),
    }


def any_world(setting: Setting) -> World:
    """Return a node with two layers anywhere, up to two containers of two functions, a planned one, and any counters."""
    symbols, path = setting.symbols, setting.path
    layers = (layer(symbols, "a"), layer(symbols, "b"))
    functions = (function(symbols, "f", *layers), function(symbols, "g"))
    places = [path.choose(RESIDENCY) for _ in layers]
    residents = tuple(ResidentLayer(each, anything("date")) for each in layers)
    on_disk = tuple(each for each, place in zip(residents, places, strict=True) if place in RESIDENCY[2:])
    in_ram = tuple(each for each, place in zip(residents, places, strict=True) if place == "in RAM")
    used = path.choose(((), functions[:1], functions[1:], functions))
    containers = tuple(
        WorkingContainer(container(symbols, number, of, in_flight=0), any_integer(symbols, f"container{number}.room"))
        for number, of in enumerate(used)
    )
    node = any_working_node(
        symbols,
        observed=Node(NodeName("n"), NodeStatus.ACTIVATED, anything("RAM"), anything("disk"), 0, 0, on_disk, in_ram),
        resident_in_ram=frozenset(each.layer.name for each in in_ram),
        resident_on_disk=frozenset(each.layer.name for each in on_disk),
        loading=frozenset(each.name for each, place in zip(layers, places, strict=True) if place == "loading"),
        copying=frozenset(each.name for each, place in zip(layers, places, strict=True) if place == "copying"),
        containers=containers,
        protected=frozenset(each.name for each, place in zip(layers, places, strict=True) if place in ("loading", "copying")),
        planned=functions[1:],
    )
    return World(layers, functions, node)


class Step(NamedTuple):
    """A call of the accounting, how many invocations it starts cold, and what it takes of and gives to each counter."""

    call: Callable[..., WorkingNode]
    argument: object
    cold: int = 0
    takes: Mapping[str, int] = {}
    gives: Mapping[str, int] = {}


def possible_steps(setting: Setting, world: World) -> list[Step]:
    """Return every step that is possible on the node."""
    node = world.node
    accounting = setting.shipped.round.accounting
    steps = [Step(accounting.start_container, each, 1, cold_start(each)) for each in world.functions]
    for held in node.containers:
        identifier = held.container.id
        steps.append(Step(accounting.reuse_container, identifier, takes={"invocations_available": 1}))
        if held.invocations_available == held.container.function.max_invocations_per_container:
            steps.append(Step(accounting.end_container, identifier, gives=ending(held.container.function)))
    for each in world.layers:
        ram, disk = {"ram_available": each.ram_bytes}, {"disk_available": each.disk_bytes}
        if each.name in node.resident_in_ram:
            steps.append(Step(accounting.evict_from_ram, each, gives=ram))
        elif each.name in node.resident_on_disk - node.loading:
            steps.append(Step(accounting.evict_from_disk, each, gives=disk))
            steps.append(Step(accounting.begin_load, each, takes=ram))
        elif each.name not in node.resident_on_disk | node.copying:
            steps.append(Step(accounting.begin_copy, each, takes=disk))
    return steps


def cold_start(of: Function) -> dict[str, int]:
    """Return what a cold start of the function takes."""
    return {
        "ram_available": of.ram_bytes,
        "disk_available": of.disk_bytes,
        "invocations_available": 1,
        "positions_available": 1,
    }


def ending(of: Function) -> dict[str, int]:
    """Return what the end of an idle container of the function gives back."""
    return {"ram_available": of.ram_bytes, "disk_available": of.disk_bytes, "positions_available": 1}


def step_conserves(setting: Setting) -> None:
    """ACCT-9: any step that is possible on the node."""
    world = any_world(setting)
    steps = possible_steps(setting, world)
    step = setting.path.choose(steps)
    after = step.call(world.node, step.argument)
    was, now = in_use(world, world.node, 0), in_use(world, after, step.cold)
    for name in COUNTERS:
        setting.path.prove(getattr(world.node, name) + was[name] == getattr(after, name) + now[name], CONSERVED)
    fits = all_of(*(step.takes.get(name, 0) <= getattr(world.node, name) for name in COUNTERS))
    sound = all_of(fits, *(getattr(world.node, name) >= 0 for name in COUNTERS))
    setting.path.prove(implies(sound, all_of(*(getattr(after, name) >= 0 for name in COUNTERS))), NEVER_NEGATIVE)


def whole_plan(setting: Setting) -> None:
    """ACCT-1 to ACCT-7, ACCT-9: a plan of any pass and any victims; a layer in RAM leaves it with its disk copy."""
    world = any_world(setting)
    node, path = world.node, setting.path
    ended = path.choose_subset([each.container for each in node.containers])
    from_disk = path.choose_subset([each for each in world.layers if each.name in node.resident_on_disk - node.loading])
    in_ram = [each for each in world.layers if each.name in node.resident_in_ram]
    from_ram = [each for each in in_ram if each in from_disk] + list(
        path.choose_subset([x for x in in_ram if x not in from_disk])
    )
    staying = [each for each in node.containers if each.container not in ended]
    plan, required, takes = _operation(setting, world, staying)
    freed = Reclamation(
        tuple(each.id for each in ended), tuple(each.name for each in from_ram), tuple(each.name for each in from_disk)
    )
    plan = replace(plan, reclamation=freed)
    wanted = Invocation(InvocationId(1), required, anything("date"))
    after = setting.shipped.round.accounting.apply_to_node(node, plan, wanted)
    gives = {
        "ram_available": sum(each.function.ram_bytes for each in ended) + sum(each.ram_bytes for each in from_ram),
        "disk_available": sum(each.function.disk_bytes for each in ended) + sum(each.disk_bytes for each in from_disk),
        "positions_available": len(ended),
    }
    for name in COUNTERS:
        expected = getattr(node, name) + gives.get(name, 0) - takes.get(name, 0)
        path.prove(getattr(after, name) == expected, EXACT)
    _prove_collections(setting, node, after, plan, required)


def _operation(setting: Setting, world: World, staying: list[WorkingContainer]) -> tuple[Plan, Function, dict[str, int]]:
    """Choose a pass, and return its plan without reclamation, the function that it is for, and what it takes."""
    required = world.functions[0]
    placement_pass = setting.path.choose(tuple(PlacementPass))
    plan = Plan(placement_pass, InvocationId(1), NodeName("n"))
    if placement_pass is PlacementPass.REUSE:
        if not staying:
            return plan, required, {}
        return replace(plan, container=setting.path.choose(staying).container.id), required, {"invocations_available": 1}
    if placement_pass is PlacementPass.COLD_DISPATCH:
        return plan, required, cold_start(required)
    moved = setting.path.choose_subset(required.image.layers)
    plan = replace(plan, layers=tuple(each.name for each in moved))
    if placement_pass is PlacementPass.RAM_LOAD:
        return plan, required, {"ram_available": sum(each.ram_bytes for each in moved)}
    if placement_pass is PlacementPass.DISK_COPY:
        return plan, required, {"disk_available": sum(each.disk_bytes for each in moved)}
    return plan, required, {}


def _prove_collections(setting: Setting, before: WorkingNode, after: WorkingNode, plan: Plan, required: Function) -> None:
    """Oblige every collection to be what the plan makes of it."""
    freed, moved = plan.reclamation, frozenset(plan.layers)
    loads = moved if plan.placement_pass is PlacementPass.RAM_LOAD else frozenset()
    copies = moved if plan.placement_pass is PlacementPass.DISK_COPY else frozenset()
    cold = (required,) if plan.placement_pass is PlacementPass.COLD_DISPATCH else ()
    planned = (*before.planned, *cold)
    staying = [each.container for each in before.containers if each.container.id not in freed.terminations]
    marked = [each.container.id for each in after.containers if each.chosen_for_reuse]
    setting.path.prove_all(
        (
            after.observed is before.observed,
            after.resident_in_ram == before.resident_in_ram - set(freed.ram_evictions),
            after.resident_on_disk == before.resident_on_disk - set(freed.disk_evictions),
            after.loading == before.loading | loads,
            after.copying == before.copying | copies,
            after.protected == before.protected | {each.name for each in required.image.layers},
            len(after.planned) == len(planned) and all(a is b for a, b in zip(after.planned, planned, strict=True)),
            [each.container for each in after.containers] == staying,
            marked == [] if plan.container is None else marked == [plan.container],
            after.selected_for_deactivation is before.selected_for_deactivation,
        ),
        COLLECTIONS,
    )


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "ACCT-9.steps",
        "Every step of a placement keeps the sum of what is available and what is in use, and takes no counter below zero if "
        "what it takes fits.",
        ("ACCT-9", "ACCT-1", "ACCT-2", "ACCT-3", "ACCT-4", "ACCT-5"),
        tuple(
            f"{ACCOUNTING}.{name}"
            for name in (
                "start_container",
                "reuse_container",
                "end_container",
                "evict_from_ram",
                "evict_from_disk",
                "begin_load",
                "begin_copy",
                "use",
            )
        ),
        shapes("any integers as counters; one node, two layers in any residency, up to two containers, one planned"),
        (Part("one step", step_conserves),),
        (CONSERVED, NEVER_NEGATIVE),
    ),
    Theorem(
        "ACCT-9.plans",
        "A whole plan changes each counter by exactly what it frees less what it takes, and each collection as stated, "
        "whatever it frees.",
        ("ACCT-9", "ACCT-1", "ACCT-2", "ACCT-3", "ACCT-4", "ACCT-5", "ACCT-6", "ACCT-7"),
        tuple(
            f"{ACCOUNTING}.{name}"
            for name in ("apply_to_node", "reclaim", "resident_layer", "planned_layers", "protect", "use")
        ),
        shapes(
            "any integers as counters; one node, two layers in any residency, up to two containers; every pass, any victims"
        ),
        (Part("one plan", whole_plan),),
        (EXACT, COLLECTIONS),
    ),
)
