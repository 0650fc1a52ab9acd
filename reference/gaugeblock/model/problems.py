"""One exception class for each rule of validity, and the one that carries them all.

A problem keeps the offending value as it is and formats it only when its message is asked for.
"""

from gaugeblock.model.errors import GaugeblockError


class Problem(GaugeblockError):
    """One rule of validity is broken at ``path`` (a JSON path into the round): ``found`` stands where ``expected`` was due."""

    def __init__(self, path: str, found: object, expected: str) -> None:
        super().__init__()
        self.path = path
        self.found = found
        self.expected = expected

    def __str__(self) -> str:
        return f"{self.path}: found {self.found}; expected {self.expected}"


class WrongType(Problem):
    """A field holds something of another type than its documented one."""


class OutOfRange(Problem):
    """An integer lies outside 0 .. 2^63-1, or below the least value that its field allows."""


class BadDate(Problem):
    """A date is not finite, or lies after ``now``."""


class DuplicateName(Problem):
    """Two things of one kind have the same name or id."""


class UnknownReference(Problem):
    """Something refers to a layer, image or function that the catalogue does not hold as it stands there."""


class RepeatedLayer(Problem):
    """An image, or a node's list of transfers, names one layer twice (AMB-9)."""


class WrongOrder(Problem):
    """A canonical list is not in its order: layers in catalogue order, containers by ascending id."""


class OverlappingResidency(Problem):
    """A layer is both there and in progress in the same place."""


class NotOnDisk(Problem):
    """A layer is in RAM, or being loaded into it, that is not resident on disk."""


class ContainerWithoutLayers(Problem):
    """A container exists on a node where a layer of its image is not resident on disk and in RAM."""


class TooManyInFlight(Problem):
    """A container holds more invocations than it may; a starting one holds at most one (AMB-10)."""


class NegativeAvailability(Problem):
    """More of a resource is in use on a node than the node has."""


class InactiveNodeInUse(Problem):
    """A node that is not activated holds containers, RAM layers or transfers (SERV-4)."""


class InvalidState(GaugeblockError):
    """A state breaks at least one rule of validity; ``problems`` holds every breach found."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__()
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)
