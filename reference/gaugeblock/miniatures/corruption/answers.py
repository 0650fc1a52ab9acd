"""Corruptions by a policy that at one call answers something else that its contract allows."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

from gaugeblock.miniatures.corruption.story import Attempt, Story
from gaugeblock.model import Failure, Invocation, NodeName, PolicyKind, Prewarm, ScalingRequests, WorkingState, replace
from gaugeblock.policies.protocols import Policies
from gaugeblock.round.contracts import may_deactivate
from gaugeblock.round.placement import takes_work
from gaugeblock.round.schedule import run_round

Member = TypeVar("Member")
Alternatives = Iterator[tuple[str, object]]


class Call(NamedTuple):
    """One call of a policy, with its answer."""

    method: str
    arguments: tuple[Any, ...]
    answer: Any


class Exchange:
    """Stands between the scheduler and its policies: keeps their calls, and gives one of them another answer."""

    def __init__(self, policies: Policies, number: int = -1, answer: object = None) -> None:
        """Give ``answer`` to the call of that ``number``, which counts from 0."""
        self.calls: list[Call] = []
        self._number = number
        self._answer = answer
        for kind in PolicyKind:
            setattr(self, kind.value, _Listener(getattr(policies, kind.value), self))

    def pass_on(self, method: str, answer: Callable[..., object], *arguments: object) -> object:
        """Return the policy's answer, or the other one where it is due."""
        given = self._answer if len(self.calls) == self._number else answer(*arguments)
        self.calls.append(Call(method, arguments, given))
        return given


class _Listener:
    """A policy whose calls go through an exchange."""

    def __init__(self, policy: object, exchange: Exchange) -> None:
        self._policy = policy
        self._exchange = exchange

    def __getattr__(self, name: str) -> object:
        found: object = getattr(self._policy, name)
        return partial(self._exchange.pass_on, name, found) if callable(found) else found


def other_answers(story: Story) -> Iterator[Attempt]:
    """Yield, for every call of the round, the stories in which it is answered otherwise."""
    exchange = Exchange(story.policies)
    run_round(story.observed, cast("Policies", exchange))
    for number, call in enumerate(exchange.calls):
        for name, answer in ALTERNATIVES[call.method](*call.arguments, call.answer):
            if answer != call.answer:
                yield Attempt(f"{call.method}: {name}", partial(_told, story, number, answer))


def _told(story: Story, number: int, answer: object) -> Story:
    decisions, trace = run_round(story.observed, cast("Policies", Exchange(story.policies, number, answer)))
    return story._replace(decisions=decisions, trace=trace)


def without_each(members: tuple[Member, ...]) -> Iterator[tuple[Member, ...]]:
    """Yield the tuple without each of its members in turn."""
    for index in range(len(members)):
        yield members[:index] + members[index + 1 :]


def neighbours_swapped(members: tuple[Member, ...]) -> Iterator[tuple[Member, ...]]:
    """Yield the tuple with each two neighbours swapped in turn."""
    for index in range(len(members) - 1):
        yield (*members[:index], members[index + 1], members[index], *members[index + 2 :])


def with_each_replaced(members: tuple[Member, ...], others: tuple[Member, ...]) -> Iterator[tuple[Member, ...]]:
    """Yield the tuple with each member replaced by each of the others in turn."""
    for index in range(len(members)):
        for other in others:
            yield (*members[:index], other, *members[index + 1 :])


def _failures(state: WorkingState, answer: tuple[Failure, ...]) -> Alternatives:
    failed = {failure.invocation for failure in answer}
    yield from (("drop", each) for each in without_each(answer))
    yield from (("reorder", each) for each in neighbours_swapped(answer))
    yield from (("add", (*answer, Failure(each.id, "added"))) for each in state.worklist if each.id not in failed)


def _scaling(state: WorkingState, answer: ScalingRequests) -> Alternatives:
    nodes = [node.observed for node in state.nodes]
    dormant = tuple(node.name for node in nodes if node.status.value == "deactivated" and node.name not in answer.activations)
    resting = tuple(node.name for node in nodes if may_deactivate(node) and node.name not in answer.deactivations)
    yield from (("drop activation", replace(answer, activations=each)) for each in without_each(answer.activations))
    yield from (("drop deactivation", replace(answer, deactivations=each)) for each in without_each(answer.deactivations))
    yield from (("activate another", replace(answer, activations=(*answer.activations, name))) for name in dormant)
    yield from (("deactivate another", replace(answer, deactivations=(*answer.deactivations, name))) for name in resting)
    replaced = with_each_replaced(answer.activations, dormant)
    yield from (("activate elsewhere", replace(answer, activations=each)) for each in replaced)
    swapped = neighbours_swapped(answer.deactivations)
    yield from (("reorder deactivations", replace(answer, deactivations=each)) for each in swapped)


def _order(state: WorkingState, answer: tuple[Invocation, ...]) -> Alternatives:
    yield from (("swap", each) for each in neighbours_swapped(answer))
    yield "reverse", answer[::-1]


def _selection(state: WorkingState, invocation: Invocation, answer: frozenset[NodeName]) -> Alternatives:
    for node in state.nodes:
        name = node.observed.name
        yield ("drop", answer - {name}) if name in answer else ("add", answer | {name})


def _reuse(state: WorkingState, invocation: Invocation, candidates: tuple[Any, ...], answer: object) -> Alternatives:
    yield "none", None
    yield from (("another container", candidate.container.id) for candidate in candidates)


def _victims(state: WorkingState, node: object, candidates: tuple[Any, ...], deficits: object, answer: Any) -> Alternatives:
    names = tuple(each.layer.name if hasattr(each, "layer") else each.id for each in candidates)
    others = tuple(name for name in names if name not in answer)
    yield from (("drop a victim", each) for each in without_each(answer))
    yield from (("an extra victim", (*answer, name)) for name in others)
    yield from (("another victim", each) for each in with_each_replaced(answer, others))
    yield from (("reorder victims", each) for each in neighbours_swapped(answer))


def _choice(state: WorkingState, invocation: Invocation, alternatives: tuple[Any, ...], answer: object) -> Alternatives:
    yield "none", None
    yield from (("another node", plan.node) for plan in alternatives)


def _proposals(state: WorkingState, answer: tuple[Prewarm, ...]) -> Alternatives:
    usable = tuple(node.observed.name for node in state.nodes if takes_work(node))
    functions = tuple(function.name for function in state.catalog.functions)
    anything = tuple(Prewarm(node, function) for node in usable for function in functions)
    yield from (("drop", each) for each in without_each(answer))
    yield from (("add", (*answer, each)) for each in anything)
    yield from (("replace", each) for each in with_each_replaced(answer, anything))
    yield from (("reorder", each) for each in neighbours_swapped(answer))


def _wakeup(state: WorkingState, answer: float | None) -> Alternatives:
    yield "none", None
    yield "another date", (state.now if answer is None else answer) + 1.0
    if answer is not None:
        yield "an earlier date", (state.now + answer) / 2


ALTERNATIVES: dict[str, Callable[..., Alternatives]] = {
    "failures": _failures,
    "scale": _scaling,
    "order": _order,
    "select": _selection,
    "pick": _reuse,
    "containers": _victims,
    "ram_layers": _victims,
    "disk_layers": _victims,
    "choose": _choice,
    "propose": _proposals,
    "wakeup": _wakeup,
}
"""What else a policy could have answered, by its method. What breaks a contract after all is an error, and is left out."""
