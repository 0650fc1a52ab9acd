"""The shapes of the subject protocol's messages, version 1: what goes to the implementation under test and what comes back."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from gaugeblock.model import PolicyKind
from gaugeblock.wire.documents import DecisionsDocument, Document, PoliciesDocument, RoundDocument, Size

Feature: TypeAlias = Literal["positions", "shared-containers", "node-status", "failing", "prewarming", "wakeups", "integers-64"]
SequenceNumber: TypeAlias = Annotated[Size, Meta(description="Chosen by the asking side, repeated in the answer.")]


class StartMessage(Document, frozen=True):
    """The first message to a subject; it answers with its declaration."""

    cmd: Literal["start"]
    version: Literal[1]


class RoundMessage(Document, frozen=True):
    """A round to decide."""

    cmd: Literal["round"]
    seq: SequenceNumber
    round: RoundDocument
    policies: PoliciesDocument


class StopMessage(Document, frozen=True):
    """The last message to a subject; it exits."""

    cmd: Literal["stop"]


class ImplementationDocument(Document, frozen=True):
    """Which implementation the subject is."""

    name: str
    version: str
    language: str


PolicyNameList: TypeAlias = tuple[str, ...] | UnsetType


class DeclaredPoliciesDocument(Document, frozen=True):
    """The names of the policies that a subject has, for each kind; an absent kind stands for its default."""

    invocation_failing: PolicyNameList = UNSET
    node_scaling: PolicyNameList = UNSET
    invocation_ordering: PolicyNameList = UNSET
    node_selection: PolicyNameList = UNSET
    reusable_container: PolicyNameList = UNSET
    eviction: PolicyNameList = UNSET
    plan_selection: PolicyNameList = UNSET
    container_prewarm: PolicyNameList = UNSET


class DeclarationMessage(Document, frozen=True):
    """What a subject is and what it supports."""

    version: Literal[1]
    implementation: ImplementationDocument
    policies: DeclaredPoliciesDocument
    features: tuple[Feature, ...]


class PolicyCallDocument(Document, frozen=True):
    """One call that the subject made to a policy: what it passed and what came back."""

    kind: PolicyKind
    method: str
    input: dict[str, Any]
    output: Any


class AnsweredMessage(Document, frozen=True):
    """The subject decided the round."""

    seq: SequenceNumber
    decisions: DecisionsDocument
    transcript: tuple[PolicyCallDocument, ...] | UnsetType = UNSET


class SkippedDocument(Document, frozen=True):
    """Why the subject does not support the round."""

    reason: str


class SkippedMessage(Document, frozen=True):
    """The subject does not support the round."""

    seq: SequenceNumber
    skipped: SkippedDocument


class ErroredDocument(Document, frozen=True):
    """How the subject failed."""

    message: str


class ErroredMessage(Document, frozen=True):
    """The subject failed by itself."""

    seq: SequenceNumber
    errored: ErroredDocument
