"""The Hypothesis strategies: the same construction, with choices that Hypothesis draws, remembers and shrinks."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from gaugeblock.model import Catalog, Invocation, ObservedState, PolicyNames
from gaugeblock.strategies.building import Clock, build_catalog, build_pending, build_round
from gaugeblock.strategies.choices import Choices
from gaugeblock.strategies.naming_policies import build_policy_names
from gaugeblock.strategies.tuning import MIXED, Tuning

Built = TypeVar("Built")

NO_FUNCTIONS = Catalog()
"""A catalogue for policies that know no functions."""


class DrawnChoices:
    """Choices that Hypothesis draws. Each of many values is drawn as a whole, so that the shrinker can drop it as a whole."""

    def __init__(self, draw: DrawFn) -> None:
        """Take choices from ``draw``."""
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        """Return an integer that shrinks towards ``low``."""
        return low if low == high else self._draw(st.integers(low, high))

    def many(self, low: int, high: int, build: Callable[[Choices, int], Built]) -> tuple[Built, ...]:
        """Return values whose number shrinks towards ``low``."""
        count = self.integer(low, high)
        return tuple(self._draw(_built(partial(_at_index, build, index))) for index in range(count))


@st.composite
def _built(draw: DrawFn, build: Callable[[Choices], Built]) -> Built:
    return build(DrawnChoices(draw))


def catalogs(tuning: Tuning = MIXED) -> SearchStrategy[Catalog]:
    """Return a strategy for catalogues with at least one layer, image and function."""
    return _built(partial(build_catalog, tuning=tuning))


def rounds(tuning: Tuning = MIXED) -> SearchStrategy[ObservedState]:
    """Return a strategy for valid rounds; a failing one shrinks to few nodes, layers and containers, and small sizes."""
    return _built(partial(build_round, tuning=tuning))


def pending_batches(catalog: Catalog, tuning: Tuning = MIXED, now: float = 0.0) -> SearchStrategy[tuple[Invocation, ...]]:
    """Return a strategy for batches of invocations of the catalogue's functions, submitted at ``now`` (seconds) or before."""
    if not catalog.functions:
        return st.just(())
    return _built(partial(_pending_before, catalog, tuning, now))


def policy_names(catalog: Catalog = NO_FUNCTIONS, *, random_policies: bool = False) -> SearchStrategy[PolicyNames]:
    """Return a strategy for built-in policies by name.

    Warm pools are of the catalogue's functions. Unless ``random_policies``, all of them are deterministic.
    """
    return _built(partial(build_policy_names, catalog=catalog, random_policies=random_policies))


def rounds_with_policies(
    tuning: Tuning = MIXED, *, random_policies: bool = False
) -> SearchStrategy[tuple[ObservedState, PolicyNames]]:
    """Return a strategy for rounds together with policies whose warm pools are of the round's functions."""
    return _built(partial(_round_with_policies, tuning, random_policies))


def _at_index(build: Callable[[Choices, int], Built], index: int, choices: Choices) -> Built:
    return build(choices, index)


def _round_with_policies(tuning: Tuning, random_policies: bool, choices: Choices) -> tuple[ObservedState, PolicyNames]:
    observed = build_round(choices, tuning)
    return observed, build_policy_names(choices, observed.catalog, random_policies)


def _pending_before(catalog: Catalog, tuning: Tuning, now: float, choices: Choices) -> tuple[Invocation, ...]:
    return build_pending(choices, catalog, tuning, Clock(now, 0, 1.0))
