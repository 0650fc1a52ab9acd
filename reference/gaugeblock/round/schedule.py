"""ROUND: the phases of one scheduling round, in their fixed order."""

from gaugeblock.model import (
    Decisions,
    Dispatch,
    Eviction,
    Failure,
    NodeName,
    ObservedState,
    PlacementPass,
    PlacementTrace,
    Plan,
    RoundTrace,
    Termination,
    Transfer,
    WorkingState,
    replace,
)
from gaugeblock.policies.protocols import Policies
from gaugeblock.round.contracts import check_failures, check_order, check_scaling
from gaugeblock.round.initial import working_state
from gaugeblock.round.placement import place
from gaugeblock.round.prewarming import prewarm
from gaugeblock.round.wakeups import collect_wakeups


def run_round(observed: ObservedState, policies: Policies) -> tuple[Decisions, RoundTrace]:
    """Decide one round: all phases, evaluated even when nothing is pending (ROUND-1 to ROUND-8).

    Raises:
        PolicyContractError: when a policy breaks its contract.
    """
    initial = working_state(observed)
    failures = check_failures(policies.invocation_failing, initial, policies.invocation_failing.failures(initial))
    surviving = without_failed(initial, failures)
    scaling = check_scaling(policies.node_scaling, surviving, policies.node_scaling.scale(surviving))
    scaled = exclude_nodes(surviving, scaling.deactivations)
    order = check_order(policies.invocation_ordering, scaled, policies.invocation_ordering.order(scaled))
    ordered: WorkingState = replace(scaled, worklist=order)
    placements, placed = place_all(ordered, policies)
    prewarms, final = prewarm(placed, policies.container_prewarm)
    wakeups, wakeup = collect_wakeups(final, policies)
    trace = RoundTrace(observed, initial, failures, scaling, ordered, placements, placed, prewarms, final, wakeups, wakeup)
    return decisions_of(trace), trace


def without_failed(state: WorkingState, failures: tuple[Failure, ...]) -> WorkingState:
    """ROUND-2: failed invocations leave the worklist; the pending collection keeps them."""
    failed = {failure.invocation for failure in failures}
    return replace(state, worklist=tuple(each for each in state.worklist if each.id not in failed))


def exclude_nodes(state: WorkingState, deactivations: tuple[NodeName, ...]) -> WorkingState:
    """ROUND-3: nodes selected for deactivation take no part in the rest of the round."""
    nodes = tuple(
        replace(node, selected_for_deactivation=True) if node.observed.name in deactivations else node for node in state.nodes
    )
    return replace(state, nodes=nodes)


def place_all(state: WorkingState, policies: Policies) -> tuple[tuple[PlacementTrace, ...], WorkingState]:
    """ROUND-5: consider each invocation once, in order; one without a plan does not hold up the next (ROUND-9)."""
    placements: list[PlacementTrace] = []
    for invocation in state.worklist:
        placements.append(place(state, invocation, policies))
        state = placements[-1].after
    return tuple(placements), state


def decisions_of(trace: RoundTrace) -> Decisions:
    """ROUND-10: describe the operations of the chosen plans, each category in the order of planning (AMB-8)."""
    plans = [placement.plan for placement in trace.placements if placement.plan is not None]
    return Decisions(
        failures=trace.failures,
        activations=trace.scaling.activations,
        deactivations=trace.scaling.deactivations,
        terminations=tuple(Termination(plan.node, ended) for plan in plans for ended in plan.reclamation.terminations),
        ram_evictions=tuple(Eviction(plan.node, layer) for plan in plans for layer in plan.reclamation.ram_evictions),
        disk_evictions=tuple(Eviction(plan.node, layer) for plan in plans for layer in plan.reclamation.disk_evictions),
        dispatches=tuple(Dispatch(plan.invocation, plan.node, plan.container) for plan in plans if dispatches(plan)),
        loads=_transfers(plans, PlacementPass.RAM_LOAD),
        copies=_transfers(plans, PlacementPass.DISK_COPY),
        prewarms=trace.prewarms,
        wakeup=trace.wakeup,
    )


def dispatches(plan: Plan) -> bool:
    """Whether the plan starts its invocation in this round, in an existing or in a new container."""
    return plan.placement_pass in (PlacementPass.REUSE, PlacementPass.COLD_DISPATCH)


def _transfers(plans: list[Plan], placement_pass: PlacementPass) -> tuple[Transfer, ...]:
    chosen = [plan for plan in plans if plan.placement_pass is placement_pass]
    return tuple(Transfer(plan.node, layer) for plan in chosen for layer in plan.layers)
