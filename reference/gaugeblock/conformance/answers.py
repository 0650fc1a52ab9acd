"""What a subject does when a round is put to it."""

from typing import TypeAlias

from gaugeblock.model import Decisions, Value
from gaugeblock.wire.protocol import PolicyCall


class Decided(Value, frozen=True):
    """It decided the round; ``transcript`` lists the policy calls that it made, where it says so."""

    decisions: Decisions
    transcript: tuple[PolicyCall, ...] | None = None


class Declined(Value, frozen=True):
    """It says that the round is beyond what it supports."""

    reason: str


class Errored(Value, frozen=True):
    """It says that it failed by itself."""

    message: str


class Crashed(Value, frozen=True):
    """It died, or raised what no scheduler should."""

    how: str


class TimedOut(Value, frozen=True):
    """It gave no answer in its time."""

    how: str


class Malformed(Value, frozen=True):
    """What it said is no answer to the round."""

    problem: str


Answer: TypeAlias = Decided | Declined | Errored | Crashed | TimedOut | Malformed
