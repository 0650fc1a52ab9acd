"""Wrong optimized models, one fault each: what goes wrong with indexes, caches and shortcuts."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, cast

from gaugeblock.miniatures.fault import Fault, UnknownMiniature
from gaugeblock.miniatures.loader import load
from gaugeblock.model import Decisions, ObservedState, PolicyNames
from gaugeblock.optimized.model import OptimizedService

CLUSTER = "gaugeblock.optimized.cluster"
LEDGER = "gaugeblock.optimized.ledger"
MODEL = "gaugeblock.optimized.model"
NODES = "gaugeblock.optimized.nodes"
PLANNING = "gaugeblock.optimized.planning"
PREWARMING = "gaugeblock.optimized.prewarming"
RANKING = "gaugeblock.optimized.ranking"
RECLAIMING = "gaugeblock.optimized.reclaiming"
ROUNDS = "gaugeblock.optimized.rounds"
SCALING = "gaugeblock.optimized.scaling"
SEARCHING = "gaugeblock.optimized.searching"
ROOTS = ("gaugeblock.optimized",)
"""What a faulty optimized model has a private copy of."""

_wrong = partial(Fault, roots=ROOTS)

INDEX_FAULTS = (
    _wrong(
        name="evicted-layer-stays-indexed",
        story="A layer that is evicted from RAM stays in the index of the nodes that have it there.",
        clauses=("ACCT-4", "PLACE-2"),
        module=CLUSTER,
        original="        self.in_ram[layer] &= ~node.bit\n",
        faulty="",
    ),
    _wrong(
        name="failed-copy-stays-indexed",
        story="A copy that fails leaves its node in the index of those where the layer is on its way, which are waited for.",
        clauses=("SERV-0", "PLACE-5"),
        known_as=("B09",),
        module=CLUSTER,
        original=(
            "            node.disk_free += self.numbering.disk_bytes[layer]\n"
            "            self.disk_or_copying[layer] &= ~node.bit\n"
        ),
        faulty="            node.disk_free += self.numbering.disk_bytes[layer]\n",
    ),
    _wrong(
        name="reuse-index-misses-starts-and-finishes",
        story="A container that becomes ready, is taken or is given back does not reach the index of those to reuse.",
        clauses=("PLACE-1",),
        known_as=("B18",),
        module=CLUSTER,
        original="        node.survey_containers()\n        self._index_function(node, slot.function)\n\n    def drop",
        faulty="        node.survey_containers()\n\n    def drop",
    ),
    _wrong(
        name="spare-containers-miscounted",
        story="The count of what a warm pool holds does not follow containers that are taken and given back.",
        clauses=("POL-warm-pool",),
        module=CLUSTER,
        original="        self.spare[slot.function.number] += slot.is_spare - node.containers[slot.id].is_spare\n",
        faulty="",
    ),
    _wrong(
        name="full-node-stays-open",
        story="A node whose last invocation capacity is taken in a round stays among the open ones.",
        clauses=("PLACE-1", "ACCT-1"),
        module=CLUSTER,
        original="if node.invocations_free <= 0:",
        faulty="if node.invocations_free < 0:",
    ),
    _wrong(
        name="classes-outlive-a-deactivation",
        story="The classes of nodes for an image are kept when a node becomes full or is let go, and when one joins.",
        clauses=("PLACE-2", "ROUND-3"),
        known_as=("B19",),
        module=CLUSTER,
        original="        self.openings += 1\n",
        faulty="",
    ),
    _wrong(
        name="tenth-node-behind-the-second",
        story="Nodes are ranked by number, so that node-2 wins a tie with node-10.",
        clauses=("POL-eviction-averse",),
        known_as=("B24",),
        module=CLUSTER,
        original="sorted(node.name for node in nodes)",
        faulty="sorted((node.name for node in nodes), key=lambda name: (len(name), name))",
    ),
    _wrong(
        name="node-as-it-was-last-shown",
        story="A node that has been shown once is shown the same for ever.",
        clauses=("ROUND-1", "SERV-0"),
        module=MODEL,
        original="if kept is None or kept[0] != node.stamp:",
        faulty="if kept is None:",
    ),
)
"""Faults of the indexes over all nodes."""

UNDO_FAULTS = (
    _wrong(
        name="undo-forgets-loads",
        story="Taking a round back leaves the loads that it planned in progress.",
        clauses=("ROUND-1", "SERV-5"),
        module=NODES,
        original="        self.loading = memento.loading\n",
        faulty="",
    ),
    _wrong(
        name="undo-keeps-protections",
        story="What a wait protected in one round is still protected in the next.",
        clauses=("ACCT-7", "RECL-5"),
        module=PLANNING,
        original="            node.protected = 0\n            node.stamp += 1\n",
        faulty="            node.stamp += 1\n",
    ),
    _wrong(
        name="plan-protects-nothing",
        story="A chosen plan protects no layers: the next invocation evicts what the last one needs.",
        clauses=("ACCT-7",),
        known_as=("B14",),
        module=PLANNING,
        original="        self.protect(node, function.image.mask)\n",
        faulty="",
    ),
    _wrong(
        name="wait-protects-nothing",
        story="An invocation that waits leaves the layers there to be evicted.",
        clauses=("ACCT-6", "ACCT-7"),
        module=ROUNDS,
        original="                    planning.protect_later(choice.node, waiting.function.image.mask)\n",
        faulty="                    pass\n",
    ),
    _wrong(
        name="protections-not-logged",
        story="Nobody is told what was protected, so rankings go on as if nothing had been.",
        clauses=("ACCT-7", "RECL-7"),
        module=PLANNING,
        original="node.protected |= layers\n            node.stamp += 1\n            self.cluster.guards.note(node.bit)\n",
        faulty="node.protected |= layers\n            node.stamp += 1\n",
    ),
)
"""Faults of what a round does to the cluster, and of taking it back."""

SEARCH_FAULTS = (
    _wrong(
        name="bound-taken-for-exact",
        story="The node with the least bound is taken, although its plan may cost more than the next one's.",
        clauses=("POL-eviction-averse",),
        module=RANKING,
        original="            heapreplace(self.heap, self._exact(entry, node))\n            entry = self._top()\n",
        faulty="            return node, self.victims(node)\n",
    ),
    _wrong(
        name="dead-for-ever",
        story="A node that could not make room is never looked at again, whatever becomes free there.",
        clauses=("RECL-7",),
        module=RANKING,
        original="            self.dead &= unchanged\n",
        faulty="",
    ),
    _wrong(
        name="changed-node-keeps-its-rank",
        story="A node that was looked at once counts as known after it has changed, so it is missing among the alternatives.",
        clauses=("PLACE-2", "PLACE-7"),
        module=RANKING,
        original="            self.known &= unchanged\n",
        faulty="",
    ),
    _wrong(
        name="room-without-protections",
        story="Whether room can be made is judged as if nothing were protected.",
        clauses=("RECL-5", "RECL-7"),
        known_as=("B14",),
        module=RANKING,
        original="elif not node.protected or self._can_yield_now(node, ram, disk):",
        faulty="else:",
    ),
    _wrong(
        name="wait-on-first-name",
        story="Of the nodes to wait for, the first by name is taken, not the first in traversal order.",
        clauses=("PLACE-3", "PLACE-5"),
        known_as=("B24",),
        module=SEARCHING,
        original="        return min([by_rank[rank] for rank in members(nodes)], key=_TURN)\n",
        faulty="        return by_rank[lowest(nodes)]\n",
    ),
    _wrong(
        name="reuse-on-node-of-that-rank",
        story="The index of containers to reuse is by turn, and is read by rank.",
        clauses=("PLACE-1", "POL-first-fit"),
        module=SEARCHING,
        original="node = cluster.nodes[lowest(nodes)]",
        faulty="node = cluster.by_rank[lowest(nodes)]",
    ),
    _wrong(
        name="wait-outlives-a-chance",
        story="A function that waited goes on waiting, although a changed node could start it cold.",
        clauses=("PLACE-7", "ROUND-9"),
        module=SEARCHING,
        original="        if changed & image.ready:\n            return False\n",
        faulty="",
    ),
    _wrong(
        name="soft-outcome-kept",
        story="An outcome that rested on protections of one round is taken over into the next.",
        clauses=("ACCT-7", "ROUND-9"),
        module=ROUNDS,
        original="                firm = firm and ranking.is_dead(candidates)\n",
        faulty="",
    ),
    _wrong(
        name="passed-over-to-the-end",
        story="A function for which nothing could be done is passed over to the end of the round, whatever plans free.",
        clauses=("ROUND-5",),
        module=ROUNDS,
        original="                batch.add(waiting.invocation.id, choice)\n                self._epoch += 1\n",
        faulty="                batch.add(waiting.invocation.id, choice)\n",
    ),
)
"""Faults of searches and of what they remember."""

POLICY_FAULTS = (
    _wrong(
        name="fewest-counts-positions-as-bytes",
        story="While a position is missing, no container is found to cover the rest, and the largest is ended.",
        clauses=("POL-fewest",),
        known_as=("AMB-5",),
        module=RECLAIMING,
        original="if positions <= 1:",
        faulty="if positions <= 0:",
    ),
    _wrong(
        name="companion-evicted-twice",
        story="A victim on disk that has left RAM already leaves it once more.",
        clauses=("RECL-6",),
        module=RECLAIMING,
        original=" and layer not in from_ram]",
        faulty="]",
    ),
    _wrong(
        name="oldest-by-disk-dates",
        story="The least recently used layer in RAM is found by the dates of the disk.",
        clauses=("POL-lru",),
        module=RECLAIMING,
        original="key = node.ram_dates.__getitem__ if self._by_age",
        faulty="key = node.disk_dates.__getitem__ if self._by_age",
    ),
    _wrong(
        name="room-computed-once",
        story="What the layers of a node could yield is computed once and kept, whatever comes and goes.",
        clauses=("RECL-5",),
        module=NODES,
        original="if self._ram_room.stamp != self.stamp:",
        faulty="if self._ram_room.stamp < 0:",
    ),
    _wrong(
        name="idle-date-kept",
        story="Since when a node is unused is looked up once, and it is let go however lately it was used.",
        clauses=("POL-deactivate-idle",),
        module=SCALING,
        original="if kept[node.turn][0] != node.stamp:",
        faulty="if kept[node.turn][0] < 0:",
    ),
    _wrong(
        name="barren-for-ever",
        story="A function for whose warm pool there was no room once is not prewarmed any more.",
        clauses=("POL-warm-pool",),
        module=PREWARMING,
        original="            hosts &= cluster.changes.since(self.barren[function.number])\n",
        faulty="            hosts = 0\n",
    ),
    _wrong(
        name="returned-invocation-goes-last",
        story="An invocation that is pending again stands behind all others, not where its first date puts it.",
        clauses=("SERV-0", "POL-fcfs"),
        known_as=("B05",),
        module=LEDGER,
        original="self.queue.insert(bisect_left(self.queue, first_come(waiting), key=first_come), waiting)",
        faulty="self.queue.append(waiting)",
    ),
)
"""Faults of the built-in policies, restated, and of the books."""

FAULTS: tuple[Fault, ...] = INDEX_FAULTS + UNDO_FAULTS + SEARCH_FAULTS + POLICY_FAULTS
"""Every wrong optimized model."""


class WrongModel(NamedTuple):
    """One wrong optimized model: its service, and its decision of a single round."""

    service: type[OptimizedService]
    decide: Callable[[ObservedState, PolicyNames], Decisions]


def model(name: str) -> WrongModel:
    """Return the wrong optimized model of that name.

    Raises:
        UnknownMiniature: when there is none.
        StaleFault: when its fault does not fit the installed sources.
    """
    for each in FAULTS:
        if each.name == name:
            service = cast("type[OptimizedService]", load(each, MODEL).OptimizedService)
            return WrongModel(service, cast("Callable[[ObservedState, PolicyNames], Decisions]", load(each, ROUNDS).decide))
    raise UnknownMiniature(name, tuple(each.name for each in FAULTS))
