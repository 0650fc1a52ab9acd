"""Work that is spread over processes, and stops at once when it is interrupted."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from gaugeblock.model import GaugeblockError

Job = TypeVar("Job")
Result = TypeVar("Result")


class ProverEnded(GaugeblockError):
    """A process was ended from outside, as the system does when memory runs out."""

    def __init__(self) -> None:
        super().__init__("a process of the prover was ended from outside; expected it to finish: try fewer --jobs")


def spread(work: Callable[[Job], Result], jobs: Sequence[Job], processes: int) -> Iterator[Result]:
    """Yield what ``work`` returns for each of the jobs, as they end; in this process if one is enough.

    Raises:
        ProverEnded: when one of the processes is ended from outside.
    """
    most = min(processes, len(jobs))
    if most < 2:
        yield from map(work, jobs)
        return
    # Fresh processes: a fork of one that shows its progress would copy that thread's locks.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(most, context, _end_with_the_parent) as pool:
        try:
            for future in as_completed([pool.submit(work, job) for job in jobs]):
                yield future.result()
        except BaseException as error:
            _abandon(pool)
            if isinstance(error, BrokenProcessPool):
                raise ProverEnded from error
            raise


def _end_with_the_parent() -> None:
    """Let an interrupt end the process, which would go on with the next job, and let it end when its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_outlive_nobody, daemon=True).start()


def _outlive_nobody() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _abandon(pool: ProcessPoolExecutor) -> None:
    """Drop the jobs that wait, and end those that run."""
    pool.shutdown(wait=False, cancel_futures=True)
    for process in multiprocessing.active_children():
        process.terminate()
