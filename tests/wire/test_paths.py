"""Paths: how a message names a place (formats, first lines)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaugeblock.wire.paths import element_path, entry_path, key_path, path_at

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=20,
)


def paths(value: Any, path: str = "$") -> list[tuple[Any, Any, str]]:
    """Return every place of a document: its holder, its key or index, and its path."""
    if isinstance(value, dict):
        children = [(key, key_path(path, key)) for key in value]
    elif isinstance(value, list):
        children = [(index, element_path(path, index)) for index in range(len(value))]
    else:
        return []
    return [(value, key, where) for key, where in children] + [
        each for key, where in children for each in paths(value[key], where)
    ]


@given(st.lists(JSON_VALUES, min_size=1) | st.dictionaries(st.text(), JSON_VALUES, min_size=1), st.data(), st.booleans())
def test_the_path_of_every_place_is_found_from_the_text_before_it(document: Any, data: st.DataObject, ascii_only: bool) -> None:
    """Formats: whatever the keys and strings hold, brackets and quotes included, the scan tells where it stands."""
    holder, key, path = data.draw(st.sampled_from(paths(document)))
    holder[key] = 12345678901234567890123456789
    text = json.dumps(document, ensure_ascii=ascii_only).encode("utf-8")
    before = text[: text.index(b"12345678901234567890123456789")]
    assert path_at(before) == path


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (b"", "$"),
        (b"]}", "$"),
        (b'"a", ', "$"),
        (b'{"a": [1, {"b c": ', "$.a[1]['b c']"),
        (b'{"a": [1, 2], ', "$"),
        (b'{"a": "x]y", "b": [[', "$.b[0][0]"),
        (b'{"\xff": ', "$['\\\\xff']"),
        (b'{"a', "$"),
    ],
)
def test_a_path_is_found_in_broken_text_as_well(text: bytes, path: str) -> None:
    """Formats: the scan serves text that no parser takes."""
    assert path_at(text) == path


def test_names_in_maps_always_stand_in_brackets() -> None:
    """Formats: a layer called like a key is told from a key."""
    assert entry_path("$.disk_layers", "python") == "$.disk_layers['python']"
    assert key_path("$", "disk_layers") == "$.disk_layers"


def test_a_string_without_end_is_passed_over_once() -> None:
    """However many quotation marks it holds: to look behind each of them again would take hours."""
    assert path_at(b'{"a": [1, "' + b'\\"' * 300_000) == "$.a[1]"
    assert path_at(b'{"a": 1, "b') == "$"
