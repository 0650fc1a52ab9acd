"""The tool that builds the corpus: reproducible, careful, and clear about bad input."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gaugeblock import corpus
from gaugeblock.wire.cases import encode_case

TOOL = Path(__file__).parents[2] / "tools" / "build_corpus.py"
INSTALLED = Path(str(corpus.__file__)).parent


def build(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the tool."""
    return subprocess.run(
        [sys.executable, str(TOOL), *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False
    )


def renamed_case(case_id: str, **changes: Any) -> str:
    """Return a case of the corpus as a line, under another id."""
    return json.dumps({**json.loads(encode_case(corpus.find("q1-all-idle-first"))), "id": case_id, **changes}) + "\n"


def test_building_again_gives_the_package_as_it_is(tmp_path: Path) -> None:
    """The manifest of the package is what the tool makes of its texts, and two builds give the same bytes."""
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        assert build("--output", folder).returncode == 0
    names = sorted(path.name for path in first.iterdir())
    assert names == ["derived.jsonl.gz", "manifest.json", "wrench-quirks.jsonl.gz", "wrench-shared.jsonl.gz"]
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes()
    assert (first / "manifest.json").read_bytes() == (INSTALLED / "manifest.json").read_bytes()


def test_a_new_source_replaces_one_set_and_leaves_the_others(tmp_path: Path) -> None:
    """Clauses come from the case where it names some, else from the rule; the family from the id."""
    source = tmp_path / "new.jsonl"
    source.write_text(renamed_case("derived-zero-x", clauses=["WAKE-1", "PLACE-6"]) + renamed_case("scenario-b99-y"), "utf-8")
    assert build("--derived", source, "--output", tmp_path).returncode == 0
    manifest = json.loads((tmp_path / "manifest.json").read_bytes())
    entries = [entry for entry in manifest["cases"] if entry["provenance"] == "derived"]
    assert [(entry["id"], entry["family"]) for entry in entries] == [
        ("derived-zero-x", "derived/zero"),
        ("scenario-b99-y", "derived/scenario"),
    ]
    assert entries[0]["clauses"] == ["PLACE-6", "WAKE-1"]
    assert {"PLACE-6", "RECL-4", "RECL-6", "POL-fewest"} <= set(entries[1]["clauses"])
    assert [file["cases"] for file in manifest["files"]] == [1260, 12, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}\n", "build_corpus: derived:1: 4 problems"),
        (renamed_case("derived-zero-x") + "\n" + renamed_case("derived-zero-y"), "derived: found blank lines; expected"),
        (renamed_case("q2-rank"), "case 'q2-rank' is of family 'derived/q2', which corpus_families.py does not describe"),
        (renamed_case("derived-zero-x") * 2, "derived:2: $.id: found 'derived-zero-x'; expected an id that line 1"),
        (None, "No such file or directory"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_written(tmp_path: Path, text: str | None, message: str) -> None:
    """Exit status 2, one message, no traceback, and the old files stay."""
    source, output = tmp_path / "new.jsonl", tmp_path / "out"
    output.mkdir()
    if text is not None:
        source.write_text(text, "utf-8")
    done = build("--derived", source, "--output", output)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert list(output.iterdir()) == []


def test_an_id_may_not_stand_in_two_sets(tmp_path: Path) -> None:
    """Ids are unique in the whole corpus, so that one finds one case."""
    source = tmp_path / "quirks.jsonl"
    source.write_text(renamed_case("derived-zero-x") + renamed_case("q1"), "utf-8")
    other = tmp_path / "derived.jsonl"
    other.write_text(renamed_case("derived-zero-x"), "utf-8")
    done = build("--wrench-quirks", source, "--derived", other, "--output", tmp_path)
    assert (done.returncode, "two sets share a case id" in done.stderr) == (2, True)
