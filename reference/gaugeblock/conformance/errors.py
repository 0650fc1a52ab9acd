"""What goes wrong around a conformance run, as opposed to a verdict within it."""

from gaugeblock.model import GaugeblockError


class SubjectNotRunnable(GaugeblockError):
    """The subject could not be brought to its first declaration, so nothing can be judged (exit status 3)."""

    def __init__(self, subject: str, reason: str) -> None:
        super().__init__(f"the subject could not be run: {subject}: {reason}")
        self.subject = subject
        self.reason = reason


class CaseSelectionError(GaugeblockError):
    """The cases asked for are not there, or one id names two cases."""


class UnusableCase(GaugeblockError):
    """The reference cannot decide a round with the policies that its case names, so that nothing is known of its answer."""

    def __init__(self, case: str, reason: str) -> None:
        super().__init__(f"case {case!r}: the reference cannot decide it: {reason}")
        self.case = case
        self.reason = reason
