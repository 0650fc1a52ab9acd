"""What is known of each clause, as the package carries it."""

from gaugeblock.model import Value

FORMAT_VERSION = 1


class TheoremRecord(Value, frozen=True):
    """A theorem about a clause: what it says, how far it reaches, and whether it is to be proved or refuted."""

    id: str
    statement: str
    scope: str
    status: str


class ClauseRecord(Value, frozen=True):
    """One clause.

    ``doc`` is the rule in words, ``seed`` the section of WRENCH's documentation that it comes from, ``evidence`` what it can be
    judged from, ``module`` where it stands. ``code`` are the functions and classes that carry it out and ``tests`` the tests of
    it, both found by their docstrings (a test also by its name or by the identifier in its body); ``cases`` says how many cases
    of the corpus exercise it, ``examples`` names some; ``miniatures`` are the deliberate faults that violate it.
    """

    id: str
    family: str
    title: str
    doc: str
    seed: str
    ambiguities: tuple[str, ...]
    evidence: tuple[str, ...]
    module: str
    code: tuple[str, ...]
    tests: tuple[str, ...]
    cases: int
    examples: tuple[str, ...]
    theorems: tuple[TheoremRecord, ...]
    miniatures: tuple[str, ...]


class Table(Value, frozen=True):
    """All clauses, in the order in which a reader meets them."""

    version: int
    clauses: tuple[ClauseRecord, ...]
