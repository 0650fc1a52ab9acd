"""Which clauses the corpus exercises, and which miniature violates each: computed, so that no clause goes without either."""

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from gaugeblock import miniatures
from gaugeblock.conformance.replaying import breaches_of_service
from gaugeblock.miniatures import service_faults
from gaugeblock.miniatures.trials import Trial, answer, judged, violated
from gaugeblock.model import StepFunction, Value
from gaugeblock.scheduler import scheduler_from
from gaugeblock.strategies.seeded_histories import drive
from gaugeblock_specs.registry import ALL
from gaugeblock_specs.service import CLAUSES as SERVICE_CLAUSES

HISTORIES: Final = 40
EVENTS: Final = 60
"""How many seeded histories a wrong service is put to, and how long each is."""

NOT_IN_CORPUS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "POL-random": "cases name deterministic policies only; the seeded rounds with random ones exercise it",
        **{clause.id: "a case is one round; the seeded histories exercise it" for clause in SERVICE_CLAUSES},
    }
)
"""Clauses that no case of the corpus exercises, and why. None goes without a miniature."""


class Line(Value, frozen=True):
    """One clause: to how many cases it is applicable and holds for, and how often each miniature violates it."""

    clause: str
    applicable: int
    violations: tuple[tuple[str, int], ...]


class WrongReference(AssertionError):
    """The reference's own answer violates a clause, so that nothing that is found of others means anything."""


def applicable(trials: Iterable[Trial]) -> Counter[str]:
    """Return for each clause the number of right answers that it is applicable to, judged with policies and trace.

    Raises:
        WrongReference: when a right answer violates a clause.
    """
    found: Counter[str] = Counter()
    for put in trials:
        result = judged(put, put.right)
        if result.violated:
            raise WrongReference(f"the reference's own answer violates {', '.join(result.violated)}")
        found.update(result.holds)
    return found


def violations(
    fault: miniatures.Fault, trials: Iterable[Trial], most: int, enough: frozenset[str] = frozenset()
) -> Counter[str]:
    """Return how often the miniature violates each clause, on up to ``most`` rounds that it answers otherwise.

    With ``enough`` it is put to no further round once it has violated all of these.
    """
    found: Counter[str] = Counter()
    for put in trials:
        if most == 0 or (enough and enough <= found.keys()):
            break
        other = answer(fault.name, put)
        if other is not None and other != put.right:
            found.update(violated(put, other))
            most -= 1
    return found


def violations_of_service(step: StepFunction, enough: frozenset[str] = frozenset()) -> Counter[str]:
    """Return in how many seeded histories the wrong service violates each clause first; stops as :func:`violations` does."""
    found: Counter[str] = Counter()
    for seed in range(HISTORIES):
        if enough and enough <= found.keys():
            break
        found.update(_first_breach(step, seed))
    return found


def _first_breach(step: StepFunction, seed: int) -> frozenset[str]:
    """What follows a wrong step may be wrong for other reasons, so a history ends with its first breach."""
    for opening, happening, before, result in drive(seed, EVENTS, step, scheduler_from):
        own = happening.decisions is None
        found = breaches_of_service(before, happening.event, result, opening.settings, abiding=own)
        if found:
            return frozenset(each.clause for each in found)
    return frozenset()


def matrix(corpus: Iterable[Trial], trials: tuple[Trial, ...], most: int) -> tuple[Line, ...]:
    """Return a line for each clause."""
    exercised = applicable(corpus)
    found = {fault.name: violations(fault, trials, most) for fault in miniatures.FAULTS}
    found |= {fault.name: violations_of_service(service_faults.service(fault.name)) for fault in service_faults.FAULTS}
    return tuple(
        Line(clause, exercised[clause], tuple((name, counts[clause]) for name, counts in found.items() if counts[clause] > 0))
        for clause in (*(each.id for each in ALL), *(each.id for each in SERVICE_CLAUSES))
    )


def holes(lines: Iterable[Line], exempt: Mapping[str, str] = NOT_IN_CORPUS) -> tuple[str, ...]:
    """Return what is missing, a sentence each; so is an exemption that is not needed."""
    missing: list[str] = []
    for line in lines:
        if line.applicable == 0 and line.clause not in exempt:
            missing.append(f"{line.clause}: no case exercises it")
        if line.applicable > 0 and line.clause in exempt:
            missing.append(f"{line.clause}: is exempt from having a case, and has one")
        if not line.violations:
            missing.append(f"{line.clause}: no miniature violates it")
    return tuple(missing)
