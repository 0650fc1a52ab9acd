"""What holds of every round: nothing goes below zero, nothing is lost, nothing is made up, and nothing depends on chance."""

from collections import Counter
from collections.abc import Iterator

from hypothesis import event, given
from hypothesis import strategies as st

from gaugeblock.model import (
    Catalog,
    Decisions,
    Dispatch,
    Eviction,
    Failure,
    ObservedState,
    PlacementPass,
    RoundTrace,
    Transfer,
    WorkingNode,
    WorkingState,
)
from gaugeblock.scheduler import scheduler_from
from gaugeblock.strategies import ALL_TUNINGS, random_policy_names, random_round, rounds_with_policies

Decided = tuple[ObservedState, Decisions, RoundTrace]


@st.composite
def decided_rounds(draw: st.DrawFn) -> Decided:
    """Draw a round of any tuning with any built-in policies, and decide it."""
    observed, names = draw(rounds_with_policies(draw(st.sampled_from(ALL_TUNINGS))))
    decisions, trace = scheduler_from(names).schedule(observed)
    return observed, decisions, trace


def working_nodes(trace: RoundTrace) -> Iterator[WorkingNode]:
    """Yield every node of every working state up to the end of placement."""
    steps = [state for placement in trace.placements for state in (placement.before, placement.after)]
    states: list[WorkingState] = [trace.initial, trace.ordered, *steps, trace.placed]
    return (node for state in states for node in state.nodes)


def in_use(node: WorkingNode, catalog: Catalog) -> tuple[int, int, int, int]:
    """Count the RAM, disk, invocations and positions in use from what the working state says is on the node."""
    layers = {layer.name: layer for layer in catalog.layers}
    functions = [*(each.container.function for each in node.containers), *node.planned]
    held = [each.container.function.max_invocations_per_container - each.invocations_available for each in node.containers]
    ram = [layers[name].ram_bytes for name in (*node.resident_in_ram, *node.loading)]
    disk = [layers[name].disk_bytes for name in (*node.resident_on_disk, *node.copying)]
    return (
        sum(ram) + sum(function.ram_bytes for function in functions),
        sum(disk) + sum(function.disk_bytes for function in functions),
        sum(held) + len(node.planned),
        len(functions),
    )


@given(decided_rounds())
def test_no_working_quantity_is_ever_negative(decided: Decided) -> None:
    """ACCT-9: RAM, disk, invocations, positions and the room in containers stay at zero or above after every step."""
    for node in working_nodes(decided[2]):
        rooms = [each.invocations_available for each in node.containers]
        assert min(node.ram_available, node.disk_available, node.invocations_available, node.positions_available, *rooms) >= 0


@given(decided_rounds())
def test_capacity_is_what_is_available_plus_what_is_in_use(decided: Decided) -> None:
    """ACCT-9: after every step of the trace the stepped counters agree with a fresh count."""
    observed, _, trace = decided
    for node in working_nodes(trace):
        ram, disk, invocations, positions = in_use(node, observed.catalog)
        assert node.ram_available + ram == node.observed.ram_bytes
        assert node.disk_available + disk == node.observed.disk_bytes
        assert node.invocations_available + invocations == node.observed.max_invocations
        assert node.positions_available + positions == node.observed.max_containers


@given(decided_rounds())
def test_decisions_name_only_things_that_exist(decided: Decided) -> None:
    """ROUND-10: every operation is on a node, container, layer, function or invocation of the observed state."""
    observed, decisions, _ = decided
    nodes = {node.name for node in observed.nodes}
    layers = {layer.name for layer in observed.catalog.layers}
    containers = {(node.name, each.id) for node in observed.nodes for each in node.containers}
    pending = {invocation.id for invocation in observed.pending}
    on_layers: tuple[Eviction | Transfer, ...] = (
        *decisions.ram_evictions,
        *decisions.disk_evictions,
        *decisions.loads,
        *decisions.copies,
    )
    on_invocations: tuple[Dispatch | Failure, ...] = (*decisions.dispatches, *decisions.failures)
    assert {operation.node for operation in on_layers} <= nodes
    assert {operation.layer for operation in on_layers} <= layers
    assert {(each.node, each.container) for each in decisions.terminations} <= containers
    assert {(each.node, each.container) for each in decisions.dispatches if each.container is not None} <= containers
    assert {each.invocation for each in on_invocations} <= pending
    assert {each.function for each in decisions.prewarms} <= {each.name for each in observed.catalog.functions}
    assert {*decisions.activations, *decisions.deactivations} <= nodes


@given(decided_rounds())
def test_each_invocation_is_considered_once(decided: Decided) -> None:
    """ROUND-2, ROUND-5: what is not failed is placed once, in the order of the worklist, and has at most one dispatch."""
    observed, decisions, trace = decided
    considered = [placement.invocation for placement in trace.placements]
    assert considered == [invocation.id for invocation in trace.ordered.worklist]
    failed = [failure.invocation for failure in decisions.failures]
    assert Counter(considered) + Counter(failed) == Counter(invocation.id for invocation in observed.pending)
    assert max(Counter(each.invocation for each in decisions.dispatches).values(), default=0) <= 1


@given(decided_rounds())
def test_deciding_twice_gives_the_same(decided: Decided) -> None:
    """ROUND-1: a round is a pure function of the observed state and the policies, trace included."""
    observed, decisions, trace = decided
    names = random_policy_names(1, observed.catalog)
    first = scheduler_from(names).schedule(observed)
    assert scheduler_from(names).schedule(observed) == first
    assert trace.observed is observed
    assert decisions.wakeup == trace.wakeup


@given(decided_rounds())
def test_only_the_plans_node_changes(decided: Decided) -> None:
    """ACCT-8: alternatives leave no effect, and a chosen plan touches its own node only."""
    for placement in decided[2].placements:
        event(f"outcome {placement.plan.placement_pass.name if placement.plan else 'none'}")
        changed = [
            before.observed.name
            for before, after in zip(placement.before.nodes, placement.after.nodes, strict=True)
            if before != after
        ]
        assert changed == [] if placement.plan is None else set(changed) <= {placement.plan.node}


def test_every_path_of_a_round_is_reached() -> None:
    """No pass, reclamation step or phase is left to luck: seeded rounds of all tunings reach each of them."""
    reached: Counter[str] = Counter()
    for seed in range(200):
        for tuning in ALL_TUNINGS:
            observed = random_round(seed, tuning)
            decisions, trace = scheduler_from(random_policy_names(seed, observed.catalog)).schedule(observed)
            reached.update(paths(decisions, trace))
    expected = [*(each.name for each in PlacementPass), "none", *PHASES, "CONTAINERS", "RAM_LAYERS", "DISK_LAYERS"]
    assert {name: reached[name] for name in expected if reached[name] < 5} == {}


PHASES = ("failures", "activations", "deactivations", "terminations", "ram_evictions", "disk_evictions", "prewarms", "wakeup")


def paths(decisions: Decisions, trace: RoundTrace) -> Iterator[str]:
    """Yield the names of the outcomes, reclamation steps and phases of one round."""
    yield from (phase for phase in PHASES if getattr(decisions, phase) not in ((), None))
    for placement in trace.placements:
        yield placement.plan.placement_pass.name if placement.plan else "none"
        for attempt in placement.passes:
            for finding in attempt.findings:
                yield from (step.kind.name for step in (finding.reclamation.steps if finding.reclamation else ()))
