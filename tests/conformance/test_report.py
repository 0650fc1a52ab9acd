"""Reports: all that is known of a fault, nothing that could confuse a terminal, and lines that programs can compare."""

import json
from io import StringIO

from rich.console import Console

from gaugeblock.conformance.records import json_lines
from gaugeblock.conformance.report import LONGEST_DETAIL, print_report
from gaugeblock.conformance.texts import LISTED
from gaugeblock.conformance.verdicts import CaseResult, CategoryDifference, Parting, RunResult, Verdict

FAILED = CaseResult(
    "c-1",
    Verdict.FAILED,
    "",
    (CategoryDifference("loads", ('{"node":"n","layer":"a"}',), ()), CategoryDifference("copies", reordered=True)),
    Parting("invocation 3", "PLACE-4", "the answer lacks a load"),
)


def printed(result: RunResult, show: int = 3, terminal: bool = False) -> str:
    """Return the report as text."""
    stream = StringIO()
    print_report(Console(file=stream, force_terminal=terminal, highlight=False, width=60), result, show, "again {}".format)
    return stream.getvalue()


def test_a_failure_is_told_with_differences_place_and_command() -> None:
    """Category by category, where the decisions part, and how to see it again; long lines are not broken."""
    text = printed(RunResult("s", 1, (FAILED,)))
    assert text.startswith(
        "c-1: failed\n"
        '    loads: missing {"node":"n","layer":"a"}\n'
        "    copies: the same operations in another order\n"
        "    the answer parts from the reference at invocation 3 (PLACE-4): the answer lacks a load\n"
        "    again: again c-1\n"
    )
    assert text.endswith("not conformant: 1 case at fault\n")


def test_colours_are_for_terminals_only() -> None:
    """A report in a file has no escape sequences."""
    assert "\x1b[" in printed(RunResult("s", 1, (FAILED,)), terminal=True)
    assert "\x1b" not in printed(RunResult("s", 1, (FAILED,)))


def test_control_characters_of_a_subject_do_not_reach_the_terminal() -> None:
    """Neither in the detail of a fault nor in the reason of a skip."""
    results = (CaseResult("a", Verdict.ERRORED, "\x1b[2J"), CaseResult("b", Verdict.SKIPPED, "\x07"))
    text = printed(RunResult("s", 2, results))
    assert "    \\x1b[2J\n" in text
    assert "skipped: 1 case: \\x07\n" in text
    assert not set("\x1b\x07") & set(text)


def test_long_lists_of_operations_are_cut() -> None:
    """Enough to see the pattern, and how many more there are."""
    difference = CategoryDifference("loads", (), tuple(map(str, range(LISTED + 5))))
    text = printed(RunResult("s", 1, (CaseResult("c", Verdict.FAILED, "", (difference,)),)))
    assert f", {LISTED - 1} and 5 more\n" in text


def test_an_interrupted_run_says_what_was_not_reached() -> None:
    """Which is no conformance, although nothing went wrong."""
    text = printed(RunResult("s", 3, (CaseResult("c", Verdict.PASSED),), "interrupted"))
    assert "not reached" in text
    assert "stopped early: interrupted\nnot conformant: the run did not come to its end\n" in text


def test_the_records_are_one_json_object_a_line_with_a_footer() -> None:
    """By whose absence a truncated report is noticed."""
    first, footer = map(json.loads, json_lines(RunResult("s", 1, (FAILED,)), strict_order=True))
    assert first["differences"] == [
        {"category": "loads", "missing": [{"node": "n", "layer": "a"}]},
        {"category": "copies", "reordered": True},
    ]
    assert first["parting"]["clause"] == "PLACE-4"
    assert footer["footer"]
    assert footer["strict_order"]
    assert not footer["conformant"]
    assert footer["counts"]["failed"] == 1


def test_what_a_subject_says_at_length_is_cut() -> None:
    """One message may be megabytes long, and every skip may have a reason of its own."""
    errored = CaseResult("a", Verdict.ERRORED, "x" * 10**6)
    skipped = tuple(CaseResult(f"s-{number}", Verdict.SKIPPED, f"reason {number}") for number in range(LISTED + 7))
    text = printed(RunResult("s", 20, (errored, *skipped)))
    assert "more characters)..." in text
    assert len(text) < 2 * LONGEST_DETAIL
    assert text.count("skipped: 1 case: reason") == LISTED
    assert "skipped: 7 cases for 7 other reasons\n" in text


def test_names_of_cases_and_subjects_do_not_reach_the_terminal_raw() -> None:
    """A case file may come from anybody, and so may the end of a run."""
    result = RunResult("s\x1b[2J", 1, (CaseResult("c\u202e\x1b[2J", Verdict.CRASHED, "gone"),), "\x07")
    text = printed(result)
    assert "c\\u202e\\x1b[2J: crashed\n" in text
    assert not set("\x1b\x07\u202e") & set(text)
