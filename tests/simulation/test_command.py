"""``gaugeblock simulate`` as its users meet it."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from command_lines import GAUGEBLOCK

from gaugeblock.cli.errors import InvalidOption, UnwritableOutput
from gaugeblock.cli.main import cli
from gaugeblock.model import Decisions, ObservedState, RoundTrace, replace
from gaugeblock.scheduler import GreedyScheduler, scheduler_from
from gaugeblock.simulation.services import SERVICES, ReferenceService
from gaugeblock.wire.cases import decode_case
from gaugeblock.wire.histories import read_history

SMALL = ("--invocations", "150")


def run(*arguments: str | Path) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(cli, ["simulate", *map(str, arguments)])


def summaries(*arguments: str | Path) -> list[dict[str, Any]]:
    """Return the lines that a run prints for programs."""
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_same_options_give_the_same_bytes(tmp_path: Path) -> None:
    """Report, history and picture."""

    def outputs(name: str) -> tuple[str, bytes, bytes]:
        events, picture = tmp_path / f"{name}.jsonl", tmp_path / f"{name}.svg"
        done = run(*SMALL, "--events", events, "--timeline", picture, "--shadow", "0.1")
        assert done.exit_code == 0, done.output
        return done.stdout, events.read_bytes(), picture.read_bytes()

    assert outputs("one") == outputs("two")


def test_any_round_of_the_history_becomes_a_case(tmp_path: Path) -> None:
    """What replay cuts out is the round that was simulated, and the reference decides it."""
    events = tmp_path / "run.jsonl"
    (line,) = summaries(*SMALL, "--events", events)
    history = read_history(events)
    assert len(history.happenings) == line["summary"]["events"]
    done = CliRunner().invoke(cli, ["replay", str(events), "--round", "40", "--as-case"])
    assert done.exit_code == 0, done.output
    case = decode_case(done.stdout.encode())
    assert case.round.now == history.happenings[40].event.date
    assert scheduler_from(case.policies).schedule(case.round)[0] == case.decisions


def test_the_default_run_shows_every_kind_of_reclamation() -> None:
    """Cold and warm starts, waits, terminations, evictions from RAM and from disk, and no refusal."""
    (line,) = summaries()
    summary = line["summary"]
    for name in ("cold", "warm", "waited", "terminations", "ram_evictions", "disk_evictions", "idle_timeouts"):
        assert summary[name] > 0, name
    assert summary["refusals"] == []


def test_variants_are_compared_side_by_side() -> None:
    """One line for each combination; a parameter belongs to the name before it."""
    found = summaries(*SMALL, "--compare", "eviction=fewest,lru", "--compare", "plan_selection=eviction-averse,random,seed=7")
    assert [line["variant"] for line in found] == [
        "fewest, eviction-averse",
        "fewest, random,seed=7",
        "lru, eviction-averse",
        "lru, random,seed=7",
    ]
    assert found[3]["policies"] == {"eviction": {"name": "lru"}, "plan_selection": {"name": "random", "seed": 7}}


def test_the_table_names_the_variants() -> None:
    """As headings of its columns."""
    done = run(*SMALL, "--compare", "eviction=fewest,lru")
    assert done.exit_code == 0
    assert "fewest" in done.stdout
    assert "lru" in done.stdout


def test_policies_that_are_not_built_in_run_on_the_optimized_service() -> None:
    """By its general way, with the same outcome."""
    own = summaries(*SMALL, "--policy", "eviction=gaugeblock.policies.builtin.eviction:Fewest")
    assert own[0]["summary"] == summaries(*SMALL)[0]["summary"]


def test_both_services_give_the_same_summary() -> None:
    """But for the name of the service."""
    found = [summaries(*SMALL, "--service", name)[0]["summary"] for name in ("reference", "optimized")]
    assert {**found[0], "service": ""} == {**found[1], "service": ""}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--nodes", "0"), "nodes"),
        (("--active", "7"), "active"),
        (("--ram", "4 gigs"), "expected bytes"),
        (("--ram", "9999PiB"), "expected bytes"),
        (("--minutes", "9:3"), "expected minutes"),
        (("--azure", "."), "expected both"),
        (("--azure", ".", "--docker", ".", "--workload", "w"), "expected one workload"),
        (("--workload", "no-such-file"), "no-such-file"),
        (("--startup", "-1"), "startup"),
        (("--head-bandwidth", "0"), "head_bandwidth"),
        (("--idle-timeout", "nan"), "idle_timeout"),
        (("--tail", "-1"), "tail"),
        (("--shadow", "2"), "shadow"),
        (("--policy", "eviction=none-such"), "none-such"),
        (("--policy", "invocation_failing=pending-timeout,seconds=-1"), "pending-timeout"),
        (("--compare", "eviction=lru"), "two or more"),
        (("--compare", "eviction=lru,fewest", "--compare", "eviction=lru,fewest"), "each kind once"),
        (("--compare", "eviction=lru,fewest", "--events", "f"), "expected one run"),
        (("--timeline", "picture.pdf"), ".svg or .png"),
        (("--events", "no/such/directory/f"), "writable"),
    ],
)
def test_bad_input_is_one_message_and_status_2(arguments: tuple[str, ...], words: str) -> None:
    """Never a traceback."""
    done = subprocess.run(
        [*GAUGEBLOCK, "simulate", *SMALL, *arguments],
        capture_output=True,
        check=False,
    )
    message = done.stderr.decode()
    assert done.returncode == 2
    assert words in message
    assert "Traceback" not in message


def test_an_interrupted_run_keeps_and_reports_what_was_done(tmp_path: Path) -> None:
    """Status 130; the history is whole and holds every event that the summary counts."""
    events = tmp_path / "run.jsonl"
    command = [*GAUGEBLOCK, "simulate"]
    command += ["--invocations", "100000000", "--events", str(events), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=tmp_path) as process:
        while process.poll() is None and not any(path.stat().st_size > 50_000 for path in tmp_path.glob(".run.jsonl.*")):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    summary = json.loads(output)["summary"]
    assert summary["finished"] is False
    assert len(read_history(events).happenings) == summary["events"] > 0
    assert list(tmp_path.iterdir()) == [events]


def test_a_divergence_is_status_1_and_its_round_is_kept_as_a_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The case holds what the reference decides."""
    monkeypatch.setitem(SERVICES, "reference", lambda opening: ReferenceService(opening, Lazy()))
    kept = tmp_path / "divergent.jsonl"
    done = run(*SMALL, "--service", "reference", "--shadow", "1", "--divergent", kept)
    assert done.exit_code == 1
    assert "the reference differs in dispatches" in done.stdout
    case = decode_case(kept.read_bytes().splitlines()[0])
    assert scheduler_from(case.policies).schedule(case.round)[0] == case.decisions


class Lazy:
    """A wrong scheduler that never dispatches the last of several."""

    def schedule(self, observed: ObservedState) -> tuple[Decisions, RoundTrace | None]:
        """Decide like the reference, and drop a dispatch where there are two or more."""
        decisions, trace = GreedyScheduler().schedule(observed)
        return (replace(decisions, dispatches=decisions.dispatches[:1]) if decisions.dispatches[1:] else decisions), trace


def test_a_file_that_cannot_be_written_is_told_before_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever file it is, no event is taken first."""
    monkeypatch.setitem(SERVICES, "optimized", lambda opening: pytest.fail("the run began"))
    for option, name in (("--events", "run.jsonl"), ("--divergent", "cases.jsonl"), ("--timeline", "use.svg")):
        done = run(*SMALL, option, tmp_path / "nowhere" / name)
        assert isinstance(done.exception, UnwritableOutput)


def test_two_outputs_in_one_file_are_refused(tmp_path: Path) -> None:
    """The one would take the other's place."""
    done = run(*SMALL, "--events", tmp_path / "one", "--divergent", f"{tmp_path}/./one")
    assert isinstance(done.exception, InvalidOption)
    assert list(tmp_path.iterdir()) == []
