"""The reference service, driven through long histories by Hypothesis and judged by every clause after every event."""

import os

from hypothesis import settings
from service_machines import run_machine

from gaugeblock.scheduler import scheduler_from
from gaugeblock.service import step
from gaugeblock.strategies.histories import COMMON, ONE_BYTE_LAYERS, HistoryTuning
from gaugeblock.strategies.reach import Reach
from gaugeblock.strategies.seeded_histories import drive

THOROUGH = os.environ.get("GAUGEBLOCK_PROFILE") == "thorough"


def test_no_history_breaks_a_clause() -> None:
    """SERV-0 to SERV-6, and every clause of a round: they hold after every event of every history that the machine finds."""
    reach = Reach()
    run_machine(step, settings(stateful_step_count=30), reach)
    print(reach.table())
    assert not (THOROUGH and reach.missing), f"never reached: {', '.join(reach.missing)}"


def test_seeded_histories_reach_everything_there_is() -> None:
    """SERV-0 to SERV-6: each event, error, pass, reclamation step, refusal reason and policy branch is reached."""
    reach = Reach()
    cramped = HistoryTuning(catalogs=(ONE_BYTE_LAYERS,), most_nodes=1, slack=2, inactive_percent=0)
    for tuning, seeds in ((COMMON, 80), (cramped, 20)):
        for seed in range(seeds):
            for opening, happening, before, result in drive(seed, 150, step, scheduler_from, tuning):
                reach.note(before, happening.event, result, opening.policies)
    assert reach.missing == ()
