"""Recomputing every index from first principles, for tests and for whoever doubts (``check_indexes``)."""

from collections.abc import Iterator

from gaugeblock.model import GaugeblockError
from gaugeblock.optimized.bitsets import members
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.ledger import Ledger
from gaugeblock.optimized.nodes import NodeRecord
from gaugeblock.optimized.rounds import first_come
from gaugeblock.optimized.views import node_value

Finding = tuple[str, object, object]
"""What is indexed, what the index says, what is so."""


class StaleIndex(GaugeblockError):
    """An index is not what a fresh computation gives."""

    def __init__(self, where: str, found: object, expected: object) -> None:
        super().__init__(f"{where}: found {found!r}; expected {expected!r}")
        self.where = where
        self.found = found
        self.expected = expected


def require(findings: Iterator[Finding]) -> None:
    """Raise ``StaleIndex`` for the first finding that is not as it should be."""
    for where, found, expected in findings:
        if found != expected:
            raise StaleIndex(where, found, expected)


def check_cluster(cluster: Cluster) -> None:
    """Check a cluster between rounds.

    Raises:
        StaleIndex: when an index, a running total or a set is out of date.
    """
    for node in cluster.nodes:
        require(_node(node))
    require(_layers(cluster))
    require(_containers(cluster))
    require(_openness(cluster))


def check_ledger(ledger: Ledger, cluster: Cluster) -> None:
    """Check a service's books against its nodes.

    Raises:
        StaleIndex: when they disagree.
    """
    require(_ledger(ledger, cluster))


def _node(node: NodeRecord) -> Iterator[Finding]:
    value, where = node_value(node), f"node {node.name}"
    yield f"{where}: RAM available", node.ram_free, value.ram_available
    yield f"{where}: disk available", node.disk_free, value.disk_available
    yield f"{where}: invocations available", node.invocations_free, value.invocations_available
    yield f"{where}: positions available", node.positions_free, value.positions_available
    yield f"{where}: layers with a RAM date", set(node.ram_dates), set(members(node.in_ram))
    yield f"{where}: layers with a disk date", set(node.disk_dates), set(members(node.on_disk))
    yield f"{where}: in RAM beyond disk", (node.in_ram | node.loading) & ~node.on_disk, 0
    yield f"{where}: in progress and there", (node.in_ram & node.loading) | (node.on_disk & node.copying), 0
    yield f"{where}: containers by id", list(node.containers), sorted(node.containers)
    yield f"{where}: idle", [slot.id for slot in node.idle], [each.id for each in value.containers if each.is_idle]
    idle = [container.function for container in value.containers if container.is_idle]
    busy = [container.function for container in value.containers if not container.is_idle]
    yield f"{where}: RAM of idle containers", node.idle_ram, sum(function.ram_bytes for function in idle)
    yield f"{where}: disk of idle containers", node.idle_disk, sum(function.disk_bytes for function in idle)
    kept = {node.numbering.layer_number[layer.name] for function in busy for layer in function.image.layers}
    yield f"{where}: layers that others keep", set(members(node.kept)), kept
    yield f"{where}: left over from a round", (node.planned, node.protected, node.leaving), ((), 0, False)
    for slot in node.containers.values():
        yield f"{where}: room in {slot.id}", (slot.room, slot.reused), (slot.function.limit - slot.in_flight, False)


def _layers(cluster: Cluster) -> Iterator[Finding]:
    for layer, name in enumerate(cluster.numbering.layer_names):
        in_ram = [node.rank for node in cluster.by_rank if layer in node.ram_dates]
        on_disk = [node.rank for node in cluster.by_rank if layer in node.disk_dates]
        loading = [node.rank for node in cluster.by_rank if node.loading >> layer & 1]
        copying = [node.rank for node in cluster.by_rank if node.copying >> layer & 1]
        yield f"{name}: in RAM", members(cluster.in_ram[layer]), in_ram
        yield f"{name}: on disk", members(cluster.on_disk[layer]), on_disk
        yield f"{name}: in RAM or loading", members(cluster.ram_or_loading[layer]), sorted(in_ram + loading)
        yield f"{name}: on disk or copying", members(cluster.disk_or_copying[layer]), sorted(on_disk + copying)


def _containers(cluster: Cluster) -> Iterator[Finding]:
    for function in cluster.numbering.functions:
        slots = [(node, slot) for node in cluster.nodes for slot in node.containers.values() if slot.function is function]
        spare = [slot.id for _, slot in slots if slot.in_flight == 0]
        turns = {node.turn for node, slot in slots if slot.ready and slot.in_flight < function.limit}
        yield f"{function.name}: spare", cluster.spare[function.number], len(spare)
        yield f"{function.name}: reusable", set(members(cluster.reusable[function.number])), turns


def _openness(cluster: Cluster) -> Iterator[Finding]:
    active = [node for node in cluster.nodes if node.status.value == "activated"]
    takers = [node for node in active if node_value(node).invocations_available > 0]
    yield "active", set(members(cluster.active)), {node.rank for node in active}
    yield "open", set(members(cluster.open)), {node.rank for node in takers}
    yield "open by turn", set(members(cluster.open_by_turn)), {node.turn for node in takers}
    yield "ranks", [node.name for node in cluster.by_rank], sorted(node.name for node in cluster.nodes)


def _ledger(ledger: Ledger, cluster: Cluster) -> Iterator[Finding]:
    slots = {slot.id: (node.name, slot) for node in cluster.nodes for slot in node.containers.values()}
    yield "queue", ledger.queue, sorted(ledger.pending.values(), key=first_come)
    yield "joining", [each.joined for each in ledger.pending.values()], sorted(each.joined for each in ledger.queue)
    yield "hosts", {key: node.name for key, node in ledger.hosts.items()}, {key: name for key, (name, _) in slots.items()}
    yield "alarms", set(ledger.alarms), {key for key, (_, slot) in slots.items() if slot.is_idle}
    starting = {each.container: key for key, each in ledger.running.items() if not slots[each.container][1].ready}
    yield "starting", ledger.starting, starting
    for key, (_, slot) in slots.items():
        held = [running for running in ledger.running.values() if running.container == key]
        yield f"container {key}: held", slot.in_flight, len(held)
