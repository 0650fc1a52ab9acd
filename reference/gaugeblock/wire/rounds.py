"""Rounds on the wire: names resolved to what they name, and the lists that have no order of their own put in canonical order."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from gaugeblock.model import (
    LARGEST_INTEGER,
    Catalog,
    Container,
    Function,
    FunctionName,
    Image,
    ImageName,
    InvalidState,
    Invocation,
    Layer,
    LayerName,
    Node,
    ObservedState,
    Problem,
    ResidentLayer,
)
from gaugeblock.model.problems import UnknownReference
from gaugeblock.wire import documents
from gaugeblock.wire.errors import DocumentProblem, InvalidDocument
from gaugeblock.wire.reading import read
