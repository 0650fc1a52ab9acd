"""Theorems about whole rounds, the service and the optimized model: each refutes what is wrong, by a case that misbehaves."""

from __future__ import annotations

from zlib import crc32

import pytest

from gaugeblock.miniatures.catalogue import fault as miniature
from gaugeblock.miniatures.fault import ROUND_ROOTS, Fault
from gaugeblock.miniatures.loader import is_copied, load
from gaugeblock_proofs.engine import Verdict
from gaugeblock_proofs.examples import (
    NAMED,
    two_invocations_in_full,
    two_nodes_in_full,
    two_nodes_with_others,
)
from gaugeblock_proofs.proving import prove_part
from gaugeblock_proofs.registry import by_id, part_of
from gaugeblock_proofs.shapes import node_shapes, one_invocation_on_two_nodes, renamed
from gaugeblock_proofs.shipped import Shipped, as_shipped

RECLAIMING = "gaugeblock.optimized.reclaiming"
OPTIMIZED = ("gaugeblock.optimized",)
SERVICE = ("gaugeblock.service",)


def edit(module: str, original: str, faulty: str, roots: tuple[str, ...]) -> Fault:
    """Return a fault that only this test knows."""
    name = f"whole-rounds-{module.rpartition('.')[2]}-{crc32((original + faulty).encode())}"
    return Fault(name, "One edit.", (), module, original, faulty, roots=roots)


FAULTS = {
    "cold before reuse": ("PLACE-7.first-possible-pass", "reuse of a container, idle or not", miniature("cold-before-reuse")),
    "load before wait": ("PLACE-7.first-possible-pass", "a wait for RAM before a load", miniature("loads-before-waiting")),
    "reuse of idle ones only": (
        "PLACE-7.first-possible-pass",
        "reuse of a container, idle or not",
        miniature("reuses-idle-only"),
    ),
    "one blocks the rest": ("ROUND-1.clauses", "a layer that a cold start protects", miniature("head-of-line-blocking")),
    "work on activating nodes": ("ROUND-1.clauses", "no activated node", miniature("works-on-activating-nodes")),
    "copy again": ("ROUND-1.clauses", "a copy beside one in progress", miniature("copies-again")),
    "copy again, any policies": (
        "ROUND-2.clauses-for-any-policies",
        "planned for: copies to either node",
        edit("gaugeblock.round.schedule", "copies=_transfers(plans, PlacementPass.DISK_COPY)", "copies=()", ROUND_ROOTS),
    ),
    "lru gives up": (
        "PLACE-8.first-possible-pass-under-lru",
        "cold starts beside a layer in the way",
        edit(
            "gaugeblock.policies.builtin.eviction",
            "lambda entry: entry.last_access):",
            "lambda entry: entry.last_access)[1:]:",
            ROUND_ROOTS,
        ),
    ),
    "dispatch before termination": (
        "SERV-5.frees-first",
        "any categories",
        edit(
            "gaugeblock.service.application",
            "for kind in OperationKind:",
            "for kind in reversed(tuple(OperationKind)):",
            SERVICE,
        ),
    ),
    "a load counted twice": (
        "SERV-5.within-totals",
        "induction step",
        edit("gaugeblock.round.accounting", "ram=layer.ram_bytes)", "ram=layer.ram_bytes + layer.ram_bytes)", ROUND_ROOTS),
    ),
    "disk that stays taken": (
        "SERV-2.same-deltas",
        "one node",
        edit(
            "gaugeblock.service.application",
            "disk_layers=without_resident(node.disk_layers, eviction.layer)",
            "disk_layers=node.disk_layers",
            SERVICE,
        ),
    ),
    "one position too few": (
        "SERV-5.no-refusals",
        "chosen: an idle container in the way",
        edit("gaugeblock.round.reclamation", "max(0, need.positions - node.positions_available)", "0", ROUND_ROOTS),
    ),
    "two positions at once": (
        "POL-fewest.optimized-containers",
        "2 candidates",
        edit(RECLAIMING, "        if positions <= 1:", "        if positions <= 2:", OPTIMIZED),
    ),
    "one container too many": (
        "POL-lru.optimized-containers",
        "1 candidates",
        edit(
            RECLAIMING,
            "if not (ram > 0 or disk > 0 or positions > 0):",
            "if not (ram > 0 or disk >= 0 or positions > 0):",
            OPTIMIZED,
        ),
    ),
    "a layer that just suffices passed over": (
        "POL-fewest.optimized-layers",
        "2 candidates",
        edit(RECLAIMING, "if sizes[layer] >= missing)", "if sizes[layer] >= missing and number > 0)", OPTIMIZED),
    ),
    "one layer too many": (
        "POL-lru.optimized-layers",
        "1 candidates",
        edit(RECLAIMING, "        if not missing > 0:", "        if not missing >= 0:", OPTIMIZED),
    ),
    "activating nodes are ready": (
        "PLACE-2.optimized-readiness",
        "both layers",
        miniature("works-on-activating-nodes"),
    ),
    "a bound that is too high": (
        "RECL-7.optimized-bounds",
        "an idle container in the way",
        edit("gaugeblock.optimized.ranking", "max(1, positions)", "max(2, positions)", OPTIMIZED),
    ),
    "waits where all is loaded": (
        "ROUND-10.optimized-rounds",
        "a wait for RAM before a load",
        edit(
            "gaugeblock.optimized.searching",
            "self.awaiting_ram = coming & ~ready",
            "self.awaiting_ram = coming & ready",
            OPTIMIZED,
        ),
    ),
    "a step that looks where its theorem says it does not": (
        "ACCT-4.ram-eviction",
        "step",
        edit(
            "gaugeblock.round.accounting",
            "return use(node, ram=0 - layer.ram_bytes)",
            "return node if not node.planned else use(node, ram=0 - layer.ram_bytes)",
            ROUND_ROOTS,
        ),
    ),
    "candidates by name": (
        "RECL-5.candidates",
        "two layers",
        edit(
            "gaugeblock.round.reclamation",
            "for resident in node.observed.ram_layers",
            "for resident in sorted(node.observed.ram_layers, key=lambda each: each.layer.name)",
            ROUND_ROOTS,
        ),
    ),
    "a layer evicted twice in a round": (
        "ACCT-9.placements",
        "one layer wanted, no container",
        edit(
            "gaugeblock.round.reclamation",
            "resident.layer.name in node.resident_in_ram and resident.layer.name not in excluded",
            "resident.layer.name not in excluded",
            ROUND_ROOTS,
        ),
    ),
    "nodes by name": (
        "ROUND-3.eligible",
        "two nodes",
        edit(
            "gaugeblock.round.placement",
            "node for node in state.nodes if node.observed.name in names",
            "node for node in sorted(state.nodes, key=lambda each: each.observed.name) if node.observed.name in names",
            ROUND_ROOTS,
        ),
    ),
    "less is done than was chosen": (
        "PLACE-7.passes",
        "two nodes, one layer",
        edit(
            "gaugeblock.round.placement",
            "apply_plan(state, chosen, invocation)",
            "apply_plan(state, chosen.__class__(chosen.placement_pass, chosen.invocation, chosen.node), invocation)",
            ROUND_ROOTS,
        ),
    ),
    "ties of age the other way round": (
        "POL-lru.prefix",
        "order of 3",
        edit(
            "gaugeblock.policies.builtin.eviction",
            "sorted(entries, key=lambda entry: entry.last_access):",
            "sorted(entries, key=lambda entry: (entry.last_access, 0 - entry.identifier)):",
            ROUND_ROOTS,
        ),
    ),
    "an order with an invocation too many": (
        "ROUND-4.refused",
        "1 invocations",
        edit(
            "gaugeblock.round.contracts",
            "!= {invocation.id for invocation in state.worklist}",
            "< {invocation.id for invocation in state.worklist}",
            ROUND_ROOTS,
        ),
    ),
    "work in flight forgotten": (
        "ACCT-9.initial",
        "one node",
        edit(
            "gaugeblock.round.initial",
            "container.function.max_invocations_per_container - container.in_flight",
            "container.function.max_invocations_per_container",
            ROUND_ROOTS,
        ),
    ),
    "half of what is missing is copied": (
        "ACCT-9.placements",
        "two layers wanted, no container",
        edit(
            "gaugeblock.round.placement",
            "        layers = each.not_even_copying\n",
            "        layers = each.not_even_copying[:1]\n",
            ROUND_ROOTS,
        ),
    ),
    "the first container whatever was picked": (
        "PLACE-7.passes",
        "a container to reuse",
        edit(
            "gaugeblock.round.placement",
            "    if picked is None:\n",
            "    picked = candidates[0]\n    if picked is None:\n",
            ROUND_ROOTS,
        ),
    ),
    "no plan where nothing is missing": (
        "RECL-1.nothing-missing",
        "all integers",
        edit("gaugeblock.round.reclamation", "(), at_first), Reclamation())", "(), at_first), None)", ROUND_ROOTS),
    ),
    "no cold start beside a container to reuse": (
        "PLACE-7.many-nodes",
        "two nodes",
        edit(
            "gaugeblock.round.placement",
            "        if each.not_in_ram:\n",
            "        if each.not_in_ram or reuse_candidates(each.node, request.invocation):\n",
            ROUND_ROOTS,
        ),
    ),
    "more layers where the disk is short as well": (
        "POL-fewest.own-deficit",
        "2 layers",
        edit(
            "gaugeblock.policies.builtin.eviction",
            "self.victims(ram_entries(candidates), Deficits(deficits.ram_bytes, 0, 0))",
            "self.victims(ram_entries(candidates), Deficits(deficits.ram_bytes, 0, 1 if deficits.disk_bytes > 0 else 0))",
            ROUND_ROOTS,
        ),
    ),
    "reports without their dates": (
        "WAKE-1.earliest",
        "eviction alone",
        edit(
            "gaugeblock.round.wakeups",
            "    return reports, min(dates)",
            "    reports = tuple(WakeupReport(each.kind, None) for each in reports)\n    return reports, min(dates)",
            ROUND_ROOTS,
        ),
    ),
    "a bad date blamed on another clause": (
        "WAKE-2.unusable",
        "five answers",
        edit("gaugeblock.round.wakeups", '"WAKE-2", "a wake-up date"', '"WAKE-1", "a wake-up date"', ROUND_ROOTS),
    ),
    "what is below zero already is not made up for": (
        "RECL-7.room",
        "a layer of a planned container",
        edit(
            "gaugeblock.round.reclamation",
            "max(0, need.ram_bytes - node.ram_available)",
            "max(0, need.ram_bytes - max(0, node.ram_available))",
            ROUND_ROOTS,
        ),
    ),
    "a node to be let go stays open": (
        "ACCT-8.optimized-planning",
        "two nodes",
        edit("gaugeblock.optimized.planning", "        self.cluster.index_openness(node)\n", "", OPTIMIZED),
    ),
    "want of a position blamed on the layers": (
        "PREW-3.positions",
        "1 proposals",
        edit("gaugeblock.round.prewarming", '"PREW-3", f"no container', '"PREW-2", f"no container', ROUND_ROOTS),
    ),
    "nodes that were not selected": (
        "PLACE-7.many-nodes",
        "two nodes, an image without layers",
        edit("gaugeblock.round.placement", "if node.observed.name in names and takes_work", "if takes_work", ROUND_ROOTS),
    ),
    "nodes that sleep": (
        "PLACE-7.many-nodes",
        "two nodes, an image without layers",
        edit(
            "gaugeblock.round.placement",
            "return node.observed.status is NodeStatus.ACTIVATED and not node.selected_for_deactivation",
            "return not node.selected_for_deactivation",
            ROUND_ROOTS,
        ),
    ),
    "nodes that are let go": (
        "PLACE-7.many-nodes",
        "two nodes, an image without layers",
        edit(
            "gaugeblock.round.placement",
            "return node.observed.status is NodeStatus.ACTIVATED and not node.selected_for_deactivation",
            "return node.observed.status is NodeStatus.ACTIVATED",
            ROUND_ROOTS,
        ),
    ),
    "cold before reuse, asked for everything": (
        "ROUND-1.every-shape",
        "reuse before a cold start",
        miniature("cold-before-reuse"),
    ),
    "entries out of date kept for ever": (
        "PLACE-7.optimized-best",
        "asked often",
        edit("gaugeblock.optimized.ranking", "if len(self.heap) > 64 + 2", "if len(self.heap) > 6400 + 2", OPTIMIZED),
    ),
}


@pytest.mark.parametrize(("theorem", "part", "fault"), FAULTS.values(), ids=FAULTS.keys())
def test_a_theorem_refutes_what_is_wrong(theorem: str, part: str, fault: Fault) -> None:
    """The counterexample is confirmed: the faulty code fails alike on its very numbers."""
    stated = by_id(theorem)
    copied = {name: load(fault, name) for name in stated.modules if is_copied(fault, name)}
    assert copied
    shipped = Shipped({**as_shipped(stated.modules).modules, **copied})
    result = prove_part(stated, part_of(stated, part), shipped)
    assert result.verdict is Verdict.REFUTED
    assert result.counterexample is not None
    assert result.counterexample.confirmed


QUICK = (
    ("PLACE-7.first-possible-pass", "a load, then a wait for it"),
    ("PLACE-7.first-possible-pass", "a wait for disk before a copy"),
    ("ROUND-1.clauses", "layers in progress"),
    ("SERV-5.frees-first", "any categories"),
    ("SERV-5.no-refusals", "all eight: a wait for disk before a copy"),
    ("POL-fewest.optimized-layers", "2 candidates"),
    ("ROUND-10.optimized-rounds", "a wait for disk before a copy"),
)


@pytest.mark.parametrize(("theorem", "part"), QUICK, ids=[f"{theorem} {part}" for theorem, part in QUICK])
def test_what_ships_is_proved(theorem: str, part: str) -> None:
    """The same parts, over the very modules that users import."""
    stated = by_id(theorem)
    assert prove_part(stated, part_of(stated, part)).as_stated


def test_the_full_enumerations_hold_the_named_shapes() -> None:
    """What the standard set shows is a part of what the deep set or a larger enumeration covers."""
    one = set(two_invocations_in_full())
    for shapes in NAMED.values():
        for shape in shapes:
            full = one if len(shape.nodes) == 1 else set(one_invocation_on_two_nodes(shape.images[0]))
            assert {shape, renamed(shape)} & full


def test_up_to_renaming_one_of_each_pair_is_left() -> None:
    """No two shapes of the full enumeration are the same but for the names of the layers."""
    found = list(two_invocations_in_full())
    assert len(found) == len(set(found)) == 913
    assert all(renamed(shape) == shape or renamed(shape) not in set(found) for shape in found[:50])


def test_the_deep_set_runs_as_many_shapes_as_the_assurance_page_says() -> None:
    """Nothing drops out of the enumerations unnoticed."""
    assert len(two_invocations_in_full()) == 913
    needed = [len(shape.images[0]) for shape in two_nodes_in_full()]
    assert (needed.count(2), needed.count(1), needed.count(0)) == (1_234, 3_434, 0)
    assert all(len(shape.images) == 1 for shape in two_nodes_in_full())
    assert len(two_nodes_with_others()) == 7_800
    assert all(len(shape.images) == 2 and len(shape.images[0]) == 2 for shape in two_nodes_with_others())


def test_nodes_of_every_status_and_residency_are_enumerated() -> None:
    """25 residencies of an activated node, four of each other one, and both statuses of a container that needs no layer."""
    bare = [node for node in node_shapes(()) if not node.containers]
    assert len(bare) == 25 + 3 * 4
    assert len(list(node_shapes(((),)))) == len(bare) + 25 * 2
