"""Shapes of rounds by name: those of the standard set, and the full enumerations in portions for the deep one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from gaugeblock.model import ContainerStatus, NodeStatus, replace
from gaugeblock_proofs.engine import Budget
from gaugeblock_proofs.shapes import (
    ABSENT,
    COPYING,
    IN_RAM,
    LAYERS,
    LOADING,
    ON_DISK,
    Held,
    Image,
    NodeShape,
    RoundShape,
    one_invocation_on_two_nodes,
    two_invocations_on_one_node,
    up_to_renaming,
)
from gaugeblock_proofs.theorem import Body, Part, Setting, Tier

ShapeBody = Callable[[Setting, RoundShape], None]

STARTING = ContainerStatus.STARTING


def _one(
    images: tuple[tuple[int, ...], ...], first: str, second: str, *containers: Held, pending: tuple[int, int]
) -> RoundShape:
    return RoundShape(images, (NodeShape((first, second), containers),), pending)


def _two(images: tuple[tuple[int, ...], ...], first: NodeShape, second: NodeShape, names_descend: bool = False) -> RoundShape:
    return RoundShape(images, (first, second), (0,), names_descend)


ONE_NODE: dict[str, tuple[RoundShape, ...]] = {
    "cold starts beside a layer in the way": (_one(((0,),), IN_RAM, ON_DISK, pending=(0, 0)),),
    "reuse of a container, idle or not": (_one(((0,),), IN_RAM, ABSENT, Held(0), pending=(0, 0)),),
    "an idle container in the way": (_one(((), ()), ABSENT, ABSENT, Held(1), pending=(0, 0)),),
    "a load, then a wait for it": (_one(((0, 1),), ON_DISK, IN_RAM, pending=(0, 0)),),
    "a copy, then a wait for it": (_one(((0, 1),), ABSENT, ON_DISK, pending=(0, 0)),),
    "a load beside one in progress": (_one(((0, 1),), ON_DISK, LOADING, pending=(0, 0)),),
    "a copy beside one in progress": (_one(((0, 1),), ABSENT, COPYING, pending=(0, 0)),),
    "a layer that a cold start protects": (_one(((0,), (1,)), IN_RAM, ABSENT, pending=(0, 1)),),
    "a starting container": (_one(((0,), (1,)), IN_RAM, IN_RAM, Held(0, STARTING), pending=(0, 1)),),
    "layers in progress": (_one(((0,), (1,)), LOADING, COPYING, pending=(0, 1)),),
    "a copy in place of a layer in RAM": (_one(((0,),), ABSENT, IN_RAM, pending=(0, 0)),),
    "no activated node": tuple(
        RoundShape(((0,),), (NodeShape((ON_DISK, ABSENT), (), status),), (0, 0))
        for status in NodeStatus
        if status is not NodeStatus.ACTIVATED
    ),
}
"""Rounds of one node and two invocations."""

TWO_NODES: dict[str, tuple[RoundShape, ...]] = {
    "cold starts on either node, names in both orders": tuple(
        _two(((0,),), NodeShape((IN_RAM, ABSENT)), NodeShape((IN_RAM, ABSENT)), descend) for descend in (False, True)
    ),
    "cold starts, one with an eviction": (_two(((0,),), NodeShape((IN_RAM, ON_DISK)), NodeShape((IN_RAM, ABSENT))),),
    "cold starts, one with a termination": (
        _two(((), ()), NodeShape((ABSENT,) * 2, (Held(1),)), NodeShape((ABSENT,) * 2), True),
    ),
    "reuse before a cold start": (_two(((0,),), NodeShape((IN_RAM, ABSENT)), NodeShape((IN_RAM, ABSENT), (Held(0),))),),
    "a wait for RAM before a load": (_two(((0,),), NodeShape((ON_DISK, ABSENT)), NodeShape((LOADING, ABSENT))),),
    "a load before a copy": (_two(((0, 1),), NodeShape((ABSENT, ON_DISK)), NodeShape((ON_DISK, IN_RAM))),),
    "a wait for disk before a copy": (_two(((0,),), NodeShape((ABSENT, ABSENT)), NodeShape((COPYING, ABSENT))),),
    "copies to either node": (_two(((0, 1),), NodeShape((ABSENT, ABSENT)), NodeShape((ABSENT, ON_DISK))),),
    "a node to activate": (
        _two(((0,),), NodeShape((IN_RAM, ABSENT)), NodeShape((ON_DISK, ABSENT), (), NodeStatus.DEACTIVATED)),
        _two(((0,),), NodeShape((ON_DISK, ABSENT), (), NodeStatus.ACTIVATING), NodeShape((IN_RAM, ABSENT))),
    ),
}
"""Rounds of two nodes and one invocation."""

NAMED = ONE_NODE | TWO_NODES
"""All of the standard set."""

EVICTING = ("an idle container in the way", "cold starts beside a layer in the way", "a copy in place of a layer in RAM")
"""Names of shapes in which something may have to go."""

STANDARD_SHAPES = "the named shapes of one node and two invocations and of two nodes and one invocation"
_ANY_NODE = "with two layers anywhere, at most one container, and every status"
TWO_INVOCATIONS_IN_FULL = (
    f"all shapes of one node, {_ANY_NODE}, and two invocations, of one function or of two, up to renaming of layers"
)
ONE_INVOCATION_IN_FULL = f"all shapes of one node, {_ANY_NODE}, and one invocation, up to renaming of layers"
TWO_NODES_IN_FULL = (
    "all shapes of two such nodes where no other function has run and one invocation that needs both layers or one, up to "
    "renaming"
)
TWO_NODES_FOR_BOTH_LAYERS = (
    "all shapes of two such nodes where no other function has run and one invocation that needs both layers, up to renaming"
)
TWO_NODES_WITH_OTHERS = "those of two nodes where another function has run and one invocation that needs both layers"
"""What the standard and the deep set cover, in words."""

PORTION = 60
"""How many shapes one part of the deep set explores."""

ANY_NUMBER_OF_PATHS = Budget(paths=2_000_000, queries=20_000_000)
"""A limit that no portion comes near to."""


@cache
def two_invocations_in_full() -> tuple[RoundShape, ...]:
    """Return every round of one node and two invocations, up to renaming of layers."""
    return tuple(up_to_renaming(two_invocations_on_one_node()))


@cache
def one_invocation_in_full() -> tuple[RoundShape, ...]:
    """Return every round of one node and one invocation, up to renaming of layers."""
    return tuple(shape._replace(pending=(0,)) for shape in two_invocations_in_full() if shape.pending == (0, 0))


@cache
def two_nodes_in_full() -> tuple[RoundShape, ...]:
    """Return every round of two nodes where no other function has run and one invocation that needs both layers or one."""
    return tuple(shape for image in ((0, 1), (0,)) for shape in _two_nodes(image) if len(shape.images) == 1)


@cache
def two_nodes_for_both_layers() -> tuple[RoundShape, ...]:
    """Return those of them in which the invocation needs both layers."""
    return tuple(shape for shape in two_nodes_in_full() if len(shape.images[0]) == len(LAYERS))


@cache
def two_nodes_with_others() -> tuple[RoundShape, ...]:
    """Return every round of two nodes where another function has run and one invocation that needs both layers."""
    return tuple(shape for shape in _two_nodes((0, 1)) if len(shape.images) > 1)


def _two_nodes(image: Image) -> Iterator[RoundShape]:
    return up_to_renaming(one_invocation_on_two_nodes(image))


def over(body: ShapeBody, shapes: tuple[RoundShape, ...]) -> Body:
    """Return the body that explores each of the shapes."""

    def chosen(setting: Setting) -> None:
        body(setting, setting.path.choose(shapes))

    return chosen


def standard_parts(body: ShapeBody, *names: str) -> tuple[Part, ...]:
    """Return a part of the standard set for each of the named shapes, or for all."""
    return tuple(Part(name, over(body, NAMED[name])) for name in names or NAMED)


def labelled(label: str, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the parts under names that begin with the label."""
    return tuple(replace(part, name=f"{label}: {part.name}") for part in parts)


def deep_parts(body: ShapeBody, what: str, shapes: tuple[RoundShape, ...]) -> tuple[Part, ...]:
    """Return parts of the deep set that explore all the shapes, a portion each."""
    portions = [shapes[start : start + PORTION] for start in range(0, len(shapes), PORTION)]
    return tuple(
        Part(f"{what}, portion {number}", over(body, portion), Tier.DEEP, ANY_NUMBER_OF_PATHS)
        for number, portion in enumerate(portions, 1)
    )
