"""The answers that ``check`` and ``explain --violation`` judge: cases whose decisions may be wrong in any way.

Unlike a case, an answer needs no id (its place stands for it), and its decisions may name things that do not exist, which is
for the clauses to find (ROUND-10).
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from msgspec import UNSET

from gaugeblock.cli.errors import UnreadableInput
from gaugeblock.cli.files import shown
from gaugeblock.conformance.errors import CaseSelectionError
from gaugeblock.model import Decisions, ObservedState, PolicyNames, Value
from gaugeblock.wire.decisions import decisions_from
from gaugeblock.wire.documents import DecisionsDocument, Document, PoliciesDocument, RoundDocument
from gaugeblock.wire.errors import DocumentProblem, InvalidDocument
from gaugeblock.wire.policies import policy_names
from gaugeblock.wire.reading import read_as, shaped
from gaugeblock.wire.resolving import observed_state


class Answer(Value, frozen=True):
    """A round and what somebody decided; ``policies`` is None where they are unknown."""

    id: str
    round: ObservedState
    policies: PolicyNames | None
    decisions: Decisions


class AnswerDocument(Document, frozen=True, kw_only=True):
    """A case in form; all but the round and the decisions may be missing."""

    id: str = ""
    clauses: tuple[str, ...] = ()
    derivation: str = ""
    round: RoundDocument
    policies: Any = UNSET
    decisions: DecisionsDocument


def load(sources: Sequence[str], wanted: Sequence[str] = (), *, safety: bool = False) -> Iterator[Answer]:
    """Yield the answers of all sources, each read when it is asked for; without sources, the cases of the corpus.

    A source is a file or ``-``, with an answer on each line, or one that fills it. ``safety`` means that policies do not
    matter, whatever stands in their place.

    Raises:
        InvalidDocument: when a line is no answer.
        UnreadableInput: when a file cannot be read.
        CaseSelectionError: when there are none, two of one id, or none of a wanted id.
        CorpusDamaged: when the corpus is.
    """
    missing = set(wanted)
    seen: set[str] = set()
    for answer in _all(sources, safety):
        if answer.id in seen:
            raise CaseSelectionError(f"found the id {answer.id!r} again; expected each id once")
        seen.add(answer.id)
        if not wanted or answer.id in missing:
            missing.discard(answer.id)
            yield answer
    if missing:
        unknown = next(each for each in wanted if each in missing)
        raise CaseSelectionError(f"found no case {unknown!r}; expected the id of one of the {len(seen)} cases given")
    if not seen:
        raise CaseSelectionError(f"{', '.join(sources)}: found no case; expected at least one, one a line")


def decode(data: bytes, source: str, line: int | None = None, *, safety: bool = False) -> Answer:
    """Return the answer that a document gives.

    Raises:
        InvalidDocument: with what is wrong with it; without ``safety`` policies must be there, ``{}`` if all are the default.
    """
    place = source if line is None else f"{source}:{line}"

    def build(document: AnswerDocument) -> Answer:
        policies = None if safety else _policies(document.policies)
        observed = observed_state(document.round, "$.round")
        return Answer(document.id or place, observed, policies, decisions_from(document.decisions))

    return read_as(AnswerDocument, data, build, source, line)


def _policies(given: object) -> PolicyNames:
    if given is UNSET:
        expected = "an object, {} for the defaults; or else safety judging, which needs no policies"
        raise InvalidDocument((DocumentProblem("$.policies", "no such key", expected),))
    return policy_names(shaped(given, PoliciesDocument, "$.policies"), "$.policies")


def _all(sources: Sequence[str], safety: bool) -> Iterator[Answer]:
    if not sources:
        from gaugeblock import corpus  # unpacked only when it is asked for

        for case in corpus.iterate():
            yield Answer(case.id, case.round, None if safety else case.policies, case.decisions)
    for source in sources:
        for data, line in _documents(source):
            yield decode(data, shown(source), line, safety=safety)


def _documents(source: str) -> Iterator[tuple[bytes, int | None]]:
    """Yield each line with its number; or the whole file, if its first line opens a document and does not close it."""
    try:
        if source == "-":
            yield from _split(sys.stdin.buffer)
            return
        with open(source, "rb") as stream:
            yield from _split(stream)
    except OSError as error:
        raise UnreadableInput(f"{source}: {error.strerror}; expected a readable file, or - for standard input") from error


def _split(lines: Iterable[bytes]) -> Iterator[tuple[bytes, int | None]]:
    numbered = ((line, number) for number, line in enumerate(lines, start=1) if line.strip())
    first = next(numbered, None)
    if first is None:
        return
    if first[0].strip().endswith(b"}"):
        yield from chain([first], numbered)
    else:
        yield b"".join([first[0], *(line for line, _ in numbered)]), None
