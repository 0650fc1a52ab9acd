"""Recording the policy calls that a scheduler makes, as the transcript of its round."""

from typing import Any, Protocol, cast

import msgspec

from gaugeblock.conformance.answers import Decided
from gaugeblock.conformance.interception import STATE, Input, Interceptor, PlainStates
from gaugeblock.model import ObservedState, PolicyKind, WorkingState
from gaugeblock.policies.protocols import AnyPolicy, Policy
from gaugeblock.wire.protocol import PolicyCall


class Recordable(Protocol):
    """A scheduler whose policies can be replaced one by one, such as the reference; a getter for each kind besides."""

    def schedule(self, observed: ObservedState) -> Any:
        """Return the decisions, or the decisions and a trace."""
        ...

    def with_policy(self, policy: Policy) -> "Recordable":
        """Return a scheduler with ``policy`` in the slot of its kind."""
        ...


class Recorder(Interceptor):
    """Hands each call on to the policy that it stands before, and writes it on the tape with the answer.

    With ``states`` each call also tells the working state that was passed.
    """

    def __init__(self, policy: AnyPolicy, kind: PolicyKind, tape: list[PolicyCall], states: PlainStates | None) -> None:
        super().__init__(kind, policy.name)
        self._policy = policy
        self._tape = tape
        self._states = states

    def answer(self, method: str, asked: Input, state: WorkingState, *rest: object) -> Any:
        """Return what the policy answers."""
        output = getattr(self._policy, method)(state, *rest)
        shown = asked if self._states is None else {**asked, STATE: self._states.of(state)}
        encode = msgspec.json.encode
        self._tape.append(PolicyCall(self.kind, method, encode(shown), encode(_told(method, output))))
        return output


def is_recordable(scheduler: object) -> bool:
    """Whether the calls of this scheduler's policies can be recorded."""
    return callable(getattr(scheduler, "with_policy", None)) and all(hasattr(scheduler, kind.value) for kind in PolicyKind)


def decide_recorded(scheduler: Recordable, observed: ObservedState, *, with_states: bool = False) -> Decided:
    """Return what ``scheduler`` decides, with the transcript of its policy calls in the order made.

    ``with_states`` adds to each call the whole working state that the policy was given.
    """
    tape: list[PolicyCall] = []
    states = PlainStates() if with_states else None
    for kind in PolicyKind:
        recorder = Recorder(getattr(scheduler, kind.value), kind, tape, states)
        scheduler = scheduler.with_policy(cast("Policy", recorder))
    scheduled = scheduler.schedule(observed)
    return Decided(scheduled[0] if isinstance(scheduled, tuple) else scheduled, tuple(tape))


def _told(method: str, output: Any) -> object:
    """Return the answer as the transcript has it: invocations by id, a set in order."""
    if method == "order":
        return [invocation.id for invocation in output]
    return sorted(output) if method == "select" else output
