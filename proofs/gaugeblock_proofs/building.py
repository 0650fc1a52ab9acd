"""Parts of states with symbolic quantities, named after what they belong to so that a counterexample reads well."""

from __future__ import annotations

from typing import Any

from gaugeblock.model import (
    Container,
    ContainerId,
    ContainerStatus,
    Function,
    FunctionName,
    Image,
    ImageName,
    Invocation,
    InvocationId,
    Layer,
    LayerName,
    WorkingNode,
)
from gaugeblock_proofs.engine import Source
from gaugeblock_proofs.opaque import anything

BEYOND_ALL_SIZES = 2**80
"""Any sum of document sizes that a node can hold is far below: counters range from minus this to this."""

COUNTERS = ("ram_available", "disk_available", "invocations_available", "positions_available")
"""The counters of a working node: bytes, bytes, invocations, container positions."""


def layer(symbols: Source, name: str) -> Layer:
    """Return a layer with any footprints."""
    return Layer(LayerName(name), symbols.integer(f"{name}.disk_bytes"), symbols.integer(f"{name}.ram_bytes"))


def function(symbols: Source, name: str, *layers: Layer) -> Function:
    """Return a function with an image of its own, any private sizes and any container capacity."""
    return Function(
        FunctionName(name),
        Image(ImageName(f"image-{name}"), layers),
        symbols.integer(f"{name}.ram_bytes"),
        symbols.integer(f"{name}.disk_bytes"),
        symbols.integer(f"{name}.capacity", 1),
    )


def container(
    symbols: Source,
    identifier: int,
    of: Function,
    status: ContainerStatus = ContainerStatus.READY,
    in_flight: int | None = None,
) -> Container:
    """Return a container, last used at any date, that holds so many invocations, or without a number any many."""
    held = symbols.integer(f"container{identifier}.in_flight") if in_flight is None else in_flight
    return Container(ContainerId(identifier), of, status, held, symbols.date(f"container{identifier}.last_used"))


def invocation(symbols: Source, identifier: int, of: Function) -> Invocation:
    """Return an invocation that was submitted at any date."""
    return Invocation(InvocationId(identifier), of, symbols.date(f"invocation{identifier}.submitted"))


def any_integer(symbols: Source, name: str) -> int:
    """Return a whole number of either sign."""
    return symbols.integer(name, -BEYOND_ALL_SIZES, BEYOND_ALL_SIZES)


def any_working_node(symbols: Source, **known: Any) -> WorkingNode:
    """Return a working node with any integers as counters, what is ``known``, and nothing known of the rest."""
    fields: dict[str, Any] = {name: anything(name) for name in WorkingNode.__struct_fields__}
    fields.update({name: any_integer(symbols, name) for name in COUNTERS})
    return WorkingNode(**{**fields, **known})
