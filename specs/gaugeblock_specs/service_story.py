"""What is put before the judge of the service, and the judge's own account of it."""

from collections.abc import Callable, Iterator
from functools import cached_property

from gaugeblock.model import Event, Outcome, RefusalReason, ServiceError, ServiceSettings, ServiceState, Step, Value
from gaugeblock_specs.service_events import book_event, rule_broken
from gaugeblock_specs.service_facts import Facts, Ledger, ledger_of
from gaugeblock_specs.service_operations import book_operation, reason_against
from gaugeblock_specs.verdicts import Witness


class ServiceEvidence(Value, frozen=True):
    """One event to judge: what it met, and either the step that was taken or the class of the error that refused it.

    ``abiding`` says that the batch was made by this scheduler with policies that keep their contracts, from the state observed.
    """

    before: ServiceState
    event: Event
    settings: ServiceSettings
    step: Step | None
    error: type[ServiceError] | None = None
    abiding: bool = False


class Story:
    """The judge's own account of the step, worked out only as far as a clause asks."""

    def __init__(self, evidence: ServiceEvidence, step: Step) -> None:
        self.evidence = evidence
        self.step = step

    @cached_property
    def effected(self) -> Facts:
        """What a scheduler has to be shown after the event."""
        ledger = self._booked_event()
        return Facts(ledger.status, ledger.disk, ledger.ram, ledger.containers, ledger.pending)

    @cached_property
    def fates(self) -> tuple[tuple[Outcome, RefusalReason | None], ...]:
        """Every outcome with the reason that had to be given, in the order in which they are told."""
        return self._application[0]

    @cached_property
    def due(self) -> Ledger | None:
        """What the state after has to say; None once an operation that had to be refused was accepted."""
        return self._application[1]

    @cached_property
    def found(self) -> Ledger:
        """What the state after says."""
        return ledger_of(self.step.state)

    @cached_property
    def rule_broken(self) -> type[ServiceError] | None:
        """The rule that the event breaks."""
        return rule_broken(self.evidence.before, ledger_of(self.evidence.before), self.evidence.event)

    def _booked_event(self) -> Ledger:
        ledger = ledger_of(self.evidence.before)
        if self.rule_broken is None:
            book_event(ledger, self.evidence.event, self.evidence.settings)
        return ledger

    @cached_property
    def _application(self) -> tuple[tuple[tuple[Outcome, RefusalReason | None], ...], Ledger | None]:
        ledger, now = self._booked_event(), self.evidence.event.date
        fates: list[tuple[Outcome, RefusalReason | None]] = []
        for outcome in self.step.outcomes:
            reason = reason_against(ledger, outcome.kind, outcome.operation, now)
            fates.append((outcome, reason))
            if outcome.refusal is None and reason is not None:
                return tuple(fates), None
            if outcome.refusal is None:
                book_operation(ledger, outcome, now)
        return tuple(fates), ledger


class ServiceClause(Value, frozen=True):
    """One rule of the service; the fields mean what those of :class:`gaugeblock_specs.clause.Clause` mean.

    ``breaches`` yields what is wrong with a step, ``applies`` says whether there is anything to judge.
    """

    id: str
    title: str
    doc: str
    seed: str
    breaches: Callable[[Story], Iterator[Witness]]
    applies: Callable[[Story], bool] = lambda _: True
    ambiguities: tuple[str, ...] = ()
