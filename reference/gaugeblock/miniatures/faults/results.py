"""Faults of what a round hands on: from one placement to the next, to prewarming, and to the decisions."""

from gaugeblock.miniatures.fault import Fault

SCHEDULE = "gaugeblock.round.schedule"
PLACEMENT = "gaugeblock.round.placement"
RECLAMATION = "gaugeblock.round.reclamation"
PREWARMING = "gaugeblock.round.prewarming"
WAKEUPS = "gaugeblock.round.wakeups"
AFTER = "    after = state if chosen is None else apply_plan(state, chosen, invocation)\n"
APPENDING = "    for proposal in proposals:\n        state = _append(state, policy, proposal)\n    return proposals, state\n"
NEXT_STATE = "        state = placements[-1].after\n"

FAULTS = (
    Fault(
        name="order-ignored",
        story="The ordering policy is asked, and the worklist is gone through as it stood.",
        clauses=("POL-fcfs", "POL-random"),
        module=SCHEDULE,
        original="replace(scaled, worklist=order)",
        faulty="replace(scaled, worklist=scaled.worklist)",
    ),
    Fault(
        name="one-of-a-function",
        story="Of several pending invocations of one function only the last is kept when the worklist is ordered.",
        clauses=("ROUND-4",),
        module=SCHEDULE,
        original="replace(scaled, worklist=order)",
        faulty="replace(scaled, worklist=tuple({each.function.name: each for each in order}.values()))",
    ),
    Fault(
        name="sleeps-without-work",
        story="With nothing pending no policy is asked for a wake-up, and no idle node is ever let go.",
        clauses=("ROUND-7", "ROUND-8", "WAKE-1"),
        module=SCHEDULE,
        original="wakeups, wakeup = collect_wakeups(final, policies)",
        faulty="wakeups, wakeup = collect_wakeups(final, policies) if order else ((), None)",
    ),
    Fault(
        name="no-prewarming-without-work",
        story="With nothing pending prewarming is skipped, exactly when there is time for it.",
        clauses=("POL-warm-pool",),
        module=SCHEDULE,
        original="prewarms, final = prewarm(placed, policies.container_prewarm)",
        faulty="prewarms, final = prewarm(placed, policies.container_prewarm) if order else ((), placed)",
    ),
    Fault(
        name="preparations-forgotten",
        story="The next invocation does not see the loads, copies and waits planned before it, and has them begun again.",
        clauses=("ROUND-9", "EXEC-2"),
        unsafe=True,
        module=SCHEDULE,
        original=NEXT_STATE,
        faulty=(
            "        plan = placements[-1].plan\n        if plan is not None and dispatches(plan):\n"
            "            state = placements[-1].after\n"
        ),
    ),
    Fault(
        name="last-placement-unseen",
        story="Prewarming sees the working state without the last placement, and takes the room that this was given.",
        clauses=("ROUND-6",),
        unsafe=True,
        module=SCHEDULE,
        original="    return tuple(placements), state\n",
        faulty="    return tuple(placements), placements[-1].before if placements else state\n",
    ),
    Fault(
        name="waits-begin-anew",
        story="An invocation that waits for a transfer has it begun once more.",
        clauses=("ROUND-10", "PLACE-4", "PLACE-6"),
        known_as=("B17",),
        unsafe=True,
        module=SCHEDULE,
        original="if plan.placement_pass is placement_pass]",
        faulty="if placement_pass.value - 1 <= plan.placement_pass.value <= placement_pass.value]",
    ),
    Fault(
        name="guesses-container-id",
        story="A cold dispatch names the id that its container is expected to get, which no container has yet.",
        clauses=("ROUND-10",),
        unsafe=True,
        module=SCHEDULE,
        original="Dispatch(plan.invocation, plan.node, plan.container) for plan in plans",
        faulty=(
            "Dispatch(plan.invocation, plan.node, plan.container or 1 + max("
            "(each.id for node in trace.observed.nodes for each in node.containers), default=0)) for plan in plans"
        ),
    ),
    Fault(
        name="unplaced-protects",
        story="An invocation without a plan protects its layers on every eligible node, and others find nothing to evict.",
        clauses=("PLACE-8",),
        known_as=("B06",),
        module=PLACEMENT,
        original=AFTER,
        faulty=(
            AFTER + "    if chosen is None:\n        for each in nodes:\n"
            "            waiting = Plan(PlacementPass.WAIT_FOR_DISK, invocation.id, each.node.observed.name)\n"
            "            after = apply_plan(after, waiting, invocation)\n"
        ),
    ),
    Fault(
        name="alternatives-leave-effects",
        story="Every alternative of the pass that decides is accounted for, not only the one chosen.",
        clauses=("ACCT-8", "POL-select-all-possible"),
        unsafe=True,
        module=PLACEMENT,
        original=AFTER,
        faulty=(
            AFTER + "    for finding in passes[-1].findings:\n        if finding.plan is not None and finding.plan != chosen:\n"
            "            after = apply_plan(after, finding.plan, invocation)\n"
        ),
    ),
    Fault(
        name="accepts-without-position",
        story="A plan is taken for feasible once its bytes are free, although no container position is.",
        clauses=("RECL-3", "RECL-7", "ACCT-9"),
        unsafe=True,
        module=RECLAMATION,
        original="    if is_short(from_disk.deficits):\n",
        faulty="    if from_disk.deficits.ram_bytes > 0 or from_disk.deficits.disk_bytes > 0:\n",
    ),
    Fault(
        name="trusts-victims",
        story="The eviction policy is shown every container of the node and trusted with its answer: busy ones are ended.",
        clauses=("RECL-4", "RECL-8"),
        unsafe=True,
        module=RECLAMATION,
        original='check_victims(policy, names, policy.containers(state, node, candidates, deficits), "RECL-4")',
        faulty="policy.containers(state, node, tuple(each.container for each in node.containers), deficits)",
    ),
    Fault(
        name="prewarming-ends-containers",
        story="An idle container is ended on the node that the first prewarmed container goes to, to keep it from filling up.",
        clauses=("PREW-1", "ROUND-10"),
        unsafe=True,
        module=SCHEDULE,
        original="for plan in plans for ended in plan.reclamation.terminations),\n",
        faulty=(
            "for plan in plans for ended in plan.reclamation.terminations)\n"
            "        + tuple(Termination(node.observed.name, each.container.id)\n"
            "                for prewarm in trace.prewarms[:1] for node in trace.placed.nodes\n"
            "                if node.observed.name == prewarm.node for each in node.containers if each.is_idle)[:1],\n"
        ),
    ),
    Fault(
        name="one-prewarm-a-round",
        story="Of a batch of proposals only the first is passed on.",
        clauses=("PREW-3", "POL-warm-pool"),
        module=SCHEDULE,
        original="prewarms=trace.prewarms,",
        faulty="prewarms=trace.prewarms[:1],",
    ),
    Fault(
        name="equal-prewarms-merged",
        story="Two containers of one function prewarmed on one node become one.",
        clauses=("PREW-3", "PREW-4", "POL-warm-pool"),
        module=SCHEDULE,
        original="prewarms=trace.prewarms,",
        faulty="prewarms=tuple(dict.fromkeys(trace.prewarms)),",
    ),
    Fault(
        name="prewarms-charged-as-invocations",
        story="A prewarmed container is charged to the invocation capacity of its node, and dropped where none is left.",
        clauses=("PREW-5", "POL-warm-pool"),
        module=PREWARMING,
        original=APPENDING,
        faulty=(
            "    accepted = []\n"
            "    for proposal in proposals:\n"
            "        if any(each.observed.name == proposal.node and each.invocations_available > 0 for each in state.nodes):\n"
            "            state = _append(state, policy, proposal)\n"
            "            state = replace(state, nodes=tuple(\n"
            "                replace(each, invocations_available=each.invocations_available - 1)\n"
            "                if each.observed.name == proposal.node else each for each in state.nodes))\n"
            "            accepted.append(proposal)\n"
            "    return tuple(accepted), state\n"
        ),
    ),
    Fault(
        name="wake-up-as-delay",
        story="The wake-up is given as seconds from now instead of as a date, which has mostly passed.",
        clauses=("WAKE-1", "WAKE-2"),
        known_as=("B25",),
        unsafe=True,
        module=WAKEUPS,
        original="min(dates) if dates else None",
        faulty="min(dates) - state.now if dates else None",
    ),
)
