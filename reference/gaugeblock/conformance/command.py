"""A subject that is a command: it speaks the line protocol on its standard input and output, in any language."""

import os
import shlex
import time
from collections.abc import Sequence
from typing import Final, TypeAlias

from gaugeblock.conformance.answers import Answer, Crashed, Decided, Declined, Errored, Malformed, TimedOut
from gaugeblock.conformance.errors import SubjectNotRunnable
from gaugeblock.conformance.process import ChildProcess, Gone, Limits, Line, Quiet, Reception, TooLong
from gaugeblock.conformance.subjects import Subject
from gaugeblock.wire import protocol
from gaugeblock.wire.cases import Case
from gaugeblock.wire.errors import InvalidDocument
from gaugeblock.wire.parsing import parse
from gaugeblock.wire.protocol import Declaration

FIRST_SEQUENCE: Final = 1009
SEQUENCE_STEP: Final = 7919
"""Sequence numbers are opaque: they neither start at one nor count, so that a subject that counts itself is found out."""

FUTILE_STARTS: Final = 10
"""After so many deaths in a row without an answer between them a subject is not started again."""

LONGEST_QUOTE: Final = 200
LONGEST_TAIL: Final = 1000

Failure: TypeAlias = Crashed | TimedOut | Malformed


class CommandSubject(Subject):
    """A command. A subject that dies, falls silent or loses the thread is ended, and started afresh for the next case."""

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self.name = shlex.join(command)
        self._command = tuple(command)
        self._limits = limits
        self._child: ChildProcess | None = None
        self._sequence = FIRST_SEQUENCE
        self._answered: dict[int, str] = {}
        self._again: list[str] = []
        self._deaths_in_a_row = 0

    def start(self) -> Declaration:
        """Start the command and ask for its declaration.

        Raises:
            SubjectNotRunnable: when there is no such command, or it declares nothing in its time, or something else.
        """
        if os.name != "posix":
            raise SubjectNotRunnable(self.name, f"found the platform {os.name}; expected one with process groups and pipes")
        try:
            child = ChildProcess(self._command, self._limits)
        except (OSError, ValueError) as error:
            raise SubjectNotRunnable(self.name, getattr(error, "strerror", None) or str(error)) from error
        try:
            declaration = self._declared(child)
        except BaseException:
            child.end()
            raise
        self._child = child
        self._answered = {}
        return declaration

    def put(self, case: Case) -> Answer:
        """Send the round and wait for its answer, starting the command again first if need be."""
        if self._child is None:
            try:
                self.start()
            except SubjectNotRunnable as error:
                self._deaths_in_a_row += 1
                return Crashed(f"it could not be started again: {error.reason}")
        assert self._child is not None
        self._sequence += SEQUENCE_STEP
        request = protocol.encode_round_request(self._sequence, case.round, case.policies)
        self._child.send(request + b"\n")
        answer = self._await_answer(self._child)
        self._answered[self._sequence] = case.id
        return answer

    def stop(self) -> None:
        """Tell the command to stop, and see to it that it does."""
        if self._child is not None:
            child, self._child = self._child, None
            for line in child.end(protocol.encode_stop() + b"\n"):
                self._note_repetition(_sequence_of(line))

    def answered_again(self) -> tuple[str, ...]:
        """Return the ids of the cases to which a further answer has come since the last call."""
        again, self._again = tuple(self._again), []
        return again

    def gave_up(self) -> str | None:
        """Return that the command died too often in a row, or None."""
        if self._deaths_in_a_row < FUTILE_STARTS:
            return None
        return f"the subject gave no answer {self._deaths_in_a_row} times in a row, each time started afresh"

    def _declared(self, child: ChildProcess) -> Declaration:
        child.send(protocol.encode_start() + b"\n")
        reception = child.receive(self._limits.start_seconds)
        if not isinstance(reception, Line):
            child.end()
            raise SubjectNotRunnable(self.name, _with_stderr(_undeclared(reception, self._limits.start_seconds), child))
        try:
            return protocol.decode_declaration(reception.content)
        except InvalidDocument as error:
            raise SubjectNotRunnable(self.name, f"its declaration: {error}") from error

    def _await_answer(self, child: ChildProcess) -> Answer:
        """Take lines until one is about this round; a further answer to an earlier round is noted against that one."""
        deadline = time.monotonic() + self._limits.answer_seconds
        while True:
            reception = child.receive(deadline - time.monotonic())
            if not isinstance(reception, Line):
                return self._abandon(child, _failure(reception, self._limits.answer_seconds))
            sequence = _sequence_of(reception.content)
            if sequence == self._sequence:
                self._deaths_in_a_row = 0
                return _answer_in(reception.content)
            if not self._note_repetition(sequence):
                return self._abandon(child, _no_answer_in(reception.content, self._sequence))

    def _note_repetition(self, sequence: int | None) -> bool:
        """Note that an earlier round was answered again, if that is what the sequence number says; return whether it is."""
        case = self._answered.get(sequence) if sequence is not None else None
        if case is None:
            return False
        self._again.append(case)
        return True

    def _abandon(self, child: ChildProcess, failure: Failure) -> Answer:
        """End a child that no answer can be had from any more, so that nothing it still says is taken for a later answer."""
        self._child = None
        self._deaths_in_a_row += 1
        child.end()
        return failure if isinstance(failure, Malformed) else type(failure)(_with_stderr(failure.how, child))


def _undeclared(reception: Reception, seconds: float) -> str:
    match _failure(reception, seconds):
        case Malformed(problem):
            return f"{problem}, which was to be its declaration"
        case failure:
            return f"{failure.how}, before it declared anything"


def _failure(reception: Reception, seconds: float) -> Failure:
    match reception:
        case Quiet():
            return TimedOut(f"no answer within {seconds:g} s")
        case Gone(how, partial):
            return Crashed(f"{how}, having begun the line {_quoted(partial)}" if partial else how)
        case TooLong(limit):
            return Malformed(f"found a line of more than {limit} bytes; expected an answer")
        case Line(content):
            return Malformed(f"found {_quoted(content)}; expected an answer")


def _answer_in(content: bytes) -> Answer:
    try:
        answer = protocol.decode_answer(content)
    except InvalidDocument as error:
        return Malformed(str(error))
    match answer:
        case protocol.Answered():
            return Decided(answer.decisions, answer.transcript)
        case protocol.Skipped():
            return Declined(answer.reason)
        case protocol.Errored():
            return Errored(answer.message)


def _no_answer_in(content: bytes, expected: int) -> Malformed:
    try:
        protocol.decode_answer(content)
    except InvalidDocument as error:
        return Malformed(f"{error}\nin the line {_quoted(content)}")
    return Malformed(f"$.seq: found {_sequence_of(content)}; expected {expected}, the number of the round")


def _sequence_of(content: bytes) -> int | None:
    """Return the sequence number of a line that may be anything."""
    try:
        message = parse(content)
    except InvalidDocument:
        return None
    sequence = message.get("seq") if isinstance(message, dict) else None
    return sequence if type(sequence) is int else None


def _quoted(content: bytes) -> str:
    text = content.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}...")


def _with_stderr(how: str, child: ChildProcess) -> str:
    tail = child.stderr_tail[-LONGEST_TAIL:]
    return f"{how}; its standard error ends:\n{tail}" if tail else how
