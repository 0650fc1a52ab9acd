"""RECL-4 to RECL-6: theorems about which victims are offered to the eviction policy."""

from __future__ import annotations

from types import SimpleNamespace
from typing import NamedTuple, cast

from gaugeblock.model import (
    Container,
    ContainerId,
    ContainerStatus,
    Function,
    Layer,
    ResidentLayer,
    WorkingContainer,
    WorkingNode,
)
from gaugeblock_proofs.building import any_working_node, layer
from gaugeblock_proofs.engine import all_of, same_truth
from gaugeblock_proofs.opaque import anything
from gaugeblock_proofs.reclaiming import RECLAMATION
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes

IN_RAM, ON_DISK_ONLY, EVICTED = "in RAM", "on disk only", "evicted"
PLACES = (IN_RAM, ON_DISK_ONLY, EVICTED)
"""Where a layer that was in RAM can be by now, when earlier plans of the round may have evicted it."""
REASONS = ("nothing", "protected", "required", "kept", "ended", "planned")
"""What is said of a layer: nothing, that it is protected or required, or that a container of that fate needs it."""

IDLE = "listed exactly when ready, holding nothing and not chosen for reuse"
IN_ORDER = "each once, in the order of creation"
KEPT = "kept are the layers of containers that stay or are planned"
ELIGIBLE = "offered exactly when resident, with a footprint, and spared by nothing"


def idle_candidates(setting: Setting) -> None:
    """RECL-4."""
    path = setting.path
    of = anything("function")
    statuses = tuple(ContainerStatus)
    held = tuple(
        WorkingContainer(
            Container(
                ContainerId(number),
                of,
                path.choose(statuses),
                setting.symbols.integer(f"container{number}.in_flight"),
                cast("float", anything("date")),
            ),
            anything("room"),
            path.choose((False, True)),
        )
        for number in range(path.choose((0, 1, 2, 3)))
    )
    node = any_working_node(setting.symbols, containers=held)
    found = setting.shipped.round.reclamation.idle_candidates(node)
    for each in held:
        waits = each.container.status is ContainerStatus.READY and not each.chosen_for_reuse
        listed = any(every is each.container for every in found)
        path.prove(same_truth(listed, all_of(waits, each.container.in_flight == 0)), IDLE)
    path.prove([each.id for each in found] == sorted({each.id for each in found}), IN_ORDER)


class Layered(NamedTuple):
    """A layer of the node: where it is by now, and what is said of it."""

    layer: Layer
    place: str
    reason: str


def layer_candidates(setting: Setting) -> None:
    """RECL-5, RECL-6: two layers, each in any situation, whatever the status of the containers that use them."""
    path, shipped = setting.path, setting.shipped.round.reclamation
    held = tuple(
        Layered(layer(setting.symbols, name), path.choose(PLACES), path.choose(REASONS)) for name in ("layer1", "layer0")
    )
    node = _any_node(setting, held)
    kept = shipped.kept_layers(node, (ContainerId(1),))
    path.prove(kept == {each.layer.name for each in held if each.reason in ("kept", "planned")}, KEPT)
    offers = (
        (shipped.ram_candidates, node.observed.ram_layers, node.resident_in_ram, "ram_bytes"),
        (shipped.disk_candidates, node.observed.disk_layers, node.resident_on_disk, "disk_bytes"),
    )
    for candidates, residents, still_there, resource in offers:
        found = candidates(node, kept, _using(held, "required"))
        for resident, each in zip(residents, held, strict=True):
            free = each.layer.name in still_there and each.reason in ("nothing", "ended")
            listed = any(every is resident for every in found)
            path.prove(same_truth(listed, all_of(free, getattr(each.layer, resource) > 0)), ELIGIBLE)
        names = [each.layer.name for each in found]
        path.prove(names == [each.layer.name for each in held if each.layer.name in names], IN_ORDER)


def _any_node(setting: Setting, held: tuple[Layered, ...]) -> WorkingNode:
    """Return the node with these layers; container 0 stays and container 1 is ended, each using the layers of that reason."""
    in_ram, on_disk = (tuple(ResidentLayer(each.layer, cast("float", anything("date"))) for each in held) for _ in range(2))
    containers = tuple(
        WorkingContainer(
            cast("Container", SimpleNamespace(id=ContainerId(number), function=_using(held, reason))), anything("room")
        )
        for number, reason in enumerate(("kept", "ended"))
    )
    return any_working_node(
        setting.symbols,
        observed=SimpleNamespace(ram_layers=in_ram, disk_layers=on_disk),
        resident_in_ram=frozenset(each.layer.name for each in held if each.place == IN_RAM),
        resident_on_disk=frozenset(each.layer.name for each in held if each.place != EVICTED),
        protected=frozenset(each.layer.name for each in held if each.reason == "protected"),
        containers=containers,
        planned=(_using(held, "planned"),),
    )


def _using(held: tuple[Layered, ...], reason: str) -> Function:
    """Return a function that needs the layers of that reason."""
    needed = tuple(each.layer for each in held if each.reason == reason)
    return cast("Function", SimpleNamespace(image=SimpleNamespace(layers=needed)))


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "RECL-4.candidates",
        "The containers offered are exactly those that are ready, hold nothing and are not chosen for reuse, by ascending id.",
        ("RECL-4",),
        (f"{RECLAMATION}.idle_candidates",),
        shapes("any number of invocations held; up to three containers of any status and mark"),
        (Part("up to three containers", idle_candidates),),
        (IDLE, IN_ORDER),
    ),
    Theorem(
        "RECL-5.candidates",
        "The layers offered are exactly those that are resident, have a footprint there, and are neither protected, nor "
        "required, nor used by a container that stays or is planned.",
        ("RECL-5", "RECL-6"),
        tuple(f"{RECLAMATION}.{name}" for name in ("kept_layers", "ram_candidates", "disk_candidates")),
        shapes(
            "any footprints; two layers, each still resident or evicted from RAM or from both, and in each situation; "
            "containers of any status"
        ),
        (Part("two layers", layer_candidates),),
        (KEPT, ELIGIBLE, IN_ORDER),
    ),
)
