"""The subject protocol, both sides: what is said to an implementation under test, and what it says.

Every ``encode_...`` gives one message without the line feed that ends it on the pipe; every ``decode_...`` takes a line with
or without one.
"""

from typing import Final, TypeAlias, get_args

import msgspec
from msgspec import UNSET, UnsetType

from gaugeblock.model import Decisions, ObservedState, PolicyKind, PolicyNames, Value
from gaugeblock.wire.decisions import decisions_document, decisions_from
from gaugeblock.wire.diagnosis import describe, number_problems
from gaugeblock.wire.errors import DocumentProblem, InvalidDocument
from gaugeblock.wire.messages import (
    AnsweredMessage,
    DeclarationMessage,
    DeclaredPoliciesDocument,
    ErroredDocument,
    ErroredMessage,
    Feature,
    ImplementationDocument,
    PolicyCallDocument,
    RoundMessage,
    SkippedDocument,
    SkippedMessage,
    StartMessage,
    StopMessage,
)
from gaugeblock.wire.policies import policies_document, policy_names
from gaugeblock.wire.reading import read, read_as, shaped
from gaugeblock.wire.resolving import observed_state
from gaugeblock.wire.rounds import round_document

VERSION: Final = 1
"""The version of the protocol."""

FEATURES: Final[tuple[Feature, ...]] = get_args(Feature)
"""What a subject may support beyond the simplest rounds; ``integers-64`` means sizes beyond 2^53."""


class Implementation(Value, frozen=True):
    """Which implementation a subject is."""

    name: str
    version: str
    language: str


class Declaration(Value, frozen=True):
    """What a subject is and supports: the names of its policies for each kind that it names (else the default), features."""

    implementation: Implementation
    policies: tuple[tuple[PolicyKind, tuple[str, ...]], ...]
    features: tuple[Feature, ...]


class Start(Value, frozen=True):
    """The request to begin, in this version of the protocol."""

    version: int = VERSION


class RoundRequest(Value, frozen=True):
    """The request to decide a round with these policies."""

    seq: int
    round: ObservedState
    policies: PolicyNames


class Stop(Value, frozen=True):
    """The request to exit."""


class PolicyCall(Value, frozen=True):
    """One call that a subject made to a policy: ``input`` and ``output`` are JSON texts, as yet unjudged."""

    kind: PolicyKind
    method: str
    input: bytes
    output: bytes


class Answered(Value, frozen=True):
    """The subject's decisions, and the transcript of its policy calls, in the order made, where it gave one."""

    seq: int
    decisions: Decisions
    transcript: tuple[PolicyCall, ...] | None = None


class Skipped(Value, frozen=True):
    """The subject does not support the round."""

    seq: int
    reason: str


class Errored(Value, frozen=True):
    """The subject says that it failed by itself."""

    seq: int
    message: str


Request: TypeAlias = Start | RoundRequest | Stop
Answer: TypeAlias = Answered | Skipped | Errored


def encode_start() -> bytes:
    """Return the request to begin."""
    return msgspec.json.encode(StartMessage("start", VERSION))


def encode_round_request(seq: int, round: ObservedState, policies: PolicyNames) -> bytes:  # noqa: A002 (the format's word)
    """Return the request to decide ``round``; the answer must repeat ``seq``."""
    return msgspec.json.encode(RoundMessage("round", seq, round_document(round), policies_document(policies)))


def encode_stop() -> bytes:
    """Return the request to exit."""
    return msgspec.json.encode(StopMessage("stop"))


def decode_request(line: bytes, *, source: str | None = None) -> Request:
    """Return what a subject is asked.

    Raises:
        InvalidDocument: with all that is wrong with it.
    """
    return read(line, _request, source)


def encode_declaration(declaration: Declaration) -> bytes:
    """Return what a subject says in answer to the request to begin."""
    implementation = declaration.implementation
    message = DeclarationMessage(
        VERSION,
        ImplementationDocument(implementation.name, implementation.version, implementation.language),
        DeclaredPoliciesDocument(**{kind.value: names for kind, names in declaration.policies}),
        declaration.features,
    )
    return msgspec.json.encode(message)


def decode_declaration(line: bytes, *, source: str | None = None) -> Declaration:
    """Return what a subject declares.

    Raises:
        InvalidDocument: with all that is wrong with it; another version of the protocol is wrong, too.
    """
    return read_as(DeclarationMessage, line, _declaration, source)


def encode_answer(answer: Answer) -> bytes:
    """Return what a subject says in answer to a round."""
    message: AnsweredMessage | SkippedMessage | ErroredMessage
    match answer:
        case Answered():
            message = AnsweredMessage(answer.seq, decisions_document(answer.decisions), _call_documents(answer.transcript))
        case Skipped():
            message = SkippedMessage(answer.seq, SkippedDocument(answer.reason))
        case Errored():
            message = ErroredMessage(answer.seq, ErroredDocument(answer.message))
    return msgspec.json.encode(message)


def decode_answer(line: bytes, *, source: str | None = None) -> Answer:
    """Return what a subject answers to a round.

    Raises:
        InvalidDocument: with all that is wrong with it.
    """
    return read(line, _answer, source)


def _request(value: object) -> Request:
    match value:
        case {"cmd": "start"}:
            return Start(shaped(value, StartMessage).version)
        case {"cmd": "round"}:
            message = shaped(value, RoundMessage)
            state = observed_state(message.round, "$.round")
            return RoundRequest(message.seq, state, policy_names(message.policies, "$.policies"))
        case {"cmd": "stop"}:
            shaped(value, StopMessage)
            return Stop()
        case {"cmd": command}:
            problem = DocumentProblem("$.cmd", describe(command), "one of 'start', 'round', 'stop'")
        case _:
            problem = DocumentProblem("$", describe(value), "an object with the key cmd")
    raise InvalidDocument((problem,))


def _declaration(message: DeclarationMessage) -> Declaration:
    it = message.implementation
    entries = [(kind, getattr(message.policies, kind.value)) for kind in PolicyKind]
    policies = tuple([(kind, names) for kind, names in entries if names is not UNSET])
    return Declaration(Implementation(it.name, it.version, it.language), policies, message.features)


def _answer(value: object) -> Answer:
    if isinstance(value, dict) and "skipped" in value:
        skipped = shaped(value, SkippedMessage)
        return Skipped(skipped.seq, skipped.skipped.reason)
    if isinstance(value, dict) and "errored" in value:
        errored = shaped(value, ErroredMessage)
        return Errored(errored.seq, errored.errored.message)
    answered = shaped(value, AnsweredMessage)
    return Answered(answered.seq, decisions_from(answered.decisions), _calls(answered.transcript))


def _calls(transcript: tuple[PolicyCallDocument, ...] | UnsetType) -> tuple[PolicyCall, ...] | None:
    """Keep inputs and outputs as text, which cannot change; a number out of range is refused."""
    if transcript is UNSET:
        return None
    problems: list[DocumentProblem] = []
    for index, call in enumerate(transcript):
        problems += number_problems(call.input, f"$.transcript[{index}].input")
        problems += number_problems(call.output, f"$.transcript[{index}].output")
    if problems:
        raise InvalidDocument(tuple(problems))
    encode = msgspec.json.encode
    return tuple([PolicyCall(call.kind, call.method, encode(call.input), encode(call.output)) for call in transcript])


def _call_documents(transcript: tuple[PolicyCall, ...] | None) -> tuple[PolicyCallDocument, ...] | UnsetType:
    if transcript is None:
        return UNSET
    decode = msgspec.json.decode
    return tuple([PolicyCallDocument(call.kind, call.method, decode(call.input), decode(call.output)) for call in transcript])
