"""Subjects: the implementations under test. This module has what all share, and those that run in this process."""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias, TypeVar, cast

from gaugeblock.conformance.answers import Answer, Crashed, Decided, Errored, Malformed
from gaugeblock.conformance.errors import PolicyRaised, SubjectNotRunnable
from gaugeblock.conformance.recording import Recordable, decide_recorded, is_recordable
from gaugeblock.model import LARGEST_DATE, Decisions, GaugeblockError, ObservedState, PolicyKind, PolicyNames, RoundTrace
from gaugeblock.policies.registry import all_builtin, known_names
from gaugeblock.scheduler import GreedyScheduler, scheduler_from
from gaugeblock.version import __version__
from gaugeblock.wire.cases import Case
from gaugeblock.wire.decisions import decode_decisions, encode_decisions
from gaugeblock.wire.errors import InvalidDocument
from gaugeblock.wire.protocol import FEATURES, Declaration, Implementation

Decide: TypeAlias = Callable[[ObservedState, PolicyNames], object]
"""What should return :class:`Decisions`, or :class:`Decided` with a transcript; whether it does is found out."""

Asked = TypeVar("Asked")

REFERENCE: Final = "reference"
"""The name of the subject that is gaugeblock's own scheduler."""

OPTIMIZED: Final = "optimized"
"""The name of the subject that is gaugeblock's optimized model."""

MINIATURE: Final = "miniature:"
"""What the names of the subjects begin with that are deliberately wrong schedulers."""


class Transcribing(Enum):
    """What a subject of this process tells of its policy calls: nothing, what they were asked, or the whole state as well."""

    NOTHING = "nothing"
    CALLS = "calls"
    STATES = "states"


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
        if isinstance(decisions, Decisions):
            return _as_on_the_wire(Decided(decisions))
        if isinstance(decisions, Decided):
            return _as_on_the_wire(decisions)
        return Crashed(f"it returned {type(decisions).__name__}; expected Decisions")


def _as_on_the_wire(decided: Decided) -> Decided | Malformed:
    """Hold decisions to the format to which those of a command are held: nothing else keeps their fields to their types."""
    wakeup = decided.decisions.wakeup
    try:
        if wakeup is not None and not -LARGEST_DATE <= wakeup <= LARGEST_DATE:  # it would be written as null, which means none
            return Malformed(f"$.wakeup: found {wakeup}; expected a finite number or null")
        return Decided(decode_decisions(encode_decisions(decided.decisions)), decided.transcript)
    except InvalidDocument as error:
        return Malformed(str(error))
    except Exception as error:  # the fields may hold anything
        return Malformed(f"found decisions that no document can hold ({type(error).__name__}: {error}); expected Decisions")


def reference_scheduler(policies: PolicyNames) -> GreedyScheduler:
    """Return the reference with these policies.

    Raises:
        UnknownPolicy, InvalidParameters, NotAPolicy: when one of them cannot be had.
    """
    return _scheduler_as_written(policies, repr(policies))


@lru_cache(maxsize=64)
def _scheduler_as_written(policies: PolicyNames, written: str) -> GreedyScheduler:
    """Keep apart what Python calls equal: the seeds 1, 1.0 and true are not equally good."""
    return scheduler_from(policies)


def schedule_by_reference(observed: ObservedState, policies: PolicyNames) -> tuple[Decisions, RoundTrace]:
    """Return what the reference decides, and how it comes to that.

    Raises:
        UnknownPolicy, InvalidParameters, NotAPolicy: as :func:`reference_scheduler`.
        PolicyContractError: when a policy breaks its contract.
        PolicyRaised: when the code of a third party raises anything else.
    """
    scheduler = reference_scheduler(policies)
    return asking(policies, lambda: scheduler.schedule(observed))


def asking(policies: PolicyNames, schedule: Callable[[], Asked]) -> Asked:
    """Return what ``schedule`` returns, which may call the code of third parties.

    Raises:
        PolicyRaised: when that code raises anything but an error of gaugeblock's own.
    """
    try:
        return schedule()
    except GaugeblockError:
        raise
    except (Exception, SystemExit) as error:
        if all_builtin(policies):
            raise
        raise PolicyRaised(error) from error


def decide_by_reference(observed: ObservedState, policies: PolicyNames) -> Decisions:
    """Return what the reference decides."""
    return schedule_by_reference(observed, policies)[0]


def declaration_of(name: str) -> Declaration:
    """Return the declaration of a subject in this process that has all policies known here, and all features."""
    policies = tuple((kind, known_names(kind)) for kind in PolicyKind)
    return Declaration(Implementation(name, __version__, "Python"), policies, FEATURES)


def reference() -> InProcessSubject:
    """Return the reference as a subject."""
    return InProcessSubject(REFERENCE, decide_by_reference, declaration_of(REFERENCE))


def named(name: str, transcribing: Transcribing = Transcribing.NOTHING) -> InProcessSubject:
    """Return the subject called ``name``: ``reference``, ``optimized``, ``miniature:NAME``, or what ``module:attribute`` is.

    What ``module:attribute`` leads to is a function from a state and the names of policies to decisions, or a scheduler with
    policies of its own: it has a method ``schedule`` from a state to decisions, with or without a trace beside them. A class
    is called to make one. Of a scheduler whose policies can be replaced (``with_policy``) a transcript can be had.

    Raises:
        SubjectNotRunnable: when there is no such subject.
    """
    if name == REFERENCE:
        return _scheduling(name, reference_scheduler, declaration_of(name), transcribing)
    if name == OPTIMIZED:
        from gaugeblock.conformance.optimized_subject import optimized  # it is loaded only when it is wanted

        return optimized(transcribing)
    if name.startswith(MINIATURE):
        return _scheduling(name, _miniature(name), declaration_of(name), transcribing)
    subject = _attribute(name)
    if callable(getattr(subject, "schedule", None)):
        defaults = tuple((kind, (getattr(PolicyNames(), kind.value).name,)) for kind in PolicyKind)
        declaration = Declaration(Implementation(name, __version__, "Python"), defaults, FEATURES)
        return _scheduling(name, lambda policies: subject, declaration, transcribing)
    if callable(subject):
        return InProcessSubject(name, subject, declaration_of(name))
    raise SubjectNotRunnable(name, "it is neither a function nor has it a method schedule")


def _scheduling(
    name: str, scheduler: Callable[[PolicyNames], object], declaration: Declaration, transcribing: Transcribing
) -> InProcessSubject:
    """Return the subject that asks, for each round, the scheduler with the policies that the round names."""

    def decide(observed: ObservedState, policies: PolicyNames) -> object:
        asked: Any = scheduler(policies)
        if transcribing is Transcribing.NOTHING or not is_recordable(asked):
            return _without_trace(asked.schedule(observed))
        return decide_recorded(cast("Recordable", asked), observed, with_states=transcribing is Transcribing.STATES)

    return InProcessSubject(name, decide, declaration)


def _miniature(name: str) -> Callable[[PolicyNames], object]:
    from gaugeblock import miniatures  # they are loaded only when one is wanted

    wrong = name.removeprefix(MINIATURE)
    try:
        miniatures.scheduler(wrong)
    except GaugeblockError as error:
        raise SubjectNotRunnable(name, str(error)) from error
    return partial(miniatures.scheduler_from, wrong)


def _attribute(name: str) -> object:
    module, colon, attribute = name.partition(":")
    if not colon:
        raise SubjectNotRunnable(name, f"expected {REFERENCE}, {OPTIMIZED}, {MINIATURE}NAME or module:attribute")
    try:
        found: object = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
        return found() if isinstance(found, type) else found
    except (Exception, SystemExit) as error:  # foreign code may raise anything
        raise SubjectNotRunnable(name, f"{type(error).__name__}: {error}") from error


def _without_trace(scheduled: object) -> object:
    return scheduled[0] if isinstance(scheduled, tuple) and scheduled else scheduled
