"""What is put before the judge: a state, an answer, and whatever is known of how the answer came about."""

from gaugeblock.model import Decisions, ObservedState, PolicyNames, RoundTrace, Value


class Evidence(Value, frozen=True):
    """One round to judge.

    ``policies`` is None where they are unknown (safety judging); ``trace`` is None where the scheduler tells no story.
    Names of policies that gaugeblock does not know are allowed: their own rules are then not judged, all others are.
    """

    observed: ObservedState
    decisions: Decisions
    policies: PolicyNames | None = None
    trace: RoundTrace | None = None
