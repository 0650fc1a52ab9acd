"""What is wrong with a document, told so that a person can find the place and mend it."""

from gaugeblock.model import GaugeblockError, Value

MOST_SHOWN = 10
LONGEST_PATH = 200
LONGEST_FOUND = 120


class DocumentProblem(Value, frozen=True):
    """One thing wrong at ``path`` (a JSON path into the document): ``found`` stands where ``expected`` was due."""

    path: str
    found: str
    expected: str

    def __str__(self) -> str:
        path, found = shortened(self.path, LONGEST_PATH), shortened(self.found, LONGEST_FOUND)
        return f"{path}: found {found}; expected {shortened(self.expected, LONGEST_PATH)}"


class InvalidDocument(GaugeblockError):
    """A document breaks a rule of its format.

    ``problems`` holds everything found wrong, at least one; ``source`` is the name of the file or stream, and ``line`` the
    line (from 1) on which the document stands there, each None where it is not known.
    """

    def __init__(self, problems: tuple[DocumentProblem, ...], source: str | None = None, line: int | None = None) -> None:
        super().__init__()
        self.problems = problems
        self.source = source
        self.line = line

    @property
    def place(self) -> str:
        """Where the document stands, such as ``cases.jsonl:3``; empty if nothing is known of it."""
        if self.line is None:
            return self.source or ""
        return f"{self.source}:{self.line}" if self.source else f"line {self.line}"

    def __str__(self) -> str:
        shown = [str(problem) for problem in self.problems[:MOST_SHOWN]]
        if len(self.problems) > MOST_SHOWN:
            shown.append(f"and {len(self.problems) - MOST_SHOWN} more problems")
        if len(self.problems) > 1:
            shown = [f"{len(self.problems)} problems", *(f"  {line}" for line in shown)]
        return (f"{self.place}: " if self.place else "") + "\n".join(shown)


def shortened(text: str, limit: int) -> str:
    """Return ``text``, or where it is longer than ``limit`` characters its two ends and the number left out."""
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 3
    return f"{text[:head]}...({len(text) - head - tail} more characters)...{text[len(text) - tail :]}"
