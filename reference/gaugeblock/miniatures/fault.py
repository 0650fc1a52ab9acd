"""A fault as a value: one edit of the text of one shipped module."""

from gaugeblock.model import GaugeblockError, Value

ROUND_ROOTS = (
    "gaugeblock.round",
    "gaugeblock.policies.builtin",
    "gaugeblock.policies.registry",
    "gaugeblock.scheduler",
)
"""What a faulty scheduler has a private copy of; all else (model, protocols, errors) it shares with everybody."""

SERVICE_ROOTS = ("gaugeblock.service",)
"""What a faulty service has a private copy of; its scheduler is the real one."""


class Fault(Value, frozen=True):
    """One thing that an implementer gets wrong.

    ``story`` says what goes wrong, in terms of the system. ``clauses`` are rules that its own decisions and trace break, which
    the tests see to. ``known_as`` are the public scenarios (``B03``), easily mistaken points of the real scheduler (``quirk
    6``) and open choices (``AMB-4``) that it is an instance of. ``unsafe`` says that some of its decisions break a rule that
    holds whatever the policies are. The fault itself: ``original``, which ``module`` holds exactly once, becomes ``faulty`` in
    a copy of the packages ``roots``. With a ``loop_limit`` a ``while`` loop of the copy that goes round more often than that
    raises `EndlessLoop`.
    """

    name: str
    story: str
    clauses: tuple[str, ...]
    module: str
    original: str
    faulty: str
    known_as: tuple[str, ...] = ()
    unsafe: bool = False
    roots: tuple[str, ...] = ROUND_ROOTS
    loop_limit: int | None = None


class StaleFault(GaugeblockError):
    """The module that a fault edits does not hold its original text exactly once any more."""

    def __init__(self, fault: Fault, occurrences: int) -> None:
        super().__init__(
            f"miniature {fault.name!r}: found its original text {occurrences} times in {fault.module}; expected it once"
        )
        self.fault = fault
        self.occurrences = occurrences


class UnknownMiniature(GaugeblockError):
    """No miniature has the name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"found miniature {name!r}; expected one of {', '.join(known)}")
        self.name = name
        self.known = known
