"""Policies on the wire (formats, POLICIES)."""

import json
from typing import Any

import pytest

from gaugeblock.model import PolicyKind, PolicyName, PolicyNames
from gaugeblock.wire.errors import InvalidDocument
from gaugeblock.wire.policies import decode_policies, encode_policies


def test_an_absent_kind_means_its_default() -> None:
    """Formats, POLICIES; POL: the first of each kind."""
    assert decode_policies(b"{}") == PolicyNames()
    assert encode_policies(PolicyNames()) == b"{}"


@pytest.mark.parametrize("kind", PolicyKind)
def test_every_kind_can_be_named(kind: PolicyKind) -> None:
    """Formats, POLICIES: the key of each of the eight kinds."""
    names = decode_policies(json.dumps({kind.value: {"name": "mine"}}).encode())
    assert names == PolicyNames(**{kind.value: PolicyName("mine")})
    assert encode_policies(names) == json.dumps({kind.value: {"name": "mine"}}, separators=(",", ":")).encode()


def test_parameters_are_scalars_or_counts_by_name() -> None:
    """Formats, POLICIES: parameters stand beside the name, keep their order and their types."""
    text = b'{"container_prewarm":{"name":"p","seed":7,"seconds":7.0,"label":"x","loud":true,"per_function":{"g":1,"f":0}}}'
    names = decode_policies(text)
    parameters = names.container_prewarm.parameters
    assert parameters == (("seed", 7), ("seconds", 7.0), ("label", "x"), ("loud", True), ("per_function", (("g", 1), ("f", 0))))
    assert [type(value) for _, value in parameters] == [int, float, str, bool, tuple]
    assert encode_policies(names) == text


def test_a_parameter_on_a_default_policy_is_kept() -> None:
    """Formats, POLICIES: only what equals the default is left out in writing."""
    names = PolicyNames(eviction=PolicyName("fewest", (("strength", 1),)))
    assert encode_policies(names) == b'{"eviction":{"name":"fewest","strength":1}}'


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"evictions": {"name": "lru"}}, "$.evictions: found an unknown key; expected one of the keys invocation_failing,"),
        ({"eviction": "lru"}, "$.eviction: found 'lru'; expected an object"),
        ({"eviction": None}, "$.eviction: found null; expected an object"),
        ({"eviction": {}}, "$.eviction.name: found no such key; expected a string"),
        ({"eviction": {"name": 7}}, "$.eviction.name: found 7; expected a string"),
        ({"eviction": {"name": {"lru": 1}}}, "$.eviction.name: found an object of 1 keys; expected a string"),
        ({"plan_selection": {"name": "random", "seed": -1}}, "$.plan_selection['seed']: found -1; expected an integer"),
        ({"plan_selection": {"name": "random", "seed": None}}, "$.plan_selection['seed']: found null; expected an integer"),
        ({"plan_selection": {"name": "random", "seed": [1]}}, "$.plan_selection['seed']: found a list of 1; expected"),
        (
            {"container_prewarm": {"name": "warm-pool", "per_function": {"f": 0.5}}},
            "$.container_prewarm['per_function']['f']: found 0.5; expected an integer from 0 to 2^63-1",
        ),
    ],
)
def test_a_document_of_another_shape_is_refused(document: dict[str, Any], message: str) -> None:
    """Formats, POLICIES: the message says where and what was expected."""
    with pytest.raises(InvalidDocument) as refused:
        decode_policies(json.dumps(document).encode())
    assert message in str(refused.value)
