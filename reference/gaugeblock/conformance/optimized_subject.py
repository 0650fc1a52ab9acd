"""The optimized model as a subject: alone, or beside the reference."""

from typing import Any, Final, cast

from gaugeblock.conformance.answers import Decided
from gaugeblock.conformance.errors import ModelsDisagree
from gaugeblock.conformance.exact import differences
from gaugeblock.conformance.recording import Recordable, decide_recorded
from gaugeblock.conformance.subjects import (
    OPTIMIZED,
    InProcessSubject,
    Transcribing,
    asking,
    decide_by_reference,
    declaration_of,
    reference_scheduler,
)
from gaugeblock.model import Decisions, ObservedState, PolicyNames
from gaugeblock.optimized.rounds import decide
from gaugeblock.policies.protocols import Policy
from gaugeblock.policies.registry import all_builtin
from gaugeblock.scheduler import GreedyScheduler

BOTH: Final = "optimized beside reference"
"""What the two models together are called as a subject."""


def optimized(transcribing: Transcribing = Transcribing.NOTHING) -> InProcessSubject:
    """Return the optimized model as a subject; with a transcript it takes its general path, which calls policies."""

    def decided(observed: ObservedState, policies: PolicyNames) -> Decisions | Decided:
        return _decided(observed, policies, transcribing)

    return InProcessSubject(OPTIMIZED, decided, declaration_of(OPTIMIZED))


def both(transcribing: Transcribing = Transcribing.NOTHING) -> InProcessSubject:
    """Return both models as one subject: it answers with what both decide, list by list, and fails where they differ."""

    def decided(observed: ObservedState, policies: PolicyNames) -> Decisions | Decided:
        answer = _decided(observed, policies, transcribing)
        found = answer.decisions if isinstance(answer, Decided) else answer
        differing = differences(decide_by_reference(observed, policies), found, strict_order=True)
        if differing:
            raise ModelsDisagree(tuple(each.category for each in differing))
        return answer

    return InProcessSubject(BOTH, decided, declaration_of(BOTH))


def decide_by_optimized_model(observed: ObservedState, policies: PolicyNames) -> Decisions:
    """Return what the optimized model decides: by its indexes with built-in policies, by its general path with others.

    Raises:
        UnknownPolicy, InvalidParameters, NotAPolicy, PolicyContractError, PolicyRaised: as the reference does.
    """
    scheduler = reference_scheduler(policies)  # which also refuses parameters that are out of range
    return asking(policies, lambda: decide(observed, policies if all_builtin(policies) else scheduler))


def _decided(observed: ObservedState, policies: PolicyNames, transcribing: Transcribing) -> Decisions | Decided:
    if transcribing is Transcribing.NOTHING:
        return decide_by_optimized_model(observed, policies)
    general = cast("Recordable", _GeneralPath(reference_scheduler(policies)))
    return decide_recorded(general, observed, with_states=transcribing is Transcribing.STATES)


class _GeneralPath:
    """The optimized model as a scheduler whose policies are values, to be had and replaced one by one."""

    def __init__(self, policies: GreedyScheduler) -> None:
        self._policies = policies

    def __getattr__(self, kind: str) -> Any:
        """Return the policy of a kind."""
        return getattr(self._policies, kind)

    def with_policy(self, policy: Policy) -> "_GeneralPath":
        """Return one with ``policy`` in the slot of its kind."""
        return _GeneralPath(self._policies.with_policy(policy))

    def schedule(self, observed: ObservedState) -> Decisions:
        """Decide one round."""
        return decide(observed, self._policies)
