"""Trying mutants: which theorem refutes each, and whether every theorem refutes one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import zip_longest

from gaugeblock.model import Value
from gaugeblock_proofs.code import closure
from gaugeblock_proofs.counterexamples import Refutation, refutation_of
from gaugeblock_proofs.engine import Budget, EngineError, Verdict, explore
from gaugeblock_proofs.mutants.equivalent import EQUIVALENT
from gaugeblock_proofs.mutants.generation import Mutant, mutants_of, shipped_with, targets
from gaugeblock_proofs.processes import spread
from gaugeblock_proofs.proving import explorable, replay_part
from gaugeblock_proofs.registry import all_theorems, by_id
from gaugeblock_proofs.running import parts_of
from gaugeblock_proofs.shipped import Shipped
from gaugeblock_proofs.theorem import Part, Theorem

SAMPLE_SIZE = 24
BUDGET = Budget(paths=3_000, queries=15_000, minimisation_paths=200, minimisation_queries=1_000)
"""For one part: a mutant is refuted early or not at all, and its counterexample need not be the smallest."""


class Trial(Value, frozen=True):
    """What came of a mutant: the theorem and part that refute it with a confirmed counterexample, or None if none does."""

    mutant: Mutant
    theorem: str | None
    part: str = ""
    refutation: Refutation | None = None

    @property
    def as_stated(self) -> bool:
        """Whether it is refuted, or else listed as equivalent; a listed one that is refuted is an error of the list."""
        return (self.theorem is not None) != (self.mutant.name in EQUIVALENT)


def sample(mutants: Sequence[Mutant], text: str, size: int | None = None) -> tuple[Mutant, ...]:
    """Return as many mutants as ``size``, or ``SAMPLE_SIZE``, chosen by the text, in the order given."""
    ranked = sorted(mutants, key=lambda mutant: hashlib.sha256(f"{text} {mutant.name}".encode()).digest())
    chosen = {mutant.name for mutant in ranked[: SAMPLE_SIZE if size is None else size]}
    return tuple(mutant for mutant in mutants if mutant.name in chosen)


def mutants_for(theorems: Sequence[Theorem]) -> tuple[Mutant, ...]:
    """Return all mutants of the functions that the theorems run."""
    names = dict.fromkeys(target for theorem in theorems if theorem.expected is Verdict.PROVED for target in targets(theorem))
    return tuple(mutant for name in names for mutant in mutants_of(name))


def try_all(
    mutants: Sequence[Mutant], jobs: int = 1, observe: Callable[[Trial], None] = lambda trial: None
) -> tuple[Trial, ...]:
    """Try the mutants over ``jobs`` processes; trials in the order of the mutants."""
    found: dict[str, Trial] = {}
    for trial in spread(_try_named, mutants, jobs):
        found[trial.mutant.name] = trial
        observe(trial)
    return tuple(found[mutant.name] for mutant in mutants)


def try_idle_theorems(theorems: Sequence[Theorem], trials: Sequence[Trial], jobs: int = 1) -> dict[str, Trial]:
    """Return for each theorem one mutant that it refutes, of the trials or else of its own; a theorem without one is absent."""
    found: dict[str, Trial] = {trial.theorem: trial for trial in trials if trial.theorem is not None}
    idle = [theorem for theorem in theorems if theorem.id not in found and theorem.expected is Verdict.PROVED]
    for trial in spread(_try_own, [theorem.id for theorem in idle], jobs):
        if trial.theorem is not None:
            found[trial.theorem] = trial
    return found


def judges(mutant: Mutant) -> tuple[tuple[Theorem, ...], ...]:
    """Return the theorems that can notice the mutant, in three groups, in each those that run the least first.

    They are those that name its function, those whose functions use it in their module, and those that merely reach its module.
    """
    able = [each for each in all_theorems() if each.expected is Verdict.PROVED and mutant.module in closure(each.modules)]
    able.sort(key=lambda theorem: len(targets_of(theorem.id)))
    named = [each for each in able if _concerns(each.runs, mutant.function)]
    used = [each for each in able if each not in named and _concerns(targets_of(each.id), mutant.function)]
    return tuple(named), tuple(used), tuple(each for each in able if each not in named and each not in used)


@cache
def targets_of(identifier: str) -> tuple[str, ...]:
    """Return the targets of the theorem of that id."""
    return targets(by_id(identifier))


def try_one(mutant: Mutant, theorem: Theorem, part: Part) -> Refutation | None:
    """Return the confirmed counterexample by which the part refutes the mutant, or None."""
    shipped = _shipped_with(mutant, theorem.modules)
    try:
        report = explore(explorable(part, shipped), BUDGET)
    except EngineError:
        return None  # a mutant that makes the theorem misuse the engine is not refuted by that
    if report.verdict is not Verdict.REFUTED or report.counterexample is None or not report.counterexample.confirmed:
        return None
    refutation = refutation_of(report.counterexample)
    outcome, _ = replay_part(theorem, part, refutation, shipped)
    return refutation if refutation.label in outcome.failed else None


@lru_cache(maxsize=64)
def _shipped_with(mutant: Mutant, names: tuple[str, ...]) -> Shipped:
    return shipped_with(mutant, names)


def _concerns(functions: tuple[str, ...], name: str) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in functions)


def _try_named(mutant: Mutant) -> Trial:
    # A listed mutant is put to the theorems about its function alone: the others would try it in vain for minutes.
    able = judges(mutant)[:2] if mutant.name in EQUIVALENT else judges(mutant)
    groups = ([(mutant, theorem) for theorem in group] for group in able)
    trials = (_first_refutation(group, mutant) for group in groups)
    return next((trial for trial in trials if trial.theorem is not None), Trial(mutant, None))


def _try_own(identifier: str) -> Trial:
    theorem = by_id(identifier)
    own = [mutant for target in targets(theorem) for mutant in mutants_of(target) if mutant.name not in EQUIVALENT]
    return _first_refutation([(mutant, theorem) for mutant in own], own[0])


def _first_refutation(pairs: list[tuple[Mutant, Theorem]], otherwise: Mutant) -> Trial:
    """Try the first part of each pair, then the second of each, and so on: the small shapes come first."""
    rounds = zip_longest(*([(mutant, theorem, part) for part in parts_of(theorem, deep=False)] for mutant, theorem in pairs))
    for mutant, theorem, part in (trial for each in rounds for trial in each if trial is not None):
        refutation = try_one(mutant, theorem, part)
        if refutation is not None:
            return Trial(mutant, theorem.id, part.name, refutation)
    return Trial(otherwise, None)
