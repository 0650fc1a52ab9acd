"""Proving many theorems: in parallel over processes, with a cache of what was proved by the same code."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from gaugeblock.model import Value
from gaugeblock_proofs.code import key
from gaugeblock_proofs.counterexamples import write
from gaugeblock_proofs.engine import Verdict
from gaugeblock_proofs.processes import spread
from gaugeblock_proofs.proving import PartResult, prove_part
from gaugeblock_proofs.registry import by_id, part_of
from gaugeblock_proofs.theorem import Part, Theorem, Tier

Named = tuple[str, str]
"""The id of a theorem and the name of one of its parts."""
Job = tuple[str, str, bool]
"""The same, and whether the key of its code is wanted."""


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
    found = _recall(cache, wanted, keys) if cache is not None else {}
    for result in found.values():
        observe(result)
    left = [(theorem, part) for theorem, part in wanted if (theorem.id, part.name) not in found]
    for result, known_as in _run(left, jobs, keyed=cache is not None):
        found[(result.theorem, result.part)] = result
        observe(result)
        # Where the processes found other code than this one, it was edited meanwhile, and nobody knows which was run.
        if cache is not None and result.as_stated and known_as == keys[(result.theorem, result.part)]:
            _remember(cache, known_as, result)
    return tuple(
        _summed_up(theorem, tuple(found[(theorem.id, part.name)] for part in parts_of(theorem, deep))) for theorem in theorems
    )


def parts_of(theorem: Theorem, deep: bool) -> tuple[Part, ...]:
    """Return the parts to prove."""
    return tuple(part for part in theorem.parts if deep or part.tier is Tier.STANDARD)


def default_cache() -> Path | None:
    """Return the folder where proofs are remembered, or None for a user without a home.

    It is below ``XDG_CACHE_HOME`` if that is an absolute path, else below ``~/.cache``.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not home.is_absolute():
        try:
            home = Path.home() / ".cache"
        except RuntimeError:
            return None
    return home / "gaugeblock" / "proofs"


def _run(left: list[tuple[Theorem, Part]], jobs: int, keyed: bool) -> Iterator[tuple[PartResult, str]]:
    """Yield what comes of the parts, each with the key of the code as the process that ran it found it, if ``keyed``."""
    if jobs == 1 or len(left) < 2:
        return (_prove(theorem, part, keyed) for theorem, part in left)
    return spread(_prove_job, [(theorem.id, part.name, keyed) for theorem, part in left], jobs)


def _prove(theorem: Theorem, part: Part, keyed: bool) -> tuple[PartResult, str]:
    return prove_part(theorem, part), key(theorem, part) if keyed else ""


def _prove_job(job: Job) -> tuple[PartResult, str]:
    """Find the part again, since theorems do not go from process to process, and prove it."""
    identifier, name, keyed = job
    theorem = by_id(identifier)
    return _prove(theorem, part_of(theorem, name), keyed)


def _summed_up(theorem: Theorem, parts: tuple[PartResult, ...]) -> TheoremResult:
    reached = {label for part in parts for label in part.reached}
    # A refutation ends the search, so that of a claim known to be false not every label need be reached.
    missing = tuple(label for label in theorem.assertions if label not in reached and theorem.expected is Verdict.PROVED)
    return TheoremResult(theorem, parts, missing)


def _recall(cache: Path, wanted: list[tuple[Theorem, Part]], keys: dict[Named, str]) -> dict[Named, PartResult]:
    found: dict[Named, PartResult] = {}
    for theorem, part in wanted:
        named = (theorem.id, part.name)
        path = cache / f"{keys[named]}.json"
        try:
            known = msgspec.json.decode(path.read_bytes(), type=PartResult) if path.is_file() else None
        except (OSError, msgspec.DecodeError):
            continue
        if known is not None and (known.theorem, known.part) == named and _is_sound(known, theorem.expected):
            found[named] = msgspec.structs.replace(known, cached=True)
    return found


def _is_sound(known: PartResult, expected: Verdict) -> bool:
    """Whether a remembered result is one that would have been remembered."""
    refuted = known.verdict is Verdict.REFUTED
    as_expected = known.as_stated and known.verdict is expected
    return as_expected and refuted is (known.counterexample is not None) and bool(known.reached) and not known.reasons


def _remember(cache: Path, name: str, result: PartResult) -> None:
    with suppress(OSError):  # where nothing can be kept, the proof still stands
        write(cache, f"{name}.json", msgspec.json.encode(result))
