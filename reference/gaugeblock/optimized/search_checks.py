"""Recomputing what the searches remember between rounds: classes, rankings and settled outcomes, node by node."""

from collections.abc import Iterator

from gaugeblock.model import PlacementPass
from gaugeblock.optimized.bitsets import members
from gaugeblock.optimized.checks import Finding, require
from gaugeblock.optimized.nodes import NodeRecord
from gaugeblock.optimized.numbering import NumberedImage
from gaugeblock.optimized.ranking import Ranking
from gaugeblock.optimized.rounds import RoundScheduler
from gaugeblock.optimized.searching import FunctionSearch, ImageSearch


def check_searches(scheduler: RoundScheduler) -> None:
    """Check all that a scheduler remembers, between rounds.

    Raises:
        StaleIndex: when a class, a ranking or a settled outcome is not what a fresh look gives.
    """
    for images in scheduler.images:
        images.classify()
        require(_classes(images))
        require(_ranking(f"loads of image {images.image.number}", images.loads))
        require(_ranking(f"copies of image {images.image.number}", images.copies))
    for search in scheduler.functions:
        require(_ranking(f"cold dispatches of {search.function.name}", search.colds))
        if search.is_settled():
            require(_settled(search))
    require(_pool(scheduler))


def _class_of(node: NodeRecord, image: NumberedImage) -> PlacementPass | None:
    """Return the pass that a node is in for an image (PLACE-2 to PLACE-6), layer by layer."""
    if not node.is_open:
        return None
    unstored = [layer for layer in image.layers if layer not in node.disk_dates]
    if unstored:
        arriving = all(node.copying >> layer & 1 for layer in unstored)
        return PlacementPass.WAIT_FOR_DISK if arriving else PlacementPass.DISK_COPY
    unloaded = [layer for layer in image.layers if layer not in node.ram_dates]
    if unloaded:
        coming = all(node.loading >> layer & 1 for layer in unloaded)
        return PlacementPass.WAIT_FOR_RAM if coming else PlacementPass.RAM_LOAD
    return PlacementPass.COLD_DISPATCH


def _classes(search: ImageSearch) -> Iterator[Finding]:
    found = {
        PlacementPass.COLD_DISPATCH: search.ready,
        PlacementPass.WAIT_FOR_RAM: search.awaiting_ram,
        PlacementPass.RAM_LOAD: search.loadable,
        PlacementPass.WAIT_FOR_DISK: search.awaiting_disk,
        PlacementPass.DISK_COPY: search.copyable,
    }
    for placement_pass, nodes in found.items():
        expected = [node.rank for node in search.cluster.by_rank if _class_of(node, search.image) is placement_pass]
        yield f"image {search.image.number}: {placement_pass.name}", members(nodes), expected


def _most(node: NodeRecord, image: NumberedImage) -> tuple[int, int, int]:
    """Return all that a node could ever offer: what is free, all idle containers, all layers that nobody else needs."""
    numbering = node.numbering
    idle = [slot.function for slot in node.containers.values() if slot.is_idle]
    busy = [slot.function.image.layers for slot in node.containers.values() if not slot.is_idle]
    spared = {layer for layers in (*busy, image.layers) for layer in layers}
    from_ram = [layer for layer in node.ram_dates if layer not in spared]
    from_disk = [layer for layer in node.disk_dates if layer not in spared and not node.loading >> layer & 1]
    return (
        node.ram_free + sum(each.ram_bytes for each in idle) + sum(numbering.ram_bytes[layer] for layer in from_ram),
        node.disk_free + sum(each.disk_bytes for each in idle) + sum(numbering.disk_bytes[layer] for layer in from_disk),
        node.positions_free + len(idle),
    )


def _is_hopeless(ranking: Ranking, node: NodeRecord) -> bool:
    demand, most = ranking.demand_on(node), _most(node, ranking.image)
    return most[0] < demand.ram_bytes or most[1] < demand.disk_bytes or most[2] < demand.positions


def _ranking(where: str, ranking: Ranking) -> Iterator[Finding]:
    """Compare findings that are still good with fresh ones: as nothing is protected, all known nodes are dead or fit."""
    ranking.forget()
    yield f"{where}: known", ranking.known, ranking.dead | ranking.fit
    yield f"{where}: dead and fit", ranking.dead & ranking.fit, 0
    for rank in members(ranking.known):
        node = ranking.cluster.by_rank[rank]
        yield f"{where}: dead on {node.name}", bool(ranking.dead & node.bit), _is_hopeless(ranking, node)
        entries = [entry for entry in ranking.heap if entry[5] == rank and entry[6] == node.stamp]
        yield f"{where}: entries for {node.name}", len(entries), int(bool(ranking.fit & node.bit))
        for entry in entries:
            victims = ranking.victims(node)
            demand = ranking.demand_on(node)
            counts = (len(victims.disk_evictions), len(victims.ram_evictions), len(victims.terminations))
            exact = (*counts, demand.copies, demand.loads)
            yield f"{where}: bound on {node.name}", entry[:5] <= exact, True
            if entry[7] is not None:
                yield f"{where}: rank of {node.name}", (entry[:5], entry[7]), (exact, victims)


def _settled(search: FunctionSearch) -> Iterator[Finding]:
    """Compare a settled outcome with what the passes say when only hopeless alternatives are left out."""
    where = f"outcome of {search.function.name}"
    function, found = search.function, search.settled
    yield f"{where}: reusable", search.cluster.reusable[function.number] & search.cluster.open_by_turn, 0
    expected = _outcome(search)
    yield where, None if found is None else (found.placement_pass, found.node.name), expected


def _outcome(search: FunctionSearch) -> tuple[PlacementPass, str] | None:
    image = search.function.image
    rankings = {
        PlacementPass.COLD_DISPATCH: search.colds,
        PlacementPass.RAM_LOAD: search.image.loads,
        PlacementPass.DISK_COPY: search.image.copies,
    }
    by_pass: dict[PlacementPass, list[NodeRecord]] = {placement_pass: [] for placement_pass in PlacementPass}
    for node in search.cluster.nodes:
        placement_pass = _class_of(node, image)
        if placement_pass is not None and not (placement_pass in rankings and _is_hopeless(rankings[placement_pass], node)):
            by_pass[placement_pass].append(node)
    return next(((placement_pass, nodes[0].name) for placement_pass, nodes in by_pass.items() if nodes), None)


def _pool(scheduler: RoundScheduler) -> Iterator[Finding]:
    """Check that no unchanged node has room for a function for which there was none."""
    cluster = scheduler.cluster
    for number, cursor in scheduler.pool.barren.items():
        function = cluster.numbering.functions[number]
        for rank in members(cluster.active & ~cluster.changes.since(cursor)):
            node = cluster.by_rank[rank]
            fits = node.positions_free > 0 and node.ram_free >= function.ram_bytes and node.disk_free >= function.disk_bytes
            ready = all(layer in node.ram_dates for layer in function.image.layers)
            yield f"pool of {function.name}: room on {node.name}", fits and ready, False
