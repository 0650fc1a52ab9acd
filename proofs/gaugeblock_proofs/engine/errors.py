"""What the engine raises: refusals, misuse, and the signals that end one path."""

from __future__ import annotations


class EngineError(Exception):
    """Base of every error that the engine reports about itself or about the theorem it runs."""


class UnsupportedOperation(EngineError):
    """A symbol was asked for something that only one concrete number could answer.

    The path keeps a record of the refusal, so code that swallows this exception does not hide it.
    """

    def __init__(self, operation: str, subject: str) -> None:
        super().__init__(f"{operation} is not supported on the {subject}")
        self.operation = operation
        self.subject = subject


class TheoremMisuse(EngineError):
    """A theorem used the engine against its rules: one name with two ranges, a choice among nothing, and so on."""


class NondeterministicTheorem(EngineError):
    """A re-execution of a path met another choice than the first execution did."""


class NotProved(EngineError):
    """An exploration that had to end in a proof ended otherwise; the message is its description."""


class PathSignal(BaseException):
    """Base of the signals that end a path; outside `Exception`, so that code under proof does not catch them."""


class PathDiscarded(PathSignal):
    """The shipped check rejected the state: the path lies outside the theorem's assumption."""


class BudgetExhausted(PathSignal):
    """A deterministic limit was reached; `limit` names it."""

    def __init__(self, limit: str) -> None:
        super().__init__(f"budget exhausted: {limit}")
        self.limit = limit
