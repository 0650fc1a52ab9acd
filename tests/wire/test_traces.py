"""The trace on the wire: complete, by name, and always the same bytes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaugeblock import corpus
from gaugeblock.model import ObservedState, PolicyNames, RoundTrace
from gaugeblock.scheduler import scheduler_from
from gaugeblock.strategies import ALL_TUNINGS, rounds_with_policies
from gaugeblock.wire.rounds import encode_round
from gaugeblock.wire.traces import encode_trace


def traced(case_id: str) -> tuple[RoundTrace, dict[str, Any]]:
    """Return the trace of a case of the corpus, and its document."""
    case = corpus.find(case_id)
    trace = scheduler_from(case.policies).schedule(case.round)[1]
    return trace, json.loads(encode_trace(trace))


def test_the_document_tells_the_phases_in_their_order() -> None:
    """ROUND-1 to ROUND-7: a reader finds them from top to bottom; the observed round is a round document."""
    trace, document = traced("q1-all-idle-first")
    assert list(document) == [
        *("observed", "initial", "failures", "scaling", "ordered", "placements"),
        *("placed", "prewarms", "final", "wakeups", "wakeup"),
    ]
    assert document["observed"] == json.loads(encode_round(trace.observed))


def test_a_plan_names_its_pass_by_clause_with_what_it_reclaims() -> None:
    """PLACE-6, RECL-2: the quirk in which both idle containers go and a layer besides."""
    [placement] = traced("q1-all-idle-first")[1]["placements"]
    assert placement["plan"]["clause"] == "PLACE-6"
    assert placement["plan"]["reclamation"] == {"terminations": [2, 1], "ram_evictions": [], "disk_evictions": ["x"]}
    [copying] = [tried for tried in placement["passes"] if tried["name"] == "disk_copy"]
    steps = copying["findings"][0]["reclamation"]["steps"]
    assert [(step["step"], step["candidates"], step["victims"]) for step in steps] == [
        ("containers", [1, 2], [2, 1]),
        ("disk_layers", ["x", "g0"], ["x"]),
    ]


@pytest.mark.parametrize("case_id", ["q2-rank", "q4-evict-and-load"])
def test_a_placement_lists_just_the_nodes_that_it_changed(case_id: str) -> None:
    """ACCT-8: applying the listed changes in order to the state before placement gives the state after it."""
    document = traced(case_id)[1]
    nodes = {node["name"]: node for node in document["ordered"]["nodes"]}
    for placement in document["placements"]:
        for change in placement["changes"]:
            assert change["before"] != change["after"]
            assert nodes[change["before"]["name"]] == change["before"]
            nodes[change["after"]["name"]] = change["after"]
    assert list(nodes.values()) == document["placed"]["nodes"]


@given(st.sampled_from(ALL_TUNINGS).flatmap(rounds_with_policies))
def test_equal_traces_have_equal_bytes(pair: tuple[ObservedState, PolicyNames]) -> None:
    """ROUND-1: nothing in the document depends on the order in which a set is iterated."""
    observed, policies = pair
    scheduler = scheduler_from(policies)
    text = encode_trace(scheduler.schedule(observed)[1])
    assert encode_trace(scheduler.schedule(observed)[1]) == text
    positions = {layer.name: index for index, layer in enumerate(observed.catalog.layers)}
    for node in json.loads(text)["final"]["nodes"]:
        for field in ("resident_in_ram", "resident_on_disk", "loading", "copying", "protected"):
            found = [positions[name] for name in node[field]]
            assert found == sorted(found)
