"""ROUND: the executable clauses hold of whole rounds, whatever the sizes, capacities and dates."""

from __future__ import annotations

from gaugeblock_proofs.deciding import AMONG_PLANS, LRU, ONE_AFTER_THE_OTHER, PREWARMING, SCHEDULER, Decided, once_decided
from gaugeblock_proofs.examples import (
    EVICTING,
    STANDARD_SHAPES,
    labelled,
    standard_parts,
)
from gaugeblock_proofs.theorem import Setting, Theorem, shapes
from gaugeblock_specs.evidence import Evidence
from gaugeblock_specs.judge import evaluate
from gaugeblock_specs.verdicts import Verdict as Judgement


def holds(clause: str) -> str:
    """Return the label of the obligation that a clause holds."""
    return f"{clause} holds"


def every_clause(setting: Setting, round_: Decided) -> None:
    """Oblige every clause that applies to the round to hold of it: decisions, trace and, where they are known, policies."""
    for result in evaluate(Evidence(round_.observed, round_.decisions, round_.names, round_.trace)):
        if result.verdict in (Judgement.HOLDS, Judgement.VIOLATED):
            setting.path.prove(result.verdict is Judgement.HOLDS, holds(result.clause))


ALWAYS = tuple(f"ROUND-{number}" for number in (1, 3, 4, 5, 6, 7, 9, 10))
PLACED = tuple(f"PLACE-{number}" for number in range(1, 9))
ACCOUNTED = tuple(f"ACCT-{number}" for number in range(1, 10))
RECLAIMED = tuple(f"RECL-{number}" for number in range(1, 9))
BUILT_IN = tuple(
    f"POL-{name}"
    for name in ("fewest", "fcfs", "first-fit", "eviction-averse", "select-all-possible", "activate-one-when-no-free-slot")
)
AFTERWARDS = ("EXEC-1", "EXEC-3", "WAKE-1")
PREWARMED = tuple(f"PREW-{number}" for number in range(1, 6))
WHATEVER = ("ROUND-2", *ALWAYS, *PLACED, *ACCOUNTED, *RECLAIMED, *AFTERWARDS, *PREWARMED)
UNDER_LRU = ("POL-lru", *RECLAIMED)
JUDGED = (*ALWAYS, *PLACED, *ACCOUNTED, *RECLAIMED, *BUILT_IN, *AFTERWARDS)

WARM = "reuse before a cold start"
TO_PREWARM = ("a node to activate", "a load before a copy")
FREELY_CHOSEN = (*EVICTING, "a load before a copy", "copies to either node")

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "ROUND-1.clauses",
        "Every executable clause that applies holds of decisions and trace of a whole round, under the default policies.",
        JUDGED,
        ("gaugeblock.round.placement.place", "gaugeblock.round.schedule.run_round", SCHEDULER),
        shapes(f"{STANDARD_SHAPES}; for all shapes of these kinds see ROUND-1.every-shape"),
        standard_parts(once_decided(every_clause)),
        tuple(holds(clause) for clause in JUDGED),
    ),
    Theorem(
        "ROUND-2.clauses-for-any-policies",
        "Every clause that holds whatever the policies are holds of rounds whose policies give any answer that they may.",
        WHATEVER,
        ("gaugeblock.round.schedule.run_round", SCHEDULER),
        shapes(
            "some of the named shapes; arbitrary are either the failing, scaling, ordering and selecting policies, or those of "
            "reuse, eviction and plan selection, or prewarming (up to two containers), while all others are the defaults; "
            "failures, requests and victims in the order of what they are chosen from"
        ),
        (
            *labelled(
                "planned for", standard_parts(once_decided(every_clause, arbitrary=ONE_AFTER_THE_OTHER), *FREELY_CHOSEN, WARM)
            ),
            *labelled("chosen", standard_parts(once_decided(every_clause, arbitrary=AMONG_PLANS), *FREELY_CHOSEN)),
            *labelled(
                "prewarmed",
                standard_parts(once_decided(every_clause, arbitrary=PREWARMING), *TO_PREWARM),
            ),
        ),
        tuple(holds(clause) for clause in WHATEVER),
    ),
    Theorem(
        "POL-lru.clauses",
        "Every executable clause that applies holds of whole rounds in which the least recently used goes first.",
        UNDER_LRU,
        (SCHEDULER, LRU),
        shapes("named shapes of one node and two invocations in which something is in the way; dates are real numbers"),
        standard_parts(once_decided(every_clause, eviction="lru"), *EVICTING),
        tuple(holds(clause) for clause in UNDER_LRU),
    ),
)
