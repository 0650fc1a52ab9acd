"""Proving many theorems: in parallel over processes, with a cache of what was proved by the same code."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path

import msgspec

from gaugeblock.model import Value
from gaugeblock_proofs.code import key
from gaugeblock_proofs.counterexamples import write
from gaugeblock_proofs.engine import Verdict
from gaugeblock_proofs.proving import PartResult, prove_part
from gaugeblock_proofs.registry import by_id, part_of
from gaugeblock_proofs.theorem import Part, Theorem, Tier

Job = tuple[str, str]
"""The id of a theorem and the name of one of its parts."""


class TheoremResult(Value, frozen=True):
    """What came of a theorem: its parts, and whether together they are what it states. ``missing`` are labels never reached."""

    theorem: Theorem
    parts: tuple[PartResult, ...]
    missing: tuple[str, ...]

    @property
    def as_stated(self) -> bool:
        """Whether every part ended as stated and every assertion was reached."""
        return all(part.as_stated for part in self.parts) and not self.missing and bool(self.parts)

    @property
    def verdict(self) -> Verdict:
        """The verdict on the whole: refuted if any part is, proved if all are and nothing is missing, else not proved."""
        verdicts = {part.verdict for part in self.parts}
        if Verdict.REFUTED in verdicts:
            return Verdict.REFUTED
        return Verdict.PROVED if verdicts == {Verdict.PROVED} and not self.missing else Verdict.NOT_PROVED


def prove(
    theorems: Sequence[Theorem],
    deep: bool = False,
    jobs: int = 1,
    cache: Path | None = None,
    observe: Callable[[PartResult], None] = lambda result: None,
) -> tuple[TheoremResult, ...]:
    """Prove the theorems' standard parts, with ``deep`` the deep ones as well, over ``jobs`` processes; results in their order.

    With a ``cache`` folder a part that ended as stated is not run again while the code that it runs is the same.
    """
    wanted = [(theorem, part) for theorem in theorems for part in parts_of(theorem, deep)]
    keys = {(theorem.id, part.name): key(theorem, part) for theorem, part in wanted} if cache is not None else {}
    found = _recall(cache, keys)
    for result in found.values():
        observe(result)
    for result in _run([(theorem, part) for theorem, part in wanted if (theorem.id, part.name) not in found], jobs):
        found[(result.theorem, result.part)] = result
        observe(result)
        if cache is not None and result.as_stated:
            _remember(cache, keys[(result.theorem, result.part)], result)
    return tuple(
        _summed_up(theorem, tuple(found[(theorem.id, part.name)] for part in parts_of(theorem, deep))) for theorem in theorems
    )


def parts_of(theorem: Theorem, deep: bool) -> tuple[Part, ...]:
    """Return the parts to prove."""
    return tuple(part for part in theorem.parts if deep or part.tier is Tier.STANDARD)


def default_cache() -> Path:
    """Return the folder where proofs are remembered: below ``XDG_CACHE_HOME``, or ``~/.cache``."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "gaugeblock" / "proofs"


def _run(wanted: list[tuple[Theorem, Part]], jobs: int) -> Iterator[PartResult]:
    if jobs == 1 or len(wanted) < 2:
        for theorem, part in wanted:
            yield prove_part(theorem, part)
        return
    # Fresh processes: a fork of one that shows its progress would copy that thread's locks.
    with ProcessPoolExecutor(max_workers=jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            for future in as_completed([pool.submit(_prove_job, (theorem.id, part.name)) for theorem, part in wanted]):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _prove_job(job: Job) -> PartResult:
    theorem = by_id(job[0])
    return prove_part(theorem, part_of(theorem, job[1]))


def _summed_up(theorem: Theorem, parts: tuple[PartResult, ...]) -> TheoremResult:
    reached = {label for part in parts for label in part.reached}
    # A refutation ends the search, so that of a claim known to be false not every label need be reached.
    missing = tuple(label for label in theorem.assertions if label not in reached and theorem.expected is Verdict.PROVED)
    return TheoremResult(theorem, parts, missing)


def _recall(cache: Path | None, keys: dict[Job, str]) -> dict[Job, PartResult]:
    found: dict[Job, PartResult] = {}
    if cache is None:
        return found
    for job, name in keys.items():
        try:
            known = msgspec.json.decode((cache / f"{name}.json").read_bytes(), type=PartResult)
        except (OSError, msgspec.DecodeError):
            continue
        if (known.theorem, known.part) == job and known.as_stated:
            found[job] = msgspec.structs.replace(known, cached=True)
    return found


def _remember(cache: Path, name: str, result: PartResult) -> None:
    with suppress(OSError):  # where nothing can be kept, the proof still stands
        write(cache, f"{name}.json", msgspec.json.encode(result))
