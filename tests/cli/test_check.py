"""``check``: exit statuses, what it says of right, wrong and senseless answers, and what it refuses."""

import json
import shlex
from pathlib import Path
from typing import Any

import msgspec
import pytest
from command_lines import gaugeblock, message

from gaugeblock.corpus import load
from gaugeblock.model import Decisions, Dispatch, InvocationId, NodeName, replace
from gaugeblock.wire.cases import Case, encode_case
from gaugeblock_specs.registry import ALL

QUIRKS = load("wrench-quirks")
PLACED = next(case for case in load("derived") if case.id == "scenario-b18-two-idle-two-pending")
IDLE = replace(PLACED, id="idle", decisions=Decisions())
GHOST = replace(PLACED, id="ghost", decisions=Decisions(dispatches=(Dispatch(InvocationId(1), NodeName("ghost"), None),)))


def document(case: Case, **changes: object) -> dict[str, Any]:
    """Return a case as a JSON value, with keys changed or, where the new value is None, left out."""
    value = {**msgspec.json.decode(encode_case(case)), **changes}
    return {key: entry for key, entry in value.items() if entry is not None}


def lines(*values: dict[str, Any]) -> bytes:
    """Return JSON lines."""
    return b"".join(msgspec.json.encode(value) + b"\n" for value in values)


def told(*arguments: str | Path, given: bytes = b"") -> list[dict[str, Any]]:
    """Return the lines of ``check --json``."""
    return [json.loads(line) for line in gaugeblock("check", "--json", *arguments, given=given).stdout.splitlines()]


@pytest.fixture
def quirks(tmp_path: Path) -> Path:
    """A vector file with the twelve tiny cases."""
    path = tmp_path / "quirks.jsonl"
    path.write_bytes(lines(*map(document, QUIRKS)))
    return path


@pytest.mark.parametrize("options", [(), ("--safety",), ("--trace",)])
def test_right_answers_are_satisfied(quirks: Path, options: tuple[str, ...]) -> None:
    """Exit status 0, and a row for each clause."""
    done = gaugeblock("check", *options, quirks)
    text = done.stdout.decode()
    assert done.returncode == 0
    assert text.endswith("satisfied: 12 of 12\n")
    assert all(f" {clause.id} " in text for clause in ALL)


def test_a_wrong_answer_is_violated_with_witness_and_the_way_to_learn_more(quirks: Path) -> None:
    """Exit status 1; the command that is shown explains this very answer."""
    wrong = replace(QUIRKS[0], id="a wrong one", decisions=Decisions())
    quirks.write_bytes(lines(document(wrong)))
    done = gaugeblock("check", quirks)
    text = done.stdout.decode()
    assert done.returncode == 1
    assert "a wrong one: violated, judged from decisions and policies, compared with the reference" in text
    assert text.endswith("violated: 1 of 1\n")
    (shown,) = (line for line in text.splitlines() if "what would have been right: " in line)
    explained = gaugeblock(*shlex.split(shown.partition("right: ")[2])[1:])
    assert explained.returncode == 1
    assert "What would have been right" in explained.stdout.decode()


def test_an_answer_that_safety_accepts_is_not_called_right_when_policies_are_known() -> None:
    """To do nothing breaks no clause about decisions; with first-fit known, PLACE-1 is violated."""
    given = lines(document(IDLE))
    assert gaugeblock("check", "--safety", "-", given=given).returncode == 0
    assert gaugeblock("check", "-", given=given).returncode == 1
    (line,) = told("-", given=given)
    assert line["verdict"] == "violated"
    assert "PLACE-1" in [each["clause"] for each in line["violated"]]


def test_a_line_of_json_tells_every_clause() -> None:
    """Each clause stands in exactly one list; witnesses hold what they know and nothing else."""
    (line,) = told("--safety", "-", given=lines(document(GHOST)))
    assert (line["id"], line["verdict"], line["basis"]) == ("ghost", "violated", "decisions")
    violated = [each["clause"] for each in line["violated"]]
    listed = violated + line["holds"] + line["not_applicable"] + line["undecidable"]
    assert sorted(listed) == sorted(clause.id for clause in ALL)
    (found,) = (each for each in line["violated"] if each["clause"] == "ROUND-10")
    assert found["witnesses"][0]["node"] == "ghost"
    assert "layer" not in found["witnesses"][0]


def test_json_has_one_line_a_case_and_is_the_same_twice(quirks: Path) -> None:
    """In the order of the cases."""
    assert [each["id"] for each in told(quirks)] == [case.id for case in QUIRKS]
    assert gaugeblock("check", "--json", quirks).stdout == gaugeblock("check", "--json", quirks).stdout


@pytest.mark.parametrize(
    "policies",
    [None, {"eviction": {"name": "theirs", "depth": -3, "shape": {"of": ["anything"]}}}, ["no", "object"], {"colour": 3}],
    ids=["missing", "third party", "a list", "an unknown kind"],
)
def test_safety_takes_no_notice_of_policies(policies: object) -> None:
    """Whatever stands in their place, or nothing."""
    done = gaugeblock("check", "--safety", "-", given=lines(document(PLACED, policies=policies)))
    assert (done.returncode, message(done)) == (0, "")


def test_without_safety_policies_must_be_there() -> None:
    """Defaults are not guessed; the message says what to do."""
    done = gaugeblock("check", "-", given=lines(document(PLACED, policies=None)))
    assert done.returncode == 2
    assert "<stdin>:1: $.policies: found no such key; expected an object, {} for the defaults" in message(done)


def test_a_third_partys_policy_is_judged_without_the_reference() -> None:
    """The basis says so: not compared."""
    (line,) = told("-", given=lines(document(PLACED, policies={"eviction": {"name": "theirs:Best"}})))
    assert (line["verdict"], line["basis"]) == ("satisfied", "decisions and policies")


def test_an_answer_without_an_id_is_known_by_its_place() -> None:
    """File and line."""
    bare = {"round": document(PLACED)["round"], "decisions": {}}
    found = told("--safety", "-", given=b"\n" + lines(bare, bare))
    assert [each["id"] for each in found] == ["<stdin>:2", "<stdin>:3"]


def test_a_file_may_be_one_case_over_many_lines(tmp_path: Path) -> None:
    """As a person writes it."""
    path = tmp_path / "case.json"
    path.write_text(json.dumps(document(PLACED), indent=2))
    assert gaugeblock("check", path).returncode == 0


def test_without_cases_the_corpus_is_judged() -> None:
    """One of its cases by id, here."""
    done = gaugeblock("check", "--safety", "--case", QUIRKS[0].id)
    assert done.returncode == 0
    assert done.stdout.decode().endswith("satisfied: 1 of 1\n")


def test_the_violated_cases_shown_can_be_limited() -> None:
    """All are counted."""
    given = lines(document(IDLE, id="one"), document(IDLE, id="two"))
    text = gaugeblock("check", "--show", "1", "-", given=given).stdout.decode()
    assert text.count(": violated, judged from") == 1
    assert "--show N shows more" in text
    assert text.endswith("violated: 2 of 2\n")


def test_control_characters_in_names_reach_no_terminal() -> None:
    """They are escaped."""
    given = lines(document(GHOST, id="\x1b[31mred", decisions={"activations": ["\x1b[2J"]}))
    output = gaugeblock("check", "-", given=given).stdout
    assert b"\x1b" not in output
    assert b"\\x1b[31mred" in output


BAD_INPUT = {
    "nothing": (b"", "found no case"),
    "no JSON": (b'{"id": }\n', "<stdin>:1: "),
    "no round": (b'{"decisions": {}}\n', "<stdin>:1: $.round: found no such key"),
    "no decisions": (lines(document(PLACED, decisions=None)), "$.decisions: found no such key"),
    "an unknown key": (lines(document(PLACED, answer=1)), "$.answer: found an unknown key"),
    "a bad second line": (lines(document(PLACED)) + b"[]\n", "<stdin>:2: $: found a list"),
    "an id twice": (lines(document(PLACED), document(PLACED)), "found the id"),
    "a bad policy": (lines(document(PLACED, policies={"eviction": {}})), "$.policies.eviction.name"),
    "impossible parameters": (
        lines(document(PLACED, policies={"eviction": {"name": "lru", "x": 1}})),
        "the reference cannot decide it",
    ),
    "a negative size": (lines(document(PLACED, decisions={"failures": [{"invocation": -1, "reason": ""}]})), "$.decisions"),
}


@pytest.mark.parametrize("what", BAD_INPUT)
def test_bad_input_is_status_two_with_a_message(what: str) -> None:
    """Never a traceback, and never taken for a violation."""
    given, fragment = BAD_INPUT[what]
    done = gaugeblock("check", "-", given=given)
    assert done.returncode == 2
    assert message(done).startswith("gaugeblock: ")
    assert fragment in message(done)


BAD_USAGE = {
    "a file that is not there": (("no/such/file",), "no/such/file: No such file or directory"),
    "an unknown case": (("--case", "nobody"), "found no case 'nobody'"),
    "a trace without policies": (("--safety", "--trace"), "--trace needs the policies"),
    "an unknown option": (("--frobnicate",), "No such option"),
}


@pytest.mark.parametrize("usage", BAD_USAGE)
def test_bad_usage_is_status_two(usage: str) -> None:
    """The message says what was wrong."""
    arguments, fragment = BAD_USAGE[usage]
    done = gaugeblock("check", *arguments)
    assert done.returncode == 2
    assert fragment in message(done)
