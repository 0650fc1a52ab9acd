"""Which built-in policies are installed, and how a clause about one of them finds its rounds."""

from collections.abc import Callable, Iterator

from gaugeblock.model import PolicyKind, PolicyName
from gaugeblock_specs.context import Context


def installed(context: Context, kind: PolicyKind, name: str) -> PolicyName | None:
    """Return the policy of that kind if it is the built-in one of that name."""
    policy: PolicyName = getattr(context.policies, kind.value)
    return policy if policy.name == name else None


def whenever(kind: PolicyKind, name: str) -> Callable[[Context], Iterator[PolicyName]]:
    """The rule of a policy applies to every round in which it is installed."""

    def each(context: Context) -> Iterator[PolicyName]:
        policy = installed(context, kind, name)
        if policy is not None:
            yield policy

    return each
