"""What the built-in policies share."""

from gaugeblock.model import Value, WorkingState


class BuiltinPolicy(Value, frozen=True):
    """A built-in policy: an immutable value that asks for no wake-up unless it says so."""

    def wakeup(self, state: WorkingState) -> float | None:
        """Report no date (WAKE-1)."""
        return None
