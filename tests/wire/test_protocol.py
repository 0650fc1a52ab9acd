"""The subject protocol, both sides (formats, Subject protocol)."""

import json
from typing import Any

import pytest

from gaugeblock.model import Decisions, NodeName, PolicyKind, PolicyName, PolicyNames
from gaugeblock.wire.errors import InvalidDocument
from gaugeblock.wire.protocol import (
    FEATURES,
    Answer,
    Answered,
    Declaration,
    Errored,
    Implementation,
    PolicyCall,
    RoundRequest,
    Skipped,
    Start,
    Stop,
    decode_answer,
    decode_declaration,
    decode_request,
    encode_answer,
    encode_declaration,
    encode_round_request,
    encode_start,
    encode_stop,
)
from gaugeblock.wire.rounds import decode_round

DECLARATION = Declaration(
    Implementation("mine", "0.3", "C++"),
    ((PolicyKind.INVOCATION_ORDERING, ()), (PolicyKind.EVICTION, ("fewest", "lru"))),
    ("positions", "integers-64"),
)
DECLARATION_ON_THE_WIRE = (
    b'{"version":1,"implementation":{"name":"mine","version":"0.3","language":"C++"},'
    b'"policies":{"invocation_ordering":[],"eviction":["fewest","lru"]},"features":["positions","integers-64"]}'
)
CALL = PolicyCall(PolicyKind.EVICTION, "containers", b'{"n":[1.5]}', b"0")
CALL_ON_THE_WIRE = b'{"kind":"eviction","method":"containers","input":{"n":[1.5]},"output":0}'
ANSWERS: dict[bytes, Answer] = {
    b'{"seq":17,"decisions":{"activations":["n"]}}': Answered(17, Decisions(activations=(NodeName("n"),))),
    b'{"seq":0,"decisions":{},"transcript":[]}': Answered(0, Decisions(), ()),
    b'{"seq":1,"decisions":{},"transcript":[' + CALL_ON_THE_WIRE + b"]}": Answered(1, Decisions(), (CALL,)),
    b'{"seq":17,"skipped":{"reason":"no prewarming"}}': Skipped(17, "no prewarming"),
    b'{"seq":17,"errored":{"message":"out of memory"}}': Errored(17, "out of memory"),
}


def test_start_and_stop_are_as_the_formats_say() -> None:
    """Formats, Subject protocol: one object without line feed; the reader takes it with one."""
    assert encode_start() == b'{"cmd":"start","version":1}'
    assert encode_stop() == b'{"cmd":"stop"}'
    assert decode_request(encode_start() + b"\n") == Start(1)
    assert decode_request(encode_stop() + b"\r\n") == Stop()


def test_a_round_is_asked_with_its_policies(document: dict[str, Any]) -> None:
    """Formats, Subject protocol: cmd, seq, round, policies; the subject gets back what was sent."""
    state = decode_round(json.dumps(document).encode())
    policies = PolicyNames(eviction=PolicyName("lru"))
    line = encode_round_request(17, state, policies)
    assert b"\n" not in line
    assert list(json.loads(line)) == ["cmd", "seq", "round", "policies"]
    assert decode_request(line) == RoundRequest(17, state, policies)


def test_a_declaration_survives_the_trip() -> None:
    """Formats, Subject protocol: what the subject is, its policies by kind, its features."""
    assert encode_declaration(DECLARATION) == DECLARATION_ON_THE_WIRE
    assert decode_declaration(DECLARATION_ON_THE_WIRE) == DECLARATION


@pytest.mark.parametrize("line", ANSWERS)
def test_every_form_of_answer_is_understood_and_written_back(line: bytes) -> None:
    """Formats, Subject protocol: decisions with or without a transcript, skipped, errored."""
    assert decode_answer(line) == ANSWERS[line]
    assert decode_answer(encode_answer(ANSWERS[line])) == ANSWERS[line]


def test_the_features_are_those_of_the_formats() -> None:
    """Formats, Subject protocol."""
    assert FEATURES == ("positions", "shared-containers", "node-status", "failing", "prewarming", "wakeups", "integers-64")


def refusal(decode: Any, document: object) -> str:
    """Return the message with which a message of the protocol is refused."""
    with pytest.raises(InvalidDocument) as refused:
        decode(json.dumps(document).encode(), source="the subject")
    return str(refused.value)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "the subject: $: found a list of 0; expected an object"),
        ({}, "$.seq: found no such key; expected an integer from 0 to 2^63-1"),
        ({"seq": 1}, "$.decisions: found no such key; expected an object"),
        ({"seq": "1", "decisions": {}}, "$.seq: found '1'; expected an integer"),
        ({"seq": 1, "decisions": {}, "skipped": {"reason": ""}}, "$.decisions: found an unknown key"),
        ({"seq": 1, "skipped": {}}, "$.skipped.reason: found no such key"),
        ({"seq": 1, "skipped": "no"}, "$.skipped: found 'no'; expected an object"),
        ({"seq": 1, "errored": {"message": None}}, "$.errored.message: found null; expected a string"),
        ({"seq": 1, "decisions": {"loads": [{}]}}, "$.decisions.loads[0].node: found no such key"),
        ({"seq": 1, "decisions": {}, "transcript": {}}, "$.transcript: found an object of 0 keys; expected a list"),
        (
            {"seq": 1, "decisions": {}, "transcript": [{"kind": "evict", "method": "m", "input": {}, "output": 1}]},
            "$.transcript[0].kind: found 'evict'; expected one of 'invocation_failing',",
        ),
        (
            {"seq": 1, "decisions": {}, "transcript": [{"kind": "eviction", "method": "m", "input": {"n": [-1]}, "output": 1}]},
            "$.transcript[0].input.n[0]: found -1; expected an integer from 0 to 2^63-1",
        ),
    ],
)
def test_an_answer_of_another_shape_is_refused(document: object, message: str) -> None:
    """Formats, Subject protocol: the message says where and what was expected, so that the subject's author can mend it."""
    assert message in refusal(decode_answer, document)


def test_a_number_in_a_transcript_that_no_double_holds_is_refused() -> None:
    """Formats, first lines: also where any JSON value may stand."""
    line = b'{"seq":1,"decisions":{},"transcript":[{"kind":"eviction","method":"m","input":{},"output":{"a": 1e400}}]}'
    with pytest.raises(InvalidDocument, match=r"\$\.transcript\[0\]\.output\.a: found a number beyond the range"):
        decode_answer(line)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 2}, "$.version: found 2; expected 1"),
        ({"version": True}, "$.version: found true; expected 1"),
        ({"features": ["position"]}, "$.features[0]: found 'position'; expected one of 'failing', 'integers-64',"),
        ({"policies": {"evictions": ["lru"]}}, "$.policies.evictions: found an unknown key"),
        ({"policies": {"eviction": "lru"}}, "$.policies.eviction: found 'lru'; expected a list"),
        ({"implementation": {"name": "x"}}, "$.implementation.version: found no such key; expected a string"),
    ],
)
def test_a_declaration_of_another_shape_is_refused(changes: dict[str, Any], message: str) -> None:
    """Formats, Subject protocol: another version, an unknown feature or kind are errors, not silently skipped rounds."""
    assert message in refusal(decode_declaration, {**json.loads(DECLARATION_ON_THE_WIRE), **changes})


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({}, "$: found an object of 0 keys; expected an object with the key cmd"),
        ({"cmd": "begin"}, "$.cmd: found 'begin'; expected one of 'start', 'round', 'stop'"),
        (7, "$: found 7; expected an object with the key cmd"),
        ({"cmd": ["stop"]}, "$.cmd: found a list of 1; expected one of 'start', 'round', 'stop'"),
        ({"cmd": "start"}, "$.version: found no such key"),
        ({"cmd": "stop", "now": 1}, "$.now: found an unknown key; expected one of the keys cmd"),
        ({"cmd": "round", "seq": 1, "round": {}, "policies": {}}, "$.round.now: found no such key"),
    ],
)
def test_a_request_of_another_shape_is_refused(document: object, message: str) -> None:
    """Formats, Subject protocol: gaugeblock as a subject is as strict as it is as a judge."""
    assert message in refusal(decode_request, document)
