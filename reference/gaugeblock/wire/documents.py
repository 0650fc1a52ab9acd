"""The shapes of the documents: one struct for each kind of JSON object that the formats name.

They decode documents, encode them (the order of the fields is the order on the wire) and give the JSON Schemas. A shape
checks types, ranges and keys alone; what a whole round must obey is judged when the model's value is built from it.
"""

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from gaugeblock.model import (
    LARGEST_DATE,
    LARGEST_INTEGER,
    ContainerId,
    ContainerStatus,
    FunctionName,
    ImageName,
    InvocationId,
    LayerName,
    NodeName,
    NodeStatus,
)

Size: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST_INTEGER)]
AtLeastOne: TypeAlias = Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]
AContainerId: TypeAlias = Annotated[ContainerId, Meta(ge=0, le=LARGEST_INTEGER)]
AnInvocationId: TypeAlias = Annotated[InvocationId, Meta(ge=0, le=LARGEST_INTEGER)]
Date: TypeAlias = Annotated[float, Meta(ge=-LARGEST_DATE, le=LARGEST_DATE)]


class Document(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A JSON object with these keys and no others."""


class LayerDocument(Document, frozen=True):
    """An image layer of the catalogue."""

    name: LayerName
    disk_bytes: Size
    ram_bytes: Size


class ImageDocument(Document, frozen=True):
    """An image of the catalogue, with the names of its layers."""

    name: ImageName
    layers: tuple[LayerName, ...]


class FunctionDocument(Document, frozen=True):
    """A function of the catalogue, with the name of its image."""

    name: FunctionName
    image: ImageName
    ram_bytes: Size
    disk_bytes: Size
    max_invocations_per_container: AtLeastOne


class CatalogDocument(Document, frozen=True):
    """The catalogue; the order of the layers is their creation order."""

    layers: tuple[LayerDocument, ...]
    images: tuple[ImageDocument, ...]
    functions: tuple[FunctionDocument, ...]


class ContainerDocument(Document, frozen=True):
    """A container, with the name of its function."""

    id: AContainerId
    function: FunctionName
    status: ContainerStatus
    in_flight: Size
    last_used: Date


class NodeDocument(Document, frozen=True):
    """A node; ``disk_layers`` and ``ram_layers`` map the resident layers to the dates of their last access."""

    name: NodeName
    status: NodeStatus
    ram_bytes: Size
    disk_bytes: Size
    max_invocations: Size
    max_containers: Size
    disk_layers: dict[LayerName, Date]
    ram_layers: dict[LayerName, Date]
    copying: tuple[LayerName, ...]
    loading: tuple[LayerName, ...]
    containers: tuple[ContainerDocument, ...]


class InvocationDocument(Document, frozen=True):
    """A pending invocation, with the name of its function."""

    id: AnInvocationId
    function: FunctionName
    submitted: Date


class RoundDocument(Document, frozen=True):
    """What a scheduler is shown: ROUND in the formats."""

    now: Date
    catalog: CatalogDocument
    nodes: tuple[NodeDocument, ...]
    pending: tuple[InvocationDocument, ...]


Parameter: TypeAlias = Size | Date | str | bool | dict[FunctionName, Size]
NamedPolicy: TypeAlias = Annotated[
    dict[str, Parameter],
    Meta(
        description="The name of a policy, and its parameters beside it.",
        extra_json_schema={"properties": {"name": {"type": "string"}}, "required": ["name"]},
    ),
]


class PoliciesDocument(Document, frozen=True):
    """A policy by name for each kind, POLICIES in the formats; an absent kind means its default."""

    invocation_failing: NamedPolicy | UnsetType = UNSET
    node_scaling: NamedPolicy | UnsetType = UNSET
    invocation_ordering: NamedPolicy | UnsetType = UNSET
    node_selection: NamedPolicy | UnsetType = UNSET
    reusable_container: NamedPolicy | UnsetType = UNSET
    eviction: NamedPolicy | UnsetType = UNSET
    plan_selection: NamedPolicy | UnsetType = UNSET
    container_prewarm: NamedPolicy | UnsetType = UNSET


class FailureDocument(Document, frozen=True):
    """An invocation to fail."""

    invocation: AnInvocationId
    reason: str


class TerminationDocument(Document, frozen=True):
    """A container to end."""

    node: NodeName
    container: AContainerId


class NodeLayerDocument(Document, frozen=True):
    """A layer to evict from a node, or to load or copy to it, as the category says."""

    node: NodeName
    layer: LayerName


class DispatchDocument(Document, frozen=True):
    """An invocation to run; ``container`` null means a new (cold) one."""

    invocation: AnInvocationId
    node: NodeName
    container: AContainerId | None


class PrewarmDocument(Document, frozen=True):
    """A container to start without an invocation."""

    node: NodeName
    function: FunctionName


class DecisionsDocument(Document, frozen=True):
    """What a round decided: DECISIONS in the formats. An absent list means none."""

    failures: tuple[FailureDocument, ...] = ()
    activations: tuple[NodeName, ...] = ()
    deactivations: tuple[NodeName, ...] = ()
    terminations: tuple[TerminationDocument, ...] = ()
    ram_evictions: tuple[NodeLayerDocument, ...] = ()
    disk_evictions: tuple[NodeLayerDocument, ...] = ()
    dispatches: tuple[DispatchDocument, ...] = ()
    loads: tuple[NodeLayerDocument, ...] = ()
    copies: tuple[NodeLayerDocument, ...] = ()
    prewarms: tuple[PrewarmDocument, ...] = ()
    wakeup: Date | None = None


class CaseDocument(Document, frozen=True, kw_only=True, omit_defaults=True):
    """One case of a vector file; ``clauses`` and ``derivation`` say what it shows and how its decisions were found."""

    id: str
    clauses: tuple[str, ...] = ()
    derivation: str = ""
    round: RoundDocument
    policies: PoliciesDocument
    decisions: DecisionsDocument
