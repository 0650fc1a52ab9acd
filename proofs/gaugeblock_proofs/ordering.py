"""ROUND-4 and POL-fcfs: theorems about the order of the worklist."""

from __future__ import annotations

from enum import Enum
from functools import partial
from itertools import pairwise

from gaugeblock.model import Catalog, Invocation, InvocationId, WorkingState
from gaugeblock_proofs.building import function
from gaugeblock_proofs.engine import all_of, any_of
from gaugeblock_proofs.states import valid_state
from gaugeblock_proofs.theorem import Part, Setting, Theorem, Tier, shapes

FCFS = "gaugeblock.policies.builtin.ordering.FirstComeFirstServed"
CHECK = "gaugeblock.round.contracts.check_order"
INITIAL = "gaugeblock.round.initial.working_state"
PERMUTATION = "the order holds every invocation of the worklist once"
SORTED = "an invocation comes before those submitted later, and of one date the smaller id first"
REFUSED = "an answer that is no permutation, or could change, is refused"
ACCEPTED = "the scheduler's own check takes the order as it is"


def ordered(setting: Setting, count: int) -> None:
    """POL-fcfs, ROUND-4."""
    of = function(setting.symbols, "f")
    ids = setting.path.choose_permutation(range(1, count + 1))
    pending = tuple(Invocation(InvocationId(each), of, setting.symbols.date(f"invocation{each}.submitted")) for each in ids)
    observed = valid_state(setting, Catalog((), (of.image,), (of,)), (), pending)
    state: WorkingState = setting.shipped.round.initial.working_state(observed)
    policy = setting.shipped.policies.builtin.ordering.FirstComeFirstServed()
    order: tuple[Invocation, ...] = policy.order(state)
    setting.path.prove(sorted(each.id for each in order) == sorted(ids), PERMUTATION)
    setting.path.prove(all(any(each is every for every in pending) for each in order), PERMUTATION)
    for earlier, later in pairwise(order):
        tie = all_of(earlier.submitted <= later.submitted, earlier.id < later.id)
        setting.path.prove(any_of(earlier.submitted < later.submitted, tie), SORTED)
    checked = setting.shipped.round.contracts.check_order(policy, state, order)
    setting.path.prove(len(checked) == len(order) and all(a is b for a, b in zip(checked, order, strict=True)), ACCEPTED)


class Breach(Enum):
    """The ways in which an order can break its contract (ROUND-4)."""

    TWICE = "an invocation twice"
    ADDED = "an invocation too many"
    DROPPED = "one invocation missing"
    STRANGER = "an invocation that is not in the worklist"
    NO_TUPLE = "a list, which could change later"
    NO_MEMBER = "ids in place of invocations"


def refused(setting: Setting, count: int) -> None:
    """ROUND-4: whatever is no permutation."""
    of = function(setting.symbols, "f")
    pending = tuple(
        Invocation(InvocationId(each), of, setting.symbols.date(f"invocation{each}.submitted")) for each in range(count + 1)
    )
    stranger, worklist = pending[0], pending[1:]
    observed = valid_state(setting, Catalog((), (of.image,), (of,)), (), worklist)
    answers: dict[Breach, object] = {
        Breach.TWICE: (*worklist, worklist[0]),
        Breach.ADDED: (*worklist, stranger),
        Breach.DROPPED: worklist[1:],
        Breach.STRANGER: (*worklist[1:], stranger),
        Breach.NO_TUPLE: list(worklist),
        Breach.NO_MEMBER: tuple(each.id for each in worklist),
    }
    answer = answers[setting.path.choose(tuple(Breach))]
    state = setting.shipped.round.initial.working_state(observed)
    policy = setting.shipped.policies.builtin.ordering.FirstComeFirstServed()
    error = setting.shipped.policies.errors.PolicyContractError
    setting.path.prove_raises(error, lambda: setting.shipped.round.contracts.check_order(policy, state, answer), REFUSED)


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "POL-fcfs.order",
        "fcfs gives a permutation of the worklist by ascending submit date and then id, whatever the order of the worklist.",
        ("POL-fcfs", "ROUND-4"),
        (FCFS, CHECK, INITIAL),
        shapes("any dates; one to three invocations in every order (deep: four)"),
        tuple(
            Part(f"{count} invocations", partial(ordered, count=count), tier)
            for count, tier in ((1, Tier.STANDARD), (2, Tier.STANDARD), (3, Tier.STANDARD), (4, Tier.DEEP))
        ),
        (PERMUTATION, SORTED, ACCEPTED),
    ),
    Theorem(
        "ROUND-4.refused",
        "An order that repeats, drops or adds an invocation, or is no tuple, is refused.",
        ("ROUND-4",),
        (CHECK, FCFS, INITIAL, "gaugeblock.policies.errors.PolicyContractError"),
        shapes("any dates; one to three invocations"),
        tuple(Part(f"{count} invocations", partial(refused, count=count)) for count in (1, 2, 3)),
        (REFUSED,),
    ),
)
