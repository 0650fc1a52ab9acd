"""ACCT: theorems about each accounting step, for any integers as counters."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from gaugeblock.model import (
    ContainerId,
    InvocationId,
    LayerName,
    NodeName,
    PlacementPass,
    Plan,
    Reclamation,
    ResidentLayer,
    WorkingContainer,
    WorkingNode,
    WorkingState,
)
from gaugeblock_proofs.building import COUNTERS, any_integer, any_working_node, container, function, layer
from gaugeblock_proofs.opaque import any_names, anything
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes, unbounded

ACCOUNTING = "gaugeblock.round.accounting"
ANY_INTEGERS = "counters and footprints: all integers from -2^80 to 2^80; whatever the step does not look at is opaque"
DELTAS = "exactly the stated deltas"
COLLECTIONS = "exactly the stated changes of collections"
UNTOUCHED = "nothing else is touched"
STEP = (DELTAS, COLLECTIONS, UNTOUCHED)


def prove_step(setting: Setting, before: WorkingNode, after: WorkingNode, deltas: dict[str, int], **changed: object) -> None:
    """Oblige a step to change the counters by ``deltas``, the other fields to ``changed``, and no more."""
    for name in WorkingNode.__struct_fields__:
        was, now = getattr(before, name), getattr(after, name)
        if name in COUNTERS:
            setting.path.prove(now == was + deltas.get(name, 0), DELTAS)
        elif name in changed:
            setting.path.prove(now == changed[name], COLLECTIONS)
        else:
            setting.path.prove(now is was, UNTOUCHED)


def sized(setting: Setting, name: str = "it", **known: object) -> Any:
    """Return something of which only its sizes (bytes, any integers) and what is ``known`` can be seen."""
    ram, disk = (any_integer(setting.symbols, f"{name}.{resource}_bytes") for resource in ("ram", "disk"))
    return SimpleNamespace(ram_bytes=ram, disk_bytes=disk, **known)


def any_containers(setting: Setting) -> tuple[WorkingContainer, ...]:
    """Return one to four working containers, of which only ids, sizes and room can be seen."""
    count = setting.path.choose((1, 2, 3, 4))
    return tuple(
        WorkingContainer(
            anything_of(id=ContainerId(number), function=sized(setting, f"function{number}")),
            any_integer(setting.symbols, f"container{number}.room"),
            anything("mark"),
        )
        for number in range(count)
    )


def anything_of(**known: object) -> Any:
    """Return something of which only what is ``known`` can be seen."""
    return SimpleNamespace(**known)


def reuse(setting: Setting) -> None:
    """ACCT-1."""
    containers = any_containers(setting)
    before = any_working_node(setting.symbols, containers=containers)
    chosen = setting.path.choose(containers)
    after = setting.shipped.round.accounting.reuse_container(before, chosen.container.id)
    prove_step(setting, before, after, {"invocations_available": -1}, containers=after.containers)
    setting.path.prove(len(after.containers) == len(containers), COLLECTIONS)
    for was, now in zip(containers, after.containers, strict=True):
        if was is chosen:
            setting.path.prove(now.invocations_available == was.invocations_available - 1, DELTAS)
            setting.path.prove(now.container is was.container and now.chosen_for_reuse is True, COLLECTIONS)
        else:
            setting.path.prove(now is was, UNTOUCHED)


def cold_start(setting: Setting) -> None:
    """ACCT-2."""
    planned = tuple(anything("function") for _ in range(setting.path.choose((0, 1, 2))))
    before = any_working_node(setting.symbols, planned=planned)
    started = sized(setting)
    after = setting.shipped.round.accounting.start_container(before, started)
    deltas = {
        "ram_available": -started.ram_bytes,
        "disk_available": -started.disk_bytes,
        "invocations_available": -1,
        "positions_available": -1,
    }
    prove_step(setting, before, after, deltas, planned=(*planned, started))


def termination(setting: Setting) -> None:
    """ACCT-3."""
    containers = any_containers(setting)
    before = any_working_node(setting.symbols, containers=containers)
    chosen = setting.path.choose(containers)
    after = setting.shipped.round.accounting.end_container(before, chosen.container.id)
    ended = chosen.container.function
    deltas = {"ram_available": ended.ram_bytes, "disk_available": ended.disk_bytes, "positions_available": 1}
    remaining = tuple(each for each in containers if each is not chosen)
    prove_step(setting, before, after, deltas, containers=after.containers)
    setting.path.prove(list(map(id, after.containers)) == list(map(id, remaining)), COLLECTIONS)


def ram_eviction(setting: Setting) -> None:
    """ACCT-4, RAM."""
    before = any_working_node(setting.symbols, resident_in_ram=any_names("resident_in_ram"))
    _layer_step(setting, before, "evict_from_ram", {"ram_available": 1}, "resident_in_ram", added=False)


def disk_eviction(setting: Setting) -> None:
    """ACCT-4, disk."""
    before = any_working_node(setting.symbols, resident_on_disk=any_names("resident_on_disk"))
    _layer_step(setting, before, "evict_from_disk", {"disk_available": 1}, "resident_on_disk", added=False)


def load(setting: Setting) -> None:
    """ACCT-5, into RAM."""
    before = any_working_node(setting.symbols, loading=any_names("loading"))
    _layer_step(setting, before, "begin_load", {"ram_available": -1}, "loading", added=True)


def copy(setting: Setting) -> None:
    """ACCT-5, to disk."""
    before = any_working_node(setting.symbols, copying=any_names("copying"))
    _layer_step(setting, before, "begin_copy", {"disk_available": -1}, "copying", added=True)


def _layer_step(setting: Setting, before: WorkingNode, step: str, signs: dict[str, int], collection: str, added: bool) -> None:
    """Prove a step that moves one layer's footprint between available and in use, and its name into or out of one set."""
    moved = sized(setting, "layer")
    moved.name = LayerName("layer")
    after = getattr(setting.shipped.round.accounting, step)(before, moved)
    footprint = {"ram_available": moved.ram_bytes, "disk_available": moved.disk_bytes}
    deltas = {name: sign * footprint[name] for name, sign in signs.items()}
    names = getattr(before, collection)
    prove_step(setting, before, after, deltas, **{collection: names | {moved.name} if added else names - {moved.name}})


def protection(setting: Setting) -> None:
    """ACCT-7."""
    before = any_working_node(setting.symbols, protected=any_names("protected"))
    names = [LayerName(f"layer{number}") for number in range(setting.path.choose((0, 1, 2, 3)))]
    required = anything_of(image=anything_of(layers=tuple(anything_of(name=name) for name in names)))
    after = setting.shipped.round.accounting.protect(before, required)
    prove_step(setting, before, after, {}, protected=before.protected | set(names))


def prewarming(setting: Setting) -> None:
    """PREW-3: of the counters, only positions."""
    planned = tuple(anything("function") for _ in range(setting.path.choose((0, 1, 2))))
    before = any_working_node(setting.symbols, planned=planned)
    started = anything("function")
    after = setting.shipped.round.accounting.prewarm_container(before, started)
    prove_step(setting, before, after, {"positions_available": -1}, planned=(*planned, started))


def waiting(setting: Setting) -> None:
    """ACCT-6."""
    before = any_working_node(setting.symbols, protected=any_names("protected"))
    required = function(setting.symbols, "f", layer(setting.symbols, "a"), layer(setting.symbols, "b"))
    waits = setting.path.choose((PlacementPass.WAIT_FOR_RAM, PlacementPass.WAIT_FOR_DISK))
    plan = Plan(waits, InvocationId(1), NodeName("n"), None, (LayerName("a"),))
    after = setting.shipped.round.accounting.apply_to_node(before, plan, anything_of(function=required))
    prove_step(setting, before, after, {}, protected=before.protected | {"a", "b"})


def other_nodes(setting: Setting) -> None:
    """ACCT-7, ACCT-8: a plan of any pass, with victims or without, changes its own node and nothing else of the state."""
    symbols, path = setting.symbols, setting.path
    required, loaded = function(symbols, "f", layer(symbols, "a")), layer(symbols, "b")
    residents = (ResidentLayer(loaded, anything("date")),)
    nodes = tuple(
        any_working_node(
            symbols,
            observed=anything_of(name=NodeName(f"n{number}"), ram_layers=residents, disk_layers=residents),
            containers=(WorkingContainer(container(symbols, number, required, in_flight=0), any_integer(symbols, "room")),),
            planned=(),
            **{name: any_names(name) for name in ("resident_in_ram", "resident_on_disk", "loading", "copying", "protected")},
        )
        for number in range(path.choose((1, 2, 3)))
    )
    before = WorkingState(anything("now"), anything("catalog"), nodes, anything("worklist"))
    chosen = path.choose(nodes)
    plan = path.choose(_plans(chosen, loaded.name))
    after = setting.shipped.round.accounting.apply_plan(before, plan, anything_of(function=required))
    for field in ("now", "catalog", "worklist"):
        setting.path.prove(getattr(after, field) is getattr(before, field), UNTOUCHED)
    setting.path.prove(len(after.nodes) == len(nodes), COLLECTIONS)
    for was, now in zip(nodes, after.nodes, strict=True):
        if was is chosen:
            setting.path.prove(now.protected == was.protected | {"a"}, COLLECTIONS)
        else:
            setting.path.prove(now is was, UNTOUCHED)


def _plans(node: WorkingNode, victim: LayerName) -> tuple[Plan, ...]:
    """Return a plan of every pass on the node; where it may free something, with victims of all three kinds as well."""
    held = node.containers[0].container.id
    freeing = Reclamation((held,), (victim,), (victim,))
    plans = [Plan(PlacementPass.REUSE, InvocationId(1), node.observed.name, held)]
    for each in PlacementPass:
        moved = () if each in (PlacementPass.REUSE, PlacementPass.COLD_DISPATCH) else (LayerName("a"),)
        if each is not PlacementPass.REUSE:
            plans.append(Plan(each, InvocationId(1), node.observed.name, None, moved))
        if each in (PlacementPass.COLD_DISPATCH, PlacementPass.RAM_LOAD, PlacementPass.DISK_COPY):
            plans.append(Plan(each, InvocationId(1), node.observed.name, None, moved, freeing))
    return tuple(plans)


def _step(name: str, clauses: tuple[str, ...], statement: str, runs: tuple[str, ...], body: Any, extra: str = "") -> Theorem:
    scope = unbounded(ANY_INTEGERS) if not extra else shapes(f"{ANY_INTEGERS}; {extra}")
    return Theorem(name, statement, clauses, tuple(f"{ACCOUNTING}.{each}" for each in runs), scope, (Part("step", body),), STEP)


THEOREMS: tuple[Theorem, ...] = (
    _step(
        "ACCT-1.reuse",
        ("ACCT-1",),
        "Reuse takes one invocation from the node and one from the container, marks that as not idle, and touches "
        "nothing else.",
        ("reuse_container", "use"),
        reuse,
        "one to four containers, any of them chosen",
    ),
    _step(
        "ACCT-2.cold-start",
        ("ACCT-2",),
        "A cold start takes one invocation, one position and the private sizes, is noted as planned, and is not selectable.",
        ("start_container", "use"),
        cold_start,
        "none to two containers planned before",
    ),
    _step(
        "ACCT-3.termination",
        ("ACCT-3",),
        "A termination gives back the private sizes and one position; the container leaves the collection, all others stay.",
        ("end_container", "use"),
        termination,
        "one to four containers, any of them ended",
    ),
    _step(
        "ACCT-4.ram-eviction",
        ("ACCT-4",),
        "An eviction from RAM gives back the RAM footprint and takes the layer off the resident ones, and no more.",
        ("evict_from_ram", "use"),
        ram_eviction,
    ),
    _step(
        "ACCT-4.disk-eviction",
        ("ACCT-4",),
        "An eviction from disk gives back the disk footprint and takes the layer off the resident ones, and no more.",
        ("evict_from_disk", "use"),
        disk_eviction,
    ),
    _step(
        "ACCT-5.load",
        ("ACCT-5",),
        "A load takes the RAM footprint and puts the layer in progress, not among the resident; no invocation, no position.",
        ("begin_load", "use"),
        load,
    ),
    _step(
        "ACCT-5.copy",
        ("ACCT-5",),
        "A copy takes the disk footprint and puts the layer in progress, not among the resident; no invocation, no position.",
        ("begin_copy", "use"),
        copy,
    ),
    _step(
        "ACCT-6.waiting",
        ("ACCT-6", "ACCT-7"),
        "A plan that waits changes no counter and nothing else but what is protected.",
        ("apply_to_node", "protect"),
        waiting,
        "both waiting passes, an image of two layers",
    ),
    _step(
        "ACCT-7.protection",
        ("ACCT-7",),
        "Protection adds exactly the required layers to the protected ones, and touches nothing else.",
        ("protect",),
        protection,
        "images of none to three layers",
    ),
    _step(
        "PREW-3.prewarm-step",
        ("PREW-3", "ACCT-9"),
        "A prewarmed container takes one position, is noted as planned, and touches nothing else.",
        ("prewarm_container", "use"),
        prewarming,
        "none to two containers planned before",
    ),
    Theorem(
        "ACCT-8.other-nodes",
        "Applying a plan leaves every other node, the date, the catalogue and the worklist the very same values.",
        ("ACCT-8", "ACCT-7", "ACCT-1", "ACCT-2"),
        (f"{ACCOUNTING}.apply_plan", f"{ACCOUNTING}.apply_to_node", f"{ACCOUNTING}.protect"),
        shapes(f"{ANY_INTEGERS}; a plan of every pass, with victims or without; one to three nodes, any of them the plan's"),
        (Part("any plan", other_nodes),),
        (COLLECTIONS, UNTOUCHED),
    ),
)
