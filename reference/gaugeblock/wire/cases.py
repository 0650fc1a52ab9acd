"""Cases: a round, the policies to decide it with, and the decisions that are right. A vector file holds one a line."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

from gaugeblock.model import Decisions, ObservedState, PolicyNames, Value
from gaugeblock.wire.decisions import decisions_document, decisions_from
from gaugeblock.wire.documents import CaseDocument
from gaugeblock.wire.errors import DocumentProblem, InvalidDocument
from gaugeblock.wire.policies import policies_document, policy_names
from gaugeblock.wire.reading import read_as
from gaugeblock.wire.references import dangling_names
from gaugeblock.wire.resolving import observed_state
from gaugeblock.wire.rounds import round_document

Part = TypeVar("Part")


class Case(Value, frozen=True):
    """A round with the right decisions.

    ``clauses`` are the identifiers of the clauses that it shows and ``derivation`` tells how its decisions follow from them;
    both may be empty.
    """

    id: str
    round: ObservedState
    policies: PolicyNames
    decisions: Decisions
    clauses: tuple[str, ...] = ()
    derivation: str = ""


def decode_case(line: bytes, *, source: str | None = None, line_number: int | None = None) -> Case:
    """Return the case that one line of a vector file holds.

    Raises:
        InvalidDocument: with all that is wrong with it.
    """
    return read_as(CaseDocument, line, _case, source, line_number)


def encode_case(case: Case) -> bytes:
    """Return the document of ``case``, one line without its end; empty clauses and derivation are left out."""
    document = CaseDocument(
        id=case.id,
        clauses=case.clauses,
        derivation=case.derivation,
        round=round_document(case.round),
        policies=policies_document(case.policies),
        decisions=decisions_document(case.decisions),
    )
    return msgspec.json.encode(document)


def read_cases(
    cases: str | Path | BinaryIO | Iterable[bytes],
    *,
    source: str | None = None,
    on_error: Callable[[InvalidDocument], None] | None = None,
) -> Iterator[Case]:
    """Yield the cases of a vector file, given by its path, as a binary stream or as its lines; blank lines are skipped.

    ``source`` names it in messages; a path names itself. An id that an earlier line has used is an error of the later one.
    With ``on_error`` each error is handed to it and the reading goes on with the next line.

    Raises:
        InvalidDocument: at the first bad line, unless there is ``on_error``.
        OSError: when the file cannot be read.
    """
    if isinstance(cases, (str, Path)):
        with open(cases, "rb") as stream:
            yield from read_cases(stream, source=source or str(cases), on_error=on_error)
        return
    first_uses: dict[str, int] = {}
    for number, line in enumerate(cases, start=1):
        if not line.strip():
            continue
        try:
            case = decode_case(line, source=source, line_number=number)
            _require_new(case.id, first_uses, source, number)
        except InvalidDocument as error:
            if on_error is None:
                raise
            on_error(error)
        else:
            yield case


def _case(document: CaseDocument) -> Case:
    """Build the case; what is wrong with its round and with its policies is told together."""
    problems: list[DocumentProblem] = []
    state = _or_problems(lambda: observed_state(document.round, "$.round"), problems)
    policies = _or_problems(lambda: policy_names(document.policies, "$.policies"), problems)
    if state is not None:
        problems += dangling_names(document.decisions, state, "$.decisions")
    if state is None or policies is None or problems:
        raise InvalidDocument(tuple(problems))
    decisions = decisions_from(document.decisions)
    return Case(document.id, state, policies, decisions, document.clauses, document.derivation)


def _or_problems(build: Callable[[], Part], problems: list[DocumentProblem]) -> Part | None:
    try:
        return build()
    except InvalidDocument as error:
        problems += error.problems
        return None


def _require_new(case_id: str, first_uses: dict[str, int], source: str | None, number: int) -> None:
    first = first_uses.setdefault(case_id, number)
    if first != number:
        problem = DocumentProblem("$.id", repr(case_id), f"an id that line {first} does not use")
        raise InvalidDocument((problem,), source, number)
