"""What a replay tells of a history: one line for each event, and a footer by which a truncated account is noticed."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from gaugeblock.model import ContainerId, Event, Happening, IdleAlarm, Outcome, ServiceError, Step
from gaugeblock.wire.decisions import decisions_document
from gaugeblock.wire.documents import DecisionsDocument, Document
from gaugeblock.wire.histories import happening_document

EventOfLine: TypeAlias = Annotated[dict[str, Any], Meta(description="The event as a line of the history has it.")]


class RefusalDocument(Document, frozen=True):
    """An operation that was refused: its category, its place there counted from 0, and the reason."""

    category: str
    index: int
    reason: str


class AlarmDocument(Document, frozen=True):
    """An idle alarm that was set."""

    container: ContainerId
    generation: int
    date: float


class ViolationDocument(Document, frozen=True):
    """A clause that was found violated, and what shows it."""

    clause: str
    witnesses: tuple[str, ...]


class RoundRecord(Document, frozen=True):
    """An accepted event and the round after it; ``started`` are the ids of new containers, in order of application."""

    round: int
    event: EventOfLine
    decisions: DecisionsDocument
    refusals: tuple[RefusalDocument, ...]
    started: tuple[ContainerId, ...]
    alarms: tuple[AlarmDocument, ...]
    violations: tuple[ViolationDocument, ...]


class RefusedRecord(Document, frozen=True):
    """An event that was refused, so that no round followed."""

    round: int
    event: EventOfLine
    error: str
    message: str
    violations: tuple[ViolationDocument, ...]


class ReplayFooter(Document, frozen=True):
    """The last line: how many events there were, how many of them were refused, how many clauses were found violated."""

    end: Literal["gaugeblock-replay"]
    events: int
    refused: int
    violations: int


Violations = tuple[tuple[str, tuple[str, ...]], ...]
"""Identifiers of violated clauses, each with what shows it."""


def encode_record(number: int, event: Event, result: Step | ServiceError, violations: Violations) -> bytes:
    """Return the line about the event with that number (from 0), without its end."""
    line = msgspec.to_builtins(happening_document(Happening(event)))
    found = tuple(ViolationDocument(clause, witnesses) for clause, witnesses in violations)
    if isinstance(result, ServiceError):
        return msgspec.json.encode(RefusedRecord(number, line, type(result).__name__, str(result), found))
    record = RoundRecord(
        round=number,
        event=line,
        decisions=decisions_document(result.decisions),
        refusals=tuple(_refusals(result.outcomes)),
        started=tuple(outcome.container for outcome in result.outcomes if outcome.container is not None),
        alarms=tuple(_alarms(result.alarms)),
        violations=found,
    )
    return msgspec.json.encode(record)


def encode_footer(events: int, refused: int, violations: int) -> bytes:
    """Return the last line, without its end."""
    return msgspec.json.encode(ReplayFooter("gaugeblock-replay", events, refused, violations))


def _refusals(outcomes: Iterable[Outcome]) -> Iterator[RefusalDocument]:
    seen: dict[str, int] = {}
    for outcome in outcomes:
        category = outcome.kind.value
        index = seen.get(category, 0)
        seen[category] = index + 1
        if outcome.refusal is not None:
            yield RefusalDocument(category, index, outcome.refusal.value)


def _alarms(alarms: Iterable[IdleAlarm]) -> Iterator[AlarmDocument]:
    return (AlarmDocument(each.container, each.generation, each.date) for each in alarms if each.date is not None)
