"""ROUND-1, ACCT-9: the fresh working state of a round, from which every induction over its placements begins."""

from __future__ import annotations

from typing import NamedTuple

from gaugeblock.model import Catalog, ContainerStatus, Function, Layer, Node, NodeName, NodeStatus, ResidentLayer, WorkingNode
from gaugeblock_proofs.building import COUNTERS, container, function, layer
from gaugeblock_proofs.shapes import COPYING, IN_RAM, LOADING, ON_DISK, PLACES
from gaugeblock_proofs.soundness import is_served, is_well_placed, not_negative
from gaugeblock_proofs.states import valid_state
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes

INITIAL = "gaugeblock.round.initial"
COUNTED = "every counter is the capacity less what the observed layers, transfers and containers use"
NOT_NEGATIVE = "no counter and no room of a container is below zero"
IN_PROGRESS = "exactly the layers in progress are protected"
AS_OBSERVED = "layers are where they were observed, containers have the room that is left, and nothing is planned or chosen"
SOUND = "each layer is in one place, and what containers need is in RAM"


class Observed(NamedTuple):
    """A node, with where each layer is and the functions of its containers."""

    node: Node
    placed: tuple[tuple[Layer, str], ...]
    used: tuple[Function, ...]

    def layers_in(self, *places: str) -> tuple[Layer, ...]:
        """Return the layers that are in one of the places."""
        return tuple(each for each, place in self.placed if place in places)

    def uses(self) -> dict[str, int]:
        """Return what stands on the node uses of each resource."""
        in_ram, on_disk = self.layers_in(LOADING, IN_RAM), self.layers_in(ON_DISK, LOADING, IN_RAM, COPYING)
        return {
            "ram_available": sum(each.ram_bytes for each in in_ram) + sum(each.ram_bytes for each in self.used),
            "disk_available": sum(each.disk_bytes for each in on_disk) + sum(each.disk_bytes for each in self.used),
            "invocations_available": sum(each.in_flight for each in self.node.containers),
            "positions_available": len(self.used),
        }


def initial_state(setting: Setting) -> None:
    """ROUND-1, ACCT-9: the working state of any valid state."""
    symbols, path = setting.symbols, setting.path
    layers = (layer(symbols, "a"), layer(symbols, "b"))
    functions = (function(symbols, "f", layers[0]), function(symbols, "g"))
    placed = tuple((each, path.choose(PLACES)) for each in layers)
    used = path.choose(((), functions[:1], functions[1:], functions))
    at = Observed(_node(setting, placed, used), placed, used)
    state = valid_state(setting, Catalog(layers, tuple(each.image for each in functions), functions), (at.node,))
    (working,) = setting.shipped.round.initial.working_state(state).nodes
    node, uses = at.node, at.uses()
    capacity = (node.ram_bytes, node.disk_bytes, node.max_invocations, node.max_containers)
    for name, whole in zip(COUNTERS, capacity, strict=True):
        path.prove(getattr(working, name) == whole - uses[name], COUNTED)
    path.prove(not_negative(working), NOT_NEGATIVE)
    path.prove(working.protected == {each.name for each in at.layers_in(COPYING, LOADING)}, IN_PROGRESS)
    _prove_as_observed(setting, at, working)
    path.prove(is_well_placed(working) and is_served(working), SOUND)


def _node(setting: Setting, placed: tuple[tuple[Layer, str], ...], used: tuple[Function, ...]) -> Node:
    symbols, path = setting.symbols, setting.path
    residents = [(ResidentLayer(each, symbols.date(f"{each.name}.accessed")), place) for each, place in placed]
    return Node(
        NodeName("n"),
        path.choose(tuple(NodeStatus)),
        symbols.integer("n.ram_bytes"),
        symbols.integer("n.disk_bytes"),
        symbols.integer("n.max_invocations"),
        symbols.integer("n.max_containers"),
        tuple(each for each, place in residents if place in (ON_DISK, LOADING, IN_RAM)),
        tuple(each for each, place in residents if place == IN_RAM),
        tuple(each for each, place in placed if place == COPYING),
        tuple(each for each, place in placed if place == LOADING),
        tuple(container(symbols, number, of, path.choose(tuple(ContainerStatus))) for number, of in enumerate(used)),
    )


def _prove_as_observed(setting: Setting, at: Observed, working: WorkingNode) -> None:
    for found, places in (
        (working.resident_in_ram, (IN_RAM,)),
        (working.resident_on_disk, (ON_DISK, LOADING, IN_RAM)),
        (working.loading, (LOADING,)),
        (working.copying, (COPYING,)),
    ):
        setting.path.prove(found == {each.name for each in at.layers_in(*places)}, AS_OBSERVED)
    setting.path.prove(working.observed is at.node and working.planned == (), AS_OBSERVED)
    setting.path.prove(not working.selected_for_deactivation, AS_OBSERVED)
    setting.path.prove([each.container for each in working.containers] == list(at.node.containers), AS_OBSERVED)
    for held in working.containers:
        room = held.container.function.max_invocations_per_container - held.container.in_flight
        setting.path.prove(held.invocations_available == room, AS_OBSERVED)
        setting.path.prove(not held.chosen_for_reuse, AS_OBSERVED)


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "ACCT-9.initial",
        "A fresh working state counts exactly what the valid state leaves available, never below zero; layers in progress are "
        "protected, and all is where it was observed.",
        ("ACCT-9", "ACCT-7", "ROUND-1"),
        (f"{INITIAL}.working_state", f"{INITIAL}.working_node"),
        shapes(
            "every valid state of one node of any status, two layers in any residency, up to two containers of two functions"
        ),
        (Part("one node", initial_state),),
        (COUNTED, NOT_NEGATIVE, IN_PROGRESS, AS_OBSERVED, SOUND),
    ),
)
