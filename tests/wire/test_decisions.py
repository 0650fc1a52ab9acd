"""Decisions on the wire (formats, DECISIONS)."""

import json
from typing import Any

import pytest

from gaugeblock.model import (
    ContainerId,
    Decisions,
    Dispatch,
    Eviction,
    Failure,
    FunctionName,
    InvocationId,
    LayerName,
    NodeName,
    Prewarm,
    Termination,
    Transfer,
)
from gaugeblock.wire.decisions import canonical, decode_decisions, encode_decisions
from gaugeblock.wire.errors import InvalidDocument

EVERYTHING = Decisions(
    failures=(Failure(InvocationId(9), "waited too long"),),
    activations=(NodeName("node-1"),),
    deactivations=(NodeName("node-2"),),
    terminations=(Termination(NodeName("node-0"), ContainerId(4)),),
    ram_evictions=(Eviction(NodeName("node-0"), LayerName("python")),),
    disk_evictions=(Eviction(NodeName("node-0"), LayerName("app")),),
    dispatches=(
        Dispatch(InvocationId(3), NodeName("node-0"), ContainerId(5)),
        Dispatch(InvocationId(2), NodeName("node-0"), None),
    ),
    loads=(Transfer(NodeName("node-0"), LayerName("app")),),
    copies=(Transfer(NodeName("node-0"), LayerName("model")),),
    prewarms=(Prewarm(NodeName("node-0"), FunctionName("resize")),),
    wakeup=13.5,
)
EVERYTHING_ON_THE_WIRE = (
    b'{"failures":[{"invocation":9,"reason":"waited too long"}],"activations":["node-1"],"deactivations":["node-2"],'
    b'"terminations":[{"node":"node-0","container":4}],"ram_evictions":[{"node":"node-0","layer":"python"}],'
    b'"disk_evictions":[{"node":"node-0","layer":"app"}],"dispatches":[{"invocation":3,"node":"node-0","container":5},'
    b'{"invocation":2,"node":"node-0","container":null}],"loads":[{"node":"node-0","layer":"app"}],'
    b'"copies":[{"node":"node-0","layer":"model"}],"prewarms":[{"node":"node-0","function":"resize"}],"wakeup":13.5}'
)


def test_every_category_is_written_as_the_formats_say_and_read_back() -> None:
    """Formats, DECISIONS: names and order of all keys; lists keep the order of planning (AMB-8)."""
    assert encode_decisions(EVERYTHING) == EVERYTHING_ON_THE_WIRE
    assert decode_decisions(EVERYTHING_ON_THE_WIRE) == EVERYTHING


def test_absent_lists_mean_none() -> None:
    """Formats, DECISIONS: absent or empty lists mean none, an absent wake-up too."""
    assert decode_decisions(b"{}") == decode_decisions(encode_decisions(Decisions())) == Decisions()


@pytest.mark.parametrize("text", ["null", "1.7976931348623157e308", "1.7976931348623157E+308", "17976931348623157" + "0" * 292])
def test_the_largest_double_as_a_wakeup_means_none(text: str) -> None:
    """WAKE-1: the C++ value DBL_MAX means none, however it is spelled."""
    assert decode_decisions(f'{{"wakeup": {text}}}'.encode()).wakeup is None


def test_a_wakeup_just_below_the_largest_double_is_a_date() -> None:
    """WAKE-1, control: only that one value means none."""
    assert decode_decisions(b'{"wakeup": 1.7976931348623155e308}').wakeup == 1.7976931348623155e308


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"wakeup": "soon"}, "$.wakeup: found 'soon'; expected a finite number or null"),
        ({"wakeups": None}, "$.wakeups: found an unknown key; expected one of the keys failures, activations,"),
        ({"loads": None}, "$.loads: found null; expected a list"),
        ({"loads": [{"node": "n"}]}, "$.loads[0].layer: found no such key; expected a string"),
        (
            {"dispatches": [{"invocation": 1, "node": "n"}]},
            "$.dispatches[0].container: found no such key; expected an integer from 0 to 2^63-1 or null",
        ),
        (
            {"dispatches": [{"invocation": 1, "node": "n", "container": -1}]},
            "$.dispatches[0].container: found -1; expected an integer from 0 to 2^63-1",
        ),
        ({"failures": [{"invocation": 1.0, "reason": ""}]}, "$.failures[0].invocation: found 1.0; expected an integer"),
        ({"activations": [{"node": "n"}]}, "$.activations[0]: found an object of 1 keys; expected a string"),
    ],
)
def test_a_document_of_another_shape_is_refused(document: dict[str, Any], message: str) -> None:
    """Formats, DECISIONS: the message says where and what was expected."""
    with pytest.raises(InvalidDocument) as refused:
        decode_decisions(json.dumps(document).encode())
    assert message in str(refused.value)


def test_a_wakeup_beyond_the_doubles_is_refused() -> None:
    """WAKE-2: a date that would become infinite is no date."""
    with pytest.raises(InvalidDocument, match="found a number beyond the range of double precision; expected a finite number"):
        decode_decisions(b'{"wakeup": 1e400}')


def test_canonical_order_is_by_node_and_then_by_what_is_there() -> None:
    """AMB-8: within a category by node name (code points), then layer, container or invocation; categories stay apart."""
    node_10, node_2 = NodeName("node-10"), NodeName("node-2")
    shuffled = Decisions(
        activations=(node_2, node_10),
        terminations=(
            Termination(node_2, ContainerId(1)),
            Termination(node_10, ContainerId(12)),
            Termination(node_10, ContainerId(3)),
        ),
        dispatches=(Dispatch(InvocationId(2), node_2, None), Dispatch(InvocationId(1), node_2, ContainerId(0))),
        copies=(Transfer(node_10, LayerName("z")), Transfer(node_10, LayerName("a")), Transfer(node_10, LayerName("Z"))),
        wakeup=3.0,
    )
    ordered = canonical(shuffled)
    assert ordered.activations == (node_10, node_2)
    assert [(each.node, each.container) for each in ordered.terminations] == [("node-10", 3), ("node-10", 12), ("node-2", 1)]
    assert [each.invocation for each in ordered.dispatches] == [1, 2]
    assert [each.layer for each in ordered.copies] == ["Z", "a", "z"]
    assert ordered.wakeup == 3.0


def test_canonical_order_does_not_depend_on_the_order_given() -> None:
    """AMB-8: also where two entries differ only in whether the container is new."""
    cold, warm = (Dispatch(InvocationId(1), NodeName("n"), container) for container in (None, ContainerId(0)))
    assert canonical(Decisions(dispatches=(cold, warm))) == canonical(Decisions(dispatches=(warm, cold)))
