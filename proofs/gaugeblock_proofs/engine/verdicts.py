"""What an exploration ends in: budgets, verdicts, counterexamples, and the report that holds them."""

from __future__ import annotations

from enum import Enum

import msgspec

from gaugeblock_proofs.engine.assignment import Assignment
from gaugeblock_proofs.engine.errors import NotProved


class Budget(msgspec.Struct, frozen=True):
    """Deterministic limits; reaching one is never a proof."""

    paths: int = 200_000
    queries: int = 2_000_000
    decisions_per_path: int = 5_000
    resources_per_query: int = 20_000_000
    """Z3's `rlimit` for each query, in its elementary steps."""
    minimisation_paths: int = 5_000
    minimisation_queries: int = 20_000


class Verdict(Enum):
    """The three ends."""

    PROVED = "proved"
    REFUTED = "refuted"
    NOT_PROVED = "not proved"


class Reason(Enum):
    """Why an exploration that found no counterexample is no proof either."""

    SOLVER_UNKNOWN = "the solver did not decide a query"
    BUDGET_EXHAUSTED = "a budget was exhausted"
    NO_ASSERTION_REACHED = "an assertion was reached on no path"
    UNSATISFIABLE_ASSUMPTIONS = "no input satisfies the assumptions"
    UNSUPPORTED_OPERATION = "an operation was asked of a symbol that only a number has"


class Counterexample(msgspec.Struct, frozen=True):
    """An input on which the theorem fails."""

    label: str
    """The label of the false obligation, or `raises X` for an exception that escaped."""
    assignment: Assignment
    minimal: bool
    """Whether no input on any path fails alike with a smaller sum of magnitudes of the integers of one-signed range.

    On its own path each symbol is then as close to zero as possible, in order of declaration.
    """
    confirmed: bool
    """Whether the run on these very numbers failed alike; dates may fail as reals and yet not as floats."""
    message: str
    """The message of the exception that the concrete run raised, or nothing."""

    def __str__(self) -> str:
        kind = ("the smallest" if self.minimal else "an") + " input"
        doubt = "" if self.confirmed else "; NOT CONFIRMED by the concrete run"
        message = f" ({self.message})" if self.message else ""
        return f"{self.label}{message} fails for {kind} {self.assignment}{doubt}"


class Exploration(msgspec.Struct, frozen=True):
    """The report on one theorem. Everything but `seconds` is the same in every run."""

    name: str
    verdict: Verdict
    reasons: tuple[Reason, ...]
    detail: str
    """Which limit, assertion or operation the reasons speak of."""
    counterexample: Counterexample | None
    paths: int
    """Paths within the assumptions, run to their end."""
    discarded: int
    """Paths on which the shipped check rejected the state."""
    pruned: int
    """Other sides of comparisons that the solver found infeasible."""
    queries: int
    reached: tuple[tuple[str, int], ...]
    """For each assertion, on how many paths within the assumptions it was reached."""
    silent: int
    """Paths within the assumptions that reached no assertion."""
    dates: tuple[str, ...]
    """Symbols for which reals stood for floats: the proof says nothing about rounding."""
    seconds: float

    def describe(self) -> str:
        """Return the report in words."""
        lines = [
            f"{self.name}: {self.verdict.value}",
            f"  {self.paths} paths, {self.discarded} discarded, {self.pruned} infeasible sides, {self.queries} queries",
        ]
        lines += [f"  {label}: reached on {count} paths" for label, count in self.reached]
        lines += [f"  because {reason.value}" for reason in self.reasons]
        lines += [f"  {self.detail}"] if self.detail else []
        lines += [f"  {self.silent} paths reached no assertion"] if self.silent else []
        lines += [f"  reals stood for floats: {', '.join(self.dates)}"] if self.dates else []
        lines += [f"  {self.counterexample}"] if self.counterexample is not None else []
        return "\n".join(lines)

    def require_proved(self) -> None:
        """Raise `NotProved` with the description unless the verdict is a proof."""
        if self.verdict is not Verdict.PROVED:
            raise NotProved(self.describe())
