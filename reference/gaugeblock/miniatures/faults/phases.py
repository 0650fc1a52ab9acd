"""Faults of the phases of a round: failing, scaling, excluding, going on, wake-ups."""

from gaugeblock.miniatures.fault import Fault

SCHEDULE = "gaugeblock.round.schedule"
WAKEUPS = "gaugeblock.round.wakeups"

FAULTS = (
    Fault(
        name="failed-still-placed",
        story="An invocation that is failed in this round stays in the worklist and is dispatched all the same.",
        clauses=("ROUND-2",),
        unsafe=True,
        module=SCHEDULE,
        original="if each.id not in failed))",
        faulty="))",
    ),
    Fault(
        name="scaling-sees-failed",
        story="Node scaling is asked before failed invocations leave the worklist, so that it activates a node for nobody.",
        clauses=("POL-activate-one-when-no-free-slot", "POL-deactivate-idle"),
        module=SCHEDULE,
        original="policies.node_scaling.scale(surviving)",
        faulty="policies.node_scaling.scale(initial)",
    ),
    Fault(
        name="deactivated-node-gets-work",
        story="A node selected for deactivation is not excluded, and a container is prewarmed on it in the same round.",
        clauses=("ROUND-3", "PREW-2"),
        known_as=("B19",),
        unsafe=True,
        module=SCHEDULE,
        original="selected_for_deactivation=True",
        faulty="selected_for_deactivation=False",
    ),
    Fault(
        name="head-of-line-blocking",
        story="The first invocation without a plan ends placement, and those behind it starve although there is room.",
        clauses=("ROUND-5",),
        known_as=("B06", "B23"),
        module=SCHEDULE,
        original="        state = placements[-1].after\n",
        faulty="        state = placements[-1].after\n        if placements[-1].plan is None:\n            break\n",
    ),
    Fault(
        name="prewarm-before-placement",
        story="Prewarming looks at the state before placement and takes room that this round has already given away.",
        clauses=("ROUND-6", "PREW-3"),
        unsafe=True,
        module=SCHEDULE,
        original="prewarm(placed, policies.container_prewarm)",
        faulty="prewarm(ordered, policies.container_prewarm)",
    ),
    Fault(
        name="dispatched-have-no-deadline",
        story="Wake-ups are collected without the invocations dispatched in this round, whose dispatch may yet be refused.",
        clauses=("WAKE-1",),
        module=SCHEDULE,
        original="collect_wakeups(final, policies)",
        faulty=(
            "collect_wakeups(replace(final, worklist=tuple(each for each in order if not any("
            "placement.invocation == each.id and placement.plan is not None and dispatches(placement.plan)"
            " for placement in placements))), policies)"
        ),
    ),
    Fault(
        name="latest-wake-up",
        story="Of several wake-ups the latest is reported, and the first deadline passes unnoticed.",
        clauses=("WAKE-1",),
        module=WAKEUPS,
        original="min(dates) if dates else None",
        faulty="max(dates) if dates else None",
    ),
    Fault(
        name="scaling-never-wakes",
        story="The node-scaling policy is not asked for a wake-up, and idle nodes stay on until something else happens.",
        clauses=("WAKE-1", "ROUND-7"),
        module=WAKEUPS,
        original="        policies.node_scaling,\n",
        faulty="",
    ),
)
