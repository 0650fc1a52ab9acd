"""Invocation failing: ``never`` (the default) and ``pending-timeout`` (POL)."""

from typing import ClassVar

from gaugeblock.model import LARGEST_DATE, Failure, PolicyKind, WorkingState
from gaugeblock.policies.builtin.base import BuiltinPolicy
from gaugeblock.policies.builtin.parameters import Seconds


class NeverFail(BuiltinPolicy, frozen=True):
    """POL-never: fails nothing."""

    kind: ClassVar[PolicyKind] = PolicyKind.INVOCATION_FAILING
    name: ClassVar[str] = "never"

    def failures(self, state: WorkingState) -> tuple[Failure, ...]:
        """Return no invocation."""
        return ()


class PendingTimeout(BuiltinPolicy, frozen=True):
    """POL-pending-timeout: fails what has been pending for ``seconds`` or longer."""

    kind: ClassVar[PolicyKind] = PolicyKind.INVOCATION_FAILING
    name: ClassVar[str] = "pending-timeout"

    seconds: Seconds

    def failures(self, state: WorkingState) -> tuple[Failure, ...]:
        """Return the members of the worklist whose submit date plus ``seconds`` is reached."""
        return tuple(
            Failure(invocation.id, "pending for too long")
            for invocation in state.worklist
            if invocation.submitted + self.seconds <= state.now
        )

    def wakeup(self, state: WorkingState) -> float | None:
        """Report the least submit date plus ``seconds`` over the surviving worklist; a sum that is not finite is none."""
        dates = [invocation.submitted + self.seconds for invocation in state.worklist]
        later = [date for date in dates if state.now < date < LARGEST_DATE]
        return min(later) if later else None
