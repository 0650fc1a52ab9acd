"""Deliberately wrong versions of shipped functions: made from the syntax tree, refuted, and replayed."""

from __future__ import annotations

import ast

import pytest

from gaugeblock.model import WorkingNode
from gaugeblock.round import accounting
from gaugeblock_proofs.mutants import campaign, generation
from gaugeblock_proofs.mutants.campaign import Trial
from gaugeblock_proofs.mutants.equivalent import EQUIVALENT
from gaugeblock_proofs.mutants.operators import edits
from gaugeblock_proofs.proving import replay_part
from gaugeblock_proofs.registry import all_theorems, by_id, part_of

SOURCE = '''
def example(self, ram, positions=0):
    """Return something."""
    if ram > 0 and positions < 2:
        return use(node.ram_available - ram, positions=1)
    ram = max(0, ram + 1)
    return [each for each in self.ram_layers if not each.gone]
'''


def variants(source: str) -> dict[str, list[str]]:
    """Return, by operator, the texts that the edits of the source's only function make."""
    found: dict[str, list[str]] = {}
    for number in range(len(list(edits(_function(source))))):
        function = _function(source)
        edit = list(edits(function))[number]
        edit.apply()
        found.setdefault(edit.operator, []).append(ast.unparse(function))
    return found


def _function(source: str) -> ast.FunctionDef:
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    return function


@pytest.mark.parametrize(
    ("operator", "text"),
    [
        ("flipped comparison", "ram <= 0 and"),
        ("flipped comparison", "if each.gone"),
        ("off by one", "ram >= 0 and"),
        ("off by one", "positions < 3"),
        ("missing guard", "if ram > 0:"),
        ("missing guard", "if positions < 2:"),
        ("missing guard", "if True:"),
        ("missing guard", "for each in self.ram_layers]"),
        ("missing branch", "if False:"),
        ("dropped term", "use(node.ram_available, positions=1)"),
        ("dropped term", "use(node.ram_available - ram)"),
        ("dropped term", "ram = ram + 1"),
        ("dropped term", "max(0, ram)"),
        ("dropped statement", "pass"),
        ("flipped sign", "node.ram_available + ram"),
        ("swapped max", "min(0, ram + 1)"),
        ("wrong resource", "node.disk_available - ram"),
        ("wrong resource", "self.disk_layers"),
    ],
)
def test_an_operator_makes_its_edit(operator: str, text: str) -> None:
    """Each kind of mistake is made wherever it can be."""
    assert any(text in variant for variant in variants(SOURCE)[operator])


def test_every_edit_changes_the_text() -> None:
    """No mutant is the original."""
    original = ast.unparse(_function(SOURCE))
    assert all(variant != original for made in variants(SOURCE).values() for variant in made)


def test_messages_and_docstrings_are_left_alone() -> None:
    """Only what a function does is changed."""
    assert variants('def f():\n    """1."""\n    raise Error(f"found {1 + x}")\n') == {}


def test_there_are_enough_mutants_of_different_names() -> None:
    """Sixty and more, each with a name of its own."""
    names = [mutant.name for mutant in campaign.mutants_for(all_theorems())]
    assert len(set(names)) == len(names) > 60


@pytest.mark.parametrize(
    ("name", "theorem"),
    [
        ("round.accounting.start_container: dropped term", "ACCT-2.cold-start"),
        ("round.accounting.evict_from_ram: wrong resource", "ACCT-4.ram-eviction"),
        ("round.accounting.apply_plan: flipped comparison", "ACCT-8.other-nodes"),
        ("round.reclamation.is_short: off by one", "RECL-1.deficits"),
        ("round.reclamation.idle_candidates: missing guard", "RECL-4.candidates"),
        ("round.wakeups.reported_date: missing guard", "WAKE-2.unusable"),
        ("policies.builtin.ordering.FirstComeFirstServed.order: dropped term", "POL-fcfs.order"),
    ],
)
def test_a_mutant_is_refuted_and_misbehaves(name: str, theorem: str) -> None:
    """The counterexample fails on the mutant's plain numbers, and does not on the shipped code's."""
    judge = by_id(theorem)
    own = [mutant for target in generation.targets(judge) for mutant in generation.mutants_of(target)]
    mutant = next(each for each in own if each.name.startswith(name))
    tried = [(part, campaign.try_one(mutant, judge, part)) for part in judge.parts]
    refuted = [(part, refutation) for part, refutation in tried if refutation is not None]
    assert refuted, f"{theorem} does not refute {mutant}"
    for part, refutation in refuted:
        outcome, _ = replay_part(judge, part, refutation)
        assert outcome.failed == ()


def test_a_mutant_leaves_the_shipped_modules_alone() -> None:
    """It lives in a private copy."""
    judge = by_id("ACCT-2.cold-start")
    mutant = generation.mutants_of("gaugeblock.round.accounting.start_container")[0]
    copied = generation.shipped_with(mutant, judge.modules).round.accounting
    assert copied is not accounting
    assert copied.use is not accounting.use
    assert copied.use.__globals__["WorkingNode"] is WorkingNode


def test_a_harmless_edit_is_not_refuted() -> None:
    """A survivor is reported as one: the campaign can tell."""
    judge = by_id("RECL-4.candidates")
    original = generation.mutants_of("gaugeblock.round.reclamation.idle_candidates")[0]
    harmless = generation.mutants_of("gaugeblock.round.accounting.use")[0]
    assert campaign.try_one(original, judge, part_of(judge, "up to three containers")) is not None
    assert campaign.try_one(harmless, judge, part_of(judge, "up to three containers")) is None


def test_a_survivor_must_be_listed_and_a_listed_one_must_survive() -> None:
    """Neither the list of equivalent mutants nor the theorems can go stale unnoticed."""
    mutant = generation.mutants_of("gaugeblock.round.accounting.use")[0]
    assert mutant.name not in EQUIVALENT
    assert not Trial(mutant, None).as_stated
    assert Trial(mutant, "ACCT-9.steps").as_stated
    by_name = {each.name: each for each in campaign.mutants_for(all_theorems())}
    assert set(EQUIVALENT) <= set(by_name)
    for name in EQUIVALENT:
        assert Trial(by_name[name], None).as_stated
        assert not Trial(by_name[name], "ACCT-9.steps").as_stated


def test_a_mutant_that_does_not_end_is_refuted() -> None:
    """Its loop is cut off after a number of rounds, on symbols and on plain numbers alike; no clock decides."""
    mutants = generation.mutants_of("gaugeblock.optimized.rounds.RoundScheduler")
    name = "optimized.rounds.RoundScheduler._without_failures: dropped statement 1"
    (trial,) = campaign.try_all([each for each in mutants if each.name == name])
    assert trial.refutation is not None
    assert trial.refutation.label == "raises EndlessLoop"


def test_a_sample_is_decided_by_its_text() -> None:
    """CI tries other mutants at every commit, and the same ones again at the same commit."""
    mutants = generation.mutants_of("gaugeblock.round.reclamation.plan_reclamation")
    first = campaign.sample(mutants, "4e4342c", 5)
    assert campaign.sample(mutants, "4e4342c", 5) == first
    assert len(first) == 5
    assert any(campaign.sample(mutants, text, 5) != first for text in ("a", "b", "c"))
