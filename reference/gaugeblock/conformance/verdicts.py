"""What can be said of a subject on one case, and of a whole run."""

from enum import Enum

from gaugeblock.model import InvocationId, Value
from gaugeblock_specs.verdicts import ClauseResult


class Judging(Enum):
    """The three ways to judge an answer.

    ``EXACT``: it is the reference's, for built-in policies. ``SAFETY``: it breaks no clause that holds whatever the policies
    are. ``TRANSCRIPT``: it is what the reference decides when it is given the recorded answers of the subject's own policies.
    """

    EXACT = "exact"
    SAFETY = "safety"
    TRANSCRIPT = "transcript"


class Verdict(Enum):
    """How one case went. All but ``PASSED`` and ``SKIPPED`` count against the subject."""

    PASSED = "passed"
    FAILED = "failed"
    ERRORED = "errored"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    MALFORMED = "malformed answer"
    SKIPPED = "skipped"

    @property
    def is_fault(self) -> bool:
        """Whether it stands in the way of conformance."""
        return self not in (Verdict.PASSED, Verdict.SKIPPED)


class CategoryDifference(Value, frozen=True):
    """How one category of the decisions differs: operations missing from the answer, and operations that nobody expected.

    Operations are in the words of the wire format. With ``reordered`` both lists are empty: only the order differs.
    """

    category: str
    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    reordered: bool = False


class Parting(Value, frozen=True):
    """Where an answer first leaves the reference's way: the phase or invocation in words, and the clause concerned.

    ``clause`` may be two, with a comma between. ``invocation`` is the one at whose placement it happens, if it is one.
    """

    where: str
    clause: str
    sentence: str
    invocation: InvocationId | None = None


class CaseResult(Value, frozen=True):
    """The verdict on one case. ``detail`` says why, where it is not simply passed; a failure also has its differences.

    ``parting`` is where the answer parts from the reference; but where the ``reference_disagrees`` with the case itself,
    it is where the decisions that the case states part from it. ``violations`` are the clauses violated, in safety judging.
    """

    case: str
    verdict: Verdict
    detail: str = ""
    differences: tuple[CategoryDifference, ...] = ()
    parting: Parting | None = None
    reference_disagrees: bool = False
    violations: tuple[ClauseResult, ...] = ()


class RunResult(Value, frozen=True):
    """All verdicts of a run, in the order of the cases; ``stopped`` says why some of the ``selected`` cases have none."""

    subject: str
    selected: int
    results: tuple[CaseResult, ...]
    stopped: str | None = None
    judging: Judging = Judging.EXACT

    def count(self, verdict: Verdict) -> int:
        """Return how many cases ended in ``verdict``."""
        return sum(result.verdict is verdict for result in self.results)

    @property
    def judged(self) -> int:
        """How many cases were put to the subject and judged; those skipped are not among them."""
        return len(self.results) - self.count(Verdict.SKIPPED)

    @property
    def is_conformant(self) -> bool:
        """Whether at least one case passed, none went wrong, and the run came to its end."""
        faultless = not any(result.verdict.is_fault for result in self.results)
        return self.stopped is None and faultless and self.count(Verdict.PASSED) > 0
