"""What is raised when a policy breaks its contract."""

from gaugeblock.model import GaugeblockError, PolicyKind


class PolicyContractError(GaugeblockError):
    """A policy answered something that its contract forbids; names the policy, its kind and the clause."""

    def __init__(self, kind: PolicyKind, policy: str, clause: str, found: str, expected: str) -> None:
        super().__init__(f"{kind.value} policy {policy!r} breaks {clause}: {found}; expected {expected}")
        self.kind = kind
        self.policy = policy
        self.clause = clause
        self.found = found
        self.expected = expected


class InvalidWakeup(PolicyContractError):
    """A policy reported a wake-up date that is not finite, or not strictly later than now (WAKE-2)."""
