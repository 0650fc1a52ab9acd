"""JSON paths such as ``$.nodes[0].disk_layers['python']``: how messages name a place in a document."""

import re
from typing import Final

import jiter

_TOKEN: Final = re.compile(rb'("[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],])|"', re.DOTALL)
"""A string or a mark; or, in no group, the quotation mark of a string without end, behind which nothing more is to be found."""

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*\Z")


def key_path(path: str, key: str) -> str:
    """Return the path of the value under ``key`` in the object at ``path``."""
    return f"{path}.{key}" if _PLAIN_KEY.match(key) else f"{path}[{key!r}]"


def entry_path(path: str, name: str) -> str:
    """Return the path of the value under ``name`` in the map from names at ``path``: always with brackets."""
    return f"{path}[{name!r}]"


def element_path(path: str, index: int) -> str:
    """Return the path of an element of the list at ``path``."""
    return f"{path}[{index}]"


def path_at(text: bytes) -> str:
    """Return the path of the value that stands, or would stand, just behind ``text``, the beginning of a JSON document.

    ``text`` may be broken in any way; the path then is as near as its brackets, commas and keys tell.
    """
    steps: list[int | str | None] = []  # an index in a list; in an object the key, or None where a key is due
    in_objects: list[bool] = []
    for found in _TOKEN.finditer(text):
        token = found[1]
        if token is None:
            break
        if token in b"{[":
            in_objects.append(token == b"{")
            steps.append(None if token == b"{" else 0)
        elif not steps:
            continue
        elif token in b"}]":
            steps.pop()
            in_objects.pop()
        elif token == b",":
            latest = steps[-1]
            steps[-1] = latest + 1 if isinstance(latest, int) else None
        elif in_objects[-1] and steps[-1] is None:
            steps[-1] = _text_of(token)
    return _joined(steps)


def _joined(steps: list[int | str | None]) -> str:
    path = "$"
    for step in steps:
        if isinstance(step, int):
            path = element_path(path, step)
        elif step is not None:
            path = key_path(path, step)
    return path


def _text_of(token: bytes) -> str:
    try:
        text = jiter.from_json(token)
    except ValueError:
        text = token[1:-1].decode("utf-8", "backslashreplace")
    return str(text)
