"""The other side of the line protocol: a subject of this process serves it."""

from typing import BinaryIO

from gaugeblock.conformance.answers import Answer, Crashed, Decided, Declined, Errored, Malformed, TimedOut
from gaugeblock.conformance.subjects import Subject
from gaugeblock.model import Decisions
from gaugeblock.wire import protocol
from gaugeblock.wire.cases import Case


def serve(subject: Subject, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer each request, one a line, until told to stop or there are no more.

    Raises:
        InvalidDocument: when a line is no request.
    """
    try:
        for number, line in enumerate(requests, start=1):
            request = protocol.decode_request(line, source=f"request {number}")
            if isinstance(request, protocol.Stop):
                return
            answers.write(_reply(subject, request) + b"\n")
            answers.flush()
    finally:
        subject.stop()


def _reply(subject: Subject, request: protocol.Start | protocol.RoundRequest) -> bytes:
    if isinstance(request, protocol.Start):
        return protocol.encode_declaration(subject.start())
    return protocol.encode_answer(_answer(subject, request))


def _answer(subject: Subject, request: protocol.RoundRequest) -> protocol.Answer:
    answer: Answer = subject.put(Case(str(request.seq), request.round, request.policies, Decisions()))
    match answer:
        case Decided():
            return protocol.Answered(request.seq, answer.decisions, answer.transcript)
        case Declined():
            return protocol.Skipped(request.seq, answer.reason)
        case Errored():
            return protocol.Errored(request.seq, answer.message)
        case Crashed() | TimedOut():
            return protocol.Errored(request.seq, answer.how)
        case Malformed():
            return protocol.Errored(request.seq, answer.problem)
