"""Build the corpus that the package carries: the compressed case files and their manifest.

    python tools/build_corpus.py --derived tests/vectors/derived.jsonl
    python tools/build_corpus.py --wrench-shared PATH --wrench-quirks PATH --derived PATH --output DIRECTORY

A set whose source is not given is taken over from the installed package. The same sources give the same manifest, and on
one machine the same bytes: no date and no file name enters the compressed files.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import sys
from pathlib import Path

from corpus_families import PROVENANCES, SETS, families_of, family_of
from touched_clauses import touched_clauses

import gaugeblock.corpus
from gaugeblock.corpus import CaseEntry, CorpusFile, Manifest, manifest
from gaugeblock.corpus.loading import MANIFEST_NAME, text_of
from gaugeblock.corpus.manifest import FORMAT_VERSION, file_name
from gaugeblock.model import GaugeblockError, Value
from gaugeblock.wire.cases import Case, read_cases


def main(arguments: list[str]) -> int:
    """Build what the arguments ask for; return the exit status, 2 for bad input."""
    options = _options(arguments)
    try:
        texts = {name: _source(getattr(options, name.replace("-", "_")), name) for name in SETS}
        built = build(texts)
    except (GaugeblockError, OSError, ValueError) as error:
        print(f"build_corpus: {error}", file=sys.stderr)
        return 2
    for name, content in built.items():
        _write(options.output / name, content)
    return 0


def build(texts: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files of the corpus, by name, made of the text of each set."""
    cases = {name: tuple(read_cases(io.BytesIO(text), source=name)) for name, text in texts.items()}
    files = {file_name(name): compressed(text) for name, text in texts.items()}
    return {**files, MANIFEST_NAME: encode_manifest(describe(texts, cases))}


def describe(texts: dict[str, bytes], cases: dict[str, tuple[Case, ...]]) -> Manifest:
    """Return the manifest of the sets.

    Raises:
        ValueError: when two cases share an id, a text holds blank lines (cases are found by their line), or a case is of a
            family that is not described.
    """
    entries = tuple(
        CaseEntry(case.id, family_of(name, case.id), name, touched_clauses(case)) for name in cases for case in cases[name]
    )
    if len({entry.id for entry in entries}) != len(entries):
        raise ValueError("two sets share a case id; expected ids that are unique in the whole corpus")
    for name, text in texts.items():
        if len(text.splitlines()) != len(cases[name]):
            raise ValueError(f"{name}: found blank lines; expected one case on each line")
    files = tuple(_described_file(name, text, len(cases[name])) for name, text in texts.items())
    return Manifest(FORMAT_VERSION, PROVENANCES, files, families_of({entry.family for entry in entries}), entries)


def _described_file(set_name: str, text: bytes, cases: int) -> CorpusFile:
    return CorpusFile(file_name(set_name), hashlib.sha256(text).hexdigest(), len(text), cases)


def compressed(text: bytes) -> bytes:
    """Return ``text`` as a gzip file that names neither a date nor a file."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as stream:
        stream.write(text)
    return buffer.getvalue()


def encode_manifest(content: Manifest) -> bytes:
    """Return the manifest as JSON with one entry of each list on a line, so that changes read well."""
    lists = ("provenances", "files", "families", "cases")
    parts = [f'"version": {content.version}']
    for name in lists:
        entries = [_line(entry) for entry in getattr(content, name)]
        parts.append(f'"{name}": [\n' + ",\n".join(entries) + "\n]")
    return ("{" + ",\n".join(parts) + "}\n").encode()


def _line(entry: Value) -> str:
    return json.dumps({field: getattr(entry, field) for field in entry.__struct_fields__}, ensure_ascii=False)


def _source(path: Path | None, set_name: str) -> bytes:
    if path is not None:
        return path.read_bytes()
    [file] = [each for each in manifest().files if each.name == file_name(set_name)]
    return text_of(file)


def _write(path: Path, content: bytes) -> None:
    """Write atomically: readers see the old file or the new one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(content)
    temporary.replace(path)


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Build the corpus that the package carries.")
    for name in SETS:
        parser.add_argument(f"--{name}", type=Path, metavar="PATH", help=f"the cases of the set {name}, one a line")
    installed = Path(str(gaugeblock.corpus.__file__)).parent
    parser.add_argument("--output", type=Path, default=installed, help="the folder to write to (the package's by default)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
