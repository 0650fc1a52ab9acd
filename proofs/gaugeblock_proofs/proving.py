"""Proving one part of one theorem, and judging whether the verdict is the one that the theorem states."""

from __future__ import annotations

from gaugeblock.model import Value
from gaugeblock_proofs.counterexamples import Refutation, assignment_of, refutation_of
from gaugeblock_proofs.engine import NondeterministicTheorem, Path, Replay, Source, Verdict, explore, replay
from gaugeblock_proofs.engine import Theorem as Explorable
from gaugeblock_proofs.engine.verdicts import Exploration, Reason
from gaugeblock_proofs.shipped import Shipped, as_shipped
from gaugeblock_proofs.theorem import Part, Setting, Theorem


class PartResult(Value, frozen=True):
    """What came of one part. ``as_stated`` says whether that is what the theorem states; ``cached`` whether it ran before."""

    theorem: str
    part: str
    verdict: Verdict
    as_stated: bool
    paths: int
    discarded: int
    queries: int
    seconds: float
    reached: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    detail: str = ""
    dates: tuple[str, ...] = ()
    counterexample: Refutation | None = None
    cached: bool = False


def explorable(part: Part, shipped: Shipped) -> Explorable:
    """Return the part's body as the engine takes it, over these modules."""

    def body(symbols: Source, path: Path) -> None:
        part.body(Setting(shipped, symbols, path))

    return body


def prove_part(theorem: Theorem, part: Part, shipped: Shipped | None = None) -> PartResult:
    """Explore the part over the modules given, or over those that ship."""
    modules = as_shipped(theorem.modules) if shipped is None else shipped
    try:
        report = explore(explorable(part, modules), part.budget, name=f"{theorem.id} ({part.name})")
    except NondeterministicTheorem as error:
        return PartResult(theorem.id, part.name, Verdict.NOT_PROVED, False, 0, 0, 0, 0.0, detail=str(error))
    return _result(theorem, part, report)


def replay_part(theorem: Theorem, part: Part, refutation: Refutation, shipped: Shipped | None = None) -> tuple[Replay, Setting]:
    """Run the part on the numbers of a refutation; the setting tells which round that was."""
    modules = as_shipped(theorem.modules) if shipped is None else shipped
    settings: list[Setting] = []

    def body(symbols: Source, path: Path) -> None:
        settings.append(Setting(modules, symbols, path))
        part.body(settings[-1])

    return replay(body, assignment_of(refutation)), settings[-1]


def _result(theorem: Theorem, part: Part, report: Exploration) -> PartResult:
    found = report.counterexample
    confirmed = found is None or found.confirmed
    # A claim that is known to be false must fail as claimed: that its code breaks down says nothing about it.
    as_claimed = found is None or theorem.expected is Verdict.PROVED or found.label in theorem.assertions
    return PartResult(
        theorem.id,
        part.name,
        report.verdict,
        report.verdict is theorem.expected and confirmed and as_claimed,
        report.paths,
        report.discarded,
        report.queries,
        report.seconds,
        tuple(label for label, _ in report.reached),
        report.reasons,
        report.detail,
        report.dates,
        None if found is None else refutation_of(found),
    )
