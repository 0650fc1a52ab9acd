"""ACCT-9: what is available and what is in use add up to the capacity, and nothing is ever below zero.

What is in use is derived here once more, from the sets and containers of a working node, and compared with the counters.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gaugeblock.model import (
    Catalog,
    ContainerId,
    ContainerStatus,
    Function,
    Invocation,
    InvocationId,
    Layer,
    LayerName,
    Node,
    NodeName,
    NodeStatus,
    PlacementPass,
    Plan,
    Reclamation,
    ResidentLayer,
    WorkingContainer,
    WorkingNode,
)
from gaugeblock_proofs.building import COUNTERS, any_integer, any_working_node, container, function, layer
from gaugeblock_proofs.engine import all_of, implies
from gaugeblock_proofs.opaque import anything
from gaugeblock_proofs.states import valid_state
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes

ACCOUNTING = "gaugeblock.round.accounting"
INITIAL = "gaugeblock.round.initial"
CONSERVED = "available and in use add up to the same as before"
NEVER_NEGATIVE = "from counters not below zero and what fits, no counter falls below zero"
DERIVED = "every counter is the capacity less what is in use"
NOT_NEGATIVE = "no counter is below zero"
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
    """Return a node with two layers anywhere, up to two containers of two functions, one planned, and any counters."""
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
        protected=frozenset(),
        planned=path.choose(((), functions[:1])),
    )
    return World(layers, functions, node)


def step_conserves(setting: Setting) -> None:
    """ACCT-9: every step that is possible on the node."""
    world = any_world(setting)
    node = world.node
    accounting = setting.shipped.round.accounting
    steps: list[tuple[Any, Any, int]] = [(accounting.start_container, each, 1) for each in world.functions]
    steps += [(accounting.reuse_container, each.container.id, 0) for each in node.containers]
    steps += [(accounting.end_container, each.container.id, 0) for each in idle(setting, node)]
    steps += [(accounting.evict_from_ram, each, 0) for each in world.layers if each.name in node.resident_in_ram]
    steps += [(accounting.evict_from_disk, each, 0) for each in world.layers if on_disk_only(node, each)]
    steps += [(accounting.begin_load, each, 0) for each in world.layers if on_disk_only(node, each)]
    steps += [(accounting.begin_copy, each, 0) for each in world.layers if each.name not in node.resident_on_disk | node.copying]
    step, argument, cold = setting.path.choose(steps)
    after = step(node, argument)
    prove_conserved(setting, world, after, cold)
    prove_not_negative(setting, node, after, fits=all_of(*(getattr(after, name) >= 0 for name in taken(node, after))))


def idle(setting: Setting, node: WorkingNode) -> tuple[WorkingContainer, ...]:
    """Return the containers that hold nothing: those whose room is their whole capacity."""
    return tuple(
        each for each in node.containers if each.invocations_available == each.container.function.max_invocations_per_container
    )


def on_disk_only(node: WorkingNode, each: Layer) -> bool:
    """Whether the layer is on disk and neither in RAM nor being loaded."""
    return each.name in node.resident_on_disk - node.resident_in_ram - node.loading
