"""Bytes to plain JSON values, strictly: UTF-8, each key once in an object, no NaN or Infinity, nothing before or after."""

import re
import string
from typing import Final, NamedTuple

import jiter

from gaugeblock.wire.errors import DocumentProblem, InvalidDocument
from gaugeblock.wire.paths import path_at

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
LETTERS: Final = string.ascii_letters.encode()
LONGEST_WORD: Final = 20


class SyntaxRule(NamedTuple):
    """How one message of the parser reads to a person; a ``found`` of None stands for the text at the place."""

    fragment: str
    found: str | None
    expected: str


SYNTAX_RULES: Final = (
    SyntaxRule("duplicate key", "this key a second time", "each key once in an object"),
    SyntaxRule("recursion limit", "brackets nested deeper than 200 levels", "at most 200 levels"),
    SyntaxRule("EOF while parsing a value", "the end of the document", "a JSON value"),
    SyntaxRule("EOF while parsing", "the end of the document", "the rest of the JSON value that was begun"),
    SyntaxRule("trailing characters", None, "nothing after the document"),
    SyntaxRule("trailing comma", "a comma with nothing after it", "another element, or no comma"),
    SyntaxRule("expected value", None, "a JSON value"),
    SyntaxRule("expected ident", None, "a JSON value"),
    SyntaxRule("key must be a string", None, "a key in double quotes"),
    SyntaxRule("number out of range", "a number of more than 4300 digits", "an integer from 0 to 2^63-1"),
    SyntaxRule("invalid number", "a number that JSON does not allow", "a JSON number, such as 12 or 12.5"),
    SyntaxRule("unicode code point", "bytes that are not UTF-8", "UTF-8 text"),
    SyntaxRule("surrogate", "half of a surrogate pair", "both halves, or another character"),
    SyntaxRule("end of hex escape", "half of a surrogate pair", "both halves, or another character"),
    SyntaxRule("invalid escape", "an escape that JSON does not allow", "one that it does, such as \\n or \\u000a"),
    SyntaxRule("control character", "a control character in a string", "its escape, such as \\n or \\u0000"),
)
_PLACE: Final = re.compile(r"^(.*) at line (\d+) column (\d+)$", re.DOTALL)
_WORD: Final = re.compile(rb"[^\s,:\[\]{}]{1,%d}|.?" % LONGEST_WORD, re.DOTALL)


def parse(data: bytes) -> object:
    """Return the JSON value that ``data`` holds.

    Raises:
        InvalidDocument: when ``data`` is no strict JSON in UTF-8; the problem tells the path and the line and column.
    """
    try:
        return jiter.from_json(data, allow_inf_nan=False, catch_duplicate_keys=True, cache_mode="keys")
    except ValueError as error:
        raise InvalidDocument((_syntax_problem(data, str(error)),)) from None


def _syntax_problem(data: bytes, message: str) -> DocumentProblem:
    if data.startswith(BYTE_ORDER_MARK):
        return DocumentProblem("$", "a byte order mark", "UTF-8 without one")
    place = _PLACE.match(message)
    if place is None:
        return DocumentProblem("$", message, "strict JSON")
    reason, line, column = place[1], int(place[2]), int(place[3])
    start = _start_of_line(data, line)
    offset = len(data) if reason.startswith("EOF") else start + max(column - 1, 0)
    rule = _rule(reason)
    found = rule.found
    if found is None:
        offset = _start_of_word(data, offset)
        found = _text_at(data, offset)
    where = f"column {len(data[start:offset].decode('utf-8', 'replace')) + 1}"
    if b"\n" in data:
        where = f"line {line}, {where}"
    return DocumentProblem(path_at(data[:offset]), f"{found} ({where})", rule.expected)


def _rule(reason: str) -> SyntaxRule:
    for rule in SYNTAX_RULES:
        if rule.fragment in reason:
            return rule
    return SyntaxRule(reason, None, f"strict JSON ({reason})")


def _start_of_line(data: bytes, line: int) -> int:
    start = 0
    for _ in range(line - 1):
        start = data.find(b"\n", start) + 1
    return start


def _start_of_word(data: bytes, offset: int) -> int:
    """Return where the word begins in which the parser stopped: of ``nil`` it takes the ``n`` before it objects."""
    nearby = data[max(offset - LONGEST_WORD, 0) : offset]
    return offset - len(nearby) + len(nearby.rstrip(LETTERS))


def _text_at(data: bytes, offset: int) -> str:
    word = _WORD.match(data, offset)
    return repr(word[0].decode("utf-8", "backslashreplace")) if word and word[0] else "the end of the document"
