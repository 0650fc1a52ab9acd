"""The tester tested: each wrong optimized model is told from the reference, by seeded histories or rounds or by the corpus."""

from itertools import chain

import pytest
from twin_campaign import corpus_rounds, first_history, seeded_rounds
from twins import differing

from gaugeblock.miniatures.fault import UnknownMiniature
from gaugeblock.miniatures.optimized_faults import FAULTS, WrongModel, model
from gaugeblock.optimized.model import OptimizedService
from gaugeblock.optimized.rounds import decide


def is_found(wrong: WrongModel) -> bool:
    """Whether the model differs from the reference anywhere in the campaign."""
    if first_history(wrong.service) is not None:
        return True
    return any(differing(wrong.decide, chain(seeded_rounds(), corpus_rounds())))


@pytest.mark.parametrize("name", [fault.name for fault in FAULTS])
def test_a_wrong_optimized_model_is_found(name: str) -> None:
    """SERV-0 to SERV-6, ROUND-1 to ROUND-9: a model with this one fault in it does not do what the reference does."""
    assert is_found(model(name))


def test_the_right_model_is_not_accused() -> None:
    """SERV-5: what finds the wrong models finds nothing wrong with the one that ships."""
    assert not is_found(WrongModel(OptimizedService, decide))


def test_there_are_enough_of_them_and_each_breaks_a_clause() -> None:
    """ROUND-1: at least fifteen, by different names, each with the clauses that it breaks and its story."""
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 15
    assert all(fault.clauses and fault.story and fault.original != fault.faulty for fault in FAULTS)


def test_an_unknown_name_is_refused() -> None:
    """SERV-0: a wrong model is known by its name, and by no other."""
    with pytest.raises(UnknownMiniature):
        model("nobody")
