"""Decisions on the wire: what a round decided, category by category."""

from operator import attrgetter
from typing import TypeVar

import msgspec

from gaugeblock.model import (
    LARGEST_DATE,
    Decisions,
    Dispatch,
    Eviction,
    Failure,
    Prewarm,
    Termination,
    Transfer,
    Value,
)
from gaugeblock.wire.documents import (
    DecisionsDocument,
    DispatchDocument,
    FailureDocument,
    NodeLayerDocument,
    PrewarmDocument,
    TerminationDocument,
)
from gaugeblock.wire.reading import read_as

Operation = TypeVar("Operation", bound=Value)


def decode_decisions(data: bytes, *, source: str | None = None, line: int | None = None) -> Decisions:
    """Return the decisions that a document lists, in its order; an absent list means none.

    Raises:
        InvalidDocument: with all that is wrong with it.
    """
    return read_as(DecisionsDocument, data, decisions_from, source, line)


def encode_decisions(decisions: Decisions) -> bytes:
    """Return the document of ``decisions``: compact JSON with every category, in the order in which they stand."""
    return msgspec.json.encode(decisions_document(decisions))


def canonical(decisions: Decisions) -> Decisions:
    """Return ``decisions`` with each category sorted: by node, then by layer, container, invocation or function (AMB-8)."""
    by_node_and_layer = attrgetter("node", "layer")
    return Decisions(
        failures=_ordered(decisions.failures, attrgetter("invocation", "reason")),
        activations=tuple(sorted(decisions.activations)),
        deactivations=tuple(sorted(decisions.deactivations)),
        terminations=_ordered(decisions.terminations, attrgetter("node", "container")),
        ram_evictions=_ordered(decisions.ram_evictions, by_node_and_layer),
        disk_evictions=_ordered(decisions.disk_evictions, by_node_and_layer),
        dispatches=tuple(sorted(decisions.dispatches, key=_dispatch_key)),
        loads=_ordered(decisions.loads, by_node_and_layer),
        copies=_ordered(decisions.copies, by_node_and_layer),
        prewarms=_ordered(decisions.prewarms, attrgetter("node", "function")),
        wakeup=decisions.wakeup,
    )


def decisions_from(document: DecisionsDocument) -> Decisions:
    """Return the decisions that ``document`` lists. A wake-up at the largest double means none (WAKE-1)."""
    return Decisions(
        failures=tuple([Failure(each.invocation, each.reason) for each in document.failures]),
        activations=document.activations,
        deactivations=document.deactivations,
        terminations=tuple([Termination(each.node, each.container) for each in document.terminations]),
        ram_evictions=tuple([Eviction(each.node, each.layer) for each in document.ram_evictions]),
        disk_evictions=tuple([Eviction(each.node, each.layer) for each in document.disk_evictions]),
        dispatches=tuple([Dispatch(each.invocation, each.node, each.container) for each in document.dispatches]),
        loads=tuple([Transfer(each.node, each.layer) for each in document.loads]),
        copies=tuple([Transfer(each.node, each.layer) for each in document.copies]),
        prewarms=tuple([Prewarm(each.node, each.function) for each in document.prewarms]),
        wakeup=None if document.wakeup == LARGEST_DATE else document.wakeup,
    )


def decisions_document(decisions: Decisions) -> DecisionsDocument:
    """Return the document that lists ``decisions``."""
    return DecisionsDocument(
        failures=tuple([FailureDocument(each.invocation, each.reason) for each in decisions.failures]),
        activations=decisions.activations,
        deactivations=decisions.deactivations,
        terminations=tuple([TerminationDocument(each.node, each.container) for each in decisions.terminations]),
        ram_evictions=_at_nodes(decisions.ram_evictions),
        disk_evictions=_at_nodes(decisions.disk_evictions),
        dispatches=tuple([DispatchDocument(each.invocation, each.node, each.container) for each in decisions.dispatches]),
        loads=_at_nodes(decisions.loads),
        copies=_at_nodes(decisions.copies),
        prewarms=tuple([PrewarmDocument(each.node, each.function) for each in decisions.prewarms]),
        wakeup=decisions.wakeup,
    )


def _at_nodes(operations: tuple[Eviction, ...] | tuple[Transfer, ...]) -> tuple[NodeLayerDocument, ...]:
    return tuple([NodeLayerDocument(each.node, each.layer) for each in operations])


def _ordered(operations: tuple[Operation, ...], key: "attrgetter[tuple[object, ...]]") -> tuple[Operation, ...]:
    return tuple(sorted(operations, key=key))


def _dispatch_key(dispatch: Dispatch) -> tuple[str, int, int]:
    """Order by node and invocation; of two that dispatch one invocation on one node, the cold one first."""
    return dispatch.node, dispatch.invocation, -1 if dispatch.container is None else dispatch.container
