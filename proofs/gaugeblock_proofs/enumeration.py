"""ROUND, PLACE, SERV-5: all that is proved of whole rounds under the default policies, of every shape, in one run of each.

The theorems of `rounds`, `placement` and `service` say it one by one, of the named shapes. Most of the time of a large shape
goes into deciding its rounds, so that here they are decided once for all of it.
"""

from __future__ import annotations

from gaugeblock_proofs.deciding import once_decided
from gaugeblock_proofs.examples import (
    TWO_INVOCATIONS_IN_FULL,
    TWO_NODES_IN_FULL,
    TWO_NODES_WITH_OTHERS,
    deep_parts,
    standard_parts,
    two_invocations_in_full,
    two_nodes_in_full,
    two_nodes_with_others,
)
from gaugeblock_proofs.placement import STATED, placed
from gaugeblock_proofs.rounds import JUDGED, every_clause, holds
from gaugeblock_proofs.service import ACCEPTED, WHOLE, no_refusals
from gaugeblock_proofs.theorem import Theorem, shapes

EVERYTHING = once_decided(every_clause, placed, no_refusals)

FEW = (
    "a copy in place of a layer in RAM",
    "a wait for disk before a copy",
    "a node to activate",
    "reuse before a cold start",
    "cold starts, one with a termination",
)
"""Named shapes in which, between them, each clause applies."""

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "ROUND-1.every-shape",
        "Of a whole round under the default policies, all of this holds: every executable clause that applies; the first "
        "possible pass decides, and nothing else is touched; the service refuses none of the batch.",
        tuple(dict.fromkeys((*JUDGED, "SERV-5"))),
        ("gaugeblock.round.placement.place", "gaugeblock.round.schedule.run_round", *WHOLE),
        shapes(
            f"standard: five named shapes; deep: {TWO_INVOCATIONS_IN_FULL}; {TWO_NODES_IN_FULL}; and {TWO_NODES_WITH_OTHERS}"
        ),
        (
            *standard_parts(EVERYTHING, *FEW),
            *deep_parts(EVERYTHING, "one node", two_invocations_in_full()),
            *deep_parts(EVERYTHING, "two nodes", two_nodes_in_full()),
            *deep_parts(EVERYTHING, "two nodes and others", two_nodes_with_others()),
        ),
        (*(holds(clause) for clause in JUDGED), *STATED, ACCEPTED),
    ),
)
