"""The shapes of the lines of a history: its header, and one line for each event.

The field ``event`` of a line says what happened. ``decisions`` stands where a foreign scheduler decided the round.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from gaugeblock.model import (
    LARGEST_DATE,
    ContainerFailed,
    ContainerStarted,
    CopyCompleted,
    CopyFailed,
    Event,
    FunctionName,
    IdleTimeout,
    InvocationFailed,
    InvocationFinished,
    LayerName,
    LoadCompleted,
    LoadFailed,
    NodeActivated,
    NodeDeactivated,
    NodeName,
    Submit,
    WakeUp,
)
from gaugeblock.wire.documents import (
    AContainerId,
    AnInvocationId,
    CatalogDocument,
    Date,
    DecisionsDocument,
    Document,
    NodeDocument,
    PoliciesDocument,
    Size,
)

Seconds: TypeAlias = Annotated[float, Meta(ge=-LARGEST_DATE, le=LARGEST_DATE, extra_json_schema={"minimum": 0})]
"""A span of time; that it is not negative is a rule of the opening, which is checked with the others."""


class SettingsDocument(Document, frozen=True):
    """What the service is told: the idle time-out of containers in seconds."""

    idle_timeout: Seconds


class HistoryHeader(Document, frozen=True):
    """The first line of a history: where the service starts from."""

    format: Literal["gaugeblock-history"]
    version: Literal[1]
    now: Date
    catalog: CatalogDocument
    nodes: tuple[NodeDocument, ...]
    policies: PoliciesDocument
    settings: SettingsDocument


class SubmitLine(Document, frozen=True):
    """An invocation is asked for."""

    event: Literal["submit"]
    date: Date
    sequence: Size
    invocation: AnInvocationId
    function: FunctionName
    decisions: DecisionsDocument | UnsetType = UNSET


class TransferLine(Document, frozen=True):
    """A copy to disk or a load into RAM is over."""

    event: Literal["copy-completed", "copy-failed", "load-completed", "load-failed"]
    date: Date
    sequence: Size
    node: NodeName
    layer: LayerName
    decisions: DecisionsDocument | UnsetType = UNSET


class ContainerLine(Document, frozen=True):
    """The start of a container is over."""

    event: Literal["container-started", "container-failed"]
    date: Date
    sequence: Size
    container: AContainerId
    decisions: DecisionsDocument | UnsetType = UNSET


class InvocationLine(Document, frozen=True):
    """An invocation is over."""

    event: Literal["invocation-finished", "invocation-failed"]
    date: Date
    sequence: Size
    invocation: AnInvocationId
    decisions: DecisionsDocument | UnsetType = UNSET


class NodeLine(Document, frozen=True):
    """A node's change of status is over."""

    event: Literal["node-activated", "node-deactivated"]
    date: Date
    sequence: Size
    node: NodeName
    decisions: DecisionsDocument | UnsetType = UNSET


class IdleTimeoutLine(Document, frozen=True):
    """The alarm of an idle spell rings."""

    event: Literal["idle-timeout"]
    date: Date
    sequence: Size
    container: AContainerId
    generation: Size
    decisions: DecisionsDocument | UnsetType = UNSET


class WakeUpLine(Document, frozen=True):
    """The date of a wake-up comes."""

    event: Literal["wake-up"]
    date: Date
    sequence: Size
    decisions: DecisionsDocument | UnsetType = UNSET


Line: TypeAlias = SubmitLine | TransferLine | ContainerLine | InvocationLine | NodeLine | IdleTimeoutLine | WakeUpLine
HISTORY_LINES: Final[tuple[type[Line], ...]] = (
    SubmitLine,
    TransferLine,
    ContainerLine,
    InvocationLine,
    NodeLine,
    IdleTimeoutLine,
    WakeUpLine,
)
"""The shapes of a line, whichever event it tells."""

LINES: Final[dict[str, tuple[type[Event], type[Line]]]] = {
    "submit": (Submit, SubmitLine),
    "copy-completed": (CopyCompleted, TransferLine),
    "copy-failed": (CopyFailed, TransferLine),
    "load-completed": (LoadCompleted, TransferLine),
    "load-failed": (LoadFailed, TransferLine),
    "container-started": (ContainerStarted, ContainerLine),
    "container-failed": (ContainerFailed, ContainerLine),
    "invocation-finished": (InvocationFinished, InvocationLine),
    "invocation-failed": (InvocationFailed, InvocationLine),
    "node-activated": (NodeActivated, NodeLine),
    "node-deactivated": (NodeDeactivated, NodeLine),
    "idle-timeout": (IdleTimeout, IdleTimeoutLine),
    "wake-up": (WakeUp, WakeUpLine),
}
"""For each event's word, the event and the shape of its line; their fields have the same names."""

WORDS: Final[dict[type[Event], str]] = {kind: word for word, (kind, _) in LINES.items()}
"""The word of each event."""
