"""What the judge says of a clause, and the witnesses by which it shows a violation."""

from enum import Enum

from gaugeblock.model import ContainerId, InvocationId, LayerName, NodeName, Value


class EvidenceKind(Enum):
    """What a check needs to see beside the observed state."""

    DECISIONS = "decisions"
    POLICIES = "decisions and policies"
    TRACE = "decisions and trace"


class Verdict(Enum):
    """The four things that can be said of a clause for one piece of evidence."""

    HOLDS = "holds"
    VIOLATED = "violated"
    NOT_APPLICABLE = "not applicable"
    UNDECIDABLE = "not decidable from this evidence"


class Witness(Value, frozen=True):
    """One thing that breaks a clause: where, the numbers that show it, and what was expected.

    ``numbers`` are pairs of label and value, in the order in which a reader wants them; sizes in bytes, dates in seconds.
    """

    message: str
    node: NodeName | None = None
    invocation: InvocationId | None = None
    layer: LayerName | None = None
    container: ContainerId | None = None
    numbers: tuple[tuple[str, int | float], ...] = ()


class ClauseResult(Value, frozen=True):
    """The verdict on one clause, its witnesses (none unless violated), and the kinds of evidence that were looked at."""

    clause: str
    verdict: Verdict
    witnesses: tuple[Witness, ...] = ()
    judged_from: tuple[EvidenceKind, ...] = ()
