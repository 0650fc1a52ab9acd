"""Invocation ordering: ``fcfs`` (the default) and ``random`` (POL)."""

from typing import ClassVar

from gaugeblock.model import Invocation, PolicyKind, WorkingState
from gaugeblock.policies.builtin.base import BuiltinPolicy
from gaugeblock.policies.builtin.parameters import Seed
from gaugeblock.policies.builtin.random_stream import draw


class FirstComeFirstServed(BuiltinPolicy, frozen=True):
    """POL-fcfs: by submit date, then by id."""

    kind: ClassVar[PolicyKind] = PolicyKind.INVOCATION_ORDERING
    name: ClassVar[str] = "fcfs"

    def order(self, state: WorkingState) -> tuple[Invocation, ...]:
        """Return the worklist, oldest first."""
        return tuple(sorted(state.worklist, key=lambda invocation: (invocation.submitted, invocation.id)))


class RandomOrder(BuiltinPolicy, frozen=True):
    """POL-random: by a number drawn for each invocation, then by id, so that any language finds the same order."""

    kind: ClassVar[PolicyKind] = PolicyKind.INVOCATION_ORDERING
    name: ClassVar[str] = "random"

    seed: Seed

    def order(self, state: WorkingState) -> tuple[Invocation, ...]:
        """Return the worklist by ascending drawn number."""
        keyed = [(draw("ordering", self.seed, state.now, each.id), each.id, each) for each in state.worklist]
        return tuple(entry[2] for entry in sorted(keyed, key=lambda entry: entry[:2]))
