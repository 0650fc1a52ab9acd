"""Out and in again: nothing is lost, nothing is added, and what has no order has no influence."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gaugeblock.model import (
    LARGEST_DATE,
    LARGEST_INTEGER,
    Catalog,
    Node,
    NodeName,
    NodeStatus,
    ObservedState,
    PolicyNames,
    replace,
)
from gaugeblock.scheduler import scheduler_from
from gaugeblock.strategies import ALL_TUNINGS, rounds, rounds_with_policies
from gaugeblock.wire.decisions import decode_decisions, encode_decisions
from gaugeblock.wire.policies import decode_policies, encode_policies
from gaugeblock.wire.protocol import RoundRequest, decode_request, encode_round_request
from gaugeblock.wire.rounds import decode_round, encode_round

EMPTY_CATALOG = Catalog()
ANY_ROUND = st.sampled_from(ALL_TUNINGS).flatmap(rounds)


@given(ANY_ROUND)
def test_a_round_survives_the_trip_as_a_value_and_as_bytes(state: ObservedState) -> None:
    """Formats: decoding what was encoded gives the same value, and encoding that gives the same bytes."""
    text = encode_round(state)
    again = decode_round(text)
    assert again == state
    assert encode_round(again) == text


@given(ANY_ROUND, st.randoms(use_true_random=False))
def test_the_order_of_unordered_lists_and_of_keys_changes_nothing(state: ObservedState, chance: Any) -> None:
    """Formats: residency maps, transfers, containers and the keys of every object may come in any order."""

    def shuffled(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            items = [(name, shuffled(entry, name)) for name, entry in value.items()]
            chance.shuffle(items)
            return dict(items)
        if isinstance(value, list):
            elements = [shuffled(element) for element in value]
            if key in ("copying", "loading", "containers"):
                chance.shuffle(elements)
            return elements
        return value

    document = json.loads(encode_round(state))
    assert decode_round(json.dumps(shuffled(document)).encode()) == state


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_date_survives_exactly(now: float) -> None:
    """Formats: a date is written with enough digits to be the same double again; the sign of zero included."""
    state = ObservedState(now, EMPTY_CATALOG)
    assert decode_round(encode_round(state)).now.hex() == now.hex()


@given(st.text())
def test_every_name_survives_exactly(name: str) -> None:
    """Formats: names are any text, written in UTF-8 without escapes where JSON allows, never normalised."""
    text = json.dumps({"node_scaling": {"name": name, "a parameter": name}}).encode()
    names = decode_policies(text)
    assert names.node_scaling.name == name
    assert decode_policies(encode_policies(names)) == names


def test_text_beyond_ascii_is_written_as_it_is() -> None:
    """Formats: JSON in UTF-8, no needless escapes."""
    names = decode_policies('{"eviction": {"name": "größte 🐍"}}'.encode())
    assert encode_policies(names) == '{"eviction":{"name":"größte 🐍"}}'.encode()


def test_the_largest_numbers_survive() -> None:
    """Formats: 2^63-1 bytes and the largest double are exact on the wire."""
    node = Node(NodeName("n"), NodeStatus.ACTIVATED, LARGEST_INTEGER, LARGEST_INTEGER, LARGEST_INTEGER, LARGEST_INTEGER)
    state = decode_round(encode_round(ObservedState(LARGEST_DATE, EMPTY_CATALOG, (node,))))
    assert state.now == LARGEST_DATE
    assert state.nodes == (node,)


@given(st.sampled_from(ALL_TUNINGS).flatmap(rounds_with_policies))
def test_decisions_and_requests_survive_the_trip(pair: tuple[ObservedState, PolicyNames]) -> None:
    """ROUND-1: deciding after a trip gives the same bytes; decisions, policies and whole requests come back equal."""
    state, policies = pair
    request = decode_request(encode_round_request(17, state, policies))
    assert request == RoundRequest(17, state, policies)
    decisions = scheduler_from(policies).schedule(state)[0]
    again = scheduler_from(request.policies).schedule(request.round)[0]
    assert encode_decisions(again) == encode_decisions(decisions)
    assert decode_decisions(encode_decisions(decisions)) == decisions
    assert decode_policies(encode_policies(policies)) == policies


def test_a_difference_in_one_date_is_a_difference_on_the_wire() -> None:
    """Control: the comparisons above can fail."""
    state = ObservedState(1.0, EMPTY_CATALOG)
    assert encode_round(replace(state, now=1.0000000000000002)) != encode_round(state)
