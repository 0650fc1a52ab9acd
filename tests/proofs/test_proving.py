"""What counts as proved, and what the cache may remember."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from gaugeblock.cli.prove import prove_and_report
from gaugeblock.model import replace
from gaugeblock_proofs import code, running
from gaugeblock_proofs.engine import Budget, TheoremMisuse, Verdict
from gaugeblock_proofs.proving import prove_part, replay_part
from gaugeblock_proofs.registry import by_id, select
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes

FAST = ("ACCT-1", "ACCT-4", "ACCT-5", "ACCT-7", "RECL-1", "WAKE-2")
PLENTY = Budget()
USE = "gaugeblock.round.accounting.use"


def made(
    body: Callable[[Setting], None],
    labels: tuple[str, ...] = ("it",),
    expected: Verdict = Verdict.PROVED,
    budget: Budget = PLENTY,
) -> Theorem:
    """Return a theorem with one part."""
    parts = (Part("part", body, budget=budget),)
    return Theorem("ACCT-9.made", "Made.", ("ACCT-9",), (USE,), shapes("none"), parts, labels, expected)


def right(setting: Setting) -> None:
    """Hold."""
    setting.path.prove(setting.symbols.integer("x") >= 0, "it")


def wrong(setting: Setting) -> None:
    """Fail at 7 and beyond."""
    setting.path.prove(setting.symbols.integer("x") < 7, "it")


def silent(setting: Setting) -> None:
    """Oblige to nothing."""
    setting.symbols.integer("x")


def asking_too_much(setting: Setting) -> None:
    """Ask a symbol for what only a number has."""
    hash(setting.symbols.integer("x"))
    setting.path.prove(True, "it")


def endless(setting: Setting) -> None:
    """Fork without end."""
    x, steps = setting.symbols.integer("x"), 0
    while x > steps:
        steps += 1
    setting.path.prove(True, "it")


def assuming_the_impossible(setting: Setting) -> None:
    """Be left with no input."""
    setting.path.assume_accepted(lambda: ["never"])
    setting.path.prove(False, "it")


@pytest.mark.parametrize("theorem", select(clauses=FAST), ids=lambda theorem: theorem.id)
def test_a_fast_theorem_is_proved(theorem: Theorem) -> None:
    """The shipped code has these properties, for all numbers of the scope."""
    for part in running.parts_of(theorem, deep=False)[:2]:
        result = prove_part(theorem, part)
        assert result.as_stated, result


def test_a_proof_ends_with_status_0() -> None:
    """Everything as stated."""
    assert prove_and_report((made(right),), False, 1, True, True, None) == 0


def test_a_false_claim_that_is_refuted_ends_with_status_0(tmp_path: Path) -> None:
    """The theorem states that it is false."""
    assert prove_and_report((made(wrong, expected=Verdict.REFUTED),), False, 1, True, True, str(tmp_path)) == 0


@pytest.mark.parametrize(
    "theorem",
    [
        made(wrong),
        made(silent),
        made(asking_too_much),
        made(endless, budget=Budget(paths=20)),
        made(endless, budget=Budget(decisions_per_path=20)),
        made(right, budget=Budget(queries=0, paths=0)),
        made(assuming_the_impossible),
        made(right, labels=("it", "never reached")),
        made(right, expected=Verdict.REFUTED),
        made(silent, expected=Verdict.REFUTED),
    ],
    ids=[
        "refuted",
        "no assertion",
        "unsupported operation",
        "too many paths",
        "too deep a path",
        "no budget",
        "no input",
        "a label not reached",
        "a false claim that holds",
        "a false claim that is not refuted",
    ],
)
def test_whatever_falls_short_of_a_proof_ends_with_status_1(theorem: Theorem, tmp_path: Path) -> None:
    """Nothing but what is stated passes, in whichever form it is printed."""
    assert prove_and_report((theorem,), False, 1, True, True, str(tmp_path)) == 1
    assert prove_and_report((theorem,), False, 1, True, False, str(tmp_path)) == 1


def test_nothing_selected_is_no_success() -> None:
    """An empty run proves nothing."""
    assert prove_and_report((), False, 1, True, True, None) == 1


def test_a_counterexample_replays(tmp_path: Path) -> None:
    """The smallest input fails again on plain numbers."""
    theorem = made(wrong)
    result = prove_part(theorem, theorem.parts[0])
    assert result.counterexample is not None
    assert result.counterexample.values == (("x", "7"),)
    outcome, _ = replay_part(theorem, theorem.parts[0], result.counterexample)
    assert outcome.failed == ("it",)


def test_a_module_that_is_not_named_is_not_at_hand() -> None:
    """The list of what a theorem runs cannot fall short of what it runs."""

    def body(setting: Setting) -> None:
        setting.path.prove(setting.shipped.round.reclamation is not None, "it")

    theorem = made(body)
    with pytest.raises(TheoremMisuse, match=r"gaugeblock\.round\.reclamation"):
        prove_part(theorem, theorem.parts[0])


def test_a_proof_is_remembered(tmp_path: Path) -> None:
    """The second run takes the result from the cache, and it is the same but for that."""
    theorem = by_id("ACCT-5.load")
    (first,) = running.prove((theorem,), cache=tmp_path)
    (second,) = running.prove((theorem,), cache=tmp_path)
    assert [part.cached for part in first.parts] == [False]
    assert [part.cached for part in second.parts] == [True]
    assert second.as_stated
    assert second.parts[0].paths == first.parts[0].paths


def test_a_failure_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs again, and prints its counterexample again."""
    monkeypatch.setattr(running, "key", lambda theorem, part: "same")
    for _ in range(2):
        (result,) = running.prove((made(wrong),), cache=tmp_path)
        assert not result.parts[0].cached


def test_a_damaged_entry_of_the_cache_is_not_believed(tmp_path: Path) -> None:
    """The part runs again."""
    theorem = by_id("ACCT-5.load")
    running.prove((theorem,), cache=tmp_path)
    (entry,) = tmp_path.iterdir()
    entry.write_bytes(b'{"theorem": "ACCT-5.load"')
    (result,) = running.prove((theorem,), cache=tmp_path)
    assert not result.parts[0].cached


@pytest.mark.parametrize(
    ("was", "became"),
    [
        (b'"verdict":"proved"', b'"verdict":"not proved"'),
        (b'"verdict":"proved"', b'"verdict":"refuted"'),
        (b'"as_stated":true', b'"as_stated":false'),
        (b'"part":"step"', b'"part":"another"'),
    ],
)
def test_an_entry_of_the_cache_that_contradicts_itself_is_not_believed(was: bytes, became: bytes, tmp_path: Path) -> None:
    """It is not one that was written after a proof."""
    theorem = by_id("ACCT-5.load")
    running.prove((theorem,), cache=tmp_path)
    (entry,) = tmp_path.iterdir()
    text = entry.read_bytes()
    entry.write_bytes(text.replace(was, became))
    assert entry.read_bytes() != text
    (result,) = running.prove((theorem,), cache=tmp_path)
    assert not result.parts[0].cached
    assert result.as_stated


def test_a_false_claim_whose_code_breaks_down_is_not_refuted_as_stated() -> None:
    """It must fail as claimed."""

    def broken(setting: Setting) -> None:
        raise AttributeError("no such thing")

    def false(setting: Setting) -> None:
        setting.path.prove(setting.symbols.integer("x") > 3, "more than three")

    for body, as_stated in ((broken, False), (false, True)):
        theorem = replace(made(body), expected=Verdict.REFUTED, assertions=("more than three",))
        result = prove_part(theorem, theorem.parts[0])
        assert (result.verdict, result.as_stated) == (Verdict.REFUTED, as_stated)


def test_code_that_is_no_function_of_its_symbols_is_not_proved() -> None:
    """It is reported like everything else that falls short."""
    runs = count()

    def remembering(setting: Setting) -> None:
        setting.path.prove(bool(setting.symbols.integer(f"x{next(runs)}") > 3) or True)

    theorem = made(remembering)
    result = prove_part(theorem, theorem.parts[0])
    assert (result.verdict, result.as_stated) == (Verdict.NOT_PROVED, False)
    assert "shares with the one before" in result.detail


def test_without_a_home_nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof still runs."""

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert running.default_cache() is None
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert running.default_cache() is None


def test_code_that_is_edited_while_it_is_proved_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that ran it found other code than the one that asked: nobody knows which of them was run."""
    theorem, versions = by_id("ACCT-5.load"), count()
    monkeypatch.setattr(running, "key", lambda theorem, part: f"version {next(versions)}")
    (result,) = running.prove((theorem,), cache=tmp_path)
    assert result.as_stated
    assert not tmp_path.exists() or not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "changed",
    [
        "gaugeblock.round.accounting",
        "gaugeblock.model.working",
        "gaugeblock_proofs.engine.solver",
        "gaugeblock_proofs.accounting",
    ],
)
def test_changed_code_is_proved_anew(changed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key covers the code under proof, the values, the engine and the theorem."""
    theorem = by_id("ACCT-5.load")
    before = code.key(theorem, theorem.parts[0])
    digest = code.file_digest
    monkeypatch.setattr(code, "file_digest", lambda path: "changed" if path == code.path_of(changed) else digest(path))
    code.closure_digest.cache_clear()
    try:
        assert code.key(theorem, theorem.parts[0]) != before
    finally:
        code.closure_digest.cache_clear()


def test_code_that_a_theorem_cannot_reach_does_not_matter() -> None:
    """A proof about accounting outlives a change of the wake-ups."""
    reached = code.closure(("gaugeblock.round.accounting", "gaugeblock_proofs.accounting"))
    assert "gaugeblock.model.working" in reached
    assert "gaugeblock.round.wakeups" not in reached
