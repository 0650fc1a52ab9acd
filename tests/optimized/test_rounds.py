"""Single rounds with built-in policies: the optimized model decides exactly as the reference does, list by list."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from twins import without_reasons

from gaugeblock import corpus
from gaugeblock.model import Decisions, ObservedState, PolicyName, PolicyNames
from gaugeblock.optimized.builtin import NotBuiltIn
from gaugeblock.optimized.rounds import decide
from gaugeblock.scheduler import scheduler_from
from gaugeblock.strategies import ALL_TUNINGS, Tuning, random_policy_names, random_round, rounds_with_policies
from gaugeblock.wire.cases import read_cases

VECTORS = os.environ.get("GAUGEBLOCK_VECTORS")
SEEDS = range(40)


def require_same(observed: ObservedState, policies: PolicyNames) -> None:
    """Compare the two schedulers on one round, order included."""
    expected = scheduler_from(policies).schedule(observed)[0]
    assert without_reasons(decide(observed, policies)) == without_reasons(expected)


def test_every_case_of_the_corpus_is_decided_as_the_reference_decides_it() -> None:
    """ROUND-1 to ROUND-9, PLACE, RECL, PREW, WAKE: list by list, in the order of planning (AMB-8)."""
    cases = corpus.load()
    assert len(cases) > 1000
    for case in cases:
        require_same(case.round, case.policies)


@pytest.mark.parametrize("tuning", ALL_TUNINGS, ids=range(len(ALL_TUNINGS)))
@pytest.mark.parametrize("random_policies", [False, True], ids=["deterministic", "random"])
def test_seeded_rounds_of_every_tuning_are_decided_alike(tuning: Tuning, random_policies: bool) -> None:
    """ROUND-1 to ROUND-9: also with every combination of built-in policies that the seeds hit on (POL)."""
    for seed in SEEDS:
        observed = random_round(seed, tuning)
        require_same(observed, random_policy_names(seed, observed.catalog, random_policies=random_policies))


@given(rounds_with_policies(random_policies=True))
def test_generated_rounds_are_decided_alike(chosen: tuple[ObservedState, PolicyNames]) -> None:
    """ROUND-1 to ROUND-9: for every round that Hypothesis can think of."""
    require_same(*chosen)


@pytest.mark.skipif(VECTORS is None, reason="GAUGEBLOCK_VECTORS names no folder of vector files")
@pytest.mark.parametrize("name", ["perf-64", "perf-256", "perf-tight-256-fewest", "perf-tight-256-lru"])
def test_large_rounds_are_decided_as_the_cpp_scheduler_decided_them(name: str) -> None:
    """PLACE-1 to PLACE-8, RECL-1 to RECL-8: on hundreds of nodes, where the indexes are what decides."""
    for case in read_cases(Path(VECTORS or "") / f"{name}.jsonl"):
        assert canonical(decide(case.round, case.policies)) == canonical(case.decisions)


def canonical(decisions: Decisions | None) -> dict[str, list[str]]:
    """Return the operations as sorted lists."""
    assert decisions is not None
    return {
        field: sorted(map(repr, getattr(decisions, field)))
        for field in decisions.__struct_fields__
        if field not in ("failures", "wakeup")
    }


@pytest.mark.parametrize(
    "eviction", [PolicyName("mine"), PolicyName("fewest", (("seed", 1),))], ids=["unknown name", "unknown parameter"]
)
def test_a_name_that_is_not_built_in_is_refused(eviction: PolicyName) -> None:
    """POL: the fast path knows the built-in policies only, and says so."""
    with pytest.raises(NotBuiltIn, match=r"eviction: .* expected one of fewest\(\), lru\(\)"):
        decide(random_round(1), PolicyNames(eviction=eviction))


def test_a_missing_parameter_is_refused() -> None:
    """POL: no parameter has a default."""
    with pytest.raises(NotBuiltIn, match="expected one of"):
        decide(random_round(1), PolicyNames(plan_selection=PolicyName("random")))
