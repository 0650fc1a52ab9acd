"""The embedded corpus: what the manifest promises, what loading gives, and what becomes of damage."""

import gzip
import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from gaugeblock import corpus
from gaugeblock.corpus import CorpusDamaged, UnknownCase, UnknownFamily, loading
from gaugeblock.corpus.manifest import belongs, file_name, set_of

DERIVED = Path(__file__).parents[1] / "vectors" / "derived.jsonl"
INSTALLED = Path(str(corpus.__file__)).parent


def test_the_derived_cases_of_the_package_are_those_of_the_repository() -> None:
    """The corpus is built from tests/vectors/derived.jsonl; after a change there, run tools/build_corpus.py."""
    [file] = [each for each in corpus.manifest().files if each.name == "derived.jsonl.gz"]
    assert loading.text_of(file) == DERIVED.read_bytes()


def test_the_manifest_tells_the_truth_about_every_file() -> None:
    """Hash, length and number of cases are those of the text, counted here without the loader."""
    assert corpus.manifest().files
    for file in corpus.manifest().files:
        text = gzip.decompress((INSTALLED / file.name).read_bytes())
        assert (hashlib.sha256(text).hexdigest(), len(text), text.count(b"\n")) == (file.sha256, file.bytes, file.cases)


def test_the_manifest_lists_every_case_in_its_order() -> None:
    """Ids are stable, unique, and found where the manifest says."""
    entries = corpus.manifest().cases
    ids = [json.loads(line)["id"] for file in corpus.manifest().files for line in loading.text_of(file).splitlines()]
    assert [entry.id for entry in entries] == ids
    assert len(set(ids)) == len(ids)


def test_the_real_decisions_are_all_there() -> None:
    """The corpus holds 1,260 rounds that the C++ scheduler decided, 12 tiny ones, and at least 60 derived by hand."""
    counted = Counter(set_of(entry.family) for entry in corpus.manifest().cases)
    assert (counted["wrench-shared"], counted["wrench-quirks"]) == (1260, 12)
    assert counted["derived"] >= 60


def test_every_case_has_a_described_family_a_provenance_and_clauses() -> None:
    """Whoever meets a case can learn where it comes from and what it shows."""
    manifest = corpus.manifest()
    families = {family.name for family in manifest.families}
    provenances = {provenance.name for provenance in manifest.provenances}
    for entry in manifest.cases:
        assert entry.family in families
        assert entry.provenance in provenances
        assert entry.clauses, entry.id
    assert all(family.about for family in manifest.families)
    assert families == {entry.family for entry in manifest.cases}


def test_a_family_or_a_whole_set_can_be_loaded() -> None:
    """Loading a part gives exactly its cases, in the manifest's order."""
    quirks = corpus.load("wrench-quirks")
    assert [case.id for case in quirks] == [each.id for each in corpus.manifest().cases if each.family == "wrench-quirks"]
    positions = corpus.load("derived/positions")
    assert 0 < len(positions) < len(corpus.load("derived"))
    assert all(case.id.startswith("derived-positions-") for case in positions)


def test_everything_is_loaded_when_nothing_is_named() -> None:
    """Every case of the corpus is a valid case."""
    assert tuple(case.id for case in corpus.load()) == tuple(entry.id for entry in corpus.manifest().cases)


def test_a_case_is_found_by_its_id() -> None:
    """The command that reproduces one case needs its id alone."""
    assert corpus.find("q2-rank").id == "q2-rank"
    assert corpus.find("q2-rank") in corpus.load("wrench-quirks")


def test_an_unknown_id_or_family_is_a_typed_error() -> None:
    """The message says what was asked and what there is."""
    with pytest.raises(UnknownCase, match="case 'q99': found no such id") as unknown_case:
        corpus.find("q99")
    assert unknown_case.value.case_id == "q99"
    with pytest.raises(UnknownFamily, match="'wrench': found no such family in the corpus; expected one of wrench-shared/a,"):
        corpus.load("wrench")


def test_a_set_is_not_taken_for_another_whose_name_it_begins() -> None:
    """Names are compared whole."""
    assert belongs("derived/names", "derived")
    assert belongs("derived/names", "derived/names")
    assert not belongs("derived/names", "derive")
    assert not belongs("derived", "derived/names")
    assert file_name("derived") == "derived.jsonl.gz"


@pytest.fixture
def copied_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let the loader read a copy of the corpus, to be damaged."""
    for path in INSTALLED.glob("*.json*"):
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(loading, "_bytes_of", lambda name: (tmp_path / name).read_bytes())
    corpus.manifest.cache_clear()
    yield tmp_path
    corpus.manifest.cache_clear()


def test_a_copy_that_is_not_damaged_loads(copied_corpus: Path) -> None:
    """Control for the tests of damage."""
    assert len(corpus.load("wrench-quirks")) == 12


def test_one_changed_byte_is_noticed(copied_corpus: Path) -> None:
    """A tampered text is a typed error with both hashes, also when it is still a valid case."""
    path = copied_corpus / "wrench-quirks.jsonl.gz"
    text = gzip.decompress(path.read_bytes()).replace(b'"now":10.0', b'"now":11.0', 1)
    path.write_bytes(gzip.compress(text))
    with pytest.raises(CorpusDamaged, match=r"wrench-quirks\.jsonl\.gz: found SHA-256 \w{64}; expected SHA-256 ") as damaged:
        corpus.load("wrench-quirks")
    assert damaged.value.file == "wrench-quirks.jsonl.gz"
    with pytest.raises(CorpusDamaged):
        corpus.find("q2-rank")


@pytest.mark.parametrize("content", [b"", b"no gzip", None])
def test_a_file_that_cannot_be_decompressed_is_noticed(copied_corpus: Path, content: bytes | None) -> None:
    """Empty, of another kind, or cut off in the middle."""
    path = copied_corpus / "derived.jsonl.gz"
    path.write_bytes(path.read_bytes()[:1000] if content is None else content)
    with pytest.raises(CorpusDamaged, match=r"corpus file derived\.jsonl\.gz: found "):
        corpus.load("derived")


@pytest.mark.parametrize(
    ("content", "found"), [(b"{", "truncated"), (b'{"version": 1}', "missing required field"), (None, "format version 2")]
)
def test_a_manifest_that_cannot_be_read_is_noticed(copied_corpus: Path, content: bytes | None, found: str) -> None:
    """Neither broken JSON, nor another shape, nor another version goes further."""
    path = copied_corpus / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"version": 1', b'"version": 2', 1) if content is None else content)
    with pytest.raises(CorpusDamaged, match=f"manifest.json: found .*{found}"):
        corpus.manifest()


def test_a_missing_file_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package installed without its data says so."""
    monkeypatch.setattr(loading, "MANIFEST_NAME", "not-there.json")
    corpus.manifest.cache_clear()
    with pytest.raises(CorpusDamaged, match=r"corpus file not-there\.json: found No such file or directory; expected the file"):
        corpus.manifest()
    corpus.manifest.cache_clear()
