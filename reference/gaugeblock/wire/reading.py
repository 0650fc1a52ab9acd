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


def read(
    data: bytes, shape: type[Shape], build: Callable[[Shape], Built], source: str | None = None, line: int | None = None
) -> Built:
    """Return what ``build`` makes of the document in ``data``.

    Raises:
        InvalidDocument: for whatever is wrong at any stage, with ``source`` and ``line`` as given.
    """
    try:
        return build(shaped(parse(data), shape))
    except InvalidDocument as error:
        raise InvalidDocument(error.problems, source, line) from error.__cause__


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
