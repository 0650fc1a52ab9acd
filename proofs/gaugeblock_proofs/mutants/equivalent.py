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
    "service.application.take_one_more: missing guard 1": (
        "Ids of containers are global, by the validity check, so that looking on every node finds the same container."
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
    "optimized.ranking.Ranking.best: missing guard 5": (
        "Victims are a tuple of three, so never empty: what stands in for none is never wanted."
    ),
    "optimized.ranking.Ranking._look_for_floor: dropped statement 3": (
        "When entries that are out of date are dropped tells on the memory they take, not on any answer."
    ),
    "optimized.ranking.Ranking.feasible: dropped statement 5": (
        "When entries that are out of date are dropped tells on the memory they take, not on any answer."
    ),
    "optimized.ranking.Ranking._shed: missing guard 1": (
        "When entries that are out of date are dropped tells on the memory they take, not on any answer."
    ),
    "optimized.ranking.Ranking._shed: missing branch 1": (
        "When entries that are out of date are dropped tells on the memory they take, not on any answer."
    ),
    "optimized.ranking.Ranking._shed: flipped comparison 1": (
        "When entries that are out of date are dropped tells on the memory they take, not on any answer."
    ),
    "optimized.ranking.Ranking._shed: off by one 1": (
        "When entries that are out of date are dropped tells on the memory they take, not on any answer."
    ),
    "optimized.ranking.Ranking._shed: dropped term 1": (
        "When entries that are out of date are dropped tells on the memory they take, not on any answer."
    ),
    "optimized.ranking.Ranking._shed: dropped term 2": (
        "When entries that are out of date are dropped tells on the memory they take, not on any answer."
    ),
    "optimized.ranking.Ranking._shed: flipped sign 1": (
        "When entries that are out of date are dropped tells on the memory they take, not on any answer."
    ),
    "optimized.ranking.Ranking._shed: off by one 2": (
        "When entries that are out of date are dropped tells on the memory they take, not on any answer."
    ),
    "optimized.ranking.Ranking._shed: off by one 3": (
        "When entries that are out of date are dropped tells on the memory they take, not on any answer."
    ),
    "optimized.ranking.Ranking._shed: missing guard 2": (
        "When entries that are out of date are dropped tells on the memory they take, not on any answer."
    ),
    "optimized.ranking.Ranking._falls_short: missing branch 1": (
        "A shortcut: the exact sum, which is worked out next, decides the same."
    ),
    "optimized.ranking.Ranking._falls_short: missing branch 2": (
        "A shortcut: the exact sum, which is worked out next, decides the same."
    ),
    "optimized.ranking.Ranking._falls_short: off by one 2": (
        "A shortcut: the exact sum, which is worked out next, decides the same."
    ),
    "optimized.searching.ImageSearch.__init__: off by one 1": ("Only another number that no image's layout has."),
    "optimized.searching.ImageSearch.__init__: off by one 2": ("The first classification sets it before anyone asks."),
    "optimized.searching.ImageSearch.classify: missing branch 1": (
        "A shortcut: what is kept is what a fresh look gives, as long as neither layers nor openness have changed."
    ),
    "optimized.searching.ImageSearch.await_ram: missing guard 1": (
        "A shortcut: what is kept is what a fresh look gives, as long as neither layers nor openness have changed."
    ),
    "optimized.searching.ImageSearch.await_disk: missing guard 1": (
        "A shortcut: what is kept is what a fresh look gives, as long as neither layers nor openness have changed."
    ),
    "optimized.planning.Planning.protect: missing guard 1": (
        "To protect what is protected already only makes others look again."
    ),
    "optimized.planning.Planning.protect: off by one 1": ("A new stamp is as good as another."),
    "optimized.planning.Planning.take_back: off by one 2": ("A new stamp is as good as another."),
    "optimized.planning.Planning.settle_guards: missing guard 1": ("A shortcut: of no nodes nothing is put down."),
    "optimized.rounds.RoundScheduler.__init__: off by one 1": (
        "Epochs are only compared with one another and with -1, which none of them is."
    ),
    "optimized.rounds.RoundScheduler._place: off by one 1": (
        "Epochs are only compared with one another: another next one is as good."
    ),
    "optimized.rounds.RoundScheduler._place: off by one 2": (
        "Epochs are only compared with one another: another next one is as good."
    ),
    "optimized.rounds.RoundScheduler._ordered: dropped term 1": (
        "Draws of different ids stand apart by the id at the latest, so that what comes third is never compared."
    ),
    "optimized.rounds.RoundScheduler._ordered: off by one 1": (
        "Draws of different ids stand apart by the id at the latest, so that what comes third is never compared."
    ),
    "optimized.rounds.RoundScheduler._place: missing branch 1": (
        "A shortcut: what was passed over comes out the same when it is looked at again."
    ),
    "optimized.rounds.RoundScheduler._without_failures: dropped statement 1": (
        "It does not come to an end, so that no run of it gives a counterexample."
    ),
    "optimized.rounds.RoundScheduler._place: missing branch 2": (
        "A shortcut: what is settled is what looking again would find, as long as it says so."
    ),
    "optimized.rounds.RoundScheduler._outcome: missing guard 2": "A shortcut: of no candidates none is the best.",
    "optimized.rounds.RoundScheduler._select: missing branch 4": "Where a cold start is possible no layer is missing.",
    "optimized.ranking.Ranking._find: swapped max 1": ("Bounds need not be tight: a lower one only costs another exact plan."),
    "optimized.ranking.Ranking._find: dropped term 6": ("Bounds need not be tight: a lower one only costs another exact plan."),
    "optimized.ranking.Ranking._find: missing branch 6": (
        "Bounds need not be tight: a lower one only costs another exact plan."
    ),
    "optimized.ranking.Ranking._find: missing branch 7": (
        "Bounds need not be tight: a lower one only costs another exact plan."
    ),
    "optimized.ranking.Ranking._find: off by one 22": ("Bounds need not be tight: a lower one only costs another exact plan."),
    "optimized.ranking.Ranking._find: off by one 26": ("Bounds need not be tight: a lower one only costs another exact plan."),
    "optimized.ranking.Ranking._find: missing guard 10": (
        "A shortcut: the exact answer, which is worked out next, is the same."
    ),
    "optimized.ranking.Ranking._find: missing guard 15": (
        "A shortcut: with nothing protected what suffices without protections suffices now."
    ),
    "optimized.ranking.Ranking._find: missing guard 12": (
        "A shortcut: the exact answer, which is worked out next, is the same."
    ),
    "optimized.ranking.Ranking._find: flipped comparison 9": (
        "A shortcut: the exact answer, which is worked out next, is the same."
    ),
    "optimized.ranking.Ranking._find: off by one 18": ("A shortcut: the exact answer, which is worked out next, is the same."),
    "optimized.ranking.Ranking._find: off by one 19": ("A shortcut: the exact answer, which is worked out next, is the same."),
    "optimized.ranking.Ranking.forget: missing guard 4": ("To forget too much only costs another look."),
    "optimized.ranking.Ranking.forget: dropped term 2": ("To forget too much only costs another look."),
    "optimized.ranking.Ranking.forget: dropped statement 1": ("To forget too much only costs another look."),
    "optimized.ranking.Ranking.forget: missing guard 3": (
        "A log that no longer keeps what is asked for answers with every node, which is to forget all as well."
    ),
    "optimized.ranking.Ranking._cannot_yield: missing guard 1": "A shortcut: layers never fall short of what is not missing.",
    "optimized.ranking.Ranking._cannot_yield: off by one 1": "A shortcut: layers never fall short of what is not missing.",
    "optimized.ranking.Ranking._cannot_yield: missing guard 3": "A shortcut: layers never fall short of what is not missing.",
    "optimized.ranking.Ranking._cannot_yield: off by one 3": "A shortcut: layers never fall short of what is not missing.",
    "optimized.ranking.Ranking._can_yield_now: missing guard 1": "A shortcut: layers never fall short of what is not missing.",
    "optimized.ranking.Ranking._can_yield_now: off by one 1": "A shortcut: layers never fall short of what is not missing.",
    "optimized.ranking.Ranking._can_yield_now: missing guard 3": "A shortcut: layers never fall short of what is not missing.",
    "optimized.ranking.Ranking._can_yield_now: off by one 3": "A shortcut: layers never fall short of what is not missing.",
}
