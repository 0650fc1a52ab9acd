"""Work over several processes: everything comes back, and nothing goes on after an interrupt."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from gaugeblock_proofs.processes import ProverEnded, spread

INTERRUPTED = """
import time
from gaugeblock_proofs.processes import spread

if __name__ == "__main__":
    print("ready", flush=True)
    list(spread(time.sleep, [600] * 4, 2))
"""


@pytest.mark.parametrize("processes", [1, 2, 3_000_000_000])
def test_every_job_comes_back(processes: int) -> None:
    """Whatever the number of processes that one asks for."""
    assert sorted(spread(abs, [-2, 1], processes)) == [1, 2]
    assert list(spread(abs, [], processes)) == []


def test_a_process_that_is_ended_from_outside_is_reported() -> None:
    """As by a system that is out of memory; the message says what to try."""
    with pytest.raises(ProverEnded, match="fewer --jobs"):
        list(spread(signal.raise_signal, [signal.SIGKILL, signal.SIGKILL], 2))


@pytest.mark.parametrize("send", [os.killpg, os.kill], ids=["the whole group", "the parent alone"])
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_whatever_ends_the_parent_ends_all(
    send: Callable[[int, int], None], ending: signal.Signals, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """None of the processes goes on with its job, or with the next one."""
    script = tmp_path_factory.mktemp("interrupted") / "script.py"
    script.write_text(INTERRUPTED)
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(2)  # until there is something to interrupt
        send(process.pid, ending)
        assert process.wait(60) != 0
        assert any(not is_alive(process.pid) for _ in range(300))


def is_alive(group: int) -> bool:
    """Wait a moment, and say whether any process of the group is left."""
    time.sleep(0.1)
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
