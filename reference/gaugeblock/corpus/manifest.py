"""The manifest of the corpus: which cases there are, where they come from, and the hashes of the files that hold them."""

from gaugeblock.model import Value

FORMAT_VERSION = 1


class CorpusFile(Value, frozen=True):
    """A compressed file of cases: the SHA-256 (hexadecimal) and length in bytes of its text, and how many cases it holds."""

    name: str
    sha256: str
    bytes: int
    cases: int


class Provenance(Value, frozen=True):
    """How the decisions of some cases were found."""

    name: str
    text: str


class Family(Value, frozen=True):
    """Cases of one making. The part of ``name`` before the slash is the set, and names the file."""

    name: str
    about: str

    @property
    def set_name(self) -> str:
        """The set to which the family belongs."""
        return set_of(self.name)


class CaseEntry(Value, frozen=True):
    """One case: its id, its family, the name of its provenance, and the clauses that it touches."""

    id: str
    family: str
    provenance: str
    clauses: tuple[str, ...]


class Manifest(Value, frozen=True):
    """All that is known of the corpus without opening its files; the entries stand in the order of the cases."""

    version: int
    provenances: tuple[Provenance, ...]
    files: tuple[CorpusFile, ...]
    families: tuple[Family, ...]
    cases: tuple[CaseEntry, ...]


def set_of(family: str) -> str:
    """Return the set that a family belongs to, or the name itself if it is one of a set."""
    return family.partition("/")[0]


def belongs(family: str, wanted: str) -> bool:
    """Say whether ``family`` is ``wanted``, or one of the set ``wanted``."""
    return family == wanted or set_of(family) == wanted


def file_name(set_name: str) -> str:
    """Return the name of the file that holds the cases of a set."""
    return f"{set_name}.jsonl.gz"
