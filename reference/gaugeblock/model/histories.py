"""A history: where a service starts from, what it is set to, and everything that then happens to it."""

from gaugeblock.model.catalog import Catalog
from gaugeblock.model.decisions import Decisions
from gaugeblock.model.events import Event
from gaugeblock.model.names import LARGEST_DATE
from gaugeblock.model.nodes import Node, NodeStatus
from gaugeblock.model.policies import PolicyNames
from gaugeblock.model.problems import InvalidState, Problem
from gaugeblock.model.service import ServiceSettings
from gaugeblock.model.state import ObservedState
from gaugeblock.model.value import Value


class NotAtRest(Problem):
    """A node that a history starts from has something under way: a change of status, a container or a transfer."""


class BadIdleTimeout(Problem):
    """The idle time-out is negative or not finite."""


class Opening(Value, frozen=True):
    """What a history starts from: date (seconds), catalogue, nodes at rest, the scheduler's policies, the service's settings.

    Nothing may be under way, since nothing would ever tell its end; layers may be resident.

    Raises:
        InvalidState: when it is no valid round without invocations, a node is not at rest, or the idle time-out is bad.
    """

    now: float
    catalog: Catalog
    nodes: tuple[Node, ...]
    policies: PolicyNames
    settings: ServiceSettings

    def __post_init__(self) -> None:
        """Refuse an opening that breaks a rule."""
        ObservedState(self.now, self.catalog, self.nodes)
        problems = [problem for index, node in enumerate(self.nodes) for problem in _restless(f"$.nodes[{index}]", node)]
        if not 0 <= self.settings.idle_timeout <= LARGEST_DATE:
            found = self.settings.idle_timeout
            problems.append(BadIdleTimeout("$.settings.idle_timeout", found, "seconds, finite and not negative"))
        if problems:
            raise InvalidState(tuple(problems))


class Happening(Value, frozen=True):
    """One event, and the batch that a foreign scheduler answered it with; None where the opening's policies decide."""

    event: Event
    decisions: Decisions | None = None


class History(Value, frozen=True):
    """An opening and all that happened after it, in the order in which it was reported to the service."""

    opening: Opening
    happenings: tuple[Happening, ...] = ()


def _restless(path: str, node: Node) -> list[Problem]:
    found: list[Problem] = []
    if node.status not in (NodeStatus.ACTIVATED, NodeStatus.DEACTIVATED):
        found.append(NotAtRest(f"{path}.status", node.status.value, "activated or deactivated at the start of a history"))
    for field in ("containers", "copying", "loading"):
        held = len(getattr(node, field))
        if held:
            found.append(NotAtRest(f"{path}.{field}", f"a list of {held}", "an empty list at the start of a history"))
    return found
