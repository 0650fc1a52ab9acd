"""The command line as its users meet it: exit statuses, one message for each error, and never a traceback."""

import json
import shlex
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from command_lines import GAUGEBLOCK, gaugeblock, message

from gaugeblock.conformance.subjects import decide_by_reference
from gaugeblock.corpus import load
from gaugeblock.model import Decisions, PolicyNames, replace
from gaugeblock.version import __version__
from gaugeblock.wire.cases import encode_case
from gaugeblock.wire.decisions import encode_decisions
from gaugeblock.wire.policies import encode_policies
from gaugeblock.wire.rounds import encode_round

PARTIAL = (sys.executable, "-m", "gaugeblock.examples.partial_subject")
EXAMPLE = files("gaugeblock.examples").joinpath("first-round.json").read_bytes()
QUIRKS = load("wrench-quirks")
LRU = next(
    case
    for case in load("wrench-shared")
    if case.policies.eviction.name == "lru" and decide_by_reference(case.round, PolicyNames()) != case.decisions
)


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
