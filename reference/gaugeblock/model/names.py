"""Names and identifiers, each of its own type, so that mypy tells a layer's name from a node's."""

from typing import NewType

LayerName = NewType("LayerName", str)
ImageName = NewType("ImageName", str)
FunctionName = NewType("FunctionName", str)
NodeName = NewType("NodeName", str)
ContainerId = NewType("ContainerId", int)
InvocationId = NewType("InvocationId", int)

LARGEST_INTEGER = 2**63 - 1
"""The largest size, count or identifier that a document may hold."""

LARGEST_DATE = 1.7976931348623157e308
"""The largest finite date (the C++ ``DBL_MAX``); as a wake-up date it means "none" (WAKE-1)."""
