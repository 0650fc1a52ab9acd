"""What can go wrong with the embedded corpus."""

from gaugeblock.model import GaugeblockError


class CorpusDamaged(GaugeblockError):
    """A file of the installed corpus is missing, or does not hold what the manifest says."""

    def __init__(self, file: str, found: str, expected: str) -> None:
        super().__init__(f"corpus file {file}: found {found}; expected {expected}. Installing gaugeblock again mends it.")
        self.file = file
        self.found = found
        self.expected = expected


class UnknownCase(GaugeblockError):
    """The corpus holds no case of this id."""

    def __init__(self, case_id: str) -> None:
        super().__init__(f"case {case_id!r}: found no such id in the corpus; expected one that its manifest lists")
        self.case_id = case_id


class UnknownFamily(GaugeblockError):
    """The corpus holds no family of this name."""

    def __init__(self, family: str, known: tuple[str, ...]) -> None:
        super().__init__(f"family {family!r}: found no such family in the corpus; expected one of {', '.join(known)}")
        self.family = family
        self.known = known
