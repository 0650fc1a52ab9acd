"""``explain --violation`` and ``--decisions``: the rule, the numbers, and what would have been right."""

from pathlib import Path

import pytest
from command_lines import gaugeblock, message

from gaugeblock.corpus import load
from gaugeblock.model import ContainerId, Decisions, NodeName, PolicyName, PolicyNames, Termination, replace
from gaugeblock.wire.cases import Case, encode_case
from gaugeblock.wire.decisions import encode_decisions

CASES = {case.id: case for case in load("derived")}
PLACED = CASES["scenario-b18-two-idle-two-pending"]
BUSY = next(case for case in CASES.values() if any(each.in_flight for node in case.round.nodes for each in node.containers))


def explain(case: Case, decisions: Decisions, policies: PolicyNames | None = None) -> tuple[int, str]:
    """Return the exit status and the text about other decisions of a case."""
    wrong = replace(case, decisions=decisions, policies=policies or case.policies)
    done = gaugeblock("explain", "--violation", "-", given=encode_case(wrong))
    assert message(done) == ""
    return done.returncode, done.stdout.decode()


def ending_a_busy_container() -> Decisions:
    """Return the right decisions and a termination that kills somebody's invocation."""
    node, container = next((node, each) for node in BUSY.round.nodes for each in node.containers if each.in_flight)
    return replace(BUSY.decisions, terminations=(Termination(NodeName(node.name), ContainerId(container.id)),))


def test_a_violated_clause_is_told_with_its_rule_and_its_numbers() -> None:
    """RECL-4: a busy container is ended."""
    status, text = explain(BUSY, ending_a_busy_container())
    assert status == 1
    assert "RECL-4: Only idle containers that this round does not reuse may be ended" in text
    assert "the container to end is not idle (in flight 1)" in text
    assert "The rule: Candidates are the node's containers that are ready, hold nothing" in text


def test_what_would_have_been_right_is_the_story_of_the_placement() -> None:
    """PLACE-1: the reference's passes for the invocation at which the answer parts."""
    status, text = explain(PLACED, Decisions())
    assert status == 1
    assert "What would have been right" in text
    assert 'dispatches: missing {"invocation":1,' in text
    assert "The answer parts from the reference at invocation 1 (PLACE-1)" in text
    assert "Invocation 1 reuses container 1 on n (PLACE-1): first-fit picks among 2 candidates (POL-first-fit)." in text
    assert "Invocation 2 of" not in text


def test_a_phase_at_which_the_answer_parts_is_told_with_its_clauses() -> None:
    """ROUND-3: an activation that nobody asked for; no placement is to blame."""
    status, text = explain(PLACED, replace(PLACED.decisions, activations=(NodeName("n"),)))
    assert status == 1
    assert "Node scaling (ROUND-3, POL-activate-one-when-no-free-slot): nothing requested." in text
    assert "Invocation 1 of" not in text


def test_a_right_answer_is_told_to_be_right() -> None:
    """Exit status 0."""
    status, text = explain(PLACED, PLACED.decisions)
    assert status == 0
    assert "nothing is wrong, judged from decisions and policies, with the trace of the reference" in text


def test_with_a_policy_of_others_only_the_clauses_are_told() -> None:
    """Nobody knows what their policy would have answered."""
    status, text = explain(BUSY, ending_a_busy_container(), PolicyNames(eviction=PolicyName("theirs")))
    assert status == 1
    assert "RECL-4" in text
    assert "What would have been right depends on a policy that is not built in." in text


def test_decisions_of_their_own_file_answer_any_round(tmp_path: Path) -> None:
    """``--decisions`` needs no case: the example round does."""
    path = tmp_path / "decisions.json"
    path.write_bytes(encode_decisions(Decisions()))
    done = gaugeblock("explain", "--example", "--decisions", path)
    assert done.returncode == 1
    assert f"{path}: judged from" in done.stdout.decode()
    path.write_bytes(gaugeblock("decide", "--example").stdout)
    assert gaugeblock("explain", "--example", "--decisions", path).returncode == 0


BAD_USAGE: dict[str, tuple[tuple[str, ...], bytes, str]] = {
    "nothing to explain": (("--violation",), b"", "--violation needs decisions"),
    "the example has none": (("--violation", "--example"), b"", "--violation needs decisions"),
    "two cases": (("--violation", "-"), encode_case(PLACED) + b"\n" + encode_case(BUSY), "say which one"),
    "a round alone": (("--violation", "-"), b'{"round": {}}', "$.decisions"),
    "as JSON": (("--violation", "--json", "-"), encode_case(PLACED), "give neither with --violation"),
    "no decisions file": (("--example", "--decisions", "no/such/file"), b"", "no/such/file: No such file"),
    "a bad decisions file": (("--example", "--decisions", "-"), b'{"loads": 3}', "<stdin>: $.loads"),
}


@pytest.mark.parametrize("usage", BAD_USAGE)
def test_bad_usage_is_status_two_with_a_message(usage: str) -> None:
    """The message says what is missing or wrong."""
    arguments, given, fragment = BAD_USAGE[usage]
    done = gaugeblock("explain", *arguments, given=given)
    assert done.returncode == 2
    assert fragment in message(done)
