"""Shapes for reclamation: a node that reclamation is asked to make room on, reached from a valid state by shipped steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import chain, combinations
from typing import Any, NamedTuple, TypeVar

from gaugeblock.model import (
    Catalog,
    Container,
    ContainerStatus,
    Function,
    Layer,
    Need,
    Node,
    NodeName,
    NodeStatus,
    PolicyName,
    PolicyNames,
    ResidentLayer,
    WorkingNode,
    WorkingState,
)
from gaugeblock_proofs.building import container, function, invocation, layer
from gaugeblock_proofs.engine import Condition, all_of
from gaugeblock_proofs.states import valid_state
from gaugeblock_proofs.theorem import Part, Setting, Tier

NODE = NodeName("n")
RECLAMATION = "gaugeblock.round.reclamation"
PLAN = f"{RECLAMATION}.plan_reclamation"
INITIAL = "gaugeblock.round.initial.working_state"
EARLIER_STEPS = tuple(f"gaugeblock.round.accounting.{name}" for name in ("reuse_container", "start_container", "protect"))

PLANNED = (PLAN, INITIAL, *EARLIER_STEPS)
"""What a theorem about plans on a scene runs."""

Item = TypeVar("Item")
Totals = tuple[int, int, int]
"""RAM (bytes), disk (bytes), container positions."""


class Shape(NamedTuple):
    """What stands on the node. Layers are named by position: ``0`` for the first one.

    ``containers`` are the layers that each container's function uses; ``busy`` says which hold invocations. ``in_ram`` and
    ``on_disk_only`` are layers; ``required`` those of the invocation that room is made for; ``protected`` those that an earlier
    plan of the round protects. ``planned`` are the layers of a container planned earlier in the round.
    """

    containers: tuple[tuple[int, ...], ...] = ()
    in_ram: tuple[int, ...] = ()
    on_disk_only: tuple[int, ...] = ()
    busy: tuple[int, ...] = ()
    starting: tuple[int, ...] = ()
    reused: tuple[int, ...] = ()
    required: tuple[int, ...] = ()
    protected: tuple[int, ...] = ()
    planned: tuple[int, ...] | None = None


class Scene(NamedTuple):
    """A node that room is to be made on, for ``need`` on behalf of ``wanted``."""

    state: WorkingState
    node: WorkingNode
    need: Need
    wanted: Function
    layers: tuple[Layer, ...]


def scene(setting: Setting, shape: Shape, eviction: str = "fewest", positions: tuple[int, ...] = (1, 0)) -> Scene:
    """Return the scene of a shape, with any sizes, capacities and dates; ``positions`` are the needs of positions tried.

    The private sizes of the function ``wanted`` are the need, so that with a position the need is that of its cold dispatch.
    """
    symbols = setting.symbols
    count = 1 + max((*shape.in_ram, *shape.on_disk_only), default=-1)
    layers = tuple(layer(symbols, f"layer{number}") for number in reversed(range(count)))  # the order of names is another
    functions = [function(symbols, f"f{number}", *_of(layers, used)) for number, used in enumerate(shape.containers)]
    wanted = function(symbols, "wanted", *_of(layers, shape.required))
    others = () if shape.planned is None else (function(symbols, "other", *_of(layers, shape.planned)),)
    guarded = (function(symbols, "guarded", *_of(layers, shape.protected)),) if shape.protected else ()
    everything = (*functions, wanted, *others, *guarded)
    catalog = Catalog(layers, tuple(each.image for each in everything), everything)
    node = _node(setting, shape, layers, functions)
    need = Need(wanted.ram_bytes, wanted.disk_bytes, setting.path.choose(positions))
    policies = PolicyNames(eviction=PolicyName(eviction))
    observed = valid_state(setting, catalog, (node,), (invocation(symbols, 1, wanted),), policies=policies)
    state: WorkingState = setting.shipped.round.initial.working_state(observed)
    working = _advanced(setting, shape.reused, state.nodes[0], others, guarded)
    return Scene(state, working, need, wanted, layers)


def _of(layers: tuple[Layer, ...], positions: tuple[int, ...]) -> tuple[Layer, ...]:
    return tuple(layers[position] for position in positions)


def _node(setting: Setting, shape: Shape, layers: tuple[Layer, ...], functions: list[Function]) -> Node:
    symbols = setting.symbols
    on_disk = sorted({*shape.in_ram, *shape.on_disk_only})
    return Node(
        NODE,
        NodeStatus.ACTIVATED,
        symbols.integer("n.ram_bytes"),
        symbols.integer("n.disk_bytes"),
        symbols.integer("n.max_invocations", 1 + len(shape.busy) + len(shape.reused) + (shape.planned is not None)),
        symbols.integer("n.max_containers"),
        tuple(ResidentLayer(layers[each], symbols.date(f"layer{each}.last_access")) for each in on_disk),
        tuple(ResidentLayer(layers[each], symbols.date(f"layer{each}.last_access_in_ram")) for each in shape.in_ram),
        containers=tuple(_container(setting, shape, number, of) for number, of in enumerate(functions)),
    )


def _container(setting: Setting, shape: Shape, number: int, of: Function) -> Container:
    status = ContainerStatus.STARTING if number in shape.starting else ContainerStatus.READY
    return container(setting.symbols, number, of, status, in_flight=1 if number in shape.busy else 0)


def _advanced(
    setting: Setting,
    reused: tuple[int, ...],
    node: WorkingNode,
    planned: tuple[Function, ...],
    guarded: tuple[Function, ...],
) -> WorkingNode:
    """Return the node after the steps of earlier plans of the round."""
    for number in reused:
        node = setting.shipped.round.accounting.reuse_container(node, node.containers[number].container.id)
    for each in planned:
        node = setting.shipped.round.accounting.start_container(node, each)
    for each in guarded:
        node = setting.shipped.round.accounting.protect(node, each)
    return node


def amounts(at: Scene) -> tuple[tuple[int, int], ...]:
    """Return what is needed and what is available of RAM, disk and positions."""
    need, node = at.need, at.node
    return (
        (need.ram_bytes, node.ram_available),
        (need.disk_bytes, node.disk_available),
        (need.positions, node.positions_available),
    )


def suffices(at: Scene, freed: Totals) -> Condition:
    """Return whether the need fits what is available with ``freed`` on top."""
    return all_of(*(needed <= available + more for (needed, available), more in zip(amounts(at), freed, strict=True)))


def subsets(items: Iterable[Item]) -> list[tuple[Item, ...]]:
    """Return all subsets, the small ones first."""
    pool = tuple(items)
    return list(chain.from_iterable(combinations(pool, size) for size in range(len(pool) + 1)))


def idle_containers(at: Scene) -> tuple[Container, ...]:
    """Return the containers that may end (RECL-4)."""
    return tuple(
        each.container
        for each in at.node.containers
        if each.container.status.value == "ready" and each.container.in_flight == 0 and not each.chosen_for_reuse
    )


def eligible_layers(at: Scene, ended: tuple[Container, ...]) -> tuple[Layer, ...]:
    """Return the layers that nothing but a missing footprint could spare once these containers are gone (RECL-5)."""
    staying = [each.container.function for each in at.node.containers if each.container not in ended]
    used = {each.name for function in (*staying, *at.node.planned, at.wanted) for each in function.image.layers}
    return tuple(each for each in at.layers if each.name not in used | at.node.protected)


def in_ram(at: Scene, layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """Return those of the layers that are in RAM."""
    return tuple(each for each in layers if each.name in at.node.resident_in_ram)


def freed_by(
    at: Scene, ended: tuple[Container, ...], from_ram: tuple[Layer, ...], from_disk: tuple[Layer, ...]
) -> tuple[int, int, int]:
    """Return RAM, disk and positions that these victims free; a disk victim in RAM counts there too, once (RECL-6)."""
    companions = [each for each in from_disk if each.name in at.node.resident_in_ram and each not in from_ram]
    ram = sum(each.function.ram_bytes for each in ended) + sum(each.ram_bytes for each in (*from_ram, *companions))
    disk = sum(each.function.disk_bytes for each in ended) + sum(each.disk_bytes for each in from_disk)
    return ram, disk, len(ended)


def named(layers: tuple[Layer, ...], names: Iterable[object]) -> tuple[Layer, ...]:
    """Return the layers of these names, in the order of the names."""
    return tuple(next(each for each in layers if each.name == name) for name in names)


def attempt(setting: Setting, at: Scene, policy: Any) -> Any:
    """Plan the reclamation of the scene under the policy."""
    return setting.shipped.round.reclamation.plan_reclamation(at.state, at.node, at.need, at.wanted, policy)


def _run(body: Callable[..., None], shape: Shape, more: tuple[object, ...], setting: Setting) -> None:
    body(setting, shape, *more)


def parts(body: Callable[..., None], groups: Mapping[Tier, Mapping[str, Shape]], *more: object) -> tuple[Part, ...]:
    """Return a part for each shape of each tier; the body is given the setting, the shape, and what ``more`` there is."""
    return tuple(
        Part(name, partial(_run, body, shape, more), tier) for tier, group in groups.items() for name, shape in group.items()
    )


SOME = {
    "one idle container": Shape(containers=((),)),
    "two idle containers": Shape(containers=((), ())),
    "one layer in RAM, one on disk": Shape(in_ram=(0,), on_disk_only=(1,)),
    "an idle container that uses the only layer": Shape(containers=((0,),), in_ram=(0,)),
    "an idle container and a layer in RAM": Shape(containers=((),), in_ram=(0,)),
}
"""Shapes for every theorem about whole plans."""

SPARING = {
    "a protected and a required layer": Shape(in_ram=(0, 1, 2), protected=(0,), required=(1,)),
    "a layer of a container that stays or ends": Shape(containers=((0,),), in_ram=(0, 1)),
    "a layer of a busy container": Shape(containers=((0,), ()), busy=(0,), in_ram=(0,)),
    "a layer of a starting container": Shape(containers=((0,), ()), starting=(0,), in_ram=(0,)),
    "a layer of a reused container": Shape(containers=((0,), ()), reused=(0,), in_ram=(0,)),
    "a layer of a planned container": Shape(in_ram=(0, 1), planned=(0,)),
}
"""Shapes in which something must be spared."""

MORE = {
    "three idle containers": Shape(containers=((), (), ())),
    "two idle containers and a layer in RAM": Shape(containers=((), (0,)), in_ram=(0,)),
    "two layers in RAM, one on disk": Shape(in_ram=(0, 1), on_disk_only=(2,)),
}
"""Larger shapes, for the deep set."""


def listed(*groups: Mapping[str, Shape]) -> str:
    """Return the scope of a theorem about these shapes, in words."""
    common = "any sizes, capacities, dates and need, of no position or one; one node with room for an invocation, and with: "
    return common + "; ".join(name for group in groups for name in group)
