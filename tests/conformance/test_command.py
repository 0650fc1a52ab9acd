"""Subjects that are commands, well behaved and otherwise: each fault gets its verdict, and the run goes on (scenario B29)."""

import sys
from pathlib import Path

import pytest

from gaugeblock.conformance.answers import Answer
from gaugeblock.conformance.campaign import run
from gaugeblock.conformance.command import FUTILE_STARTS, CommandSubject
from gaugeblock.conformance.errors import SubjectNotRunnable
from gaugeblock.conformance.process import Limits
from gaugeblock.conformance.verdicts import RunResult, Verdict
from gaugeblock.model import Catalog, Decisions, Node, NodeName, NodeStatus, ObservedState, PolicyNames
from gaugeblock.wire.cases import Case

LIMITS = Limits(start_seconds=60.0, answer_seconds=60.0, grace_seconds=2.0, line_bytes=300_000)
"""Generous, so that a busy machine is not taken for a faulty subject; only what never comes is waited for shortly."""

IMPATIENT = LIMITS._replace(answer_seconds=0.5)
DATE_OF_FAULT = 2.0

SUBJECT = """
import json, os, signal, subprocess, sys, time

def say(message):
    print(json.dumps(message), flush=True)

def answer(seq):
    say({"seq": seq, "decisions": {}})

for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        implementation = {"name": "scripted", "version": "1", "language": "Python"}
        say({"version": 1, "implementation": implementation, "policies": {}, "features": []})
    elif message["cmd"] == "stop":
        break
    else:
        seq, date = message["seq"], message["round"]["now"]
        FAULT
"""

FAULTS = {
    "silence": ("continue", Verdict.TIMED_OUT, "no answer within 0.5 s"),
    "slowness": ("time.sleep(300); answer(seq)", Verdict.TIMED_OUT, "no answer within 0.5 s"),
    "a flood of stdout": ("while True: sys.stdout.write('x' * 65536)", Verdict.MALFORMED, "a line of more than 300000 bytes"),
    "a flood of stdout lines": ("while True: print('x' * 80)", Verdict.MALFORMED, "'xxxxxx"),
    "a flood of stderr, for ever": ("while True: sys.stderr.write('x' * 65536)", Verdict.TIMED_OUT, "no answer"),
    "death": ("os._exit(5)", Verdict.CRASHED, "it exited with status 5"),
    "death by a signal": ("os.kill(os.getpid(), signal.SIGSEGV)", Verdict.CRASHED, "it was ended by SIGSEGV"),
    "death in mid-answer": (
        "sys.stdout.write('{\"seq\": ' + str(seq)); sys.stdout.flush(); os._exit(5)",
        Verdict.CRASHED,
        'having begun the line \'{"seq": ',
    ),
    "death with last words": ("sys.exit('no more memory')", Verdict.CRASHED, "its standard error ends:\nno more memory"),
    "leaving in peace": ("sys.exit(0)", Verdict.CRASHED, "it exited with status 0"),
    "a grandchild that holds stdout": (
        "subprocess.Popen(['sleep', '300']); os._exit(5)",
        Verdict.CRASHED,
        "it exited with status 5",
    ),
    "SIGTERM ignored": (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(300)",
        Verdict.TIMED_OUT,
        "no answer within 0.5 s",
    ),
    "stdout closed": ("os.close(1); time.sleep(300)", Verdict.CRASHED, "it closed its standard output"),
    "the wrong seq": ("answer(seq + 1)", Verdict.MALFORMED, "$.seq: found "),
    "a seq as text": ("answer(str(seq))", Verdict.MALFORMED, "$.seq: found '"),
    "no seq": ("say({'decisions': {}})", Verdict.MALFORMED, "$.seq: found no such key"),
    "two answers": ("answer(seq); answer(seq)", Verdict.MALFORMED, "it answered this round more than once"),
    "two answers in one write": (
        "text = json.dumps({'seq': seq, 'decisions': {}}); print(text + chr(10) + text, flush=True)",
        Verdict.MALFORMED,
        "it answered this round more than once",
    ),
    "invalid UTF-8": (
        'sys.stdout.buffer.write(b\'{"seq": "\\xff\\xfe"}\\n\'); sys.stdout.flush()',
        Verdict.MALFORMED,
        "bytes that are not UTF-8",
    ),
    "chatter on stdout": ("print('thinking', flush=True); answer(seq)", Verdict.MALFORMED, "in the line 'thinking'"),
    "an unknown category": ("say({'seq': seq, 'decisions': {'moves': []}})", Verdict.MALFORMED, "$.decisions.moves"),
    "neither decisions nor an excuse": ("say({'seq': seq})", Verdict.MALFORMED, "expected"),
    "a slow drip without line feed": (
        "while True: sys.stdout.write('x'); sys.stdout.flush(); time.sleep(0.01)",
        Verdict.TIMED_OUT,
        "no answer within 0.5 s",
    ),
    "a key twice": ('print(\'{"seq": %d, "seq": %d}\' % (seq, seq), flush=True)', Verdict.MALFORMED, "a second time"),
    "NaN": (
        'print(\'{"seq": %d, "decisions": {"wakeup": NaN}}\' % seq, flush=True)',
        Verdict.MALFORMED,
        "$.decisions.wakeup: found 'NaN'",
    ),
    "a quotation of quotations, never closed": (
        "print('{\"seq\": \"' + (chr(92) + '\"') * 100000, flush=True)",
        Verdict.MALFORMED,
        "$.seq: found the end of the document",
    ),
    "its own error": ("say({'seq': seq, 'errored': {'message': 'division'}})", Verdict.ERRORED, "division"),
    "an excuse": ("say({'seq': seq, 'skipped': {'reason': 'too new'}})", Verdict.SKIPPED, "the subject says: too new"),
    "wrong decisions": ("say({'seq': seq, 'decisions': {'activations': ['n']}})", Verdict.FAILED, ""),
}

HARMLESS = {
    "a stray line on stderr": "sys.stderr.write('a line of log\\n'); answer(seq)",
    "a flood of stderr before the answer": "sys.stderr.write('log ' * 500000); sys.stderr.flush(); answer(seq)",
    "stderr closed": "os.close(2); answer(seq)",
    "white space around the answer": "print('  ' + json.dumps({'seq': seq, 'decisions': {}}) + '\\r', flush=True)",
}


class WithoutPatienceForTheFault(CommandSubject):
    """Waits long for answers that come, and shortly for the one that is due when the fault shows and never comes."""

    def put(self, case: Case) -> Answer:
        """Put the round with the limits of its date."""
        self._limits = IMPATIENT if case.round.now == DATE_OF_FAULT else LIMITS
        return super().put(case)


def script_of(fault: str) -> list[str]:
    """Return the command of a subject that behaves, but for ``fault`` where it should answer."""
    return [sys.executable, "-c", SUBJECT.replace("FAULT", fault)]


def subject(fault: str) -> CommandSubject:
    """Return a subject that behaves, but for ``fault`` where it should answer."""
    return CommandSubject(script_of(fault), LIMITS)


def at_date_two(fault: str, verdict: Verdict = Verdict.PASSED) -> CommandSubject:
    """Return a subject with ``fault`` in the round of date 2 only."""
    kind = WithoutPatienceForTheFault if verdict is Verdict.TIMED_OUT else CommandSubject
    return kind(script_of(f"if date != {DATE_OF_FAULT}: answer(seq); continue\n        {fault}"), LIMITS)


def cases(count: int) -> tuple[Case, ...]:
    """Return cases in which nothing is to be decided, at the dates 0, 1, 2 and so on."""
    node = Node(NodeName("n"), NodeStatus.ACTIVATED, 10, 10, 1, 1)
    rounds = (ObservedState(float(date), Catalog(), (node,)) for date in range(count))
    return tuple(Case(f"at-{state.now:g}", state, PolicyNames(), Decisions()) for state in rounds)


def verdicts(result: RunResult) -> list[Verdict]:
    """Return the verdicts in the order of the cases."""
    return [each.verdict for each in result.results]


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_gets_its_verdict_and_the_run_goes_on(fault: str) -> None:
    """One case goes wrong in its own way; those before and after it pass."""
    script, verdict, detail = FAULTS[fault]
    result = run(cases(4), at_date_two(script, verdict))
    assert verdicts(result) == [Verdict.PASSED, Verdict.PASSED, verdict, Verdict.PASSED]
    assert detail in result.results[2].detail
    assert result.stopped is None
    assert result.is_conformant == (verdict is Verdict.SKIPPED)


@pytest.mark.parametrize("quirk", HARMLESS)
def test_what_the_protocol_leaves_free_is_no_fault(quirk: str) -> None:
    """Standard error is free for logs, and white space around a message means nothing."""
    assert run(cases(4), at_date_two(HARMLESS[quirk])).is_conformant


def test_the_last_case_can_be_answered_twice() -> None:
    """A further answer that comes only after the subject was told to stop still counts."""
    result = run(cases(3), at_date_two("answer(seq); answer(seq)"))
    assert verdicts(result) == [Verdict.PASSED, Verdict.PASSED, Verdict.MALFORMED]


def test_an_answer_given_twice_is_found_however_late_it_comes() -> None:
    """The second answer to the round of date 0 arrives only after that of date 1."""
    late = subject("first = seq if date == 0.0 else first; answer(seq); date != 1.0 or answer(first)")
    assert verdicts(run(cases(4), late)) == [Verdict.MALFORMED, Verdict.PASSED, Verdict.PASSED, Verdict.PASSED]


def test_a_flood_of_answers_to_an_earlier_round_is_no_answer() -> None:
    """Each is one more answer to that round, and none of them holds up the time of this one."""
    flood = WithoutPatienceForTheFault(
        script_of(
            "if date < 2.0: first = seq; answer(seq); continue\n        while date == 2.0: answer(first)\n        answer(seq)"
        ),
        LIMITS,
    )
    expected = [Verdict.PASSED, Verdict.MALFORMED, Verdict.TIMED_OUT, Verdict.PASSED]
    assert verdicts(run(cases(4), flood)) == expected


def test_a_subject_that_never_reads_is_timed_out() -> None:
    """The request is larger than the pipe, so that a sender that waited for its reader would wait for ever."""
    deaf = WithoutPatienceForTheFault(script_of("answer(seq); date != 1.0 or time.sleep(300)"), LIMITS)
    node = NodeName("n" * 1_000_000)
    large = ObservedState(DATE_OF_FAULT, Catalog(), (Node(node, NodeStatus.ACTIVATED, 10, 10, 1, 1),))
    selected = (*cases(2), Case("large", large, PolicyNames(), Decisions()), *cases(4)[3:])
    expected = [Verdict.PASSED, Verdict.PASSED, Verdict.TIMED_OUT, Verdict.PASSED]
    assert verdicts(run(selected, deaf)) == expected


def test_a_subject_that_dies_each_time_is_given_up() -> None:
    """After so many deaths in a row the rest is not tried, and the result says so."""
    result = run(cases(FUTILE_STARTS + 5), subject("os._exit(5)"))
    assert verdicts(result) == [Verdict.CRASHED] * FUTILE_STARTS
    assert result.stopped == f"the subject gave no answer {FUTILE_STARTS} times in a row, each time started afresh"
    assert not result.is_conformant


def test_deaths_with_answers_between_them_are_not_in_a_row() -> None:
    """A subject that answers every other round is asked them all."""
    result = run(cases(2 * FUTILE_STARTS + 4), subject("answer(seq) if date % 2 else os._exit(5)"))
    assert result.stopped is None
    assert result.count(Verdict.PASSED) == FUTILE_STARTS + 2


def test_a_subject_that_cannot_be_started_again_is_crashed(tmp_path: Path) -> None:
    """It ran once; that it no longer starts is a crash of each later case, not an end of the run."""
    flag = tmp_path / "once"
    once = f"import os; os.mkdir({str(flag)!r})\n" + SUBJECT.replace("FAULT", "answer(seq) if date == 0.0 else os._exit(5)")
    result = run(cases(4), CommandSubject([sys.executable, "-c", once], LIMITS))
    assert verdicts(result) == [Verdict.PASSED, Verdict.CRASHED, Verdict.CRASHED, Verdict.CRASHED]
    assert "it could not be started again: it exited with status 1" in result.results[2].detail


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ([str(Path("no") / "such" / "command")], "No such file or directory"),
        ([sys.executable, "-c", "import sys; sys.exit('bad luck')"], "it exited with status 1, before it declared anything"),
        ([sys.executable, "-c", "import time; time.sleep(300)"], "no answer within 1 s, before it declared anything"),
        ([sys.executable, "-c", "print('hello')"], "its declaration: $: found 'hello'"),
        ([sys.executable, "-c", "print('{\"version\": 2}')"], "$.version: found 2"),
        ([sys.executable, "-c", "import sys; sys.stdout.write('x' * 10**6)"], "a line of more than 300000 bytes"),
    ],
)
def test_a_subject_that_declares_nothing_cannot_be_run(command: list[str], reason: str) -> None:
    """There is nothing to judge (exit status 3)."""
    limits = LIMITS._replace(start_seconds=1.0) if "sleep" in command[-1] else LIMITS
    with pytest.raises(SubjectNotRunnable) as raised:
        run(cases(1), CommandSubject(command, limits))
    assert reason in str(raised.value)
