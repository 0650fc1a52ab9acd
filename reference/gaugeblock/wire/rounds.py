"""Rounds on the wire: what a scheduler is shown."""

import msgspec

from gaugeblock.model import Catalog, Container, LayerName, Node, ObservedState, ResidentLayer
from gaugeblock.wire.documents import (
    CatalogDocument,
    ContainerDocument,
    FunctionDocument,
    ImageDocument,
    InvocationDocument,
    LayerDocument,
    NodeDocument,
    RoundDocument,
)
from gaugeblock.wire.reading import read_as
from gaugeblock.wire.resolving import observed_state


def decode_round(data: bytes, *, source: str | None = None, line: int | None = None) -> ObservedState:
    """Return the state that a round document describes.

    Raises:
        InvalidDocument: with all that is wrong with it; ``source`` and ``line`` say where it stands, for the message.
    """
    return read_as(RoundDocument, data, observed_state, source, line)


def encode_round(state: ObservedState) -> bytes:
    """Return the round document of ``state``: compact JSON, always the same bytes for equal states."""
    return msgspec.json.encode(round_document(state))


def round_document(state: ObservedState) -> RoundDocument:
    """Return the document that describes ``state``, lists in canonical order."""
    nodes = tuple([_node(node) for node in state.nodes])
    pending = tuple([InvocationDocument(each.id, each.function.name, each.submitted) for each in state.pending])
    return RoundDocument(state.now, _catalog(state.catalog), nodes, pending)


def _catalog(catalog: Catalog) -> CatalogDocument:
    layers = [LayerDocument(each.name, each.disk_bytes, each.ram_bytes) for each in catalog.layers]
    images = [ImageDocument(each.name, tuple([layer.name for layer in each.layers])) for each in catalog.images]
    functions = [
        FunctionDocument(each.name, each.image.name, each.ram_bytes, each.disk_bytes, each.max_invocations_per_container)
        for each in catalog.functions
    ]
    return CatalogDocument(tuple(layers), tuple(images), tuple(functions))


def _node(node: Node) -> NodeDocument:
    return NodeDocument(
        node.name,
        node.status,
        node.ram_bytes,
        node.disk_bytes,
        node.max_invocations,
        node.max_containers,
        _dates(node.disk_layers),
        _dates(node.ram_layers),
        tuple([layer.name for layer in node.copying]),
        tuple([layer.name for layer in node.loading]),
        tuple([container_document(container) for container in node.containers]),
    )


def _dates(residents: tuple[ResidentLayer, ...]) -> dict[LayerName, float]:
    return {resident.layer.name: resident.last_access for resident in residents}


def container_document(container: Container) -> ContainerDocument:
    """Return the document of one container."""
    return ContainerDocument(container.id, container.function.name, container.status, container.in_flight, container.last_used)
