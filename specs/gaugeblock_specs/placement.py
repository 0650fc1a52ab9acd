"""PLACE: the passes for one invocation, best readiness first."""

from collections.abc import Iterator
from functools import partial

from gaugeblock.model import (
    Container,
    ContainerStatus,
    Function,
    Invocation,
    LayerName,
    Need,
    PlacementPass,
    Plan,
    ReuseCandidate,
    WorkingNode,
)
from gaugeblock_specs.clause import Clause, safety, with_trace
from gaugeblock_specs.context import Batch, Context
from gaugeblock_specs.derive import in_ram, names, on_disk, required, used_layers
from gaugeblock_specs.precedence import PLACE_7, PLACE_8
from gaugeblock_specs.subjects import Found, Tried, passes_of
from gaugeblock_specs.support import Group, groups, supporters
from gaugeblock_specs.verdicts import Witness

SEED = "Placement precedence"


def _absent(function: Function, *places: frozenset[LayerName]) -> tuple[LayerName, ...]:
    """Return the required layers that are in none of the given places, in image order."""
    return tuple(layer.name for layer in required(function) if not any(layer.name in place for place in places))


def _finding_is(found: Found, blocking: tuple[LayerName, ...], layers: tuple[LayerName, ...]) -> Iterator[Witness]:
    node, invocation = found.finding.node, found.placement.invocation
    if found.finding.blocking != blocking:
        yield Witness(f"the layers that rule the pass out are {blocking!r}", node=node, invocation=invocation)
    if found.finding.layers != layers:
        yield Witness(f"the layers concerned are {layers!r}", node=node, invocation=invocation)


def _plan_is(found: Found, layers: tuple[LayerName, ...]) -> Iterator[Witness]:
    """An alternative is for this invocation, this node, these layers, and names no container."""
    plan = found.finding.plan
    if plan is not None:
        invocation, node = found.placement.invocation, found.finding.node
        due = Plan(found.tried.placement_pass, invocation, node, layers=layers, reclamation=plan.reclamation)
        if plan != due:
            yield Witness("the alternative is not for this pass, invocation, node and layers", node=node, invocation=invocation)


def _looks_at_every_eligible_node(tried: Tried) -> Iterator[Witness]:
    found = tuple(finding.node for finding in tried.tried.findings)
    if found != tried.placement.eligible:
        yield Witness("the pass does not look at every eligible node in traversal order", invocation=tried.placement.invocation)


def _chooses_an_alternative(tried: Tried) -> Iterator[Witness]:
    chosen = tried.tried.chosen
    if chosen is not None and all(finding.plan != chosen for finding in tried.tried.findings):
        yield Witness("the plan chosen is none of the alternatives", node=chosen.node, invocation=tried.placement.invocation)


def _seeks_room(found: Found, qualifies: bool, need: Need) -> Iterator[Witness]:
    """Room is sought exactly where the pass applies, for exactly what the alternative needs."""
    node, invocation = found.finding.node, found.placement.invocation
    reclamation = found.finding.reclamation
    if (reclamation is not None) is not qualifies:
        yield Witness("room is sought exactly where no layer rules the pass out", node=node, invocation=invocation)
    elif reclamation is not None and reclamation.need != need:
        numbers = (("RAM", need.ram_bytes), ("disk", need.disk_bytes), ("positions", need.positions))
        yield Witness("room is sought for another need", node=node, invocation=invocation, numbers=numbers)
    if not qualifies and found.finding.plan is not None:
        yield Witness("an alternative where the pass is ruled out", node=node, invocation=invocation)


# PLACE-1


def _reuses(context: Context) -> Iterator[tuple[Batch, Invocation, Container]]:
    for batch in context.batches:
        for invocation, container in batch.reuses:
            yield batch, invocation, container


def _reuses_a_compatible_container(_: Context, subject: tuple[Batch, Invocation, Container]) -> Iterator[Witness]:
    batch, invocation, container = subject
    where = partial(Witness, node=batch.node.name, invocation=invocation.id, container=container.id)
    if container.status is not ContainerStatus.READY:
        yield where("the container is still starting")
    if container.function != invocation.function:
        yield where("the container is of another function")


def _reuse_candidates(node: WorkingNode, function: Function) -> Iterator[ReuseCandidate]:
    for member in node.containers:
        container = member.container
        ready = container.status is ContainerStatus.READY
        if ready and container.function == function and member.invocations_available > 0:
            yield ReuseCandidate(node.observed.name, container, member.invocations_available)


def _offers_every_reusable_container(context: Context, tried: Tried) -> Iterator[Witness]:
    placement, chosen = tried.placement, tried.tried.chosen
    eligible = (placement.before.nodes[context.position_of[name]] for name in placement.eligible)
    due = tuple(candidate for node in eligible for candidate in _reuse_candidates(node, tried.function))
    if tried.tried.candidates != due or tried.tried.findings:
        yield Witness(
            "the candidates are not the compatible ready containers with room on eligible nodes",
            invocation=placement.invocation,
        )
    if chosen is None:
        return
    plans = (Plan(PlacementPass.REUSE, placement.invocation, item.node, container=item.container.id) for item in due)
    if chosen not in tuple(plans):
        message = "the container reused is none of the candidates"
        yield Witness(message, node=chosen.node, invocation=placement.invocation, container=chosen.container)


PLACE_1 = Clause(
    id="PLACE-1",
    title="Reuse: a ready container of the same function with room",
    doc="""The first pass offers the reusable-container policy every ready container of the invocation's function that can
    take one more, on eligible nodes in traversal order, then by id. The container need not be idle; it must not be
    starting. A warm container answers at once, so the pass stands before all others. Example: a container with room for two
    that holds one takes a second invocation of its function, and none of another function with the same image.""",
    seed=SEED,
    ambiguities=("AMB-1", "AMB-10"),
    checks=(
        safety(_reuses, _reuses_a_compatible_container),
        with_trace(lambda context: passes_of(context, PlacementPass.REUSE), _offers_every_reusable_container),
    ),
)


# PLACE-2


def _cold_dispatches(context: Context) -> Iterator[tuple[Batch, Invocation]]:
    for batch in context.batches:
        for invocation in batch.cold:
            yield batch, invocation


def _starts_where_all_layers_are(_: Context, subject: tuple[Batch, Invocation]) -> Iterator[Witness]:
    batch, invocation = subject
    for layer in required(invocation.function):
        if layer.name not in in_ram(batch.node) or layer.name in batch.leaves_ram:
            yield Witness("the layer is not in RAM", node=batch.node.name, invocation=invocation.id, layer=layer.name)
        if layer.name not in on_disk(batch.node) or layer.name in batch.leaves_disk:
            yield Witness("the layer is not on disk", node=batch.node.name, invocation=invocation.id, layer=layer.name)


def _seeks_cold_starts(context: Context, tried: Tried) -> Iterator[Witness]:
    yield from _looks_at_every_eligible_node(tried)
    yield from _chooses_an_alternative(tried)
    need = Need(tried.function.ram_bytes, tried.function.disk_bytes, positions=1)
    for found in tried.found:
        absent = frozenset(_absent(tried.function, found.node.resident_in_ram))
        absent |= frozenset(_absent(tried.function, found.node.resident_on_disk))
        blocking = tuple(layer.name for layer in required(tried.function) if layer.name in absent)
        yield from _finding_is(found, blocking, ())
        yield from _seeks_room(found, not blocking, need)
        yield from _plan_is(found, ())


PLACE_2 = Clause(
    id="PLACE-2",
    title="Cold dispatch: where every layer is resident and room can be made",
    doc="""The second pass has one alternative for each eligible node where all required layers are on disk and in RAM, not
    merely on their way, and where room can be made for private RAM, private disk and one container position. A container
    started without one of its layers cannot run. Example: two of three layers are in RAM and the third is being loaded: no
    cold dispatch there.""",
    seed=SEED,
    checks=(
        safety(_cold_dispatches, _starts_where_all_layers_are),
        with_trace(lambda context: passes_of(context, PlacementPass.COLD_DISPATCH), _seeks_cold_starts),
    ),
)


# PLACE-3 and PLACE-5


def _missing_and_not_coming(found: Found, in_ram_or_on_disk: bool) -> tuple[tuple[LayerName, ...], tuple[LayerName, ...]]:
    """Return the required layers missing, and those of them that are not in progress (in RAM if true, else on disk)."""
    node = found.node
    resident, coming = (node.resident_in_ram, node.loading) if in_ram_or_on_disk else (node.resident_on_disk, node.copying)
    return _absent(found.function, resident), _absent(found.function, resident, coming)


def _waits_at_the_first(context: Context, tried: Tried) -> Iterator[Witness]:
    """Nodes are looked at in traversal order up to the first that qualifies, and that one is waited for (PLACE-3, PLACE-5)."""
    in_ram_or_on_disk = tried.tried.placement_pass is PlacementPass.WAIT_FOR_RAM
    invocation, eligible = tried.placement.invocation, tried.placement.eligible
    found = tried.found
    if tuple(item.finding.node for item in found) != eligible[: len(found)]:
        yield Witness("the pass does not look at eligible nodes in traversal order", invocation=invocation)
    waiting: Plan | None = None
    for item in found:
        if waiting is not None:
            yield Witness("the pass looks beyond the first node that qualifies", node=item.finding.node, invocation=invocation)
        missing, blocking = _missing_and_not_coming(item, in_ram_or_on_disk)
        yield from _finding_is(item, blocking, missing)
        due = Plan(tried.tried.placement_pass, invocation, item.finding.node, layers=missing)
        qualifies = len(missing) > 0 and len(blocking) == 0
        if item.finding.plan != (due if qualifies else None) or item.finding.reclamation is not None:
            yield Witness(
                "waiting is planned exactly where all that is missing is on its way",
                node=item.finding.node,
                invocation=invocation,
            )
        waiting = due if qualifies and waiting is None else waiting
    if waiting is None and len(found) < len(eligible):
        yield Witness("an eligible node was not looked at", node=eligible[len(found)], invocation=invocation)
    if tried.tried.chosen != waiting:
        yield Witness("the pass does not select the first node that qualifies", invocation=invocation)


PLACE_3 = Clause(
    id="PLACE-3",
    title="Wait for RAM: the first node where every missing RAM layer is being loaded",
    doc="""If no container can serve the invocation now, the third pass waits at the first eligible node, in traversal
    order, where some required layer is not in RAM and each such layer is on its way there. Loading a second copy elsewhere
    would waste RAM. No policy is asked. Example: N2 is loading the only missing layer; N1 could start to load it: the
    invocation waits for N2.""",
    seed=SEED,
    checks=(with_trace(lambda context: passes_of(context, PlacementPass.WAIT_FOR_RAM), _waits_at_the_first),),
)


# PLACE-4


def _loads(context: Context) -> Iterator[Group]:
    return (group for group in groups(context) if group.placement_pass is PlacementPass.RAM_LOAD)


def _loads_what_is_needed(context: Context, group: Group) -> Iterator[Witness]:
    batch, node = group.batch, group.batch.node
    needed = used_layers(supporters(context, group))
    for layer in batch.loads:
        where = partial(Witness, node=node.name, layer=layer.name)
        if layer.name not in on_disk(node) or layer.name in batch.leaves_disk:
            yield where("the layer to load is not on disk")
        if layer.name in in_ram(node) and layer.name not in batch.leaves_ram:
            yield where("the layer to load is in RAM")
        if layer.name in names(node.loading):
            yield where("the layer is being loaded already")
        if layer.name not in needed:
            yield where("no invocation left over has all its layers on disk and all its missing ones loaded by this batch")


def _seeks_loads(context: Context, tried: Tried) -> Iterator[Witness]:
    yield from _looks_at_every_eligible_node(tried)
    yield from _chooses_an_alternative(tried)
    for found in tried.found:
        blocking = _absent(tried.function, found.node.resident_on_disk)
        layers = _absent(tried.function, found.node.resident_in_ram, found.node.loading)
        yield from _finding_is(found, blocking, layers)
        ram_bytes = sum(layer.ram_bytes for layer in required(tried.function) if layer.name in layers)
        yield from _seeks_room(found, not blocking and len(layers) > 0, Need(ram_bytes=ram_bytes))
        yield from _plan_is(found, layers)


PLACE_4 = Clause(
    id="PLACE-4",
    title="RAM load: exactly the missing layers, where all are on disk",
    doc="""The fourth pass has one alternative for each eligible node where every required layer is on disk and some of them
    is neither in RAM nor being loaded: load exactly those, if room can be made for the sum of their RAM footprints. A layer
    that nobody needs there takes room for nothing. Example: of base, python and app, base is in RAM and python is being
    loaded; app alone is loaded.""",
    seed=SEED,
    checks=(
        safety(_loads, _loads_what_is_needed),
        with_trace(lambda context: passes_of(context, PlacementPass.RAM_LOAD), _seeks_loads),
    ),
)

PLACE_5 = Clause(
    id="PLACE-5",
    title="Wait for disk: the first node where every missing disk layer is being copied",
    doc="""The fifth pass waits at the first eligible node, in traversal order, where some required layer is not on disk and
    each such layer is being copied. A copy crosses the network; a second one elsewhere helps nobody sooner. Example: N1 has
    nothing, N2 is copying the whole image: the invocation waits for N2, and N1 copies nothing.""",
    seed=SEED,
    checks=(with_trace(lambda context: passes_of(context, PlacementPass.WAIT_FOR_DISK), _waits_at_the_first),),
)


# PLACE-6


def _copies(context: Context) -> Iterator[Group]:
    return (group for group in groups(context) if group.placement_pass is PlacementPass.DISK_COPY)


def _copies_what_is_needed(context: Context, group: Group) -> Iterator[Witness]:
    batch, node = group.batch, group.batch.node
    needed = used_layers(supporters(context, group))
    for layer in batch.copies:
        where = partial(Witness, node=node.name, layer=layer.name)
        if layer.name in on_disk(node) and layer.name not in batch.leaves_disk:
            yield where("the layer to copy is on disk")
        if layer.name in names(node.copying):
            yield where("the layer is being copied already")
        if layer.name not in needed:
            yield where("no invocation left over has all its missing layers copied by this batch")


def _seeks_copies(context: Context, tried: Tried) -> Iterator[Witness]:
    yield from _looks_at_every_eligible_node(tried)
    yield from _chooses_an_alternative(tried)
    for found in tried.found:
        layers = _absent(tried.function, found.node.resident_on_disk, found.node.copying)
        yield from _finding_is(found, (), layers)
        disk_bytes = sum(layer.disk_bytes for layer in required(tried.function) if layer.name in layers)
        yield from _seeks_room(found, len(layers) > 0, Need(disk_bytes=disk_bytes))
        yield from _plan_is(found, layers)


PLACE_6 = Clause(
    id="PLACE-6",
    title="Disk copy: exactly the missing layers",
    doc="""The last pass has one alternative for each eligible node where some required layer is neither on disk nor being
    copied: copy exactly those, if room can be made for the sum of their disk footprints. Example: two images share a base
    that is on disk; only the upper layer of the second one is copied.""",
    seed=SEED,
    checks=(
        safety(_copies, _copies_what_is_needed),
        with_trace(lambda context: passes_of(context, PlacementPass.DISK_COPY), _seeks_copies),
    ),
)


CLAUSES = (PLACE_1, PLACE_2, PLACE_3, PLACE_4, PLACE_5, PLACE_6, PLACE_7, PLACE_8)
