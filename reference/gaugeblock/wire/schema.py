"""JSON Schemas (draft 2020-12) of the documents, made from the very structs that decode them.

A schema says what a document must look like; the rules that tie its parts together (names that exist, availabilities that are
not negative) are beyond it. JSON Schema also takes 1.0 for an integer, which decoding does not.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from gaugeblock.wire.documents import CaseDocument, DecisionsDocument, Document, PoliciesDocument, RoundDocument
from gaugeblock.wire.happenings import HISTORY_LINES, HistoryHeader
from gaugeblock.wire.messages import (
    AnsweredMessage,
    DeclarationMessage,
    ErroredMessage,
    RoundMessage,
    SkippedMessage,
    StartMessage,
    StopMessage,
)
from gaugeblock.wire.replays import RefusedRecord, ReplayFooter, RoundRecord
from gaugeblock.wire.traces import TraceDocument

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

SHAPES: Final[dict[str, Sequence[type[Document]]]] = {
    "round": (RoundDocument,),
    "policies": (PoliciesDocument,),
    "decisions": (DecisionsDocument,),
    "case": (CaseDocument,),
    "request": (StartMessage, RoundMessage, StopMessage),
    "declaration": (DeclarationMessage,),
    "answer": (AnsweredMessage, SkippedMessage, ErroredMessage),
    "trace": (TraceDocument,),
    "history-header": (HistoryHeader,),
    "history-line": HISTORY_LINES,
    "replay-line": (RoundRecord, RefusedRecord, ReplayFooter),
}
"""The struct of each document, or the alternatives where it has several forms."""


def schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of every document by its name: a case and its parts, messages, the trace, histories."""
    return {name: _schema(name, shapes) for name, shapes in SHAPES.items()}


def _schema(name: str, shapes: Sequence[type[Document]]) -> dict[str, Any]:
    forms, definitions = msgspec.json.schema_components(shapes, ref_template="#/$defs/{name}")
    head = {"$schema": DIALECT, "title": f"gaugeblock {name}"}
    body = forms[0] if len(forms) == 1 else {"anyOf": list(forms)}
    return {**head, **body, "$defs": definitions}
