"""The judge: what it says without evidence, of empty rounds, and of answers and traces that make no sense."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import catalog, function, invocation, layer, node, world

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
    PolicyName,
    PolicyNames,
    Prewarm,
    Termination,
    Transfer,
    replace,
)
from gaugeblock.scheduler import GreedyScheduler, scheduler_from
from gaugeblock.strategies import ALL_TUNINGS, Tuning, random_policy_names, random_round
from gaugeblock_specs.evidence import Evidence
from gaugeblock_specs.judge import evaluate, summary
from gaugeblock_specs.registry import ALL, find
from gaugeblock_specs.verdicts import Verdict

BASE = layer("base")
F = function("f", BASE)
OBSERVED = world(catalog(F), node("n", (BASE,), (BASE,)), node("m"), pending=(invocation(1, F),))
NODES = st.sampled_from([NodeName("n"), NodeName("m"), NodeName("ghost")])
LAYERS = st.sampled_from([LayerName("base"), LayerName("ghost")])
CONTAINERS = st.sampled_from([ContainerId(1), ContainerId(99)])
INVOCATIONS = st.sampled_from([InvocationId(1), InvocationId(2)])
FUNCTIONS = st.sampled_from([FunctionName("f"), FunctionName("ghost")])


def some(items: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    """Draw up to three items."""
    return st.lists(items, max_size=3).map(tuple)


ANSWERS = st.builds(
    Decisions,
    failures=some(st.builds(Failure, INVOCATIONS, st.just("why"))),
    activations=some(NODES),
    deactivations=some(NODES),
    terminations=some(st.builds(Termination, NODES, CONTAINERS)),
    ram_evictions=some(st.builds(Eviction, NODES, LAYERS)),
    disk_evictions=some(st.builds(Eviction, NODES, LAYERS)),
    dispatches=some(st.builds(Dispatch, INVOCATIONS, NODES, st.none() | CONTAINERS)),
    loads=some(st.builds(Transfer, NODES, LAYERS)),
    copies=some(st.builds(Transfer, NODES, LAYERS)),
    prewarms=some(st.builds(Prewarm, NODES, FUNCTIONS)),
    wakeup=st.none() | st.floats(),
)


def verdicts(evidence: Evidence) -> dict[str, Verdict]:
    """Return the verdict of each clause."""
    return {result.clause: result.verdict for result in evaluate(evidence)}


@given(ANSWERS)
def test_no_answer_makes_the_judge_fail(answer: Decisions) -> None:
    """Any decisions, sensible or not, get a verdict on every clause; a nonsensical name is a violation (ROUND-10)."""
    found = verdicts(Evidence(OBSERVED, answer, PolicyNames()))
    assert set(found) == {clause.id for clause in ALL}
    named = repr(msgspec.to_builtins(replace(answer, wakeup=None)))
    if "ghost" in named or "99" in named:
        assert found["ROUND-10"] is Verdict.VIOLATED


def test_without_a_trace_its_clauses_are_not_decided() -> None:
    """ROUND-9 speaks of working states, of which bare decisions say nothing."""
    decisions, _ = GreedyScheduler().schedule(OBSERVED)
    assert verdicts(Evidence(OBSERVED, decisions))["ROUND-9"] is Verdict.UNDECIDABLE


def test_without_names_the_policies_rules_are_not_decided() -> None:
    """POL clauses need to know what is installed, trace or not."""
    decisions, trace = GreedyScheduler().schedule(OBSERVED)
    found = verdicts(Evidence(OBSERVED, decisions, None, trace))
    assert {found[clause.id] for clause in ALL if clause.id.startswith("POL-")} == {Verdict.UNDECIDABLE}


def test_a_policy_of_another_name_is_not_judged_by_a_rule() -> None:
    """A third party's eviction policy has no rule here; those about all policies still apply."""
    decisions, trace = GreedyScheduler().schedule(OBSERVED)
    found = verdicts(Evidence(OBSERVED, decisions, PolicyNames(eviction=PolicyName("theirs")), trace))
    assert (found["POL-fewest"], found["POL-lru"]) == (Verdict.NOT_APPLICABLE, Verdict.NOT_APPLICABLE)
    assert found["RECL-1"] is Verdict.HOLDS


def test_a_clause_about_evictions_does_not_apply_where_none_is_made() -> None:
    """RECL-5 says nothing of a batch that evicts nothing."""
    decisions, _ = GreedyScheduler().schedule(OBSERVED)
    assert verdicts(Evidence(OBSERVED, decisions))["RECL-5"] is Verdict.NOT_APPLICABLE


def test_a_trace_about_another_state_is_a_violation_and_decides_nothing_else() -> None:
    """ROUND-1 and ROUND-10 see that the trace is of another round; clauses that need to read it stay undecided."""
    decisions, trace = GreedyScheduler().schedule(OBSERVED)
    elsewhere = replace(OBSERVED, nodes=(node("elsewhere"),), pending=())
    found = verdicts(Evidence(elsewhere, decisions, PolicyNames(), trace))
    assert (found["ROUND-1"], found["ROUND-10"]) == (Verdict.VIOLATED, Verdict.VIOLATED)
    assert found["PLACE-3"] is Verdict.UNDECIDABLE


def test_the_largest_date_means_no_wakeup() -> None:
    """WAKE-1, WAKE-2: the C++ DBL_MAX in an answer is none, not a late date."""
    decisions, _ = GreedyScheduler().schedule(OBSERVED)
    found = verdicts(Evidence(OBSERVED, replace(decisions, wakeup=1.7976931348623157e308), PolicyNames()))
    assert (found["WAKE-1"], found["WAKE-2"]) == (Verdict.HOLDS, Verdict.NOT_APPLICABLE)


@pytest.mark.parametrize("date", [float("nan"), float("inf"), float("-inf"), 100.0, 99.0])
def test_a_wakeup_that_is_not_later_and_finite_is_a_violation(date: float) -> None:
    """WAKE-2: the round of the world is at 100."""
    assert verdicts(Evidence(OBSERVED, Decisions(wakeup=date)))["WAKE-2"] is Verdict.VIOLATED


def test_summary_groups_by_verdict() -> None:
    """Each clause stands in exactly one group, and a right answer is clean."""
    decisions, trace = GreedyScheduler().schedule(OBSERVED)
    found = summary(evaluate(Evidence(OBSERVED, decisions, PolicyNames(), trace)))
    grouped = found.holds + found.violated + found.not_applicable + found.undecidable
    assert sorted(grouped) == sorted(clause.id for clause in ALL)
    assert found.is_clean


def test_summary_of_nothing_judged_is_not_clean() -> None:
    """A run in which nothing was judged proves nothing."""
    assert not summary(()).is_clean


def test_clauses_tell_what_they_need_and_where_they_come_from() -> None:
    """Each clause has its own identifier, a title, words for a reader, a section of the seed, and something to check."""
    assert len({clause.id for clause in ALL}) == len(ALL)
    for clause in ALL:
        assert find(clause.id) is clause
        assert clause.title
        assert clause.seed
        assert "Example:" in clause.doc
        assert clause.evidence
    assert find("RECL-99") is None


def _paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the paths to all that a trace says for itself; what it only repeats of the observed state is left out."""
    if isinstance(value, msgspec.Struct):
        fields = [
            name for name in value.__struct_fields__ if name not in ("observed", "catalog", "function", "container", "reason")
        ]
        return [found for name in fields for found in _paths(getattr(value, name), (*path, name))]
    if isinstance(value, tuple):
        return [path, *(found for place, item in enumerate(value) for found in _paths(item, (*path, place)))]
    return [path]


def _changed(value: Any) -> Any:
    """Return something else in the place of a leaf, or the same where nothing else suggests itself."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, tuple):
        return value[1:]
    if isinstance(value, frozenset):
        return value ^ {LayerName("ghost")}
    return value


def _put(value: Any, path: tuple[str | int, ...]) -> Any:
    if not path:
        return _changed(value)
    first, rest = path[0], path[1:]
    if isinstance(first, str):
        return replace(value, **{first: _put(getattr(value, first), rest)})
    return (*value[:first], _put(value[first], rest), *value[first + 1 :])


@given(st.integers(0, 10**9), st.sampled_from(tuple(ALL_TUNINGS)), st.data())
def test_nothing_in_a_trace_can_be_changed_unnoticed(seed: int, tuning: Tuning, data: st.DataObject) -> None:
    """Every number, set and list of a trace is pinned by some clause, so that one trace alone is right for a round."""
    observed = random_round(seed, tuning)
    policies = random_policy_names(seed, observed.catalog)
    decisions, trace = scheduler_from(policies).schedule(observed)
    wrong = _put(trace, data.draw(st.sampled_from(_paths(trace))))
    if wrong != trace:
        assert Verdict.VIOLATED in verdicts(Evidence(observed, decisions, policies, wrong)).values()
