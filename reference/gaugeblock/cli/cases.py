"""The cases that the command line names: vector files, standard input, or without any the corpus that comes with gaugeblock."""

import sys
from collections.abc import Iterator, Sequence

from gaugeblock.cli.errors import UnreadableInput
from gaugeblock.conformance.errors import CaseSelectionError
from gaugeblock.wire.cases import Case, read_cases


def load(sources: Sequence[str], wanted: Sequence[str] = ()) -> tuple[Case, ...]:
    """Return the cases of all sources in order, or only those whose ids are ``wanted``, in the order of ``wanted``.

    Raises:
        InvalidDocument: when a line is no case.
        UnreadableInput: when a file cannot be read.
        CaseSelectionError: when there are no cases, two of one id, or none of a wanted id.
        UnknownCase, CorpusDamaged: when the corpus does not hold what is wanted of it.
    """
    if not sources:
        return _of_corpus(wanted)
    if sources.count("-") > 1:
        raise CaseSelectionError("found - twice; expected standard input, which can be read once only, at most once")
    found: dict[str, Case] = {}
    for source in sources:
        for case in _read(source):
            if case.id in found:
                raise CaseSelectionError(f"{source}: found the id {case.id!r} again; expected each id in one source only")
            found[case.id] = case
    if not found:
        raise CaseSelectionError(f"{', '.join(sources)}: found no case; expected at least one, one a line")
    unknown = [each for each in wanted if each not in found]
    if unknown:
        raise CaseSelectionError(f"found no case {unknown[0]!r}; expected the id of one of the {len(found)} cases given")
    return tuple(found[each] for each in dict.fromkeys(wanted)) if wanted else tuple(found.values())


def _read(source: str) -> Iterator[Case]:
    try:
        yield from read_cases(sys.stdin.buffer, source="<stdin>") if source == "-" else read_cases(source)
    except OSError as error:
        raise UnreadableInput(f"{source}: {error.strerror}; expected a readable file, or - for standard input") from error


def _of_corpus(wanted: Sequence[str]) -> tuple[Case, ...]:
    from gaugeblock import corpus  # unpacked only when it is asked for

    return tuple(corpus.find(each) for each in dict.fromkeys(wanted)) if wanted else corpus.load()
