"""Histories as documents: strict, the same bytes for the same history, and run from the command line."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from command_lines import gaugeblock, message
from hypothesis import given
from hypothesis import strategies as st

from gaugeblock.cli.main import main
from gaugeblock.cli.replay import command
from gaugeblock.conformance import replaying
from gaugeblock.miniatures.service_faults import service
from gaugeblock.model import InvalidState, Opening, ServiceSettings, Step, replace
from gaugeblock.scheduler import scheduler_from
from gaugeblock.service import replay, step
from gaugeblock.strategies.histories import COMMON
from gaugeblock.strategies.seeded_histories import drive, random_history, random_opening
from gaugeblock.wire.cases import decode_case
from gaugeblock.wire.errors import InvalidDocument
from gaugeblock.wire.histories import decode_happening, decode_opening, encode_history, encode_opening, read_history
from gaugeblock.wire.schema import schemas

jsonschema: Any = import_module("jsonschema")  # untyped, for its type stubs are another package

HISTORY = random_history(7, 60, step, scheduler_from)
LINES = encode_history(HISTORY).splitlines()
HEADER: dict[str, Any] = json.loads(LINES[0])
SUBMIT: dict[str, Any] = {"event": "submit", "date": 1.0, "sequence": 0, "invocation": 1, "function": "f"}


def spoiled(document: dict[str, Any], **fields: object) -> bytes:
    """Return a document with other fields, as JSON; a field of None is left out."""
    changed = {**document, **fields}
    return json.dumps({key: value for key, value in changed.items() if value is not None}).encode()


def run(tmp_path: Path, history: bytes, *options: str) -> Result:
    """Run the verb on a file."""
    path = tmp_path / "history.jsonl"
    path.write_bytes(history)
    return CliRunner().invoke(command, [str(path), *options])


@given(st.integers(0, 10**6), st.integers(0, 30))
def test_a_history_survives_its_document(seed: int, length: int) -> None:
    """SERV-0: what is read is what was written, foreign batches included."""
    history = random_history(seed, length, step, scheduler_from, foreign_percent=40)
    encoded = encode_history(history)
    assert read_history(encoded.splitlines(keepends=True)) == history
    assert encode_history(read_history(encoded.splitlines())) == encoded


@given(st.integers(0, 10**6))
def test_a_history_runs_as_it_ran_when_it_was_made(seed: int) -> None:
    """SERV-0: replayed from its document, every event leads to the state that it led to."""
    driven = list(drive(seed, 25, step, scheduler_from, foreign_percent=30))
    history = read_history(encode_history(random_history(seed, 25, step, scheduler_from, foreign_percent=30)).splitlines())
    scheduler = scheduler_from(history.opening.policies)
    for (_, happening, before, result), (told_before, event, told) in zip(driven, replay(history, scheduler), strict=True):
        assert (told_before, event) == (before, happening.event)
        assert told == result if isinstance(result, Step) else type(told) is type(result)


def test_the_schemas_accept_what_is_written(tmp_path: Path) -> None:
    """SERV-0: header, events and the lines of a replay, against the schemas that come from the same types."""
    known = schemas()
    jsonschema.Draft202012Validator(known["history-header"]).validate(HEADER)
    for line in LINES[1:]:
        jsonschema.Draft202012Validator(known["history-line"]).validate(json.loads(line))
    for told in run(tmp_path, encode_history(HISTORY)).stdout.splitlines():
        jsonschema.Draft202012Validator(known["replay-line"]).validate(json.loads(told))


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (spoiled(SUBMIT, event="submitted"), "$.event"),
        (spoiled(SUBMIT, event=None), "$.event"),
        (spoiled(SUBMIT, event=["submit"]), "$.event"),
        (spoiled(SUBMIT, event="wake-up"), "$.invocation"),
        (spoiled(SUBMIT, sequence=-1), "$.sequence"),
        (spoiled(SUBMIT, sequence=1.0), "$.sequence"),
        (spoiled(SUBMIT, invocation=2**63), "$.invocation"),
        (spoiled(SUBMIT, date="now"), "$.date"),
        (spoiled(SUBMIT, date=None), "$.date"),
        (spoiled(SUBMIT, color="red"), "$.color"),
        (spoiled(SUBMIT, decisions={"dispatches": [{"invocation": 1, "node": "n"}]}), "$.decisions.dispatches[0].container"),
        (b'{"event": "wake-up", "date": 1.0, "date": 2.0, "sequence": 0}', "$"),
        (b'{"event": "wake-up", "date": NaN, "sequence": 0}', "$.date"),
        (b"[]", "$"),
    ],
)
def test_a_bad_line_is_told_with_its_place(line: bytes, path: str) -> None:
    """SERV-0: an event is read strictly, and the error says where and what was expected."""
    with pytest.raises(InvalidDocument) as caught:
        decode_happening(line, source="history.jsonl", line=4)
    assert str(caught.value).startswith("history.jsonl:4: ")
    assert any(problem.path.startswith(path) for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"format": "gaugeblock-case"}, "$.format"),
        ({"version": 2}, "$.version"),
        ({"version": True}, "$.version"),
        ({"settings": {"idle_timeout": -1.0}}, "$.settings.idle_timeout"),
        ({"settings": {}}, "$.settings.idle_timeout"),
        ({"policies": {"eviction": {}}}, "$.policies.eviction.name"),
        ({"nodes": [{**HEADER["nodes"][0], "status": "activating"}]}, "$.nodes[0].status"),
        ({"nodes": [HEADER["nodes"][0], HEADER["nodes"][0]]}, "$.nodes[1].name"),
    ],
)
def test_a_bad_header_is_told_with_its_place(fields: dict[str, Any], path: str) -> None:
    """SERV-0: a history starts from nodes at rest, and says so strictly."""
    with pytest.raises(InvalidDocument) as caught:
        decode_opening(spoiled(HEADER, **fields))
    assert [problem.path for problem in caught.value.problems] == [path]


def test_a_history_without_a_header_is_refused() -> None:
    """SERV-0: neither nothing at all nor an event at first."""
    with pytest.raises(InvalidDocument, match="the header of a history"):
        read_history([b"\n"])
    with pytest.raises(InvalidDocument):
        read_history(LINES[1:])


@given(st.integers(0, 10**6), st.sampled_from((-1.0, float("nan"), float("inf"))))
def test_an_opening_with_a_bad_time_out_cannot_be_had(seed: int, timeout: float) -> None:
    """SERV-0: an idle time-out is finite and not negative."""
    opening = random_opening(seed)
    with pytest.raises(InvalidState):
        Opening(opening.now, opening.catalog, opening.nodes, opening.policies, ServiceSettings(timeout))


def test_replay_tells_of_every_event_and_ends_with_a_footer(tmp_path: Path) -> None:
    """SERV-0: one line an event, the footer sums up, and the status is 0 where no clause is violated."""
    done = run(tmp_path, encode_history(HISTORY))
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 0
    assert [line["round"] for line in lines[:-1]] == list(range(60))
    refused = sum("error" in line for line in lines)
    assert lines[-1] == {"end": "gaugeblock-replay", "events": 60, "refused": refused, "violations": 0}


def test_replay_gives_the_same_bytes_twice(tmp_path: Path) -> None:
    """SERV-0: nothing depends on chance or on the clock."""
    history = encode_history(random_history(3, 150, step, scheduler_from, replace(COMMON, fewest_nodes=8, most_nodes=8)))
    assert run(tmp_path, history).stdout_bytes == run(tmp_path, history).stdout_bytes


def test_any_round_can_be_cut_out_as_a_case(tmp_path: Path) -> None:
    """ROUND-10: the case holds what was observed, and its decisions are the reference's."""
    cut = 0
    for number, (_, happening, _, result) in enumerate(drive(7, 60, step, scheduler_from)):
        if isinstance(result, Step) and happening.decisions is None and cut < 5:
            cut += 1
            case = decode_case(run(tmp_path, encode_history(HISTORY), "--round", str(number), "--as-case").stdout_bytes)
            assert (case.round, case.decisions) == (result.observed, result.decisions)
    assert cut == 5


def test_a_violated_clause_is_told_and_gives_status_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SERV-0: with a wrong service in the place of the reference, the replay says which clause breaks and at which event."""
    forgetful = service("dispatch-leaves-layers-old")
    monkeypatch.setattr(replaying, "replay", lambda history, scheduler: replay(history, scheduler, forgetful))
    done = run(tmp_path, encode_history(random_history(2, 60, forgetful, scheduler_from)))
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 1
    assert {found["clause"] for line in lines[:-1] for found in line["violations"]} == {"SERV-0"}
    assert lines[-1]["violations"] > 0


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--as-case",), "expected --round N"),
        (("--round", "60"), "expected a number below 60"),
    ],
)
def test_options_that_make_no_sense_end_with_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], expected: str
) -> None:
    """SERV-0: bad usage is status 2 and never a traceback."""
    path = tmp_path / "history.jsonl"
    path.write_bytes(encode_history(HISTORY))
    with pytest.raises(SystemExit) as ended:
        main(["replay", str(path), *options])
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert expected in error
    assert error.count("\n") == 1


def test_a_bad_file_ends_with_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SERV-0: a bad line is told with file and line, status 2."""
    path = tmp_path / "history.jsonl"
    path.write_bytes(encode_opening(HISTORY.opening) + b'\n{"event": "wake-up"}\n')
    with pytest.raises(SystemExit) as ended:
        main(["replay", str(path)])
    assert ended.value.code == 2
    assert f"{path}:2:" in capsys.readouterr().err


def test_an_event_that_was_refused_has_no_round_to_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SERV-0: no round follows a refused event."""
    path = tmp_path / "history.jsonl"
    path.write_bytes(
        encode_opening(HISTORY.opening) + b'\n{"event": "node-activated", "date": 1, "sequence": 0, "node": "nobody"}\n'
    )
    with pytest.raises(SystemExit) as ended:
        main(["replay", str(path), "--round", "0", "--as-case"])
    assert ended.value.code == 2
    assert "an event that was refused" in capsys.readouterr().err


def test_the_account_is_written_whole(tmp_path: Path) -> None:
    """SERV-0: with --output, the file holds what would have been printed."""
    printed = run(tmp_path, encode_history(HISTORY)).stdout_bytes
    target = tmp_path / "account.jsonl"
    assert run(tmp_path, encode_history(HISTORY), "--output", str(target)).stdout_bytes == b""
    assert target.read_bytes() == printed


def test_a_policy_of_a_third_party_that_raises_is_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever foreign code raises while a history is replayed, the user is told where, with status 2 and no traceback."""
    lines = (
        "from gaugeblock.policies.builtin.eviction import Fewest",
        "class Raising(Fewest, frozen=True):",
        "    def wakeup(self, state): raise RuntimeError('out of order')",
    )
    (tmp_path / "raising_policy.py").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "history.jsonl"
    policies = {"eviction": {"name": "raising_policy:Raising"}}
    function = HEADER["catalog"]["functions"][0]["name"]
    events = spoiled(SUBMIT, function=function)
    path.write_bytes(spoiled(HEADER, policies=policies) + b"\n" + events + b"\n")
    done = gaugeblock("replay", path)
    assert done.returncode == 2
    assert "out of order" in message(done)
    assert "Traceback" not in message(done)
