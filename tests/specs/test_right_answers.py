"""Right answers satisfy every clause: the reference's own, those of the vectors, and those of arbitrary honest policies."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import worlds
from hypothesis import given
from hypothesis import strategies as st

from gaugeblock.model import (
    Container,
    ContainerId,
    Deficits,
    Failure,
    Invocation,
    LayerName,
    NodeName,
    NodeStatus,
    ObservedState,
    Plan,
    PolicyKind,
    Prewarm,
    ResidentLayer,
    ReuseCandidate,
    ScalingRequests,
    Value,
    WorkingNode,
    WorkingState,
    replace,
)
from gaugeblock.scheduler import GreedyScheduler, scheduler_from
from gaugeblock.strategies import ALL_TUNINGS, Tuning, random_policy_names, random_round
from gaugeblock.wire.cases import Case, read_cases
from gaugeblock_specs.derive import may_be_deactivated, required_names
from gaugeblock_specs.evidence import Evidence
from gaugeblock_specs.judge import evaluate
from gaugeblock_specs.registry import ALL
from gaugeblock_specs.verdicts import ClauseResult, Verdict

CASES = tuple(read_cases(Path(__file__).parents[1] / "vectors" / "derived.jsonl"))
SEEDS, TUNINGS = st.integers(0, 10**9), st.sampled_from(tuple(ALL_TUNINGS))


def violations(evidence: Evidence) -> tuple[ClauseResult, ...]:
    """Return the results of the clauses that the evidence violates."""
    return tuple(result for result in evaluate(evidence) if result.verdict is Verdict.VIOLATED)


class Whimsical(Value, frozen=True):
    """A policy of any kind that keeps its contract and otherwise does as it likes, by a stream that its seed gives.

    It is told apart from the built-in ones only by having no rule: what it does is what safety judging must allow.
    """

    kind: PolicyKind
    seed: int
    name: str = "whimsical"

    def _stream(self, *about: object) -> random.Random:
        return random.Random(f"{self.seed} {about!r}")

    def _some(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        stream = self._stream(items)
        return tuple(stream.sample(items, stream.randint(0, len(items))))

    def _one(self, items: tuple[Any, ...]) -> Any:
        return self._stream(items).choice((*items, *items, None))

    def wakeup(self, state: WorkingState) -> float | None:
        """Ask for a later date, or for none."""
        date: float | None = self._one((state.now + 1.5, state.now + 8.0))
        return date

    def failures(self, state: WorkingState) -> tuple[Failure, ...]:
        """Fail about a quarter of the worklist."""
        chosen = self._some(state.worklist)
        return tuple(Failure(invocation.id, "whim") for invocation in chosen[: len(chosen) // 2])

    def scale(self, state: WorkingState) -> ScalingRequests:
        """Ask for what the service would allow."""
        off = tuple(node.observed.name for node in state.nodes if node.observed.status is NodeStatus.DEACTIVATED)
        idle = tuple(node.observed.name for node in state.nodes if may_be_deactivated(node.observed))
        return ScalingRequests(self._some(off), self._some(idle)[:1])

    def order(self, state: WorkingState) -> tuple[Invocation, ...]:
        """Shuffle."""
        return tuple(self._stream(state.worklist).sample(state.worklist, len(state.worklist)))

    def select(self, state: WorkingState, invocation: Invocation) -> frozenset[NodeName]:
        """Select most nodes."""
        names = tuple(node.observed.name for node in state.nodes)
        return frozenset(names) - frozenset(self._some((*names, invocation.id))[:1])

    def pick(self, state: WorkingState, invocation: Invocation, candidates: tuple[ReuseCandidate, ...]) -> ContainerId | None:
        """Pick any candidate, or none."""
        chosen = self._one(candidates)
        return None if chosen is None else chosen.container.id

    def containers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[Container, ...], deficits: Deficits
    ) -> tuple[ContainerId, ...]:
        """End some."""
        return self._some(tuple(container.id for container in candidates))

    def ram_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        """Evict some."""
        return self._some(tuple(resident.layer.name for resident in candidates))

    def disk_layers(
        self, state: WorkingState, node: WorkingNode, candidates: tuple[ResidentLayer, ...], deficits: Deficits
    ) -> tuple[LayerName, ...]:
        """Evict some."""
        return self._some(tuple(resident.layer.name for resident in candidates))

    def choose(self, state: WorkingState, invocation: Invocation, alternatives: tuple[Plan, ...]) -> NodeName | None:
        """Choose any, or none (AMB-7)."""
        chosen = self._one(alternatives)
        return None if chosen is None else chosen.node

    def propose(self, state: WorkingState) -> tuple[Prewarm, ...]:
        """Propose at most one container a node, where it fits."""
        return self._some(tuple(self._fitting(state)))

    def _fitting(self, state: WorkingState) -> Iterator[Prewarm]:
        for node in state.nodes:
            usable = node.observed.status is NodeStatus.ACTIVATED and not node.selected_for_deactivation
            for function in state.catalog.functions if usable and node.positions_available > 0 else ():
                there = required_names(function) <= node.resident_in_ram & node.resident_on_disk
                if there and function.ram_bytes <= node.ram_available and function.disk_bytes <= node.disk_available:
                    yield Prewarm(node.observed.name, function.name)
                    break


def whimsical_scheduler(seed: int) -> GreedyScheduler:
    """Return a scheduler all of whose policies are whimsical."""
    scheduler: GreedyScheduler = replace(GreedyScheduler(), **{kind.value: Whimsical(kind, seed) for kind in PolicyKind})
    return scheduler


def decided(seed: int, tuning: Tuning) -> Evidence:
    """Return a generated round as the reference decides it, with generated policies."""
    observed = random_round(seed, tuning)
    policies = random_policy_names(seed, observed.catalog, random_policies=seed % 3 == 0)
    decisions, trace = scheduler_from(policies).schedule(observed)
    return Evidence(observed, decisions, policies, trace)


@given(SEEDS, TUNINGS)
def test_the_reference_satisfies_every_clause(seed: int, tuning: Tuning) -> None:
    """Whatever the evidence (decisions alone, with policies, with the trace), the reference violates nothing."""
    whole = decided(seed, tuning)
    assert violations(whole) == ()
    assert violations(replace(whole, trace=None)) == ()
    assert violations(replace(whole, trace=None, policies=None)) == ()
    assert violations(replace(whole, policies=None)) == ()


@given(SEEDS, TUNINGS)
def test_arbitrary_honest_policies_raise_no_alarm(seed: int, tuning: Tuning) -> None:
    """Safety judging, and the trace clauses that know no policy, allow all that contract-abiding policies can do."""
    observed = random_round(seed, tuning)
    decisions, trace = whimsical_scheduler(seed).schedule(observed)
    assert violations(Evidence(observed, decisions)) == ()
    assert violations(Evidence(observed, decisions, None, trace)) == ()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_derived_case_satisfies_every_clause(case: Case) -> None:
    """The decisions of a case that was derived by hand violate nothing, and the clauses that it shows are known ones."""
    assert violations(Evidence(case.round, case.decisions)) == ()
    assert violations(Evidence(case.round, case.decisions, case.policies)) == ()


def test_every_clause_applies_to_some_round() -> None:
    """Over some hundred generated rounds with the trace at hand, each clause holds at least once."""
    held: set[str] = set()
    for seed in range(600):
        whole = decided(seed, tuple(ALL_TUNINGS)[seed % len(ALL_TUNINGS)])
        held |= {result.clause for result in evaluate(whole) if result.verdict is Verdict.HOLDS}
    assert held == {clause.id for clause in ALL}


def test_large_sizes_are_judged_exactly() -> None:
    """ACCT-9: sums beyond 2^53 are integers, not floats; one byte too many is seen."""
    observed = _huge(2**60 + 1)
    right, _ = GreedyScheduler().schedule(observed)
    assert violations(Evidence(observed, right)) == ()
    short = _huge(2**60)
    assert "ACCT-9" in {result.clause for result in violations(Evidence(short, right))}


def _huge(ram_bytes: int) -> ObservedState:
    base = worlds.layer("base")
    large = worlds.function("large", base, ram=2**60)
    held = worlds.node("n", (base,), (base,), ram=ram_bytes)
    return worlds.world(worlds.catalog(large), held, pending=(worlds.invocation(1, large),))
