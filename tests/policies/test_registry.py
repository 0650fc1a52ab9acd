"""Policies by name: built in, foreign, and those that do not exist."""

import sys
from pathlib import Path

import pytest
from worlds import function

from gaugeblock.model import FunctionName, PolicyKind, PolicyName, PolicyNames
from gaugeblock.policies import registry
from gaugeblock.policies.builtin.eviction import Fewest, LeastRecentlyUsed
from gaugeblock.policies.builtin.failing import PendingTimeout
from gaugeblock.policies.builtin.prewarm import WarmPool
from gaugeblock.scheduler import GreedyScheduler, names_of, scheduler_from


def test_the_defaults_are_the_seeds_and_first_fit() -> None:
    """AMB-1: a scheduler from no names at all is the default one."""
    assert scheduler_from(PolicyNames()) == GreedyScheduler()
    assert names_of(GreedyScheduler()) == PolicyNames()


def test_each_kind_has_its_default_first() -> None:
    """POL: the first built-in policy of a kind is what an absent name means."""
    firsts = {kind.value: registry.known_names(kind)[0] for kind in PolicyKind}
    defaults = {kind.value: getattr(PolicyNames(), kind.value).name for kind in PolicyKind}
    assert firsts == defaults


def test_replacing_a_policy_fills_the_slot_of_its_kind() -> None:
    """The seed's setPolicy: one slot changes, the original scheduler does not."""
    original = GreedyScheduler()
    changed = original.with_policy(LeastRecentlyUsed())
    assert changed.eviction == LeastRecentlyUsed()
    assert original.eviction == Fewest()


def test_names_and_parameters_survive_the_round_trip() -> None:
    """A scheduler described by names is built again from them."""
    pool = WarmPool(((function("f").name, 2),))
    scheduler = GreedyScheduler().with_policy(PendingTimeout(3.5)).with_policy(pool)
    assert scheduler_from(names_of(scheduler)) == scheduler


def test_an_unknown_name_lists_what_is_known() -> None:
    """A name that no policy has is an error that offers the right ones."""
    with pytest.raises(registry.UnknownPolicy, match="found policy 'mru'; expected one of fewest, lru"):
        registry.build(PolicyKind.EVICTION, PolicyName("mru"))


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        (PolicyKind.INVOCATION_FAILING, PolicyName("pending-timeout"), "missing required field `seconds`"),
        (PolicyKind.INVOCATION_FAILING, PolicyName("pending-timeout", (("seconds", -1.0),)), ">= 0.0"),
        (PolicyKind.INVOCATION_FAILING, PolicyName("pending-timeout", (("seconds", "soon"),)), "Expected `float`"),
        (PolicyKind.INVOCATION_FAILING, PolicyName("never", (("seconds", 1.0),)), "found 'seconds'; expected none"),
        (PolicyKind.PLAN_SELECTION, PolicyName("random", (("seed", 1.5),)), "Expected `int`"),
        (PolicyKind.CONTAINER_PREWARM, PolicyName("warm-pool", (("per_function", 3),)), "Expected `array`"),
        (
            PolicyKind.CONTAINER_PREWARM,
            PolicyName("warm-pool", (("per_function", ((FunctionName("f"), -2),)),)),
            ">= 0",
        ),
    ],
)
def test_parameters_that_do_not_fit_are_refused(kind: PolicyKind, name: PolicyName, said: str) -> None:
    """Parameters are decoded strictly; the message names the policy and what was expected."""
    with pytest.raises(registry.InvalidParameters) as refused:
        registry.build(kind, name)
    assert said in str(refused.value)
    assert name.name in str(refused.value)


FOREIGN = """
from gaugeblock.model import PolicyKind, Value
from typing import ClassVar


class Largest(Value, frozen=True):
    kind: ClassVar[PolicyKind] = PolicyKind.EVICTION
    name: ClassVar[str] = "largest"
    steps: int = 1

    def wakeup(self, state): return None
    def containers(self, state, node, candidates, deficits): return ()
    def ram_layers(self, state, node, candidates, deficits): return ()
    def disk_layers(self, state, node, candidates, deficits): return ()


class Half:
    kind = PolicyKind.EVICTION
    name = "half"


def broken(): raise RuntimeError("no")
def leaving(): raise SystemExit(0)
"""


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of an importable module with policies of a third party."""
    (tmp_path / "foreign_policies.py").write_text(FOREIGN, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("foreign_policies", None)
    return "foreign_policies"


def test_a_foreign_policy_is_found_by_module_and_attribute(foreign: str) -> None:
    """Third parties name their policies as module:attribute, with parameters."""
    policy = registry.build(PolicyKind.EVICTION, PolicyName(f"{foreign}:Largest", (("steps", 3),)))
    assert (policy.name, getattr(policy, "steps", None)) == ("largest", 3)


@pytest.mark.parametrize(
    ("kind", "attribute", "said"),
    [
        (PolicyKind.EVICTION, "Half", "it has no method containers"),
        (PolicyKind.EVICTION, "Missing", "AttributeError"),
        (PolicyKind.NODE_SELECTION, "Largest", "it has no method select"),
    ],
)
def test_what_is_no_policy_of_the_kind_is_refused(foreign: str, kind: PolicyKind, attribute: str, said: str) -> None:
    """A name that leads to something else says what that lacks."""
    with pytest.raises(registry.NotAPolicy, match=said):
        registry.build(kind, PolicyName(f"{foreign}:{attribute}"))


def test_a_module_that_does_not_exist_is_no_traceback() -> None:
    """A foreign name that cannot be imported says so."""
    with pytest.raises(registry.NotAPolicy, match="ModuleNotFoundError"):
        registry.build(PolicyKind.EVICTION, PolicyName("no_such_module_at_all:Policy"))


def test_a_factory_that_raises_is_reported_with_its_name(foreign: str) -> None:
    """Whatever a foreign factory raises, the user learns which policy it was."""
    with pytest.raises(registry.InvalidParameters, match="broken"):
        registry.build(PolicyKind.EVICTION, PolicyName(f"{foreign}:broken"))


def test_foreign_code_that_exits_does_not_end_the_program(foreign: str, tmp_path: Path) -> None:
    """Neither where a module is imported nor where a factory is called: the exit status would be the module's own."""
    (tmp_path / "leaving_module.py").write_text("raise SystemExit(0)", encoding="utf-8")
    with pytest.raises(registry.NotAPolicy, match="SystemExit"):
        registry.build(PolicyKind.EVICTION, PolicyName("leaving_module:Policy"))
    with pytest.raises(registry.InvalidParameters, match="leaving"):
        registry.build(PolicyKind.EVICTION, PolicyName(f"{foreign}:leaving"))
