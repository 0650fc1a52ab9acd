"""All clauses, family by family, in the order in which a reader meets them."""

from gaugeblock_specs import accounting, execution, placement, policies, prewarming, reclamation, round, wakeups  # noqa: A004
from gaugeblock_specs.clause import Clause

FAMILIES: tuple[tuple[str, tuple[Clause, ...]], ...] = (
    ("ROUND", round.CLAUSES),
    ("PLACE", placement.CLAUSES),
    ("ACCT", accounting.CLAUSES),
    ("RECL", reclamation.CLAUSES),
    ("PREW", prewarming.CLAUSES),
    ("WAKE", wakeups.CLAUSES),
    ("EXEC", execution.CLAUSES),
    ("POL", policies.CLAUSES),
)
"""The families of clauses about one round, by the first part of their identifiers."""

ALL: tuple[Clause, ...] = tuple(clause for _, clauses in FAMILIES for clause in clauses)
"""Every clause about one round."""


def find(identifier: str) -> Clause | None:
    """Return the clause of that identifier, such as ``RECL-5``, or None."""
    return next((clause for clause in ALL if clause.id == identifier), None)
