"""``gaugeblock prove``: exit statuses, tables, JSON lines, replays."""

from __future__ import annotations

import importlib.util
import json
import shlex
from importlib.machinery import ModuleSpec
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from gaugeblock.cli import main as entry

WITNESS = files("gaugeblock_proofs") / "witnesses" / "POL-fewest.not-optimal.replay.json"


def run(*arguments: str) -> int:
    """Run the command line; return its exit status."""
    with pytest.raises(SystemExit) as exit_info:
        entry.main(["prove", *arguments])
    code = exit_info.value.code
    assert isinstance(code, int)
    return code


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def test_proved_theorems_are_shown_with_their_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    """A row for each theorem, and status 0."""
    assert run("--theorem", "ACCT-5.load", "--theorem", "RECL-1.deficits", "--jobs", "1") == 0
    shown = capsys.readouterr()
    assert "ACCT-5.load" in shown.out
    assert "2 of 2 theorems as stated" in shown.out
    assert "0 parts from the cache" in shown.out
    assert shown.err == ""


def test_a_second_run_is_taken_from_the_cache(capsys: pytest.CaptureFixture[str]) -> None:
    """Unless --no-cache is given."""
    for arguments, cached in (((), 0), ((), 1), (("--no-cache",), 0)):
        assert run("--theorem", "ACCT-5.load", "--jobs", "1", *arguments) == 0
        assert f"{cached} parts from the cache" in capsys.readouterr().out


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The proof stands all the same."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert run("--theorem", "ACCT-5.load", "--jobs", "1") == 0
    assert "1 of 1 theorems as stated" in capsys.readouterr().out


def test_a_folder_that_cannot_take_counterexamples_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2, and what was expected there."""
    (tmp_path / "file").write_text("in the way")
    assert run("--theorem", "POL-fewest.not-optimal", "--counterexamples", "file/here", "--jobs", "1", "--no-cache") == 2
    assert "file/here: Not a directory; expected a folder for counterexamples" in capsys.readouterr().err


def test_json_lines_end_with_a_footer(capsys: pytest.CaptureFixture[str]) -> None:
    """A truncated report is noticed."""
    assert run("--theorem", "ACCT-5.load", "--json", "--jobs", "1", "--no-cache") == 0
    *records, footer = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(record["theorem"], record["verdict"], record["as_stated"]) for record in records] == [
        ("ACCT-5.load", "proved", True)
    ]
    assert footer == {"theorems": 1, "as_stated": 1, "not_as_stated": 0}


@pytest.mark.parametrize(
    "arguments",
    [
        ("--family", "NONE"),
        ("--clause", "ACCT-99"),
        ("--theorem", "x"),
        ("--sample", "abc"),
        ("--jobs", "0"),
        ("--replay", "none"),
        ("--replay", "none", "--deep"),
        ("--mutants", "--deep"),
        ("--mutants", "--counterexamples", "found"),
        ("--counterexamples", ""),
    ],
)
def test_a_bad_option_ends_with_status_2(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """With a message, not a traceback."""
    assert run(*arguments) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_without_the_prover_it_ends_with_status_2(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The message names the extra."""
    found = importlib.util.find_spec

    def without_z3(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "z3" else found(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", without_z3)
    assert run("--theorem", "ACCT-5.load") == 2
    assert "gaugeblock[proofs]" in capsys.readouterr().err


def test_a_counterexample_is_written_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The commands that are printed run."""
    assert run("--theorem", "RECL-6.credit-any", "--jobs", "1", "--counterexamples", str(tmp_path / "found")) == 0
    commands = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("  gaugeblock ")]
    (explained,) = [words[2] for words in commands if words[1] == "explain"]
    (replayed,) = [words[3] for words in commands if words[1] == "prove"]
    assert run("--replay", replayed) == 1
    assert "FAILS: when a plan is found" in capsys.readouterr().out
    with pytest.raises(SystemExit) as exit_info:
        entry.main(["explain", explained])
    assert exit_info.value.code == 0


def test_a_published_counterexample_is_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    """Status 1: it still fails."""
    with as_file(WITNESS) as path:
        assert run("--replay", str(path)) == 1
    assert "f0.disk_bytes = 1" in capsys.readouterr().out


def test_a_file_that_is_no_counterexample_ends_with_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message says what was expected."""
    other = tmp_path / "other.json"
    other.write_text('{"theorem": 3}')
    assert run("--replay", str(other)) == 2
    assert "expected a counterexample" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("was", "became"),
    [
        (b'"1"', b'"-5"'),
        (b'"1"', b'"1/2"'),
        (b'"choices": [', b'"choices": [99, '),
        (b'"choices": [', b'"choices": [-1, '),
        (b'"theorem": "RECL-6.credit-any"', b'"theorem": "RECL-1.deficits"'),
        (b'"theorem"', b'"unheard-of": 1, "theorem"'),
    ],
)
def test_a_counterexample_of_another_time_ends_with_status_2(
    was: bytes, became: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its numbers or choices are not those that the theorem, as it is now, asks for."""
    text = (files("gaugeblock_proofs") / "witnesses" / "RECL-6.credit-any.replay.json").read_bytes()
    assert was in text
    old = tmp_path / "old.json"
    old.write_bytes(text.replace(was, became, 1))
    assert run("--replay", str(old)) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_commands_quote_the_names_of_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They can be pasted into a shell as they are."""
    folder = tmp_path / "a folder"
    assert run("--theorem", "RECL-6.credit-any", "--jobs", "1", "--counterexamples", str(folder)) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines() if line.startswith("  gaugeblock ")]
    assert [Path(shlex.split(line)[-1]).parent for line in lines] == [folder, folder]


def test_a_sample_of_mutants_is_refuted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 0, and the count is told."""
    from gaugeblock_proofs.mutants import campaign

    monkeypatch.setattr(campaign, "SAMPLE_SIZE", 4)
    assert run("--theorem", "ACCT-5.load", "--mutants", "--sample", "abc", "--jobs", "1", "--json") == 0
    *records, footer = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(records) == footer["mutants"] == footer["refuted"]
