"""The command line as its users meet it: exit statuses, one message for each error, and never a traceback."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

import pytest
from command_lines import gaugeblock, message

from gaugeblock.conformance.subjects import decide_by_reference
from gaugeblock.corpus import load
from gaugeblock.model import Decisions, PolicyNames, replace
from gaugeblock.version import __version__
from gaugeblock.wire.cases import encode_case
from gaugeblock.wire.decisions import encode_decisions
from gaugeblock.wire.policies import encode_policies
from gaugeblock.wire.rounds import encode_round

GAUGEBLOCK = (sys.executable, "-c", "from gaugeblock.cli.main import main; main()")
PARTIAL = (sys.executable, "-m", "gaugeblock.examples.partial_subject")
EXAMPLE = files("gaugeblock.examples").joinpath("first-round.json").read_bytes()
QUIRKS = load("wrench-quirks")
LRU = next(
    case
    for case in load("wrench-shared")
    if case.policies.eviction.name == "lru" and decide_by_reference(case.round, PolicyNames()) != case.decisions
)


@pytest.fixture
def quirks(tmp_path: Path) -> Path:
    """A vector file with the twelve tiny cases."""
    path = tmp_path / "quirks.jsonl"
    path.write_bytes(b"\n".join(encode_case(case) for case in QUIRKS) + b"\n")
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A vector file whose only case states decisions that the reference does not make."""
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(encode_case(replace(QUIRKS[0], decisions=Decisions())))
    return path


def test_the_version_is_printed() -> None:
    """Name and version, exit status 0."""
    done = gaugeblock("--version")
    assert (done.returncode, done.stdout.decode()) == (0, f"gaugeblock {__version__}\n")


def test_the_version_needs_nothing_heavy() -> None:
    """A start-up of seconds comes from imports: none but click is needed to say the version or list the verbs."""
    script = "import sys; from gaugeblock.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout.decode().split()
    assert not {"msgspec", "rich", "jiter", "gaugeblock.model", "gaugeblock.cli.conform"} & set(loaded)


@pytest.mark.parametrize("verb", ["check", "clauses", "conform", "decide", "explain", "schema", "serve"])
def test_each_verb_has_help(verb: str) -> None:
    """Help is no error."""
    done = gaugeblock(verb, "--help")
    assert done.returncode == 0
    assert f"Usage: gaugeblock {verb}" in done.stdout.decode()


def test_conform_judges_gaugeblock_itself(quirks: Path) -> None:
    """Conformant: 0. Both models are asked."""
    done = gaugeblock("conform", quirks)
    assert done.returncode == 0
    assert done.stdout.decode().startswith("optimized beside reference on 12 cases\n")
    assert "judged: 12 of 12 cases (100.0 %)\nconformant\n" in done.stdout.decode()


@pytest.mark.parametrize("name", ["optimized", "reference"])
def test_conform_judges_one_of_the_two_models_alone(quirks: Path, name: str) -> None:
    """``--subject`` names one of gaugeblock's own."""
    done = gaugeblock("conform", "--subject", name, "--strict-order", quirks)
    assert done.returncode == 0
    assert done.stdout.decode().startswith(f"{name} on 12 cases\n")


def test_conform_reads_standard_input(quirks: Path) -> None:
    """A dash stands for standard input."""
    assert gaugeblock("conform", "-", given=quirks.read_bytes()).returncode == 0


def test_conform_tells_a_case_that_the_reference_disagrees_with(wrong: Path) -> None:
    """Not conformant: 1; the difference, the place, and the command that shows it again."""
    done = gaugeblock("conform", wrong)
    text = done.stdout.decode()
    assert done.returncode == 1
    assert "CASE AND REFERENCE DISAGREE in 1 case" in text
    assert 'terminations: unexpected {"node":"n","container":2}, {"node":"n","container":1}' in text
    assert "the case, taken for an answer, parts from the reference at invocation 1 (PLACE-6, RECL-4)" in text
    assert f"again: {shlex.join(['gaugeblock', 'conform', '--case', QUIRKS[0].id, str(wrong)])}" in text
    assert text.endswith("not conformant: 1 case at fault\n")


def test_conform_judges_a_command(quirks: Path) -> None:
    """The partial subject passes what it takes; of the twelve it takes none, which is not conformance."""
    assert gaugeblock("conform", "--", *PARTIAL).returncode == 0
    done = gaugeblock("conform", "--case", QUIRKS[0].id, quirks, "--", *PARTIAL)
    assert done.returncode == 1
    assert "not conformant: no case was judged" in done.stdout.decode()


@pytest.mark.parametrize("options", [(), ("--optimized",)])
def test_conform_judges_gaugeblock_served_by_itself(quirks: Path, options: tuple[str, ...]) -> None:
    """``serve`` is a subject like any other."""
    done = gaugeblock("conform", quirks, "--", *GAUGEBLOCK, "serve", *options)
    assert done.returncode == 0
    assert "judged: 12 of 12" in done.stdout.decode()


@pytest.mark.parametrize("words", [("-h",), ("--timeout", "5"), ("a b",)])
def test_what_stands_behind_the_dashes_belongs_to_the_subject(words: tuple[str, ...]) -> None:
    """Its options are its own, and are quoted in the command that judges a case again."""
    subject = (sys.executable, "-c", "import sys; sys.exit(repr(sys.argv[1:]))", *words)
    done = gaugeblock("conform", "--case", QUIRKS[0].id, "--", *subject)
    assert done.returncode == 3
    assert repr(list(words)) in message(done)
    assert shlex.join(subject) in message(done)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--", "no-such-command-anywhere"),
        ("--", sys.executable, "-c", "pass"),
        ("--subject", "no.such:thing"),
        ("--subject", ""),
    ],
)
def test_a_subject_that_cannot_be_run_is_status_three(arguments: tuple[str, ...]) -> None:
    """Nothing was judged, so that neither 0 nor 1 would be true."""
    done = gaugeblock("conform", *arguments)
    assert done.returncode == 3
    assert message(done).startswith("gaugeblock: the subject could not be run: ")


def test_a_subject_that_cannot_be_served_is_status_three() -> None:
    """As for ``conform``."""
    done = gaugeblock("serve", "--subject", "no.such:thing")
    assert done.returncode == 3
    assert message(done).startswith("gaugeblock: the subject could not be run: ")


def test_the_json_report_ends_with_a_footer(quirks: Path, wrong: Path) -> None:
    """A line for each case and a footer; two runs give the same bytes."""
    done = gaugeblock("conform", "--json", quirks)
    *cases, footer = map(json.loads, done.stdout.splitlines())
    assert [each["verdict"] for each in cases] == ["passed"] * 12
    assert footer["footer"]
    assert footer["conformant"]
    assert (footer["selected"], footer["judged"], footer["counts"]["passed"]) == (12, 12, 12)
    assert gaugeblock("conform", "--json", quirks).stdout == done.stdout
    failed = json.loads(gaugeblock("conform", "--json", wrong).stdout.splitlines()[0])
    assert failed["differences"][0] == {
        "category": "terminations",
        "unexpected": [{"node": "n", "container": 2}, {"node": "n", "container": 1}],
    }


def test_the_report_is_written_whole_or_not_at_all(quirks: Path, tmp_path: Path) -> None:
    """``--output`` takes the place of printing; a directory that is not there is bad usage."""
    report = tmp_path / "report.jsonl"
    done = gaugeblock("conform", "--json", "--output", report, quirks)
    assert (done.returncode, done.stdout) == (0, b"")
    assert len(report.read_text().splitlines()) == 13
    assert sorted(each.name for each in tmp_path.iterdir()) == ["quirks.jsonl", "report.jsonl"]


def test_an_output_that_cannot_be_written_is_told_before_the_run(quirks: Path, tmp_path: Path) -> None:
    """No subject is started for a report that would be lost."""
    started = tmp_path / "started"
    subject = ("touch", started)
    done = gaugeblock("conform", "--output", tmp_path / "nowhere" / "report", quirks, "--", *subject)
    assert done.returncode == 2
    assert "expected a writable file" in message(done)
    assert not started.exists()
    assert gaugeblock("conform", "--output", tmp_path / "report", quirks, "--", *subject).returncode == 3
    assert started.exists()
    assert not (tmp_path / "report").exists()


def test_the_cases_shown_in_full_can_be_limited() -> None:
    """All faults are counted, the first few shown."""
    silent = (sys.executable, "-c", DECIDES_NOTHING)
    done = gaugeblock("conform", "--show", "1", "--", *silent)
    text = done.stdout.decode()
    assert done.returncode == 1
    assert text.count("again: ") == 1
    assert "more cases at fault" in text


DECIDES_NOTHING = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        implementation = {"name": "idle", "version": "1", "language": "Python"}
        policies = {"eviction": ["fewest", "lru"]}
        answer = {"version": 1, "implementation": implementation, "policies": policies, "features": []}
    else:
        answer = {"seq": message.get("seq"), "decisions": {}}
    print(json.dumps(answer), flush=True)
"""

WAITS_IN_THE_SECOND_ROUND = """
import json, os, pathlib, sys, time
for number, line in enumerate(sys.stdin):
    if number == 2:
        pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
        time.sleep(60)
    implementation = {"name": "waiting", "version": "1", "language": "Python"}
    declaration = {"version": 1, "implementation": implementation, "policies": {}, "features": []}
    print(json.dumps(declaration if number == 0 else {"seq": json.loads(line)["seq"], "decisions": {}}), flush=True)
"""


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_prints_what_was_judged_so_far(quirks: Path, tmp_path: Path, ending: signal.Signals) -> None:
    """Ctrl-C or the end of a time limit: exit status 130, the verdict of the first case, and the subject ended."""
    command = [*GAUGEBLOCK, "conform", str(quirks), "--timeout", "60", "--", sys.executable, "-c", WAITS_IN_THE_SECOND_ROUND]
    second = tmp_path / "second"
    with subprocess.Popen([*command, str(second)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        while running.poll() is None and not (second.exists() and second.read_text()):
            time.sleep(0.05)
        running.send_signal(ending)
        output, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert b"Traceback" not in errors
    assert "stopped early: interrupted" in output.decode()
    assert "judged: 1 of 12 cases" in output.decode()
    with pytest.raises(ProcessLookupError):
        os.kill(int(second.read_text()), 0)


@pytest.mark.parametrize("verb", ["explain --example", "decide --example", "schema", "--help", "conform --case a-0001"])
def test_a_closed_pipe_is_no_error(verb: str) -> None:
    """The reader has seen enough; the status is that of other programs, and says nothing of conformance."""
    pipe = f"{{ {shlex.join(GAUGEBLOCK)} {verb}; echo $? >&2; }} | true"
    done = subprocess.run(pipe, shell=True, capture_output=True, timeout=120)
    assert done.stderr == b"141\n"


@pytest.mark.parametrize("verb", ["explain --example", "decide --example", "schema", "--help", "conform --case a-0001"])
def test_a_full_device_is_told(verb: str) -> None:
    """What could not be written whole is no success."""
    done = subprocess.run(f"{shlex.join(GAUGEBLOCK)} {verb} > /dev/full", shell=True, capture_output=True, timeout=120)
    assert (done.returncode, done.stderr) == (2, b"gaugeblock: No space left on device; expected to write the whole output\n")


@pytest.mark.parametrize(("streams", "status"), [("<&-", 2), (">&-", 2), ("<&- >&- 2>&-", 2)])
def test_streams_may_be_closed_from_the_start(streams: str, status: int) -> None:
    """They are as good as empty; nothing is said of it by a traceback."""
    command = f"{shlex.join(GAUGEBLOCK)} decide - {streams}"
    done = subprocess.run(command, shell=True, input=b"", capture_output=True, timeout=120)
    assert done.returncode == status
    assert b"Traceback" not in done.stderr


def test_an_output_that_is_no_regular_file_is_written_directly(quirks: Path, tmp_path: Path) -> None:
    """A named pipe stays one, as a device does, and a symbolic link stays a link to the file that is replaced."""
    pipe, link, report = tmp_path / "pipe", tmp_path / "link", tmp_path / "report"
    os.mkfifo(pipe)
    link.symlink_to(report)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert gaugeblock("conform", "--json", "--output", pipe, quirks).returncode == 0
        piped, _ = reader.communicate(timeout=60)
    assert pipe.is_fifo()
    assert gaugeblock("conform", "--json", "--output", link, quirks).returncode == 0
    assert link.is_symlink()
    assert report.read_bytes() == piped
    assert len(piped.splitlines()) == 13


@pytest.mark.parametrize(("verb", "shown"), [("decide", "n\u0153ud".encode()), ("explain", b"n\\u0153ud")])
def test_an_output_in_ascii_is_no_reason_to_fail(verb: str, shown: bytes) -> None:
    """Text escapes what the encoding of the terminal lacks; JSON stays UTF-8."""
    named = EXAMPLE.replace(b"node-0", "n\u0153ud".encode())
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*GAUGEBLOCK, verb, "-"], input=named, capture_output=True, env=environment, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert shown in done.stdout


def test_decide_takes_a_round_a_question_and_a_case() -> None:
    """The three forms of a question; the policies of the latter two count."""
    round_, policies = encode_round(LRU.round), encode_policies(LRU.policies)
    question = b'{"round": %b, "policies": %b}' % (round_, policies)
    expected = encode_decisions(LRU.decisions)
    assert same(gaugeblock("decide", "-", given=question).stdout, expected)
    assert same(gaugeblock("decide", "-", given=encode_case(LRU)).stdout, expected)
    assert same(gaugeblock("decide", "-", "--policy", "eviction=lru", given=round_).stdout, expected)
    assert not same(gaugeblock("decide", "-", "--policy", "eviction=fewest", given=encode_case(LRU)).stdout, expected)


def same(one: bytes, other: bytes) -> bool:
    """Whether two documents of decisions hold the same operations, in whatever order."""
    lists = [{key: sorted(map(str, value or ())) for key, value in json.loads(each).items()} for each in (one, other)]
    return lists[0] == lists[1]


def test_decide_takes_policies_with_parameters() -> None:
    """A pair for each parameter, or the object of a document."""
    pairs = gaugeblock("decide", "--example", "--policy", "plan_selection=random,seed=7")
    entry = gaugeblock("decide", "--example", "--policy", 'plan_selection={"name": "random", "seed": 7}')
    assert pairs.returncode == 0
    assert pairs.stdout == entry.stdout


@pytest.mark.parametrize("policies", [(), ("--policy", "eviction=gaugeblock.policies.builtin.eviction:LeastRecentlyUsed")])
def test_decide_asks_the_optimized_model(policies: tuple[str, ...]) -> None:
    """By its indexes, or with a policy that is not built in by its general path: the same bytes."""
    done = gaugeblock("decide", "--example", "--optimized", *policies)
    assert done.returncode == 0
    assert done.stdout == gaugeblock("decide", "--example", *policies).stdout


def test_decide_takes_a_case_of_the_corpus() -> None:
    """By its id, without a file."""
    assert same(gaugeblock("decide", "--case", LRU.id).stdout, encode_decisions(LRU.decisions))


def test_explain_tells_passes_rules_and_reasons() -> None:
    """A table and a sentence for each invocation."""
    text = gaugeblock("explain", "--example").stdout.decode()
    for fragment in (
        "Order (ROUND-4, POL-fcfs): 7, 8, 9, 10.",
        "Invocation 7 reuses container 1 on node-0 (PLACE-1): first-fit picks the only candidate (POL-first-fit).",
        "short of 1 position",
        "Invocation 9 has video loaded into RAM on node-1 (PLACE-4)",
        "to make room it evicts audio from RAM (RECL-2, POL-fewest)",
        "Invocation 10 waits on node-1 for video to be loaded into RAM (PLACE-3)",
        "Wake-up (WAKE-1): none",
    ):
        assert fragment in " ".join(text.split())


@pytest.mark.parametrize("case", QUIRKS, ids=lambda case: case.id)
def test_explain_tells_one_outcome_for_each_invocation(case: object) -> None:
    """Whatever the round, nobody is left out; the trace comes as JSON, too."""
    (found,) = (each for each in QUIRKS if each == case)
    text = gaugeblock("explain", "--case", found.id).stdout.decode()
    assert all(f"\nInvocation {each.id} of " in text for each in found.round.pending)


def test_explain_prints_the_trace_as_json() -> None:
    """One document."""
    trace = json.loads(gaugeblock("explain", "--json", "--example").stdout)
    assert [each["invocation"] for each in trace["placements"]] == [7, 8, 9, 10]


def test_schema_prints_one_or_all() -> None:
    """Each is JSON; an unknown name is bad usage that says which there are."""
    known = json.loads(gaugeblock("schema").stdout)
    assert json.loads(gaugeblock("schema", "case").stdout) == known["case"]
    done = gaugeblock("schema", "nonsense")
    assert done.returncode == 2
    assert "found no schema 'nonsense'; expected one of " in message(done)


BAD_USAGE = {
    "no verb": ((), "Usage: gaugeblock"),
    "an unknown verb": (("frobnicate",), "No such command 'frobnicate'"),
    "an unknown option": (("conform", "--frobnicate"), "No such option"),
    "no round": (("decide",), "Missing argument SOURCE"),
    "a round and the example": (("decide", "-", "--example"), "--example stands for a round by itself"),
    "a file that is not there": (("decide", "no/such/file"), "no/such/file: No such file or directory"),
    "cases that are not there": (("conform", "no/such/file"), "no/such/file: No such file or directory"),
    "a directory": (("conform", "."), ".: Is a directory"),
    "an unknown case": (("conform", "--case", "nobody"), "case 'nobody'"),
    "a subject twice": (("conform", "--subject", "reference", "--", "true"), "--subject names the subject already"),
    "two models to serve": (("serve", "--optimized", "--subject", "reference"), "--optimized names the subject already"),
    "no command": (("conform", "--"), "Missing the command behind --"),
    "standard input twice": (("conform", "-", "-"), "found - twice"),
    "a file without a name": (("decide", ""), ": No such file or directory"),
    "an invocation that is not there": (("explain", "--example", "--invocation", "99"), "found no invocation 99"),
    "one invocation of the whole trace": (("explain", "--example", "--json", "--invocation", "7"), "give no --invocation"),
    "time that is no number": (("conform", "--timeout", "nan"), "'nan' is not a number of seconds"),
    "an output without a name": (("conform", "--case", "a-0001", "--output", ""), "expected a writable file"),
    "no time": (("conform", "--timeout", "0"), "--timeout"),
    "time without end": (("conform", "--timeout", "inf"), "--timeout"),
    "an unknown kind": (("decide", "--example", "--policy", "colour=red"), "found the kind 'colour'"),
    "a kind alone": (("decide", "--example", "--policy", "eviction"), "found no name"),
    "an unknown policy": (("decide", "--example", "--policy", "eviction=red"), "found policy 'red'; expected one of fewest"),
    "a parameter without value": (("decide", "--example", "--policy", "eviction=lru,x"), "found 'x'"),
    "an unknown parameter": (("decide", "--example", "--policy", "eviction=lru,x=1"), "parameters of policy 'lru'"),
    "a broken entry": (("decide", "--example", "--policy", 'eviction={"name": 3}'), "$.eviction.name"),
    "a module that is not there": (("decide", "--example", "--policy", "eviction=no.such:thing"), "ModuleNotFoundError"),
}


@pytest.mark.parametrize("usage", BAD_USAGE)
def test_bad_usage_is_status_two_with_a_message(usage: str) -> None:
    """The message says what was found and what was expected."""
    arguments, fragment = BAD_USAGE[usage]
    done = gaugeblock(*arguments)
    assert done.returncode == 2
    assert fragment in message(done) + done.stdout.decode()


BAD_INPUT = {
    "nothing": (b"", "<stdin>: $: found the end of the document"),
    "a list": (b"[]", "<stdin>: $"),
    "half a document": (EXAMPLE[:300], "<stdin>: $.catalog.layers"),
    "an unknown key": (EXAMPLE.replace(b'"now"', b'"then"'), "$.then"),
    "an unknown function": (EXAMPLE.replace(b'"function": "encode"', b'"function": "decode"'), "$.pending[2].function"),
    "a bad policy": (b'{"round": %b, "policies": {"eviction": {}}}' % EXAMPLE, "$.policies.eviction.name"),
    "a bad round in a question": (b'{"round": {}, "policies": {}}', "$.round.now"),
}


@pytest.mark.parametrize("verb", ["decide", "explain"])
@pytest.mark.parametrize("document", BAD_INPUT)
def test_a_bad_round_is_status_two_with_its_path(document: str, verb: str) -> None:
    """The path leads to the place."""
    given, fragment = BAD_INPUT[document]
    done = gaugeblock(verb, "-", given=given)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message(done).startswith("gaugeblock: ")
    assert fragment in message(done)


def test_a_bad_case_is_status_two_with_its_line(quirks: Path) -> None:
    """Nothing is judged: no subject is started for a file that is wrong."""
    quirks.write_bytes(quirks.read_bytes() + b'{"id": 3}\n')
    done = gaugeblock("conform", quirks, "--", "no-such-command-anywhere")
    assert (done.returncode, done.stdout) == (2, b"")
    assert f"{quirks}:13: " in message(done)


def test_an_id_in_two_files_is_status_two(quirks: Path) -> None:
    """A case must be found again by its id."""
    done = gaugeblock("conform", quirks, quirks)
    assert done.returncode == 2
    assert "found the id" in message(done)


def test_a_file_without_cases_is_status_two(tmp_path: Path) -> None:
    """Nothing to judge is no success."""
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"\n\n")
    done = gaugeblock("conform", empty)
    assert done.returncode == 2
    assert "found no case" in message(done)


def test_a_bad_request_ends_serving_with_status_two() -> None:
    """The other side learns which line was wrong."""
    done = gaugeblock("serve", given=b'{"cmd": "start", "version": 1}\n{"cmd": "dance"}\n')
    assert done.returncode == 2
    assert json.loads(done.stdout)["version"] == 1
    assert "request 2: $.cmd" in message(done)
