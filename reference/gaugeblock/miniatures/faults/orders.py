"""Faults of choosing and ordering: plans, ties, invocations, containers to reuse."""

from gaugeblock.miniatures.fault import Fault

PLAN_SELECTION = "gaugeblock.policies.builtin.plan_selection"
KEY = "key=lambda plan: (rank(plan), plan.node)"
RANK = "return len(freed.disk_evictions), len(freed.ram_evictions), len(freed.terminations), copies, loads"

FAULTS = (
    Fault(
        name="terminations-cost-more",
        story="A plan that ends two containers is thought worse than one that evicts a layer from RAM.",
        clauses=("POL-eviction-averse",),
        known_as=("quirk 2",),
        module=PLAN_SELECTION,
        original=RANK,
        faulty="return len(freed.disk_evictions), len(freed.terminations), len(freed.ram_evictions), copies, loads",
    ),
    Fault(
        name="counts-all-evictions-alike",
        story="Evictions from disk, from RAM and terminations are summed up instead of compared in turn.",
        clauses=("POL-eviction-averse",),
        known_as=("quirk 2",),
        module=PLAN_SELECTION,
        original=RANK,
        faulty=("return len(freed.disk_evictions) + len(freed.ram_evictions) + len(freed.terminations), 0, 0, copies, loads"),
    ),
    Fault(
        name="companions-have-no-rank",
        story="RAM evictions that go along with disk evictions do not count in a plan's rank.",
        clauses=("POL-eviction-averse",),
        module=PLAN_SELECTION,
        original=RANK,
        faulty=(
            "alone = [name for name in freed.ram_evictions if name not in freed.disk_evictions]\n"
            "    return len(freed.disk_evictions), len(alone), len(freed.terminations), copies, loads"
        ),
    ),
    Fault(
        name="transfers-have-no-rank",
        story="Of two plans that evict alike, the one with more to load or copy may be chosen.",
        clauses=("POL-eviction-averse",),
        module=PLAN_SELECTION,
        original=RANK,
        faulty="return len(freed.disk_evictions), len(freed.ram_evictions), len(freed.terminations), 0, 0",
    ),
    Fault(
        name="ties-by-traversal",
        story="Plans of equal rank go to the first node in traversal order, not to the first by name.",
        clauses=("POL-eviction-averse",),
        known_as=("quirk 7", "B24"),
        module=PLAN_SELECTION,
        original=KEY,
        faulty="key=rank",
    ),
    Fault(
        name="ties-by-number",
        story='Names are compared as people count: "node-9" before "node-10".',
        clauses=("POL-eviction-averse",),
        known_as=("quirk 7",),
        module=PLAN_SELECTION,
        original=KEY,
        faulty="key=lambda plan: (rank(plan), len(plan.node), plan.node)",
    ),
    Fault(
        name="ties-by-utf-16",
        story="Names are compared by UTF-16 code units, where characters beyond the basic plane come too early.",
        clauses=("POL-eviction-averse",),
        module=PLAN_SELECTION,
        original=KEY,
        faulty='key=lambda plan: (rank(plan), plan.node.encode("utf-16-be"))',
    ),
    Fault(
        name="ties-by-normalised-name",
        story="Names are normalised before they are compared, so that one letter written in two ways is one.",
        clauses=("POL-eviction-averse",),
        module=PLAN_SELECTION,
        original=KEY,
        faulty='key=lambda plan: (rank(plan), __import__("unicodedata").normalize("NFC", plan.node))',
    ),
    Fault(
        name="fcfs-ties-as-listed",
        story="Invocations submitted at one date are taken as they are listed, not by id.",
        clauses=("POL-fcfs",),
        known_as=("B24",),
        module="gaugeblock.policies.builtin.ordering",
        original="key=lambda invocation: (invocation.submitted, invocation.id)",
        faulty="key=lambda invocation: invocation.submitted",
    ),
    Fault(
        name="reuses-smallest-id",
        story="The reusable container with the smallest id of all is taken, not the one on the first node.",
        clauses=("POL-first-fit",),
        known_as=("AMB-1", "quirk 7", "B24"),
        module="gaugeblock.policies.builtin.reuse",
        original="return candidates[0].container.id",
        faulty="return min(candidate.container.id for candidate in candidates)",
    ),
    Fault(
        name="reuses-emptiest",
        story="The container with most room left is reused, which spreads invocations.",
        clauses=("POL-first-fit",),
        known_as=("AMB-1",),
        module="gaugeblock.policies.builtin.reuse",
        original="return candidates[0].container.id",
        faulty="return max(candidates, key=lambda candidate: candidate.invocations_available).container.id",
    ),
)
