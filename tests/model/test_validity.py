"""Every rule of validity, broken once; the message says what, where and what was expected."""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from worlds import NOW, catalog, container, function, invocation, layer, node, world

from gaugeblock.model import (
    Catalog,
    Container,
    ContainerStatus,
    Image,
    ImageName,
    InvalidState,
    Node,
    NodeStatus,
    ObservedState,
    ResidentLayer,
    replace,
)
from gaugeblock.model import problems as broken

A, B = layer("a"), layer("b")
F = function("f", A)
G = function("g", A, B, capacity=2)
CATALOG = catalog(F, G)


def with_node(changed: Node) -> ObservedState:
    """Return a state that has just this node."""
    return world(CATALOG, changed)


def resident(*containers: Container) -> Node:
    """Return a node where both layers are resident on disk and in RAM."""
    return node("n", (A, B), (A, B), containers)


BREACHES: dict[str, tuple[type[broken.Problem], str, Callable[[], ObservedState]]] = {
    "two nodes of one name": (broken.DuplicateName, "$.nodes[1].name", lambda: world(CATALOG, node("n"), node("n"))),
    "two layers of one name": (broken.DuplicateName, "$.catalog.layers[1].name", lambda: world(Catalog((A, A)))),
    "two functions of one name": (
        broken.DuplicateName,
        "$.catalog.functions[1].name",
        lambda: world(replace(CATALOG, functions=(F, F))),
    ),
    "two images of one name": (
        broken.DuplicateName,
        "$.catalog.images[1].name",
        lambda: world(replace(CATALOG, images=(F.image, F.image), functions=(F,))),
    ),
    "two invocations of one id": (
        broken.DuplicateName,
        "$.pending[1].id",
        lambda: world(CATALOG, pending=(invocation(1, F), invocation(1, G))),
    ),
    "one container id on two nodes": (
        broken.DuplicateName,
        "$.nodes[1].containers[0].id",
        lambda: world(CATALOG, resident(container(1, F)), replace(resident(container(1, F)), name="m")),
    ),
    "one container id twice on a node": (
        broken.DuplicateName,
        "$.nodes[0].containers[1].id",
        lambda: with_node(resident(container(1, F), container(1, F))),
    ),
    "containers out of order": (
        broken.WrongOrder,
        "$.nodes[0].containers[1].id",
        lambda: with_node(resident(container(2, F), container(1, F))),
    ),
    "layers out of catalogue order": (
        broken.WrongOrder,
        "$.nodes[0].disk_layers[1]",
        lambda: with_node(node("n", (B, A))),
    ),
    "a layer twice on disk": (broken.RepeatedLayer, "$.nodes[0].disk_layers[1]", lambda: with_node(node("n", (A, A)))),
    "a layer copied twice": (
        broken.RepeatedLayer,
        "$.nodes[0].copying[1]",
        lambda: with_node(node("n", copying=(A, A))),
    ),
    "an image that lists a layer twice": (
        broken.RepeatedLayer,
        "$.catalog.images[0].layers[1]",
        lambda: world(Catalog((A,), (Image(ImageName("i"), (A, A)),))),
    ),
    "an image of an unknown layer": (
        broken.UnknownReference,
        "$.catalog.images[0].layers[0]",
        lambda: world(Catalog((), (F.image,))),
    ),
    "a layer of a known name but another size": (
        broken.UnknownReference,
        "$.nodes[0].disk_layers[0]",
        lambda: with_node(node("n", (layer("a", disk=7),))),
    ),
    "a pending invocation of an unknown function": (
        broken.UnknownReference,
        "$.pending[0].function",
        lambda: world(catalog(F), pending=(invocation(1, G),)),
    ),
    "a function of an unknown image": (
        broken.UnknownReference,
        "$.catalog.functions[0].image",
        lambda: world(Catalog((A,), (), (F,))),
    ),
    "a negative size": (
        broken.OutOfRange,
        "$.catalog.layers[0].disk_bytes",
        lambda: world(Catalog((layer("a", disk=-1),))),
    ),
    "a size beyond 63 bits": (broken.OutOfRange, "$.nodes[0].ram_bytes", lambda: with_node(node("n", ram=2**63))),
    "a container that may hold nothing": (
        broken.OutOfRange,
        "$.catalog.functions[0].max_invocations_per_container",
        lambda: world(catalog(function("f", A, capacity=0))),
    ),
    "a float where an integer is due": (
        broken.WrongType,
        "$.nodes[0].max_containers",
        lambda: with_node(node("n", positions=1.0)),  # type: ignore[arg-type]  # the wrong type is what is tested
    ),
    "a truth value where an integer is due": (
        broken.WrongType,
        "$.nodes[0].max_containers",
        lambda: with_node(node("n", positions=True)),
    ),
    "a list where a tuple is due": (
        broken.WrongType,
        "$.nodes[0].copying",
        lambda: with_node(replace(node("n"), copying=[])),
    ),
    "a date that is no number": (broken.BadDate, "$.now", lambda: world(CATALOG, now=math.nan)),
    "an infinite date": (broken.BadDate, "$.now", lambda: world(CATALOG, now=math.inf)),
    "a submit date after now": (
        broken.BadDate,
        "$.pending[0].submitted",
        lambda: world(CATALOG, pending=(invocation(1, F, submitted=NOW + 1),)),
    ),
    "an access date after now": (
        broken.BadDate,
        "$.nodes[0].disk_layers['a']",
        lambda: with_node(replace(node("n"), disk_layers=(ResidentLayer(A, NOW + 1),))),
    ),
    "a last use after now": (
        broken.BadDate,
        "$.nodes[0].containers[0].last_used",
        lambda: with_node(resident(container(1, F, last_used=NOW + 1))),
    ),
    "a layer in RAM and not on disk": (broken.NotOnDisk, "$.nodes[0].ram_layers", lambda: with_node(node("n", (), (A,)))),
    "a layer being loaded and not on disk": (
        broken.NotOnDisk,
        "$.nodes[0].loading",
        lambda: with_node(node("n", loading=(A,))),
    ),
    "a layer both in RAM and being loaded": (
        broken.OverlappingResidency,
        "$.nodes[0].loading",
        lambda: with_node(node("n", (A,), (A,), loading=(A,))),
    ),
    "a layer both on disk and being copied": (
        broken.OverlappingResidency,
        "$.nodes[0].copying",
        lambda: with_node(node("n", (A,), copying=(A,))),
    ),
    "a container whose layers are not in RAM": (
        broken.ContainerWithoutLayers,
        "$.nodes[0].containers[0]",
        lambda: with_node(node("n", (A,), (), (container(1, F),))),
    ),
    "more in flight than a container may hold": (
        broken.TooManyInFlight,
        "$.nodes[0].containers[0].in_flight",
        lambda: with_node(resident(container(1, F, in_flight=2))),
    ),
    "two invocations in a starting container": (
        broken.TooManyInFlight,
        "$.nodes[0].containers[0].in_flight",
        lambda: with_node(resident(container(1, G, ContainerStatus.STARTING, in_flight=2))),
    ),
    "more RAM in use than there is": (
        broken.NegativeAvailability,
        "$.nodes[0].ram_bytes",
        lambda: with_node(replace(resident(container(1, F)), ram_bytes=2)),
    ),
    "more disk in use than there is": (
        broken.NegativeAvailability,
        "$.nodes[0].disk_bytes",
        lambda: with_node(replace(resident(container(1, F)), disk_bytes=2)),
    ),
    "more invocations than the node may hold": (
        broken.NegativeAvailability,
        "$.nodes[0].max_invocations",
        lambda: with_node(replace(resident(container(1, F, in_flight=1)), max_invocations=0)),
    ),
    "more containers than positions": (
        broken.NegativeAvailability,
        "$.nodes[0].max_containers",
        lambda: with_node(replace(resident(container(1, F)), max_containers=0)),
    ),
    "a RAM layer on a node that is not activated": (
        broken.InactiveNodeInUse,
        "$.nodes[0].ram_layers",
        lambda: with_node(node("n", (A,), (A,), status=NodeStatus.DEACTIVATED)),
    ),
    "a transfer to a node that is not activated": (
        broken.InactiveNodeInUse,
        "$.nodes[0].copying",
        lambda: with_node(node("n", copying=(A,), status=NodeStatus.ACTIVATING)),
    ),
}


@pytest.mark.parametrize("breach", BREACHES)
def test_a_breach_is_refused_with_its_path(breach: str) -> None:
    """Formats: a round is valid only if every rule holds; the problem is of the rule's class and names the place."""
    rule, path, build = BREACHES[breach]
    with pytest.raises(InvalidState) as refused:
        build()
    matching = [problem for problem in refused.value.problems if type(problem) is rule and problem.path == path]
    assert matching, str(refused.value)
    assert str(matching[0]).startswith(f"{path}: found ")
    assert "; expected " in str(matching[0])


def test_every_rule_has_a_breach() -> None:
    """No rule of validity goes without a test that breaks it."""
    rules = {each for each in broken.Problem.__subclasses__() if each.__module__ == broken.__name__}
    assert {rule for rule, _, _ in BREACHES.values()} == rules


def test_the_valid_neighbour_of_the_breaches_is_accepted() -> None:
    """The same world without a breach is a state."""
    state = world(CATALOG, resident(container(1, F), container(2, G, in_flight=2)), pending=(invocation(1, F),))
    assert state.nodes[0].invocations_available == 998


def test_all_problems_are_reported_at_once() -> None:
    """A state with two breaches names both, on a line each."""
    with pytest.raises(InvalidState) as refused:
        world(CATALOG, node("n", (A, A)), node("n"))
    assert [problem.path for problem in refused.value.problems] == ["$.nodes[1].name", "$.nodes[0].disk_layers[1]"]
    assert len(str(refused.value).splitlines()) == 2


MISTAKES: dict[str, tuple[str, Callable[[], ObservedState]]] = {
    "a number for a node": ("$.nodes[0]", lambda: with_node(3)),  # type: ignore[arg-type]  # wrong types are what is tested
    "a status by its name": ("$.nodes[0].status", lambda: with_node(replace(node("n"), status="activated"))),
    "a name that is a number": ("$.nodes[0].name", lambda: with_node(replace(node("n"), name=3))),
    "a name that cannot be hashed": ("$.nodes[0].name", lambda: with_node(replace(node("n"), name=[]))),
    "a name with half a surrogate pair": ("$.nodes[0].name", lambda: with_node(replace(node("n"), name="\ud800"))),
    "a size in a list": ("$.nodes[0].ram_bytes", lambda: with_node(replace(node("n"), ram_bytes=[1]))),
    "a fraction for a size": ("$.nodes[0].ram_bytes", lambda: with_node(replace(node("n"), ram_bytes=Fraction(1, 2)))),
    "a text for a date": ("$.now", lambda: replace(with_node(node("n")), now="noon")),
    "no catalogue": ("$.catalog", lambda: replace(with_node(node("n")), catalog=None)),
    "a layer by its name": ("$.nodes[0].copying[0]", lambda: with_node(replace(node("n"), copying=("a",)))),
    "a layer without its date": ("$.nodes[0].disk_layers[0]", lambda: with_node(replace(node("n"), disk_layers=(A,)))),
    "no function of a container": (
        "$.nodes[0].containers[0].function",
        lambda: with_node(resident(replace(container(1, F), function=None))),
    ),
    "a container id that is a text": (
        "$.nodes[0].containers[0].id",
        lambda: with_node(resident(replace(container(1, F), id="1"))),
    ),
    "a count that is missing": (
        "$.nodes[0].containers[0].in_flight",
        lambda: with_node(resident(replace(container(1, F), in_flight=None))),
    ),
    "a pending function by its name": (
        "$.pending[0].function",
        lambda: world(CATALOG, pending=(replace(invocation(1, F), function="f"),)),
    ),
    "a list deep in the catalogue": (
        "$.catalog.functions[0].image.layers",
        lambda: world(replace(CATALOG, functions=(replace(F, image=replace(F.image, layers=[A])),))),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_state_of_wrong_parts_cannot_be_had(mistake: str) -> None:
    """Whoever builds a state in Python is told the field that holds something else than it declares."""
    path, build = MISTAKES[mistake]
    with pytest.raises(InvalidState) as refused:
        build()
    assert [(type(problem), problem.path) for problem in refused.value.problems] == [(broken.WrongType, path)]
