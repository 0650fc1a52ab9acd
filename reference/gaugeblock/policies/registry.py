"""The registry: policies by name and parameters, built in, by entry point, or as ``module:attribute``."""

import importlib
from collections.abc import Callable
from functools import reduce
from importlib.metadata import entry_points
from typing import Any, cast

import msgspec

from gaugeblock.model import GaugeblockError, ParameterValue, PolicyKind, PolicyName, PolicyNames
from gaugeblock.policies.builtin.eviction import Fewest, LeastRecentlyUsed
from gaugeblock.policies.builtin.failing import NeverFail, PendingTimeout
from gaugeblock.policies.builtin.ordering import FirstComeFirstServed, RandomOrder
from gaugeblock.policies.builtin.plan_selection import EvictionAverse, RandomPlan
from gaugeblock.policies.builtin.prewarm import NeverPrewarm, WarmPool
from gaugeblock.policies.builtin.reuse import FirstFit
from gaugeblock.policies.builtin.scaling import ActivateOneWhenNoFreeSlot, DeactivateIdle, NeverScale
from gaugeblock.policies.builtin.selection import SelectAllPossible
from gaugeblock.policies.protocols import AnyPolicy, Policy

ENTRY_POINT_GROUP = "gaugeblock.policies"

BUILTIN: tuple[type[Policy], ...] = (
    NeverFail,
    PendingTimeout,
    ActivateOneWhenNoFreeSlot,
    NeverScale,
    DeactivateIdle,
    FirstComeFirstServed,
    RandomOrder,
    SelectAllPossible,
    FirstFit,
    Fewest,
    LeastRecentlyUsed,
    EvictionAverse,
    RandomPlan,
    NeverPrewarm,
    WarmPool,
)
"""The built-in policies; the first of a kind is its default."""

METHODS = {
    PolicyKind.INVOCATION_FAILING: ("failures",),
    PolicyKind.NODE_SCALING: ("scale",),
    PolicyKind.INVOCATION_ORDERING: ("order",),
    PolicyKind.NODE_SELECTION: ("select",),
    PolicyKind.REUSABLE_CONTAINER: ("pick",),
    PolicyKind.EVICTION: ("containers", "ram_layers", "disk_layers"),
    PolicyKind.PLAN_SELECTION: ("choose",),
    PolicyKind.CONTAINER_PREWARM: ("propose",),
}
"""The methods that a policy of each kind must have, besides ``wakeup``."""


class UnknownPolicy(GaugeblockError):
    """No policy of the kind has this name."""

    def __init__(self, kind: PolicyKind, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"{kind.value}: found policy {name!r}; expected one of {', '.join(known)}, or module:attribute")
        self.kind = kind
        self.name = name
        self.known = known


class InvalidParameters(GaugeblockError):
    """A policy's parameters are not those that it takes."""

    def __init__(self, kind: PolicyKind, name: str, detail: str) -> None:
        super().__init__(f"{kind.value}: parameters of policy {name!r}: {detail}")
        self.kind = kind
        self.name = name


class NotAPolicy(GaugeblockError):
    """What a name leads to is not a policy of the kind: it lacks a method, or fills another slot."""

    def __init__(self, kind: PolicyKind, name: str, detail: str) -> None:
        super().__init__(f"{kind.value}: {name!r} is not a policy of this kind: {detail}")
        self.kind = kind
        self.name = name


def is_builtin(kind: PolicyKind, name: str) -> bool:
    """Whether ``name`` is a built-in policy of ``kind``."""
    return any(each.kind is kind and each.name == name for each in BUILTIN)


def all_builtin(names: PolicyNames) -> bool:
    """Whether all of a document's policies are built in."""
    return all(is_builtin(kind, getattr(names, kind.value).name) for kind in PolicyKind)


def known_names(kind: PolicyKind) -> tuple[str, ...]:
    """Return the names that the kind knows: built in first, then those of entry points, in alphabetical order."""
    builtin = tuple(policy.name for policy in BUILTIN if policy.kind is kind)
    prefix = f"{kind.value}."
    found = {entry.name.removeprefix(prefix) for entry in _entry_points() if entry.name.startswith(prefix)}
    return builtin + tuple(sorted(found - set(builtin)))


def build(kind: PolicyKind, name: PolicyName) -> Policy:
    """Return the policy of ``kind`` that ``name`` and its parameters describe.

    A built-in name wins over an entry point. An entry point is called ``KIND.NAME`` (``eviction.mine``) in the group
    ``gaugeblock.policies``; a name with a colon is looked up as ``module:attribute``.

    Raises:
        UnknownPolicy: when no policy has the name.
        InvalidParameters: when the parameters do not fit.
        NotAPolicy: when the name leads to something else.
    """
    factory = _factory(kind, name.name)
    policy = _instantiate(kind, name, factory)
    missing = [method for method in (*METHODS[kind], "wakeup") if not callable(getattr(policy, method, None))]
    if missing:
        raise NotAPolicy(kind, name.name, f"it has no method {missing[0]}")
    if getattr(policy, "kind", None) is not kind:
        raise NotAPolicy(kind, name.name, f"its kind is {getattr(policy, 'kind', None)!r}")
    if not isinstance(getattr(policy, "name", None), str):
        raise NotAPolicy(kind, name.name, "it has no name")
    return cast("Policy", policy)


def name_of(policy: AnyPolicy) -> PolicyName:
    """Return the policy's name with its parameters in the order of its fields; other than structs have none."""
    if not isinstance(policy, msgspec.Struct):
        return PolicyName(policy.name)
    fields = policy.__struct_fields__
    parameters: tuple[tuple[str, ParameterValue], ...] = tuple((field, getattr(policy, field)) for field in fields)
    return PolicyName(policy.name, parameters)


def _factory(kind: PolicyKind, name: str) -> object:
    for policy in BUILTIN:
        if policy.kind is kind and policy.name == name:
            return policy
    for entry in _entry_points():
        if entry.name == f"{kind.value}.{name}":
            return _loaded(kind, name, entry.load)
    if ":" in name:
        return _attribute(kind, name)
    raise UnknownPolicy(kind, name, known_names(kind))


def _attribute(kind: PolicyKind, name: str) -> object:
    module, _, attribute = name.partition(":")
    return _loaded(kind, name, lambda: reduce(getattr, attribute.split("."), importlib.import_module(module)))


def _loaded(kind: PolicyKind, name: str, load: Callable[[], object]) -> object:
    try:
        return load()
    except (Exception, SystemExit) as error:  # whatever importing foreign code raises, the user is told which name led to it
        raise NotAPolicy(kind, name, f"{type(error).__name__}: {error}") from error


def _instantiate(kind: PolicyKind, name: PolicyName, factory: object) -> object:
    parameters: dict[str, object] = {key: _plain(value) for key, value in name.parameters}
    if not callable(factory):
        if parameters:
            raise InvalidParameters(kind, name.name, "it takes none")
        return factory
    try:
        if isinstance(factory, type) and issubclass(factory, msgspec.Struct):
            return _struct(factory, dict(name.parameters))
        return factory(**parameters)
    except GaugeblockError:
        raise
    except (Exception, SystemExit) as error:  # a foreign factory may raise anything; the user is told which policy it was
        raise InvalidParameters(kind, name.name, str(error) or type(error).__name__) from error


def _struct(factory: type[msgspec.Struct], parameters: dict[str, ParameterValue]) -> msgspec.Struct:
    unknown = [key for key in parameters if key not in factory.__struct_fields__]
    if unknown:
        raise ValueError(f"found {unknown[0]!r}; expected {', '.join(factory.__struct_fields__) or 'none'}")
    return msgspec.convert(parameters, factory)


def _plain(value: ParameterValue) -> object:
    """Foreign policies are given a mapping where a document holds one."""
    return dict(value) if isinstance(value, tuple) else value


def _entry_points() -> tuple[Any, ...]:
    return tuple(entry_points(group=ENTRY_POINT_GROUP))
