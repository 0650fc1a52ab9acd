"""Cases and the files that hold them (formats, Case)."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from gaugeblock.model import PolicyName
from gaugeblock.wire.cases import Case, decode_case, encode_case, read_cases
from gaugeblock.wire.errors import InvalidDocument

Json = dict[str, Any]


def line_of(document: Json, **changes: object) -> bytes:
    """Return a case as a line of a file."""
    return json.dumps({**document, **changes}).encode() + b"\n"


def test_a_case_holds_its_parts(case_document: Json) -> None:
    """Formats, Case: id, round, policies, decisions."""
    case = decode_case(json.dumps(case_document).encode())
    assert (case.id, case.round.now, case.policies.eviction) == ("a-case", 12.0, PolicyName("lru"))
    assert case.decisions.dispatches[0].container == 4
    assert (case.clauses, case.derivation) == ((), "")


def test_a_case_survives_the_trip(case_document: Json) -> None:
    """Formats, Case: as a value and, once written by us, as bytes."""
    case = decode_case(json.dumps(case_document).encode())
    assert decode_case(encode_case(case)) == case
    assert encode_case(decode_case(encode_case(case))) == encode_case(case)


def test_clauses_and_derivation_stand_behind_the_id_or_are_left_out(case_document: Json) -> None:
    """Formats, Case: our two optional keys do not show where they are empty."""
    plain = encode_case(decode_case(json.dumps(case_document).encode()))
    assert list(json.loads(plain)) == ["id", "round", "policies", "decisions"]
    told = encode_case(decode_case(line_of(case_document, clauses=["PLACE-1"], derivation="Because.")))
    assert list(json.loads(told)) == ["id", "clauses", "derivation", "round", "policies", "decisions"]


@pytest.mark.parametrize("key", ["id", "round", "policies", "decisions"])
def test_no_part_of_a_case_may_be_missing(case_document: Json, key: str) -> None:
    """Formats, Case: all four keys are due."""
    del case_document[key]
    with pytest.raises(InvalidDocument, match=rf"^\$\.{key}: found no such key"):
        decode_case(json.dumps(case_document).encode())


DANGLING = {
    "failures": ([{"invocation": 5, "reason": ""}], "[0].invocation: found 5; expected the id of a pending invocation"),
    "activations": (["node-7"], "[0]: found 'node-7'; expected the name of a node of the round"),
    "deactivations": (["node-0", "node-7"], "[1]: found 'node-7'; expected the name of a node of the round"),
    "terminations": ([{"node": "node-1", "container": 4}], "[0].container: found 4; expected the id of a container"),
    "ram_evictions": ([{"node": "node-0", "layer": "x"}], "[0].layer: found 'x'; expected the name of a layer"),
    "disk_evictions": ([{"node": "x", "layer": "app"}], "[0].node: found 'x'; expected the name of a node of the round"),
    "dispatches": (
        [{"invocation": 9, "node": "node-0", "container": 6}],
        "[0].container: found 6; expected the id of a container on that node",
    ),
    "loads": ([{"node": "node-0", "layer": "x"}], "[0].layer: found 'x'; expected the name of a layer"),
    "copies": ([{"node": "node-0", "layer": "x"}], "[0].layer: found 'x'; expected the name of a layer"),
    "prewarms": ([{"node": "node-0", "function": "x"}], "[0].function: found 'x'; expected the name of a function"),
}


@pytest.mark.parametrize("category", DANGLING)
def test_decisions_of_a_case_name_only_what_the_round_holds(case_document: Json, category: str) -> None:
    """Formats, first lines: dangling names are errors, in the right decisions as well."""
    entries, message = DANGLING[category]
    case_document["decisions"] = {category: entries}
    with pytest.raises(InvalidDocument) as refused:
        decode_case(json.dumps(case_document).encode())
    assert f"$.decisions.{category}{message}" in str(refused.value)


def test_problems_of_round_policies_and_decisions_are_told_together(case_document: Json) -> None:
    """Formats: all errors of a case at once."""
    case_document["round"]["pending"][0]["submitted"] = 99
    case_document["policies"] = {"eviction": {"seed": 1}}
    with pytest.raises(InvalidDocument) as refused:
        decode_case(json.dumps(case_document).encode())
    assert [problem.path for problem in refused.value.problems] == ["$.round.pending[0].submitted", "$.policies.eviction.name"]


def test_a_file_is_read_line_by_line_and_blank_lines_are_skipped(case_document: Json, tmp_path: Path) -> None:
    """Formats, Case: one per line; a path, a stream and lines are the same to the reader."""
    text = b"\n" + line_of(case_document) + b"  \r\n" + line_of(case_document, id="b-case").rstrip()
    path = tmp_path / "cases.jsonl"
    path.write_bytes(text)
    from_path = list(read_cases(path))
    assert [case.id for case in from_path] == ["a-case", "b-case"]
    assert from_path == list(read_cases(str(path))) == list(read_cases(io.BytesIO(text))) == list(read_cases(text.splitlines()))


def test_an_error_in_a_file_names_file_and_line(case_document: Json, tmp_path: Path) -> None:
    """Formats: an error says where; blank lines count."""
    path = tmp_path / "cases.jsonl"
    path.write_bytes(line_of(case_document) + b"\n" + b'{"id": 1\n')
    with pytest.raises(InvalidDocument) as refused:
        list(read_cases(path))
    assert str(refused.value).startswith(f"{path}:3: $.id: found the end of the document")
    assert (refused.value.source, refused.value.line) == (str(path), 3)


def test_an_id_that_is_used_twice_is_an_error_of_the_later_line(case_document: Json) -> None:
    """Formats: duplicate names are errors; the message names both lines."""
    lines = [line_of(case_document), b"\n", line_of(case_document)]
    with pytest.raises(InvalidDocument) as refused:
        list(read_cases(lines, source="cases"))
    assert str(refused.value) == "cases:3: $.id: found 'a-case'; expected an id that line 1 does not use"


def test_reading_goes_on_behind_an_error_where_that_is_wanted(case_document: Json) -> None:
    """Formats, Case: with a handler every bad line is told and every good one is given."""
    lines = [b"{}\n", line_of(case_document), b"no\n", line_of(case_document), line_of(case_document, id="b-case")]
    errors: list[InvalidDocument] = []
    cases = list(read_cases(lines, on_error=errors.append))
    assert [case.id for case in cases] == ["a-case", "b-case"]
    assert [error.line for error in errors] == [1, 3, 4]


def test_a_file_that_is_not_there_is_the_systems_error(tmp_path: Path) -> None:
    """The reader leaves that to its caller, who knows how the file came to be named."""
    with pytest.raises(FileNotFoundError):
        list(read_cases(tmp_path / "none.jsonl"))


def test_cases_are_values(case_document: Json) -> None:
    """Model: a case is frozen and comparable as the rest."""
    case = decode_case(json.dumps(case_document).encode())
    for field in case.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(case, field, None)
    assert case != Case(case.id, case.round, case.policies, case.decisions, ("PLACE-1",))
