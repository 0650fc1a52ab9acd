"""Histories on the wire: JSON lines, first a header, then the events in the order in which the service gets them."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec
from msgspec import UNSET

from gaugeblock.model import Event, Happening, History, InvalidState, ObservedState, Opening, ServiceSettings
from gaugeblock.wire.decisions import decisions_document, decisions_from
from gaugeblock.wire.diagnosis import describe
from gaugeblock.wire.documents import RoundDocument
from gaugeblock.wire.errors import DocumentProblem, InvalidDocument
from gaugeblock.wire.happenings import LINES, WORDS, HistoryHeader, Line, SettingsDocument
from gaugeblock.wire.policies import policies_document, policy_names
from gaugeblock.wire.reading import read, read_as, shaped
from gaugeblock.wire.resolving import observed_state
from gaugeblock.wire.rounds import round_document

Part = TypeVar("Part")


def read_history(history: str | Path | BinaryIO | Iterable[bytes], *, source: str | None = None) -> History:
    """Return the history in a file given by its path, a binary stream, or its lines; blank lines are skipped.

    ``source`` names it in messages; a path names itself. Whether the events are in order and make sense is for the service
    to say.

    Raises:
        InvalidDocument: at the first bad line, or when there is no header.
        OSError: when the file cannot be read.
    """
    if isinstance(history, (str, Path)):
        with open(history, "rb") as stream:
            return read_history(stream, source=source or str(history))
    lines = _lines(history)
    number, header = next(lines, (None, None))
    if header is None:
        problem = DocumentProblem("$", "no line at all", "the header of a history")
        raise InvalidDocument((problem,), source, number)
    opening = decode_opening(header, source=source, line=number)
    return History(opening, tuple([decode_happening(line, source=source, line=at) for at, line in lines]))


def decode_opening(data: bytes, *, source: str | None = None, line: int | None = None) -> Opening:
    """Return the opening that the header of a history describes.

    Raises:
        InvalidDocument: with all that is wrong with it.
    """
    return read_as(HistoryHeader, data, _opening, source, line)


def decode_happening(data: bytes, *, source: str | None = None, line: int | None = None) -> Happening:
    """Return what one line of a history tells.

    Raises:
        InvalidDocument: with all that is wrong with it.
    """
    return read(data, _happening, source, line)


def encode_history(history: History) -> bytes:
    """Return the lines of ``history``, each with its end: compact JSON, always the same bytes for equal histories."""
    happenings = [encode_happening(happening) for happening in history.happenings]
    return b"".join(line + b"\n" for line in (encode_opening(history.opening), *happenings))


def encode_opening(opening: Opening) -> bytes:
    """Return the header of a history, without the end of the line."""
    state = round_document(ObservedState(opening.now, opening.catalog, opening.nodes))
    settings = SettingsDocument(opening.settings.idle_timeout)
    policies = policies_document(opening.policies)
    header = HistoryHeader("gaugeblock-history", 1, state.now, state.catalog, state.nodes, policies, settings)
    return msgspec.json.encode(header)


def encode_happening(happening: Happening) -> bytes:
    """Return one line of a history, without its end."""
    return msgspec.json.encode(happening_document(happening))


def happening_document(happening: Happening) -> Line:
    """Return the document of an event, with the batch that a foreign scheduler answered it with."""
    word = WORDS[type(happening.event)]
    shape: Callable[..., Line] = LINES[word][1]
    fields = msgspec.structs.asdict(happening.event)
    given = UNSET if happening.decisions is None else decisions_document(happening.decisions)
    return shape(event=word, **fields, decisions=given)


def _lines(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in enumerate(lines, start=1) if line.strip())


def _opening(document: HistoryHeader) -> Opening:
    """Build the opening; what is wrong with its nodes and with its policies is told together."""
    problems: list[DocumentProblem] = []
    start = RoundDocument(document.now, document.catalog, document.nodes, ())
    state = _or_problems(lambda: observed_state(start), problems)
    policies = _or_problems(lambda: policy_names(document.policies, "$.policies"), problems)
    if state is None or policies is None:
        raise InvalidDocument(tuple(problems))
    settings = ServiceSettings(document.settings.idle_timeout)
    try:
        return Opening(state.now, state.catalog, state.nodes, policies, settings)
    except InvalidState as error:
        found = [DocumentProblem(problem.path, str(problem.found), problem.expected) for problem in error.problems]
        raise InvalidDocument(tuple(found)) from error


def _happening(value: object) -> Happening:
    word = value.get("event") if isinstance(value, dict) else None
    if not isinstance(value, dict):
        raise InvalidDocument((DocumentProblem("$", describe(value), "an object"),))
    if not isinstance(word, str) or word not in LINES:
        found = describe(word) if "event" in value else "no such key"
        raise InvalidDocument((DocumentProblem("$.event", found, f"one of {', '.join(LINES)}"),))
    kind, shape = LINES[word]
    document = shaped(value, shape)
    decisions = None if document.decisions is UNSET else decisions_from(document.decisions)
    return Happening(_event(kind, document), decisions)


def _event(kind: type[Event], document: Line) -> Event:
    return kind(**{field: getattr(document, field) for field in kind.__struct_fields__})


def _or_problems(build: Callable[[], Part], problems: list[DocumentProblem]) -> Part | None:
    try:
        return build()
    except InvalidDocument as error:
        problems += error.problems
        return None
