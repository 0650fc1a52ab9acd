"""What a round needs of a subject: each feature where leaving it out could show, and nowhere else."""

import pytest

from gaugeblock.conformance.features import FEATURES, WITHOUT_WAKEUPS, needed
from gaugeblock.model import (
    Catalog,
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
    Node,
    NodeName,
    NodeStatus,
    ObservedState,
    PolicyKind,
    PolicyName,
    PolicyNames,
    ResidentLayer,
    replace,
)
from gaugeblock.policies.registry import BUILTIN
from gaugeblock.wire.protocol import FEATURES as ON_THE_WIRE

LAYER = Layer(LayerName("l"), 10, 10)
IMAGE = Image(ImageName("i"), (LAYER,))
FUNCTION = Function(FunctionName("f"), IMAGE, 1, 1, 1)
SHARED = Function(FunctionName("g"), IMAGE, 1, 1, 2)
CATALOG = Catalog((LAYER,), (IMAGE,), (FUNCTION, SHARED))
RESIDENT = ResidentLayer(LAYER, 0.0)
NODE = Node(NodeName("n"), NodeStatus.ACTIVATED, 100, 100, 9, 9, (RESIDENT,), (RESIDENT,))
STATE = ObservedState(5.0, CATALOG, (NODE,))
DEFAULTS = PolicyNames()


def with_node(**changes: object) -> ObservedState:
    """Return the plain state with its node changed."""
    return replace(STATE, nodes=(replace(NODE, **changes),))


def container(function: Function, status: ContainerStatus) -> Container:
    """Return a container without an invocation."""
    return Container(ContainerId(1), function, status, 0, 0.0)


def pending(count: int) -> tuple[Invocation, ...]:
    """Return so many invocations."""
    return tuple(Invocation(InvocationId(number), FUNCTION, 0.0) for number in range(count))


POOL = PolicyName("warm-pool", (("per_function", ((FunctionName("f"), 8), (FunctionName("g"), 2))),))

NEEDS = {
    "nothing": (STATE, DEFAULTS, ()),
    "as many positions as invocations": (replace(STATE, pending=pending(9)), DEFAULTS, ()),
    "more invocations than positions": (replace(STATE, pending=pending(10)), DEFAULTS, ("positions",)),
    "a pool beyond the positions": (STATE, replace(DEFAULTS, container_prewarm=POOL), ("positions", "prewarming")),
    "an empty node without activation": (
        replace(STATE, nodes=(Node(NodeName("n"), NodeStatus.DEACTIVATED, 1, 1, 1, 0),), pending=pending(1)),
        DEFAULTS,
        ("node-status",),
    ),
    "a container of capacity one": (with_node(containers=(container(FUNCTION, ContainerStatus.READY),)), DEFAULTS, ()),
    "a starting container of capacity two": (
        with_node(containers=(container(SHARED, ContainerStatus.STARTING),)),
        DEFAULTS,
        (),
    ),
    "a ready container of capacity two": (
        with_node(containers=(container(SHARED, ContainerStatus.READY),)),
        DEFAULTS,
        ("shared-containers",),
    ),
    "no scaling": (STATE, replace(DEFAULTS, node_scaling=PolicyName("never")), ()),
    "a scaling that deactivates": (
        STATE,
        replace(DEFAULTS, node_scaling=PolicyName("deactivate-idle", (("seconds", 5.0),))),
        ("node-status", "wakeups"),
    ),
    "failing after a time": (
        STATE,
        replace(DEFAULTS, invocation_failing=PolicyName("pending-timeout", (("seconds", 5.0),))),
        ("failing", "wakeups"),
    ),
    "a policy of somebody else's": (STATE, replace(DEFAULTS, eviction=PolicyName("mine")), ("wakeups",)),
    "2^53 bytes": (with_node(ram_bytes=2**53), DEFAULTS, ()),
    "2^53 + 1 bytes": (with_node(ram_bytes=2**53 + 1), DEFAULTS, ("integers-64",)),
    "an id of 2^53 + 1": (
        replace(STATE, pending=(Invocation(InvocationId(2**53 + 1), FUNCTION, 0.0),)),
        DEFAULTS,
        ("integers-64",),
    ),
    "layers that add up to 2^53 + 1": (
        ObservedState(0.0, Catalog((Layer(LayerName("a"), 2**53, 0), Layer(LayerName("b"), 1, 0)))),
        DEFAULTS,
        ("integers-64",),
    ),
}


@pytest.mark.parametrize("round_", NEEDS)
def test_a_round_needs_what_could_show(round_: str) -> None:
    """Each row of the table of features, on both sides of its limit."""
    state, policies, expected = NEEDS[round_]
    assert needed(state, policies) == expected


def test_the_features_are_those_of_the_format() -> None:
    """The names and their order are the format's."""
    assert tuple(FEATURES) == tuple(ON_THE_WIRE)


@pytest.mark.parametrize("kind", PolicyKind)
def test_exactly_the_built_in_policies_that_redefine_the_wakeup_report_one(kind: PolicyKind) -> None:
    """WAKE-1: the table of policies without a date is that of the built-ins, less those that have one."""
    silent = {each.name for each in BUILTIN if each.kind is kind and "wakeup" not in vars(each)}
    assert silent == WITHOUT_WAKEUPS[kind]
