"""Documents spoiled at random: whatever comes in, only InvalidDocument goes out, with a path and a readable message.

The documents come from a seed; the profile says how many. A document that is still valid must survive the trip.
"""

import json
import random
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import msgspec
import pytest
from hypothesis import settings

from gaugeblock.wire.cases import Case, decode_case, encode_case
from gaugeblock.wire.diagnosis import shape_problems
from gaugeblock.wire.documents import CaseDocument
from gaugeblock.wire.errors import InvalidDocument

SEED = 20
PER_EXAMPLE = 20
MOST = 20_000
LONGEST_MESSAGE = 8000
Json = dict[str, Any]

TOKENS = (
    *(b"NaN", b"-Infinity", b"1e400", b"-1", b"1.0", b"9223372036854775808", b"9" * 5000, b"[" * 300, b'{"a":' * 300),
    *(b'"\\ud800"', b'"\\udfff\\ud800"', b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x00", b"null", b"true", b'""'),
    *(b",", b":", b"{", b"}", b"[", b"]", b'"', b"\\", b"\n", b'"id":1,', b"// x", b"'", b"0", b"e5", b"."),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2**53 + 1, 2**63 - 1, 2**63, 10**400, 0.0, 1.0, -0.5, 1e308, "", "python", "node-0", "\x00"),
    *("résumé", "x" * 5000, [], {}, [None], [[]], {"name": "lru"}, {"": 0}, ["python", "python"], {"python": 0.0}, 9, 4, 12.0),
)


def spoiled_text(text: bytes, chance: random.Random) -> bytes:
    """Return ``text`` with a few random edits of bytes."""
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 0, 1, 1, 5, 40)))
        match chance.randrange(5):
            case 0:
                text = text[:start] + text[end:]
            case 1:
                text = text[:start] + chance.choice(TOKENS) + text[end:]
            case 2:
                text = text[:start] + bytes([chance.randrange(256)]) + text[start + 1 :]
            case 3:
                text = text[:start] + text[start:end] * 2 + text[end:]
            case 4:
                text = text[:start] if chance.random() < 0.3 else text
    return text


def spoiled_tree(text: bytes, chance: random.Random) -> bytes:
    """Return ``text`` with one to three values or keys changed, removed, doubled or exchanged: still JSON."""
    document = json.loads(text)
    for _ in range(chance.randint(1, 3)):
        spoil_one(chance.choice(places(document)), chance)
    return json.dumps(document, ensure_ascii=chance.random() < 0.5).encode("utf-8")


def places(value: object) -> list[tuple[Any, Any]]:
    """Return every place of a document, as its holder and key or index."""
    if isinstance(value, dict):
        children: list[tuple[Any, Any]] = list(value.items())
    elif isinstance(value, list):
        children = list(enumerate(value))
    else:
        return []
    return [(value, key) for key, _ in children] + [place for _, child in children for place in places(child)]


def spoil_one(place: tuple[Any, Any], chance: random.Random) -> None:
    """Spoil one place of a document."""
    holder, key = place
    match chance.randrange(4):
        case 0:
            holder[key] = deepcopy(chance.choice(VALUES))
        case 1:
            del holder[key]
        case 2 if isinstance(holder, dict):
            holder[chance.choice(("name", "extra", "x y", "é", str(key) + "s"))] = holder.pop(key)
        case _ if isinstance(holder, list):
            holder.insert(chance.randrange(len(holder) + 1), deepcopy(holder[key]))
        case _ if isinstance(holder[key], (int, float)):
            holder[key] = holder[key] + chance.choice((1, -1, 10**6, -(10**6)))


def spoiled(seed: int, sources: list[bytes], spoil: Callable[[bytes, random.Random], bytes]) -> list[bytes]:
    """Return as many spoiled documents as the profile asks for."""
    chance = random.Random(seed)
    count = min(settings().max_examples * PER_EXAMPLE, MOST)
    return [spoil(chance.choice(sources), chance) for _ in range(count)]


@pytest.mark.parametrize("spoil", [spoiled_text, spoiled_tree])
def test_only_invalid_document_is_ever_raised(case_document: Json, spoil: Callable[[bytes, random.Random], bytes]) -> None:
    """Formats: bad input is one readable message with a path, never another exception, and never taken for good."""
    told: Counter[str] = Counter()
    for text in spoiled(SEED, sources(case_document), spoil):
        outcome = decoded(text)
        if isinstance(outcome, Case):
            told["nothing"] += 1
            assert decode_case(encode_case(outcome)) == outcome
        else:
            assert all(problem.path.startswith("$") and problem.found and problem.expected for problem in outcome.problems)
            assert str(outcome).startswith("fuzz.jsonl:1: ")
            assert len(str(outcome)) < LONGEST_MESSAGE
            told.update(problem.expected for problem in outcome.problems)
    assert told["nothing"] > 0, "no document stayed valid: the edits are too coarse to find what is wrongly refused"
    assert len(told) > 10, "few rules were reached: the edits are too tame"


def test_the_diagnosis_finds_a_problem_exactly_where_the_conversion_fails(case_document: Json) -> None:
    """Formats: the walk that names all problems of shape, and the conversion that decides whether there are any, agree."""
    outcomes: Counter[bool] = Counter()
    for text in spoiled(SEED + 1, sources(case_document), spoiled_tree):
        document = json.loads(text)
        outcomes[converts(document)] += 1
        assert (shape_problems(document, CaseDocument, "$") == ()) == converts(document)
    assert min(outcomes[True], outcomes[False]) > 10


def decoded(text: bytes) -> Case | InvalidDocument:
    """Return the case, or the error with which it is refused."""
    try:
        return decode_case(text, source="fuzz.jsonl", line_number=1)
    except InvalidDocument as error:
        return error


def converts(document: object) -> bool:
    """Say whether msgspec takes ``document`` for a case."""
    try:
        msgspec.convert(document, CaseDocument)
    except msgspec.ValidationError:
        return False
    return True


def sources(case_document: Json) -> list[bytes]:
    """Return the valid documents to spoil: the small case, as it is and as we write it."""
    text = json.dumps(case_document).encode()
    return [text, encode_case(decode_case(text)), json.dumps(case_document, indent=1).encode()]
