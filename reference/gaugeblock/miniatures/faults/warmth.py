"""Faults of the policies that fail invocations, scale nodes and keep containers warm."""

from gaugeblock.miniatures.fault import Fault

FAILING = "gaugeblock.policies.builtin.failing"
SCALING = "gaugeblock.policies.builtin.scaling"
PREWARM = "gaugeblock.policies.builtin.prewarm"
DUE = "invocation.submitted + self.seconds <= state.now"

FAULTS = (
    Fault(
        name="fails-too-late",
        story="An invocation whose time-out is exactly now is not failed.",
        clauses=("POL-pending-timeout",),
        module=FAILING,
        original=DUE,
        faulty="invocation.submitted + self.seconds < state.now",
    ),
    Fault(
        name="fails-by-difference",
        story="The time-out is compared with now minus the submit date, which rounds differently from the wake-up's sum.",
        clauses=("POL-pending-timeout",),
        module=FAILING,
        original=DUE,
        faulty="self.seconds <= state.now - invocation.submitted",
    ),
    Fault(
        name="wakes-for-the-last",
        story="The wake-up is for the invocation that times out last.",
        clauses=("WAKE-1",),
        module=FAILING,
        original="return min(later) if later else None",
        faulty="return max(later) if later else None",
    ),
    Fault(
        name="activates-without-need",
        story="A node is activated although nothing is pending.",
        clauses=("POL-activate-one-when-no-free-slot",),
        known_as=("AMB-2",),
        module=SCALING,
        original="if not state.worklist or any(",
        faulty="if any(",
    ),
    Fault(
        name="activates-another",
        story="A second node is activated while the first is still on its way.",
        clauses=("POL-activate-one-when-no-free-slot",),
        known_as=("AMB-2",),
        module=SCALING,
        original="    return node.status is NodeStatus.ACTIVATING\n",
        faulty="    return False\n",
    ),
    Fault(
        name="activates-the-last",
        story="Of the deactivated nodes the last one is activated.",
        clauses=("POL-activate-one-when-no-free-slot",),
        known_as=("AMB-2",),
        module=SCALING,
        original="for node in state.nodes if node.observed.status is NodeStatus.DEACTIVATED)",
        faulty="for node in reversed(state.nodes) if node.observed.status is NodeStatus.DEACTIVATED)",
    ),
    Fault(
        name="deactivates-by-oldest-date",
        story="A node is let go by the oldest of its dates, although something on it was used just now.",
        clauses=("POL-deactivate-idle",),
        module=SCALING,
        original="return (max(dates),) if dates else ()",
        faulty="return (min(dates),) if dates else ()",
    ),
    Fault(
        name="deactivates-too-late",
        story="A node that has been unused for exactly the time-out is not let go.",
        clauses=("POL-deactivate-idle",),
        module=SCALING,
        original="date + self.seconds <= now",
        faulty="date + self.seconds < now",
    ),
    Fault(
        name="stale-wake-up",
        story="A date that has passed is reported as a wake-up, which would start rounds for ever; WAKE-2 makes it an error.",
        clauses=("WAKE-2",),
        known_as=("B25",),
        module=SCALING,
        original="if state.now < date < LARGEST_DATE]",
        faulty="if date < LARGEST_DATE]",
    ),
    Fault(
        name="prewarms-without-adding-up",
        story="Each proposal is checked against the room before the batch, and together they do not fit.",
        clauses=("PREW-2", "POL-warm-pool"),
        unsafe=True,
        module=PREWARM,
        original="                rooms[place] = less(rooms[place], function)\n",
        faulty="                rooms[place] = rooms[place]._replace(positions=rooms[place].positions - 1)\n",
    ),
    Fault(
        name="counts-reused-as-warm",
        story="A container that this round reuses still counts as a warm one.",
        clauses=("POL-warm-pool",),
        known_as=("AMB-3",),
        module=PREWARM,
        original="return each.is_idle or (",
        faulty="return each.container.is_idle or (",
    ),
    Fault(
        name="starting-is-not-warm",
        story="A prewarmed container that is still being started does not count, and another one is proposed in every round.",
        clauses=("POL-warm-pool",),
        module=PREWARM,
        original="return each.is_idle or (starting and each.container.in_flight == 0)",
        faulty="return each.is_idle",
    ),
    Fault(
        name="prewarms-by-name",
        story="Pools are filled in the order of function names, not of the catalogue.",
        clauses=("POL-warm-pool",),
        module=PREWARM,
        original="        for function in state.catalog.functions:\n",
        faulty="        for function in sorted(state.catalog.functions, key=lambda function: function.name):\n",
    ),
    Fault(
        name="prewarms-below-the-brim",
        story="A container that fits exactly is not prewarmed.",
        clauses=("POL-warm-pool",),
        module=PREWARM,
        original="function.ram_bytes <= room.ram_bytes and",
        faulty="function.ram_bytes < room.ram_bytes and",
    ),
)
