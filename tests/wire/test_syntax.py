"""Text that is no strict JSON: each kind is refused with its path, its place and what was due (formats, first lines)."""

import pytest

from gaugeblock.wire.errors import InvalidDocument
from gaugeblock.wire.parsing import parse

REFUSED = {
    "a key given twice": (
        b'{"a": 1, "b": {"x": 1, "x": 2}}',
        "$.b.x: found this key a second time (column 28); expected each key once in an object",
    ),
    "a key given twice, once in escapes": (
        b'{"a":1,"\\u0061":2}',
        "$.a: found this key a second time (column 17); expected each key once in an object",
    ),
    "not a number": (b'{"now": NaN}', "$.now: found 'NaN' (column 9); expected a JSON value"),
    "infinity": (b'{"now": Infinity}', "$.now: found 'Infinity' (column 9); expected a JSON value"),
    "minus infinity": (b"[1, -Infinity]", "$[1]: found a number that JSON does not allow (column 6)"),
    "a leading zero": (b'{"id": 01}', "$.id: found a number that JSON does not allow"),
    "a bare point": (b'{"id": 1.}', "$.id: found a number that JSON does not allow"),
    "a literal of 10^5 digits": (
        b'{"id": ' + b"9" * 100_000 + b"}",
        "$.id: found a number of more than 4300 digits (column 4309); expected an integer from 0 to 2^63-1",
    ),
    "10^5 brackets": (
        b'{"nodes": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        "found brackets nested deeper than 200 levels (column 211); expected at most 200 levels",
    ),
    "10^5 objects": (b'{"a":' * 100_000, "found brackets nested deeper than 200 levels"),
    "a lone leading surrogate": (b'{"name": "\\ud800"}', "$.name: found half of a surrogate pair"),
    "a lone trailing surrogate": (b'{"name": "\\udc00"}', "$.name: found half of a surrogate pair"),
    "a leading surrogate before another character": (b'{"name": "\\ud800\\u0041"}', "$.name: found half of a surrogate pair"),
    "a surrogate in UTF-8": (b'{"name": "\xed\xa0\x80"}', "$.name: found bytes that are not UTF-8 (column 11)"),
    "a stray byte": (b'{"name": "\xff"}', "$.name: found bytes that are not UTF-8 (column 11); expected UTF-8 text"),
    "a stray byte in a key": (b'{"\xff": 1}', "$: found bytes that are not UTF-8 (column 3); expected UTF-8 text"),
    "an overlong encoding": (b'["\xc0\xaf"]', "$[0]: found bytes that are not UTF-8"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "$: found a byte order mark; expected UTF-8 without one"),
    "UTF-16": ('{"a": 1}'.encode("utf-16-le"), "(column 2); expected a key in double quotes"),
    "nothing": (b"", "$: found the end of the document (column 1); expected a JSON value"),
    "blanks": (b"   ", "$: found the end of the document (column 4); expected a JSON value"),
    "a document cut off in a list": (
        b'{"nodes": [1, 2',
        "$.nodes[1]: found the end of the document (column 16); expected the rest of the JSON value that was begun",
    ),
    "a document cut off in a string": (b'{"name": "nod', "found the end of the document (column 14)"),
    "a document cut off after a key": (b'{"now":', "$.now: found the end of the document (column 8); expected a JSON value"),
    "more after the end": (b'{"now": 1} x', "$: found 'x' (column 12); expected nothing after the document"),
    "a second document": (b"{}{}", "$: found '{' (column 3); expected nothing after the document"),
    "a zero byte after the end": (b"{}\x00", "$: found '\\x00' (column 3); expected nothing after the document"),
    "a comma too many": (b"[1,]", "$[1]: found a comma with nothing after it (column 4); expected another element"),
    "single quotes": (b"{'a': 1}", "$: found \"'a'\" (column 2); expected a key in double quotes"),
    "a comment": (b"[1 // one\n]", "$[0]: found '//' (line 1, column 4); expected strict JSON"),
    "an unknown escape": (b'["\\x41"]', "$[0]: found an escape that JSON does not allow"),
    "a raw line feed in a string": (b'["a\nb"]', "$[0]: found a control character in a string"),
    "a word": (b"[nil]", "$[0]: found 'nil' (column 2); expected a JSON value"),
    "a word that begins well": (b"[nul]", "$[0]: found 'nul' (column 2); expected a JSON value"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_text_that_is_not_strict_json_is_refused_with_its_place(text: bytes, message: str) -> None:
    """Formats: the message says where and what was expected, and stays short however long the text is."""
    with pytest.raises(InvalidDocument) as refused:
        parse(text)
    assert message in str(refused.value)
    assert len(str(refused.value)) < 500


def test_a_problem_in_a_document_of_several_lines_tells_line_and_column() -> None:
    """Formats: an error says where; columns count characters, not bytes."""
    with pytest.raises(InvalidDocument) as refused:
        parse('{\n "a": 1,\n "é": nope}'.encode())
    assert str(refused.value) == "$['é']: found 'nope' (line 3, column 7); expected a JSON value"


def test_ordinary_json_is_taken_as_it_stands() -> None:
    """Control: blanks at both ends, escapes, paired surrogates and every kind of value are no problem."""
    text = b' {"a": [1, -0.5, 1e3, true, null, "\\u00e9 \\ud83d\\ude00 \\n"], "": {}}\r\n'
    assert parse(text) == {"a": [1, -0.5, 1000.0, True, None, "é \U0001f600 \n"], "": {}}
