"""Running a theorem on the numbers of one assignment: how a counterexample shows that it misbehaves in fact."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from gaugeblock_proofs.engine.assignment import Assignment
from gaugeblock_proofs.engine.errors import EngineError, PathDiscarded, TheoremMisuse
from gaugeblock_proofs.engine.path import DEFAULT_LABEL, Path
from gaugeblock_proofs.engine.sources import ConcreteSource, Source
from gaugeblock_proofs.engine.symbols import Condition, as_condition

Theorem = Callable[[Source, Path], None]
"""Builds a state from the source, runs the shipped function, and obliges the path to properties of the result."""


class Replay(msgspec.Struct, frozen=True):
    """What the theorem did on concrete numbers."""

    failed: tuple[str, ...]
    """Labels of the false obligations, in order; `raises X` for an exception that escaped."""
    reached: tuple[str, ...]
    """Labels of all obligations, in order."""
    discarded: bool
    """Whether the shipped check rejected the state."""
    message: str
    """The message of the exception that escaped, or nothing."""


class ConcretePath(Path):
    """A run on concrete numbers that follows an assignment's choices."""

    def __init__(self, choices: tuple[int, ...]) -> None:
        self.reached: list[str] = []
        self.failed: list[str] = []
        self._choices = list(reversed(choices))

    def pick(self, count: int) -> int:
        """Return the next assigned choice."""
        if not self._choices or not 0 <= self._choices[-1] < count:
            raise TheoremMisuse(f"the assignment has no choice among these {count} alternatives")
        return self._choices.pop()

    def prove(self, condition: Condition, label: str = DEFAULT_LABEL) -> None:
        """Note whether the condition holds."""
        self.reached.append(label)
        if not as_condition(condition):
            self.failed.append(label)


def replay(theorem: Theorem, assignment: Assignment) -> Replay:
    """Run the theorem on the assignment's numbers; errors of the engine itself are raised."""
    path = ConcretePath(assignment.choices)
    discarded = False
    message = ""
    try:
        theorem(ConcreteSource(assignment), path)
    except PathDiscarded:
        discarded = True
    except EngineError:
        raise
    except (Exception, SystemExit) as error:
        path.failed.append(raised_label(error))
        message = str(error)
    return Replay(tuple(path.failed), tuple(path.reached), discarded, message)


def raised_label(error: BaseException) -> str:
    """Return the label under which an escaped exception counts as a violation."""
    return f"raises {type(error).__name__}"
