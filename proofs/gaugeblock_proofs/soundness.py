"""What holds of a node throughout a round, however many invocations it plans for: the hypothesis of an induction over them.

A sound node is one that a round can have reached. It is built from its parts, so that nothing has to be assumed of it.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import NamedTuple

from gaugeblock.model import (
    Container,
    ContainerId,
    ContainerStatus,
    Function,
    Layer,
    LayerName,
    Node,
    NodeName,
    NodeStatus,
    ResidentLayer,
    WorkingContainer,
    WorkingNode,
    replace,
)
from gaugeblock_proofs.building import BEYOND_ALL_SIZES, COUNTERS, any_working_node, function, layer
from gaugeblock_proofs.conservation import World, in_use
from gaugeblock_proofs.engine import Condition, Source, all_of
from gaugeblock_proofs.opaque import anything
from gaugeblock_proofs.shapes import ABSENT, COPYING, IN_RAM, LOADING, ON_DISK
from gaugeblock_proofs.theorem import Setting

NODE = NodeName("n")

SPARED = " and protected"
SITUATIONS = (ABSENT, COPYING, ON_DISK, f"{ON_DISK}{SPARED}", LOADING, IN_RAM, f"{IN_RAM}{SPARED}")
"""Where a layer can be, and whether the round protects it; what is in progress always is."""

WANTED: tuple[tuple[int, ...], ...] = ((), (0,), (0, 1))
"""The images of an invocation over two layers, up to renaming of the layers."""

READY, REUSED, STARTING = "ready", "ready and chosen for reuse", "starting"
VACANT = None
"""What the container on a node is up to; it may be idle or busy as long as nothing says otherwise."""


class Soundness(NamedTuple):
    """A sound node, the invocation's function, and the parts that both are made of."""

    world: World
    wanted: Function

    @property
    def node(self) -> WorkingNode:
        """The node before the placement."""
        return self.world.node


def any_sound_node(setting: Setting, wanted: tuple[int, ...], occupant: str | None) -> Soundness:
    """Return any sound node of two layers with one planned container, and one that is what ``occupant`` says unless vacant."""
    symbols, path = setting.symbols, setting.path
    layers = (layer(symbols, "a"), layer(symbols, "b"))
    of = function(symbols, "f", *(layers[each] for each in wanted))
    situations = path.choose(tuple(product(SITUATIONS, repeat=len(layers))))
    in_ram = tuple(each for each, situation in zip(layers, situations, strict=True) if situation.startswith(IN_RAM))
    kept = tuple(each for each, situation in zip(layers, situations, strict=True) if situation == f"{IN_RAM}{SPARED}")
    held: tuple[WorkingContainer, ...] = ()
    if occupant is not VACANT:
        others = tuple(
            function(symbols, "g", *needs) for size in range(len(in_ram) + 1) for needs in combinations(in_ram, size)
        )
        own = (of,) if all(each in in_ram for each in of.image.layers) else ()
        held = (_held(symbols, occupant, path.choose((*own, *others))),)
    node = _node(symbols, layers, situations, held, function(symbols, "planned", *kept))
    return Soundness(World(layers, (of,), node), of)


def _held(symbols: Source, occupant: str, of: Function) -> WorkingContainer:
    """Return a container of the function; what it may hold is what it holds, was given in this round, and has room for."""
    starts, reused = occupant is STARTING, occupant is REUSED
    holds = symbols.integer("container.starting", 0, 1) if starts else symbols.integer("container.in_flight")
    given = symbols.integer("container.given", 1) if reused else 0
    room = symbols.integer("container.room")
    status = ContainerStatus.STARTING if starts else ContainerStatus.READY
    fitting = replace(of, max_invocations_per_container=holds + given + room)
    return WorkingContainer(Container(ContainerId(0), fitting, status, holds, anything("date")), room, reused)


def _node(
    symbols: Source,
    layers: tuple[Layer, ...],
    situations: tuple[str, ...],
    held: tuple[WorkingContainer, ...],
    planned: Function,
) -> WorkingNode:
    placed = tuple(zip(layers, situations, strict=True))
    # Every layer was observed in both, since what is not there any more may have been evicted earlier in the round.
    residents = tuple(ResidentLayer(each, anything("date")) for each in layers)

    def names(*places: str) -> frozenset[LayerName]:
        return frozenset(each.name for each, situation in placed if situation.removesuffix(SPARED) in places)

    in_ram, on_disk = names(IN_RAM), names(ON_DISK, LOADING, IN_RAM)
    observed = Node(
        NODE,
        NodeStatus.ACTIVATED,
        anything("RAM"),
        anything("disk"),
        anything("invocations"),
        anything("positions"),
        residents,
        residents,
    )
    return any_working_node(
        symbols,
        observed=observed,
        **{name: symbols.integer(f"{NODE}.{name}", 0, BEYOND_ALL_SIZES) for name in COUNTERS},
        resident_in_ram=in_ram,
        resident_on_disk=on_disk,
        loading=names(LOADING),
        copying=names(COPYING),
        containers=held,
        protected=names(LOADING, COPYING) | {each.name for each, situation in placed if situation.endswith(SPARED)},
        planned=(planned,),
        selected_for_deactivation=False,
    )


def counts(before: Soundness, after: WorkingNode) -> Condition:
    """Return whether available and in use still add up to what they did, for each counter (ACCT-9)."""
    cold = len(after.planned) - len(before.node.planned)
    was, now = in_use(before.world, before.node, 0), in_use(before.world, after, cold)
    return all_of(*(getattr(before.node, name) + was[name] == getattr(after, name) + now[name] for name in COUNTERS))


def not_negative(node: WorkingNode) -> Condition:
    """Return whether no counter is below zero, nor the room of any container (ACCT-9)."""
    rooms = (each.invocations_available >= 0 for each in node.containers)
    return all_of(*(getattr(node, name) >= 0 for name in COUNTERS), *rooms)


def is_well_placed(node: WorkingNode) -> bool:
    """Whether each layer is in one place, and all resident was observed (ACCT-5, ACCT-7).

    What is in progress is protected, and what is protected is on disk or on its way there.
    """
    return (
        node.resident_in_ram <= node.resident_on_disk
        and node.loading <= node.resident_on_disk
        and not node.loading & node.resident_in_ram
        and not node.copying & node.resident_on_disk
        and node.loading | node.copying <= node.protected
        and node.protected <= node.resident_on_disk | node.copying
        and node.resident_in_ram <= {each.layer.name for each in node.observed.ram_layers}
        and node.resident_on_disk <= {each.layer.name for each in node.observed.disk_layers}
    )


def is_served(node: WorkingNode) -> bool:
    """Whether what containers need is in RAM, and what planned ones need is protected besides (ACCT-7, RECL-5)."""
    needed = {each.name for held in node.containers for each in held.container.function.image.layers}
    to_start = {each.name for planned in node.planned for each in planned.image.layers}
    return needed | to_start <= node.resident_in_ram and to_start <= node.protected
