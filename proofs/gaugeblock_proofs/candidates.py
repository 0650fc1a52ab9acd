"""RECL-4 to RECL-6: theorems about which victims are offered to the eviction policy."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from gaugeblock.model import (
    Container,
    ContainerId,
    ContainerStatus,
    Function,
    Layer,
    ResidentLayer,
    WorkingContainer,
)
from gaugeblock_proofs.building import any_working_node, layer
from gaugeblock_proofs.engine import all_of, same_truth
from gaugeblock_proofs.opaque import anything
from gaugeblock_proofs.reclaiming import RECLAMATION
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes

PLACES = ("in RAM", "on disk only", "evicted")
"""Where a layer that was in RAM can be by now, when earlier plans of the round may have evicted it."""

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


def layer_candidates(setting: Setting) -> None:
    """RECL-5, RECL-6: two layers, each in any situation, whatever the status of the containers that use them."""
    symbols, path = setting.symbols, setting.path
    layers = (layer(symbols, "layer1"), layer(symbols, "layer0"))
    situations = [
        (path.choose(PLACES), path.choose(("nothing", "protected", "required", "kept", "ended", "planned"))) for _ in layers
    ]

    def those(reason: str) -> tuple[Layer, ...]:
        return tuple(each for each, (_, why) in zip(layers, situations, strict=True) if why == reason)

    def using(reason: str) -> Function:
        return cast("Function", SimpleNamespace(image=SimpleNamespace(layers=those(reason))))

    resident_in_ram = frozenset(each.name for each, (place, _) in zip(layers, situations, strict=True) if place == "in RAM")
    resident_on_disk = frozenset(each.name for each, (place, _) in zip(layers, situations, strict=True) if place != "evicted")
    in_ram, on_disk = (tuple(ResidentLayer(each, cast("float", anything("date"))) for each in layers) for _ in range(2))
    containers = tuple(
        WorkingContainer(cast("Container", SimpleNamespace(id=ContainerId(number), function=using(why))), anything("room"))
        for number, why in enumerate(("kept", "ended"))
    )
    node = any_working_node(
        symbols,
        observed=SimpleNamespace(ram_layers=in_ram, disk_layers=on_disk),
        resident_in_ram=resident_in_ram,
        resident_on_disk=resident_on_disk,
        protected=frozenset(each.name for each in those("protected")),
        containers=containers,
        planned=(using("planned"),),
    )
    shipped = setting.shipped.round.reclamation
    kept = shipped.kept_layers(node, (ContainerId(1),))
    path.prove(kept == {each.name for each in (*those("kept"), *those("planned"))}, KEPT)
    offers = (
        (shipped.ram_candidates, in_ram, resident_in_ram, "ram_bytes"),
        (shipped.disk_candidates, on_disk, resident_on_disk, "disk_bytes"),
    )
    for candidates, residents, still_there, resource in offers:
        found = candidates(node, kept, using("required"))
        for each, (_, why) in zip(residents, situations, strict=True):
            free = each.layer.name in still_there and why in ("nothing", "ended")
            listed = any(every is each for every in found)
            path.prove(same_truth(listed, all_of(free, getattr(each.layer, resource) > 0)), ELIGIBLE)
        names = [each.layer.name for each in found]
        path.prove(names == [each.name for each in layers if each.name in names], IN_ORDER)


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
