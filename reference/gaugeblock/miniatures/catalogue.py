"""The miniatures by name, and the faulty schedulers that they stand for."""

from typing import Protocol, cast

from gaugeblock.miniatures.fault import Fault, UnknownMiniature
from gaugeblock.miniatures.faults import accounting, orders, passes, phases, reclamation, results, rules, selection, warmth
from gaugeblock.miniatures.loader import load
from gaugeblock.model import Decisions, ObservedState, PolicyNames, RoundTrace
from gaugeblock.policies.protocols import Policy

FAULTS: tuple[Fault, ...] = (
    phases.FAULTS
    + passes.FAULTS
    + accounting.FAULTS
    + reclamation.FAULTS
    + selection.FAULTS
    + orders.FAULTS
    + rules.FAULTS
    + warmth.FAULTS
    + results.FAULTS
)
"""Every fault, in the order in which a round comes upon them."""


class FaultyScheduler(Protocol):
    """What a miniature offers: the same as the reference's scheduler."""

    def schedule(self, observed: ObservedState) -> tuple[Decisions, RoundTrace]:
        """Decide one round, wrongly at times."""
        ...

    def with_policy(self, policy: Policy) -> "FaultyScheduler":
        """Return a scheduler of the same fault with ``policy`` in the slot of its kind."""
        ...


def names() -> tuple[str, ...]:
    """Return the names of all miniatures."""
    return tuple(each.name for each in FAULTS)


def fault(name: str) -> Fault:
    """Return the fault of that name.

    Raises:
        UnknownMiniature: when there is none.
    """
    for each in FAULTS:
        if each.name == name:
            return each
    raise UnknownMiniature(name, names())


def scheduler(name: str) -> FaultyScheduler:
    """Return the faulty scheduler with the default policies.

    Raises:
        UnknownMiniature: when there is none of that name.
        StaleFault: when its fault does not fit the installed sources.
    """
    return cast("FaultyScheduler", load(fault(name), "gaugeblock.scheduler").GreedyScheduler())


def scheduler_from(name: str, policies: PolicyNames) -> FaultyScheduler:
    """Return the faulty scheduler with the policies that a document names; built-in ones are the copy's.

    Raises:
        UnknownMiniature, StaleFault: as :func:`scheduler`.
        GaugeblockError: when a policy is unknown or its parameters do not fit.
    """
    return cast("FaultyScheduler", load(fault(name), "gaugeblock.scheduler").scheduler_from(policies))
