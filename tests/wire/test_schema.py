"""The JSON Schemas say of documents what the decoder says of their shape (formats, first lines)."""

import json
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from gaugeblock import corpus
from gaugeblock.scheduler import scheduler_from
from gaugeblock.wire.cases import encode_case
from gaugeblock.wire.protocol import (
    Answered,
    Declaration,
    Errored,
    Implementation,
    Skipped,
    encode_answer,
    encode_declaration,
    encode_round_request,
    encode_start,
    encode_stop,
)
from gaugeblock.wire.schema import schemas
from gaugeblock.wire.traces import encode_trace

jsonschema: Any = import_module("jsonschema")  # untyped, for its type stubs are another package
Json = dict[str, Any]
Spoil = Callable[[Json], object]


@cache
def validator(name: str) -> Any:
    """Return the validator of one of the schemas."""
    return jsonschema.Draft202012Validator(schemas()[name])


@pytest.mark.parametrize("name", schemas())
def test_every_schema_is_itself_valid(name: str) -> None:
    """Formats: other tools can read them."""
    jsonschema.Draft202012Validator.check_schema(schemas()[name])
    assert schemas()[name]["title"] == f"gaugeblock {name}"


def test_every_case_of_the_corpus_is_valid() -> None:
    """Formats: what we decode, and write again, the schema takes."""
    judge = validator("case")
    cases = [case for case in corpus.iterate() if case.id.endswith(("1", "d", "t"))]
    assert len(cases) > 100
    for case in cases:
        judge.validate(json.loads(encode_case(case)))


def test_the_parts_of_a_case_have_schemas_of_their_own(case_document: Json) -> None:
    """Formats: round, policies and decisions stand alone as well."""
    validator("case").validate(case_document)
    for part in ("round", "policies", "decisions"):
        validator(part).validate(case_document[part])


@pytest.mark.parametrize(
    "spoil",
    [
        lambda case: case.pop("decisions"),
        lambda case: case.update(extra=1),
        lambda case: case["round"].update(now="noon"),
        lambda case: case["round"].update(now=None),
        lambda case: case["round"]["nodes"][0].update(status="active"),
        lambda case: case["round"]["nodes"][0].update(ram_bytes=-1),
        lambda case: case["round"]["nodes"][0].update(ram_bytes=2**63),
        lambda case: case["round"]["nodes"][0].update(ram_bytes=True),
        lambda case: case["round"]["nodes"][0].update(ram_bytes=0.5),
        lambda case: case["round"]["nodes"][0]["disk_layers"].update(python="x"),
        lambda case: case["round"]["catalog"]["functions"][0].update(max_invocations_per_container=0),
        lambda case: case["round"]["pending"][0].pop("function"),
        lambda case: case["policies"].update(evictions={"name": "lru"}),
        lambda case: case["policies"].update(eviction={"seed": 1}),
        lambda case: case["policies"].update(eviction={"name": 1}),
        lambda case: case["decisions"].update(loads=[{"node": "n"}]),
        lambda case: case["decisions"]["dispatches"][0].pop("container"),
    ],
)
def test_a_spoiled_case_is_not_valid(case_document: Json, spoil: Spoil) -> None:
    """Formats: the schema refuses what the decoder refuses for its types, ranges and keys."""
    spoil(case_document)
    assert not validator("case").is_valid(case_document)


def test_every_message_of_the_protocol_is_valid() -> None:
    """Formats, Subject protocol: requests, the declaration, and the three kinds of answer."""
    case = corpus.find("q1-all-idle-first")
    for line in (encode_start(), encode_round_request(1, case.round, case.policies), encode_stop()):
        validator("request").validate(json.loads(line))
    declaration = Declaration(Implementation("mine", "1", "C"), (), ("positions",))
    validator("declaration").validate(json.loads(encode_declaration(declaration)))
    for answer in (Answered(1, case.decisions), Answered(1, case.decisions, ()), Skipped(1, "no"), Errored(1, "oh")):
        validator("answer").validate(json.loads(encode_answer(answer)))


@pytest.mark.parametrize(
    "message", [{"seq": 1}, {"seq": 1, "decisions": {}, "skipped": {"reason": ""}}, {"seq": -1, "decisions": {}}]
)
def test_an_answer_of_another_form_is_not_valid(message: Json) -> None:
    """Formats, Subject protocol: exactly one of the three forms."""
    assert not validator("answer").is_valid(message)


def test_a_trace_is_valid() -> None:
    """Formats: what explain prints as JSON has a schema, too."""
    case = corpus.find("q1-all-idle-first")
    trace = scheduler_from(case.policies).schedule(case.round)[1]
    validator("trace").validate(json.loads(encode_trace(trace)))
