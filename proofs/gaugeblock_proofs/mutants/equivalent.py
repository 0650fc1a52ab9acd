"""The mutants that no theorem refutes, each with the reason why it does no harm or cannot be told apart."""

REASONS: dict[str, dict[str, tuple[str, ...]]] = {
    "Only plans of the reuse pass name a container, so that asking for the container alone comes to the same.": {
        "round.accounting.apply_to_node": ("missing guard 2",),
    },
    "What is in RAM is on disk as well, by the validity check, and both lists hold the very same layer.": {
        "round.accounting.reclaim": ("wrong resource 2",),
    },
    "A deficit below zero counts as none, and sizes are never negative, so that it never rises above zero again.": {
        "policies.builtin.eviction.after_freeing": (
            "dropped term 1",
            "dropped term 3",
            "dropped term 5",
        ),
    },
    "What is in RAM is on disk as well, by the validity check and, after evictions, by RECL-6.": {
        "round.prewarming._check_node": (
            "missing guard 7",
            "wrong resource 2",
        ),
        "policies.builtin.prewarm.fits": (
            "missing guard 2",
            "wrong resource 2",
        ),
    },
    "A shortcut for the empty tuple, of which nothing is absent.": {
        "round.placement._absent": ("missing guard 1",),
    },
    "Ids of containers are global, by the validity check, so that looking on every node finds the same container.": {
        "service.application.take_one_more": ("missing guard 1",),
    },
    "A shortcut: where nothing is missing, the picking functions choose nothing, and the answer is the same.": {
        "optimized.reclaiming.Reclaimer.victims": (
            "missing branch 1",
            "off by one 1",
            "off by one 3",
            "missing guard 4",
            "off by one 5",
            "missing branch 3",
            "off by one 8",
        ),
    },
    "The order is kept so that it need not be made again; made again it is the same.": {
        "optimized.reclaiming.Reclaimer._ram_order": ("missing guard 1",),
        "optimized.reclaiming.Reclaimer._disk_order": ("missing guard 1",),
    },
    "Victims are a tuple of three, so never empty: what stands in for none is never wanted.": {
        "optimized.ranking.Ranking.best": ("missing guard 5",),
    },
    "What is out of date is dropped sooner: neither an answer nor the bound on what is kept depends on it.": {
        "optimized.ranking.Ranking._shed": (
            "missing guard 1",
            "flipped comparison 1",
            "off by one 1",
            "dropped term 1",
            "dropped term 2",
            "flipped sign 1",
        ),
    },
    "A shortcut: the exact sum, which is worked out next, decides the same.": {
        "optimized.ranking.Ranking._falls_short": (
            "missing branch 1",
            "missing branch 2",
            "off by one 2",
        ),
    },
    "Only another number that no image's layout has.": {
        "optimized.searching.ImageSearch.__init__": ("off by one 1",),
    },
    "The first classification sets it before anyone asks.": {
        "optimized.searching.ImageSearch.__init__": ("off by one 2",),
    },
    "A shortcut: what is kept is what a fresh look gives, as long as neither layers nor openness have changed.": {
        "optimized.searching.ImageSearch.classify": ("missing branch 1",),
        "optimized.searching.ImageSearch.await_ram": ("missing guard 1",),
        "optimized.searching.ImageSearch.await_disk": ("missing guard 1",),
    },
    "To protect what is protected already only makes others look again.": {
        "optimized.planning.Planning.protect": ("missing guard 1",),
    },
    "A new stamp is as good as another.": {
        "optimized.planning.Planning.protect": ("off by one 1",),
        "optimized.planning.Planning.take_back": ("off by one 2",),
    },
    "A shortcut: of no nodes nothing is put down.": {
        "optimized.planning.Planning.settle_guards": ("missing guard 1",),
    },
    "Epochs are only compared with one another and with -1, which none of them is.": {
        "optimized.rounds.RoundScheduler.__init__": ("off by one 1",),
    },
    "Epochs are only compared with one another: another next one is as good.": {
        "optimized.rounds.RoundScheduler._place": (
            "off by one 1",
            "off by one 2",
        ),
    },
    "Draws of different ids stand apart by the id at the latest, so that what comes third is never compared.": {
        "optimized.rounds.RoundScheduler._ordered": (
            "dropped term 1",
            "off by one 1",
        ),
    },
    "A shortcut: what was passed over comes out the same when it is looked at again.": {
        "optimized.rounds.RoundScheduler._place": ("missing branch 1",),
    },
    "A shortcut: what is settled is what looking again would find, as long as it says so.": {
        "optimized.rounds.RoundScheduler._place": ("missing branch 2",),
    },
    "A shortcut: of no candidates none is the best.": {
        "optimized.rounds.RoundScheduler._outcome": ("missing guard 2",),
    },
    "Where a cold start is possible no layer is missing.": {
        "optimized.rounds.RoundScheduler._select": ("missing branch 4",),
    },
    "Bounds need not be tight: a lower one only costs another exact plan.": {
        "optimized.ranking.Ranking._find": (
            "swapped max 1",
            "dropped term 6",
            "missing branch 6",
            "missing branch 7",
            "off by one 22",
            "off by one 26",
        ),
    },
    "A shortcut: the exact answer, which is worked out next, is the same.": {
        "optimized.ranking.Ranking._find": (
            "missing guard 10",
            "missing guard 12",
            "flipped comparison 9",
            "off by one 18",
            "off by one 19",
        ),
    },
    "A shortcut: with nothing protected what suffices without protections suffices now.": {
        "optimized.ranking.Ranking._find": ("missing guard 15",),
    },
    "To forget too much only costs another look.": {
        "optimized.ranking.Ranking.forget": (
            "missing guard 4",
            "dropped term 2",
        ),
    },
    "A shortcut: layers never fall short of what is not missing.": {
        "optimized.ranking.Ranking._cannot_yield": (
            "missing guard 1",
            "off by one 1",
            "missing guard 3",
            "off by one 3",
        ),
        "optimized.ranking.Ranking._can_yield_now": (
            "missing guard 1",
            "off by one 1",
            "missing guard 3",
            "off by one 3",
        ),
    },
}
"""For each reason the functions, and of each the edits, that it holds of."""

EQUIVALENT: dict[str, str] = {
    f"{function}: {edit}": reason
    for reason, functions in REASONS.items()
    for function, edits in functions.items()
    for edit in edits
}
"""The reason for each of them, by name."""
