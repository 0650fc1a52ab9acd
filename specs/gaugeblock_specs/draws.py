"""POL-random: what the policies called ``random`` draw, by the rule that is published for every language."""

import hashlib
import struct
from collections.abc import Callable, Iterator
from itertools import pairwise

from gaugeblock.model import Invocation, InvocationId, Plan, PolicyKind, PolicyName
from gaugeblock_specs.choices import SEED, choices_by
from gaugeblock_specs.clause import Clause, with_policies, with_trace
from gaugeblock_specs.context import Context
from gaugeblock_specs.installed import installed
from gaugeblock_specs.subjects import Tried
from gaugeblock_specs.turns import Turn, first_are_dispatched_first, rivals
from gaugeblock_specs.verdicts import Witness


def drawn(purpose: str, seed: int, now: float, invocation: InvocationId) -> int:
    """Return the number that an invocation draws in the round at ``now`` (seconds): a SHA-256 digest, most significant first.

    Digested are five words, a space between two: ``gaugeblock-1``, the purpose, the seed, the eight bytes of the date (an IEEE
    double, most significant first, zero without a sign) in lower-case hexadecimal, and the invocation's id.
    """
    date = struct.pack(">d", 0.0 if now == 0.0 else now)
    words = ("gaugeblock-1", purpose, str(seed), date.hex(), str(invocation))
    return int(hashlib.sha256(" ".join(words).encode("utf-8")).hexdigest(), 16)


def _seed(policy: PolicyName | None) -> int | None:
    parameters = dict(policy.parameters) if policy is not None else {}
    seed = parameters.get("seed")
    return seed if isinstance(seed, int) else None


def _random_turn(context: Context) -> Callable[[Invocation], Turn] | None:
    """Return by what random ordering goes, or None if another ordering is installed."""
    seed = _seed(installed(context, PolicyKind.INVOCATION_ORDERING, "random"))
    if seed is None:
        return None
    return lambda invocation: (drawn("ordering", seed, context.observed.now, invocation.id), invocation.id)


def _drawn_rivals(context: Context) -> Iterator[tuple[Invocation, ...]]:
    turn = _random_turn(context)
    if turn is not None:
        yield from rivals(context, turn)


def _neighbours(context: Context) -> Iterator[tuple[Invocation, Invocation]]:
    if _random_turn(context) is not None:
        yield from pairwise(context.trace.ordered.worklist)


def _stand_in_turn(context: Context, neighbours: tuple[Invocation, Invocation]) -> Iterator[Witness]:
    earlier, later = neighbours
    turn = _random_turn(context)
    if turn is not None and not turn(earlier) < turn(later):
        numbers = (("before it", earlier.id),)
        yield Witness("the worklist is not ordered by the numbers drawn, then id", invocation=later.id, numbers=numbers)


def _drawn_choices(context: Context) -> Iterator[tuple[Tried, Plan]]:
    """Yield each choice with the alternative that had to be taken."""
    seed = _seed(installed(context, PolicyKind.PLAN_SELECTION, "random"))
    if seed is not None:
        for tried, plans in choices_by(context, "random"):
            number = drawn("plan-selection", seed, context.observed.now, tried.placement.invocation)
            yield tried, plans[number % len(plans)]


def _takes_the_drawn_one(_: Context, subject: tuple[Tried, Plan]) -> Iterator[Witness]:
    tried, due = subject
    if tried.tried.chosen != due:
        yield Witness("the alternative drawn is another", node=due.node, invocation=tried.placement.invocation)


RANDOM = Clause(
    id="POL-random",
    title="random: draws by a published rule",
    doc="""An invocation draws a number in each round: the SHA-256 digest, read as one number, of the text `gaugeblock-1
    PURPOSE SEED DATE ID`, where the date is the sixteen hexadecimal digits of a double and the purpose `ordering` or
    `plan-selection`. Random ordering goes by that number, then by id; random plan selection takes, of n alternatives in
    traversal order, the one at the number's remainder by n, counted from 0, and never none. So a round with random
    policies can be repeated in any language. Example: three nodes are feasible and the number drawn leaves 2 when divided by
    3: the third is taken.""",
    seed=SEED,
    ambiguities=("AMB-7",),
    checks=(
        with_policies(_drawn_rivals, first_are_dispatched_first),
        with_trace(_neighbours, _stand_in_turn, needs_policies=True),
        with_trace(_drawn_choices, _takes_the_drawn_one, needs_policies=True),
    ),
)
