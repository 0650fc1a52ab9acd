"""The mutants that no theorem refutes, by name, each with the reason why it does no harm or cannot be told apart."""

EQUIVALENT: dict[str, str] = {
    "round.accounting.apply_to_node: missing guard 2": (
        "Only plans of the reuse pass name a container, so that asking for the container alone comes to the same."
    ),
    "round.accounting.reclaim: wrong resource 2": (
        "What is in RAM is on disk as well, by the validity check, and both lists hold the very same layer."
    ),
    "policies.builtin.eviction.after_freeing: dropped term 1": (
        "A deficit below zero counts as none, and sizes are never negative, so that it never rises above zero again."
    ),
    "policies.builtin.eviction.after_freeing: dropped term 3": (
        "A deficit below zero counts as none, and sizes are never negative, so that it never rises above zero again."
    ),
    "policies.builtin.eviction.after_freeing: dropped term 5": (
        "A deficit below zero counts as none, and sizes are never negative, so that it never rises above zero again."
    ),
    "round.prewarming._check_node: missing guard 7": (
        "What is in RAM is on disk as well, by the validity check and, after evictions, by RECL-6."
    ),
    "round.prewarming._check_node: wrong resource 2": (
        "What is in RAM is on disk as well, by the validity check and, after evictions, by RECL-6."
    ),
    "policies.builtin.prewarm.fits: missing guard 2": (
        "What is in RAM is on disk as well, by the validity check and, after evictions, by RECL-6."
    ),
    "policies.builtin.prewarm.fits: wrong resource 2": (
        "What is in RAM is on disk as well, by the validity check and, after evictions, by RECL-6."
    ),
    "round.contracts.check_scaling: missing branch 3": (
        "A node in both requests is refused by the other two checks as well: none is both activated and deactivated."
    ),
    "round.placement._absent: missing guard 1": ("A shortcut for the empty tuple, of which nothing is absent."),
    "scheduler.GreedyScheduler.with_policy: dropped term 1": (
        "No theorem calls it: it puts a policy into a scheduler, which takes no part in a round. Tested only."
    ),
    "optimized.reclaiming.Reclaimer.victims: missing branch 1": (
        "A shortcut: where nothing is missing, the picking functions choose nothing, and the answer is the same."
    ),
    "optimized.reclaiming.Reclaimer.victims: off by one 1": (
        "A shortcut: where nothing is missing, the picking functions choose nothing, and the answer is the same."
    ),
    "optimized.reclaiming.Reclaimer.victims: off by one 3": (
        "A shortcut: where nothing is missing, the picking functions choose nothing, and the answer is the same."
    ),
    "optimized.reclaiming.Reclaimer.victims: missing guard 4": (
        "A shortcut: where nothing is missing, the picking functions choose nothing, and the answer is the same."
    ),
    "optimized.reclaiming.Reclaimer.victims: off by one 5": (
        "A shortcut: where nothing is missing, the picking functions choose nothing, and the answer is the same."
    ),
    "optimized.reclaiming.Reclaimer.victims: missing branch 3": (
        "A shortcut: where nothing is missing, the picking functions choose nothing, and the answer is the same."
    ),
    "optimized.reclaiming.Reclaimer.victims: off by one 8": (
        "A shortcut: where nothing is missing, the picking functions choose nothing, and the answer is the same."
    ),
    "optimized.reclaiming.Reclaimer._ram_order: missing guard 1": (
        "The order is kept so that it need not be made again; made again it is the same."
    ),
    "optimized.reclaiming.Reclaimer._disk_order: missing guard 1": (
        "The order is kept so that it need not be made again; made again it is the same."
    ),
}
