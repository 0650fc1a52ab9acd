"""ROUND: the executable clauses hold of whole rounds, and what they do not say of them outright is proved by formulas."""

from __future__ import annotations

from functools import partial

from gaugeblock.model import PolicyKind
from gaugeblock_proofs.deciding import AMONG_PLANS, LRU, ONE_AFTER_THE_OTHER, SCHEDULER, decided
from gaugeblock_proofs.examples import deep_parts, one_node_in_full, standard_parts, two_nodes_needing_both_layers
from gaugeblock_proofs.shapes import RoundShape
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes
from gaugeblock_specs.evidence import Evidence
from gaugeblock_specs.judge import evaluate
from gaugeblock_specs.verdicts import Verdict as Judgement


def holds(clause: str) -> str:
    """Return the label of the obligation that a clause holds."""
    return f"{clause} holds"


def every_clause(setting: Setting, shape: RoundShape, arbitrary: tuple[PolicyKind, ...] = (), eviction: str = "fewest") -> None:
    """Oblige every clause that applies to the round to hold of it: decisions, trace and, where they are known, policies."""
    round_ = decided(setting, shape, arbitrary, eviction)
    for result in evaluate(Evidence(round_.observed, round_.decisions, round_.names, round_.trace)):
        if result.verdict in (Judgement.HOLDS, Judgement.VIOLATED):
            setting.path.prove(result.verdict is Judgement.HOLDS, holds(result.clause))
