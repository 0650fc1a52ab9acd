"""The cases of the embedded corpus, read from the installed package and checked against the manifest's hashes."""

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from functools import cache
from importlib import resources

import msgspec

from gaugeblock.corpus.errors import CorpusDamaged, UnknownCase, UnknownFamily
from gaugeblock.corpus.manifest import FORMAT_VERSION, CaseEntry, CorpusFile, Manifest, belongs, file_name, set_of
from gaugeblock.wire.cases import Case, decode_case

PACKAGE = "gaugeblock.corpus"
MANIFEST_NAME = "manifest.json"


@cache
def manifest() -> Manifest:
    """Return the manifest.

    Raises:
        CorpusDamaged: when it is missing or cannot be read.
    """
    try:
        found = msgspec.json.decode(_bytes_of(MANIFEST_NAME), type=Manifest)
    except msgspec.DecodeError as error:
        raise CorpusDamaged(MANIFEST_NAME, str(error), "a manifest") from None
    if found.version != FORMAT_VERSION:
        raise CorpusDamaged(MANIFEST_NAME, f"format version {found.version}", f"format version {FORMAT_VERSION}")
    return found


def load(family: str | None = None) -> tuple[Case, ...]:
    """Return the cases of a family or of a whole set, or all, in the manifest's order.

    Raises:
        UnknownFamily: when there is none of that name.
        CorpusDamaged: when a file does not hold what the manifest says.
    """
    return tuple(iterate(family))


def iterate(family: str | None = None) -> Iterator[Case]:
    """Yield the cases of :func:`load` one by one, each decoded when it is asked for."""
    known = manifest()
    if family is not None and not any(belongs(each.name, family) for each in known.families):
        raise UnknownFamily(family, tuple(each.name for each in known.families))
    for file in known.files:
        entries = _entries(known, file)
        chosen = [family is None or belongs(entry.family, family) for entry in entries]
        if any(chosen):
            for wanted, line, number in zip(chosen, _lines(file), range(1, file.cases + 1), strict=True):
                if wanted:
                    yield decode_case(line, source=file.name, line_number=number)


def find(case_id: str) -> Case:
    """Return the case of this id.

    Raises:
        UnknownCase: when the corpus has none.
        CorpusDamaged: when a file does not hold what the manifest says.
    """
    known = manifest()
    for file in known.files:
        for index, entry in enumerate(_entries(known, file)):
            if entry.id == case_id:
                return decode_case(_lines(file)[index], source=file.name, line_number=index + 1)
    raise UnknownCase(case_id)


def text_of(file: CorpusFile) -> bytes:
    """Return the text of a corpus file.

    Raises:
        CorpusDamaged: when the file is missing, cannot be decompressed, or has another hash than the manifest says.
    """
    try:
        text = gzip.decompress(_bytes_of(file.name))
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusDamaged(file.name, str(error), "a gzip file") from None
    found = hashlib.sha256(text).hexdigest()
    if found != file.sha256:
        raise CorpusDamaged(file.name, f"SHA-256 {found}", f"SHA-256 {file.sha256}")
    return text


def _entries(known: Manifest, file: CorpusFile) -> list[CaseEntry]:
    return [entry for entry in known.cases if file_name(set_of(entry.family)) == file.name]


def _lines(file: CorpusFile) -> list[bytes]:
    return text_of(file).splitlines()


def _bytes_of(name: str) -> bytes:
    try:
        return resources.files(PACKAGE).joinpath(name).read_bytes()
    except OSError as error:
        raise CorpusDamaged(name, error.strerror or str(error), "the file") from None
