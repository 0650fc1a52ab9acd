"""Subjects: the implementations under test. This module has what all share, and those that run in this process."""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias

from gaugeblock.conformance.answers import Answer, Crashed, Decided, Errored
from gaugeblock.conformance.errors import SubjectNotRunnable
from gaugeblock.model import Decisions, GaugeblockError, ObservedState, PolicyKind, PolicyNames
from gaugeblock.policies.registry import known_names
from gaugeblock.scheduler import GreedyScheduler, scheduler_from
from gaugeblock.version import __version__
from gaugeblock.wire.cases import Case
from gaugeblock.wire.protocol import FEATURES, Declaration, Implementation

Decide: TypeAlias = Callable[[ObservedState, PolicyNames], object]
"""What should return :class:`Decisions`; whether it does is found out."""

REFERENCE: Final = "reference"
"""The name of the subject that is gaugeblock's own scheduler."""


class Subject(ABC):
    """An implementation under test. It is started once, asked round after round, and ended."""

    name: str

    @abstractmethod
    def start(self) -> Declaration:
        """Begin, and return what the subject supports.

        Raises:
            SubjectNotRunnable: when it cannot be brought so far.
        """

    @abstractmethod
    def put(self, case: Case) -> Answer:
        """Put the round of ``case`` to the subject and return what it does; whatever it does is an answer."""

    def stop(self) -> None:
        """End the subject, whatever state it is in."""
        return

    def answered_again(self) -> tuple[str, ...]:
        """Return the ids of the cases found since the last call to have been answered more than once."""
        return ()

    def gave_up(self) -> str | None:
        """Return why it is no use to ask any further, or None."""
        return None


class InProcessSubject(Subject):
    """A subject that is a function of this process, from a state and the names of policies to decisions."""

    def __init__(self, name: str, decide: Decide, declaration: Declaration) -> None:
        self.name = name
        self._decide = decide
        self._declaration = declaration

    def start(self) -> Declaration:
        """Return the declaration that it was made with."""
        return self._declaration

    def put(self, case: Case) -> Answer:
        """Call the function; an error of gaugeblock's own is its word that it failed, any other one a crash."""
        try:
            decisions = self._decide(case.round, case.policies)
        except GaugeblockError as error:
            return Errored(f"{type(error).__name__}: {error}")
        except (Exception, SystemExit) as error:  # code under test may raise anything
            return Crashed(f"it raised {type(error).__name__}: {error}")
        if not isinstance(decisions, Decisions):
            return Crashed(f"it returned {type(decisions).__name__}; expected Decisions")
        return Decided(decisions)


@lru_cache(maxsize=64)
def reference_scheduler(policies: PolicyNames) -> GreedyScheduler:
    """Return the reference with these policies.

    Raises:
        UnknownPolicy, InvalidParameters, NotAPolicy: when one of them cannot be had.
    """
    return scheduler_from(policies)


def decide_by_reference(observed: ObservedState, policies: PolicyNames) -> Decisions:
    """Return what the reference decides."""
    return reference_scheduler(policies).schedule(observed)[0]


def declaration_of(name: str) -> Declaration:
    """Return the declaration of a subject in this process that has all policies known here, and all features."""
    policies = tuple((kind, known_names(kind)) for kind in PolicyKind)
    return Declaration(Implementation(name, __version__, "Python"), policies, FEATURES)


def reference() -> InProcessSubject:
    """Return the reference as a subject."""
    return InProcessSubject(REFERENCE, decide_by_reference, declaration_of(REFERENCE))


def named(name: str) -> InProcessSubject:
    """Return the subject called ``name``: ``reference``, or the object that ``module:attribute`` leads to.

    Such an object is a function from a state and the names of policies to decisions, or a scheduler with the default policies:
    it has a method ``schedule`` from a state to decisions, with or without a trace beside them. A class is called to make one.

    Raises:
        SubjectNotRunnable: when there is no such subject.
    """
    if name == REFERENCE:
        return reference()
    subject = _attribute(name)
    schedule = getattr(subject, "schedule", None)
    if callable(schedule):
        defaults = tuple((kind, (getattr(PolicyNames(), kind.value).name,)) for kind in PolicyKind)
        declaration = Declaration(Implementation(name, __version__, "Python"), defaults, FEATURES)
        return InProcessSubject(name, lambda observed, policies: _without_trace(schedule(observed)), declaration)
    if callable(subject):
        return InProcessSubject(name, subject, declaration_of(name))
    raise SubjectNotRunnable(name, "it is neither a function nor has it a method schedule")


def _attribute(name: str) -> object:
    module, colon, attribute = name.partition(":")
    if not colon:
        raise SubjectNotRunnable(name, f"expected {REFERENCE} or module:attribute")
    try:
        found: object = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
        return found() if isinstance(found, type) else found
    except Exception as error:  # foreign code may raise anything
        raise SubjectNotRunnable(name, f"{type(error).__name__}: {error}") from error


def _without_trace(scheduled: object) -> object:
    return scheduled[0] if isinstance(scheduled, tuple) and scheduled else scheduled
