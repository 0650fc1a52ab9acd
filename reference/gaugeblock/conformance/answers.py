"""What a subject does when a round is put to it."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from gaugeblock.model import Decisions, PolicyKind, PolicyNames, Value


class Decided(Value, frozen=True):
    """It decided the round."""

    decisions: Decisions


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
    """It did not answer within ``seconds``."""

    seconds: float


class Malformed(Value, frozen=True):
    """What it said is no answer to the round."""

    problem: str


Answer: TypeAlias = Decided | Declined | Errored | Crashed | TimedOut | Malformed
