"""The optimized model as a subject, alone and beside the reference."""

import pytest

from gaugeblock.conformance import optimized_subject
from gaugeblock.conformance.answers import Decided, Errored
from gaugeblock.conformance.campaign import run
from gaugeblock.conformance.errors import PolicyRaised
from gaugeblock.conformance.optimized_subject import both, decide_by_optimized_model
from gaugeblock.conformance.subjects import Transcribing, decide_by_reference
from gaugeblock.conformance.verdicts import Judging, Verdict
from gaugeblock.miniatures.optimized_faults import model
from gaugeblock.model import ObservedState, PolicyName, PolicyNames, WorkingState
from gaugeblock.policies.builtin.eviction import Fewest
from gaugeblock.policies.registry import InvalidParameters
from gaugeblock.strategies import random_round
from gaugeblock.wire.cases import Case

SEEDS = range(60)
MINE = PolicyNames(eviction=PolicyName("gaugeblock.policies.builtin.eviction:LeastRecentlyUsed"))


class Breaks(Fewest, frozen=True):
    """An eviction policy that breaks down."""

    def wakeup(self, state: WorkingState) -> float | None:
        """Raise."""
        raise ZeroDivisionError


def cases(policies: PolicyNames = PolicyNames()) -> list[Case]:  # noqa: B008
    """Return seeded cases with the decisions of the reference."""
    rounds = [(f"seed-{seed}", random_round(seed)) for seed in SEEDS]
    return [Case(name, observed, policies, decide_by_reference(observed, policies)) for name, observed in rounds]


@pytest.mark.parametrize("policies", [PolicyNames(), MINE], ids=["built in", "by the general path"])
@pytest.mark.parametrize("judging", Judging)
def test_both_models_together_are_conformant(policies: PolicyNames, judging: Judging) -> None:
    """ROUND-1: also with policies that are not built in, which the exact judge skips as undeclared."""
    transcribing = Transcribing.STATES if judging is Judging.TRANSCRIPT else Transcribing.NOTHING
    verdicts = {each.verdict for each in run(cases(policies), both(transcribing), judging=judging).results}
    assert verdicts == {Verdict.SKIPPED if policies is MINE and judging is Judging.EXACT else Verdict.PASSED}


def test_a_difference_between_the_models_is_an_error_that_names_the_category(monkeypatch: pytest.MonkeyPatch) -> None:
    """PLACE-1: a case that states what the optimized model decides does not hide that the reference decides otherwise."""
    wrong = model("tenth-node-behind-the-second").decide
    monkeypatch.setattr(optimized_subject, "decide", wrong)
    answers = [both().put(case) for case in cases()]
    errors = [each for each in answers if isinstance(each, Errored)]
    assert errors
    assert any(isinstance(each, Decided) for each in answers)
    assert all("the optimized model and the reference differ in " in each.message for each in errors)


def test_policies_of_ones_own_are_decided_alike_and_blamed_alike() -> None:
    """POL: the general path serves them; errors of their code and refused parameters are told as the reference tells them."""
    observed: ObservedState = random_round(3)
    assert decide_by_optimized_model(observed, MINE) == decide_by_reference(observed, MINE)
    for decide in (decide_by_optimized_model, decide_by_reference):
        with pytest.raises(PolicyRaised):
            decide(observed, PolicyNames(eviction=PolicyName(f"{__name__}:Breaks")))
        with pytest.raises(InvalidParameters):
            decide(observed, PolicyNames(plan_selection=PolicyName("random", (("seed", -1),))))
