"""The counterexamples of claims that are known to be false, as published."""

from __future__ import annotations

from importlib.resources import files

import pytest

from gaugeblock import corpus
from gaugeblock.cli.questions import decode_question
from gaugeblock.conformance.subjects import reference_scheduler
from gaugeblock_proofs.counterexamples import decode_replay, encode_replay, encode_round
from gaugeblock_proofs.engine import Verdict
from gaugeblock_proofs.proving import prove_part, replay_part
from gaugeblock_proofs.registry import all_theorems, by_id, part_of
from gaugeblock_proofs.theorem import Theorem

WITNESSES = files("gaugeblock_proofs") / "witnesses"
FALSE_CLAIMS = [theorem for theorem in all_theorems() if theorem.expected is Verdict.REFUTED]


@pytest.mark.parametrize("theorem", FALSE_CLAIMS, ids=lambda theorem: theorem.id)
def test_a_published_counterexample_fails_as_written(theorem: Theorem) -> None:
    """On its plain numbers, with the shipped code."""
    name = f"{theorem.id}.replay.json"
    found = decode_replay((WITNESSES / name).read_bytes(), name)
    assert found.theorem == theorem.id
    outcome, setting = replay_part(theorem, part_of(theorem, found.part), found.refutation)
    assert outcome.failed == (found.refutation.label,)
    assert setting.round is not None
    assert (WITNESSES / f"{theorem.id}.round.json").read_bytes() == encode_round(theorem.id, setting.round, setting.policies)


def test_the_published_counterexample_is_the_smallest() -> None:
    """The prover finds this very one (RECL-6)."""
    theorem = by_id("RECL-6.credit-any")
    (part,) = theorem.parts
    found = prove_part(theorem, part).counterexample
    assert found is not None
    assert found.minimal
    assert (WITNESSES / f"{theorem.id}.replay.json").read_bytes() == encode_replay(theorem.id, part.name, found)


def test_fewest_ends_three_containers_where_two_would_do() -> None:
    """POL-fewest, AMB-11, with RAM and disk short: the published round, which is a case, decided by the reference."""
    name = "POL-fewest.not-optimal.round.json"
    asked = decode_question((WITNESSES / name).read_bytes(), name)
    decisions, _ = reference_scheduler(asked.policies).schedule(asked.round)
    case = corpus.find("derived-optimality-fewest-ends-three-where-two-would-do")
    assert (case.round, case.decisions.terminations) == (asked.round, decisions.terminations)
    ended = {termination.container for termination in decisions.terminations}
    assert ended == {0, 1, 2}
    (node,) = asked.round.nodes
    wanted = asked.round.pending[0].function
    two = [each.function for each in node.containers if each.id in (0, 1)]
    assert wanted.ram_bytes <= node.ram_available + sum(each.ram_bytes for each in two)
    assert wanted.disk_bytes <= node.disk_available + sum(each.disk_bytes for each in two)
    assert node.positions_available + 2 >= 1
