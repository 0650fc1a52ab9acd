"""Proving a theorem: explore all of its paths, and report loudly whatever falls short of a proof."""

from __future__ import annotations

import time
from collections.abc import Sequence

from gaugeblock_proofs.engine.assignment import Assignment
from gaugeblock_proofs.engine.errors import BudgetExhausted, TheoremMisuse
from gaugeblock_proofs.engine.minimise import smallest
from gaugeblock_proofs.engine.replay import Theorem, replay
from gaugeblock_proofs.engine.search import Search, Violation
from gaugeblock_proofs.engine.solver import Solver
from gaugeblock_proofs.engine.variables import Registry, Sort
from gaugeblock_proofs.engine.verdicts import Budget, Counterexample, Exploration, Reason, Verdict


def explore(
    theorem: Theorem, budget: Budget | None = None, assertions: Sequence[str] = (), name: str | None = None
) -> Exploration:
    """Run the theorem along every feasible path and return the verdict.

    `assertions` are the labels that must each be reached within the assumptions on at least one path; without any, some
    assertion must be. Errors in the theorem itself (`TheoremMisuse`, `NondeterministicTheorem`) are raised.
    """
    started = time.process_time()
    limits = budget or Budget()
    registry = Registry()
    solver = Solver(registry, limits.queries, limits.resources_per_query)
    search = Search(theorem, registry, solver, limits.decisions_per_path)
    exhausted: BudgetExhausted | None = None
    try:
        search.run(limits.paths)
    except BudgetExhausted as error:
        exhausted = error
    counterexample = _counterexample(theorem, registry, search.violation, limits)
    shortfalls = _shortfalls(search, exhausted, assertions) if counterexample is None else {}
    return Exploration(
        name=name or str(getattr(theorem, "__name__", "theorem")),
        verdict=_verdict(counterexample, shortfalls),
        reasons=tuple(shortfalls),
        detail="; ".join(detail for detail in shortfalls.values() if detail),
        counterexample=counterexample,
        paths=search.paths,
        discarded=search.discarded,
        pruned=search.tree.pruned,
        queries=solver.queries,
        reached=tuple(sorted(search.reached.items())),
        silent=search.silent,
        dates=tuple(each.name for each in registry.variables if each.sort is Sort.REAL),
        seconds=time.process_time() - started,
    )


def _verdict(counterexample: Counterexample | None, shortfalls: dict[Reason, str]) -> Verdict:
    if counterexample is not None:
        return Verdict.REFUTED
    return Verdict.NOT_PROVED if shortfalls else Verdict.PROVED


def _shortfalls(search: Search, exhausted: BudgetExhausted | None, assertions: Sequence[str]) -> dict[Reason, str]:
    """Return every reason why the search is no proof, each with its detail."""
    found: dict[Reason, str] = {}
    if search.refusal is not None:
        found[Reason.UNSUPPORTED_OPERATION] = str(search.refusal)
    if exhausted is not None:
        found[Reason.BUDGET_EXHAUSTED] = f"limit on {exhausted.limit}"
    undecided = search.undecided + search.tree.unknown
    if undecided:
        found[Reason.SOLVER_UNKNOWN] = f"{undecided} undecided queries"
    if found:
        return found
    if not search.paths:
        return {Reason.UNSATISFIABLE_ASSUMPTIONS: f"all {search.discarded} paths were discarded"}
    missing = [label for label in assertions if label not in search.reached]
    if missing or not search.reached:
        found[Reason.NO_ASSERTION_REACHED] = f"not reached: {', '.join(missing) or 'any'}"
    return found


def _counterexample(theorem: Theorem, registry: Registry, violation: Violation | None, budget: Budget) -> Counterexample | None:
    """Shrink the violation and run the theorem on its numbers."""
    if violation is None:
        return None
    least, minimal = smallest(theorem, registry, violation, budget)
    names = [registry.variables[index].name for index in least.declared]
    assignment = Assignment(
        tuple((name, least.values[index]) for name, index in zip(names, least.declared, strict=True)), least.choices
    )
    try:
        outcome = replay(theorem, assignment)
    except TheoremMisuse as misuse:
        # Rounded dates can lead the concrete run to symbols and choices that the symbolic path never met.
        return Counterexample(least.label, assignment, minimal, False, str(misuse))
    return Counterexample(least.label, assignment, minimal, least.label in outcome.failed, outcome.message)
