"""Reusable containers: ``first-fit`` (POL, AMB-1)."""

from typing import ClassVar

from gaugeblock.model import ContainerId, Invocation, PolicyKind, ReuseCandidate, WorkingState
from gaugeblock.policies.builtin.base import BuiltinPolicy


class FirstFit(BuiltinPolicy, frozen=True):
    """POL-first-fit: the smallest id on the first node in traversal order that has a candidate."""

    kind: ClassVar[PolicyKind] = PolicyKind.REUSABLE_CONTAINER
    name: ClassVar[str] = "first-fit"

    def pick(
        self,
        state: WorkingState,
        invocation: Invocation,
        candidates: tuple[ReuseCandidate, ...],
    ) -> ContainerId | None:
        """Return the first candidate's id: they come in traversal order, then by id."""
        return candidates[0].container.id
