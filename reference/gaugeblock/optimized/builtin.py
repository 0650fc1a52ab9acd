"""The built-in policies by name, as the few numbers that tell them apart, and the published rule of random draws (POL).

This is a second statement of the policies: nothing here is taken from the reference's. Where a policy of one's own is
wanted, the general path (``general``) calls it as the protocols say.
"""

import struct
from hashlib import sha256

import msgspec

from gaugeblock.model import FunctionName, GaugeblockError, InvocationId, ParameterValue, PolicyKind, PolicyName, PolicyNames

_KNOWN: dict[PolicyKind, dict[str, tuple[str, ...]]] = {
    PolicyKind.INVOCATION_FAILING: {"never": (), "pending-timeout": ("seconds",)},
    PolicyKind.NODE_SCALING: {"activate-one-when-no-free-slot": (), "never": (), "deactivate-idle": ("seconds",)},
    PolicyKind.INVOCATION_ORDERING: {"fcfs": (), "random": ("seed",)},
    PolicyKind.NODE_SELECTION: {"select-all-possible": ()},
    PolicyKind.REUSABLE_CONTAINER: {"first-fit": ()},
    PolicyKind.EVICTION: {"fewest": (), "lru": ()},
    PolicyKind.PLAN_SELECTION: {"eviction-averse": (), "random": ("seed",)},
    PolicyKind.CONTAINER_PREWARM: {"never": (), "warm-pool": ("per_function",)},
}


class NotBuiltIn(GaugeblockError):
    """A policy's name or its parameters are not those of a built-in policy, and only these are known by name here."""

    def __init__(self, kind: PolicyKind, policy: PolicyName) -> None:
        known = ", ".join(f"{name}({', '.join(parameters)})" for name, parameters in _KNOWN[kind].items())
        super().__init__(f"{kind.value}: found {policy.name!r} with {dict(policy.parameters)}; expected one of {known}")
        self.kind = kind
        self.policy = policy


class Rules(msgspec.Struct, frozen=True):
    """The built-in policies of a scheduler. A number is None where its policy is not in force.

    ``fail_after`` and ``deactivate_after`` are in seconds; ``activates`` tells whether nodes are activated for want of slots;
    ``evicts_by_age`` is ``lru``, else ``fewest``; ``pool`` is the warm pool's size by function.
    """

    fail_after: float | None
    activates: bool
    deactivate_after: float | None
    ordering_seed: int | None
    evicts_by_age: bool
    selection_seed: int | None
    pool: dict[FunctionName, int]


def rules_of(names: PolicyNames) -> Rules:
    """Return the rules that a document's policies stand for.

    Raises:
        NotBuiltIn: when one of them is not a built-in policy, or lacks a parameter of its own.
    """
    parameters = {kind: _parameters(kind, getattr(names, kind.value)) for kind in PolicyKind}
    return Rules(
        fail_after=_number(parameters[PolicyKind.INVOCATION_FAILING].get("seconds")),
        activates=names.node_scaling.name != "never",
        deactivate_after=_number(parameters[PolicyKind.NODE_SCALING].get("seconds")),
        ordering_seed=_seed(parameters[PolicyKind.INVOCATION_ORDERING].get("seed")),
        evicts_by_age=names.eviction.name == "lru",
        selection_seed=_seed(parameters[PolicyKind.PLAN_SELECTION].get("seed")),
        pool=_pool(parameters[PolicyKind.CONTAINER_PREWARM].get("per_function")),
    )


def draw(purpose: str, seed: int, date: float, invocation: InvocationId) -> int:
    """Return the draw of one invocation at a date: the digest of one line of text, as a number.

    Adding 0.0 makes the date's negative zero the positive one.
    """
    stamp = struct.pack(">d", date + 0.0).hex()
    digest = sha256(f"gaugeblock-1 {purpose} {seed} {stamp} {invocation}".encode()).digest()
    return int.from_bytes(digest, "big")


def _parameters(kind: PolicyKind, policy: PolicyName) -> dict[str, ParameterValue]:
    given = dict(policy.parameters)
    if set(given) != set(_KNOWN[kind].get(policy.name, ("",))):
        raise NotBuiltIn(kind, policy)
    return given


def _number(value: ParameterValue | None) -> float | None:
    return None if value is None else msgspec.convert(value, float)


def _seed(value: ParameterValue | None) -> int | None:
    return None if value is None else msgspec.convert(value, int)


def _pool(value: ParameterValue | None) -> dict[FunctionName, int]:
    return dict(value) if isinstance(value, tuple) else {}
