"""How every document is read: text, plain JSON, the document's shape, the model's value; and what each stage may refuse."""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from gaugeblock.wire.diagnosis import describe, shape_problems
from gaugeblock.wire.documents import Document
from gaugeblock.wire.errors import DocumentProblem, InvalidDocument
from gaugeblock.wire.parsing import parse

Shape = TypeVar("Shape", bound=Document)
Built = TypeVar("Built")


def read(data: bytes, build: Callable[[object], Built], source: str | None = None, line: int | None = None) -> Built:
    """Return what ``build`` makes of the JSON value in ``data``.

    Raises:
        InvalidDocument: for whatever is wrong at any stage, with ``source`` and ``line`` as given.
    """
    try:
        return build(parse(data))
    except InvalidDocument as error:
        raise InvalidDocument(error.problems, source, line) from error.__cause__


def read_as(
    shape: type[Shape], data: bytes, build: Callable[[Shape], Built], source: str | None = None, line: int | None = None
) -> Built:
    """Return what ``build`` makes of the document of this ``shape`` in ``data``.

    Raises:
        InvalidDocument: as :func:`read`.
    """
    return read(data, lambda value: build(shaped(value, shape)), source, line)


def shaped(value: object, shape: type[Shape], path: str = "$") -> Shape:
    """Return the plain JSON ``value``, which stands at ``path``, as the document ``shape``.

    Raises:
        InvalidDocument: with all that is wrong with its types, ranges and keys.
    """
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        problems = shape_problems(value, shape, path)
        raise InvalidDocument(problems or (DocumentProblem(path, describe(value), str(error)),)) from None
