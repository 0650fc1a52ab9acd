"""What is known of each clause, as the package carries it."""

from gaugeblock.model import Value

FORMAT_VERSION = 1

PROVED, FALSE_CLAIM = "proved", "false claim"

REACHES = ("unbounded", "composed", "shapes with deep parts", "shapes")
"""How far a theorem can reach; what it means stands in the documentation on assurance."""


class TheoremRecord(Value, frozen=True):
    """A theorem about a clause.

    ``status`` says whether the prover must prove it or, where it is known to be wrong, refute it; ``reach`` how far it goes in
    a word or two, ``scope`` in full.
    """

    id: str
    statement: str
    status: str
    reach: str
    scope: str

    @property
    def is_proved(self) -> bool:
        """Whether it is no false claim."""
        return self.status == PROVED


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

    @property
    def status(self) -> str:
        """What is proved of it: ``proved``, ``false claim`` where such are all there is, both, or ``none``."""
        return ", ".join(sorted({each.status for each in self.theorems}, reverse=True)) or "none"

    @property
    def reach(self) -> tuple[str, ...]:
        """How far its proved theorems go, the widest first, each once; plain shapes only where no others are deeper."""
        reached = {each.reach for each in self.theorems if each.is_proved}
        told = tuple(each for each in REACHES if each in reached)
        return told[:-1] if told[-2:] == REACHES[-2:] else told


class Table(Value, frozen=True):
    """All clauses, in the order in which a reader meets them."""

    version: int
    clauses: tuple[ClauseRecord, ...]
