"""Faults of the policies that look too simple to get wrong: never, select-all-possible, and those that draw."""

from gaugeblock.miniatures.fault import Fault

SCALING = "gaugeblock.policies.builtin.scaling"
SELECTION = "gaugeblock.policies.builtin.selection"
DRAWS = "gaugeblock.policies.builtin.random_stream"
ORDERING = "gaugeblock.policies.builtin.ordering"
PLAN_SELECTION = "gaugeblock.policies.builtin.plan_selection"
TEXT = 'f"gaugeblock-1 {purpose} {seed} {date} {invocation}"'

FAULTS = (
    Fault(
        name="never-is-the-default",
        story="Scaling by `never` is taken for no choice at all, and nodes are activated as by default.",
        clauses=("POL-never",),
        module=SCALING,
        original="        return ScalingRequests()\n",
        faulty="        return ScalingRequests(activations=node_to_activate(state))\n",
    ),
    Fault(
        name="last-slot-unseen",
        story="A node that can take just one invocation more is not selected.",
        clauses=("POL-select-all-possible",),
        module=SELECTION,
        original="node.invocations_available > 0",
        faulty="node.invocations_available > 1",
    ),
    Fault(
        name="draws-without-date",
        story="The date is left out of what is digested, so that every round draws alike.",
        clauses=("POL-random",),
        module=DRAWS,
        original=TEXT,
        faulty='f"gaugeblock-1 {purpose} {seed} {invocation}"',
    ),
    Fault(
        name="draws-little-endian",
        story="The digest is read with its least significant byte first.",
        clauses=("POL-random",),
        module=DRAWS,
        original='"big"',
        faulty='"little"',
    ),
    Fault(
        name="draws-backwards",
        story="Random ordering takes the greatest number drawn first.",
        clauses=("POL-random",),
        module=ORDERING,
        original="sorted(keyed, key=lambda entry: entry[:2])",
        faulty="sorted(keyed, key=lambda entry: entry[:2], reverse=True)",
    ),
    Fault(
        name="draws-by-name",
        story="The number drawn picks among the alternatives by name, not in traversal order.",
        clauses=("POL-random",),
        module=PLAN_SELECTION,
        original="alternatives[number % len(alternatives)].node",
        faulty="sorted(plan.node for plan in alternatives)[number % len(alternatives)]",
    ),
)
