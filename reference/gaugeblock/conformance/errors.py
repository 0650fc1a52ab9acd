"""What goes wrong around a conformance run, as opposed to a verdict within it."""

import traceback

from gaugeblock.model import GaugeblockError


class SubjectNotRunnable(GaugeblockError):
    """The subject could not be brought to its first declaration, so nothing can be judged (exit status 3)."""

    def __init__(self, subject: str, reason: str) -> None:
        super().__init__(f"the subject could not be run: {subject}: {reason}")
        self.subject = subject
        self.reason = reason


class ModelsDisagree(GaugeblockError):
    """The optimized model and the reference, asked side by side, decide differently: a defect of gaugeblock itself."""

    def __init__(self, categories: tuple[str, ...]) -> None:
        super().__init__(
            f"the optimized model and the reference differ in {', '.join(categories)}; expected the same lists. "
            "--subject optimized --strict-order shows where"
        )
        self.categories = categories


class CaseSelectionError(GaugeblockError):
    """The cases asked for are not there, or one id names two cases."""


class UnusableCase(GaugeblockError):
    """The reference cannot decide a round with the policies that its case names, so that nothing is known of its answer."""

    def __init__(self, case: str, reason: str) -> None:
        super().__init__(f"case {case!r}: the reference cannot decide it: {reason}")
        self.case = case
        self.reason = reason


class PolicyRaised(GaugeblockError):
    """The code of a policy that is not built in raised an error; the message says where, for whoever wrote it."""

    def __init__(self, error: BaseException) -> None:
        place = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        super().__init__(f"a policy raised {what} ({place.filename}, line {place.lineno}); expected an answer")
