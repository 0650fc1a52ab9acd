"""SERV: what the service around the scheduler does with an event, and with the batch that the round after it decides.

The clauses judge one step from the outside: the state before, the event, the answer, what became of each operation, and the
state after.
"""

from collections.abc import Iterator

from gaugeblock.model import (
    Container,
    ContainerStarted,
    ContainerStatus,
    IdleAlarm,
    NodeStatus,
    OperationKind,
    Outcome,
    ServiceError,
    ServiceState,
    replace,
)
from gaugeblock_specs.derive import is_idle, on_disk
from gaugeblock_specs.service_events import rule_broken
from gaugeblock_specs.service_facts import facts_of, ledger_of, overdrawn
from gaugeblock_specs.service_operations import in_order
from gaugeblock_specs.service_story import ServiceClause, ServiceEvidence, Story
from gaugeblock_specs.verdicts import ClauseResult, Verdict, Witness

SEED = "Wakeups and execution"


def evaluate_step(evidence: ServiceEvidence) -> tuple[ClauseResult, ...]:
    """Judge one event by every clause of the service, one result a clause; a refused event is judged by SERV-0 alone."""
    if evidence.step is None:
        broken = rule_broken(evidence.before, ledger_of(evidence.before), evidence.event)
        found = (
            ()
            if evidence.error is broken
            else (Witness(f"the event is refused as {_name(evidence.error)}, not {_name(broken)}"),)
        )
        return tuple(_result(clause, clause is SERV_0, found) for clause in CLAUSES)
    story = Story(evidence, evidence.step)
    if story.rule_broken is not None:
        found = (Witness(f"the event is accepted, although it breaks a rule: {_name(story.rule_broken)}"),)
        return tuple(_result(clause, clause is SERV_0, found) for clause in CLAUSES)
    return tuple(_judged(clause, story) for clause in CLAUSES)


def _judged(clause: ServiceClause, story: Story) -> ClauseResult:
    if not clause.applies(story):
        return _result(clause, False, ())
    return _result(clause, True, tuple(clause.breaches(story)))


def _result(clause: ServiceClause, applies: bool, found: tuple[Witness, ...]) -> ClauseResult:
    if not applies:
        return ClauseResult(clause.id, Verdict.NOT_APPLICABLE)
    return ClauseResult(clause.id, Verdict.VIOLATED if found else Verdict.HOLDS, found)


def _name(error: type[ServiceError] | None) -> str:
    return "none" if error is None else error.__name__


# SERV-0


def _effect_is_right(story: Story) -> Iterator[Witness]:
    step, event = story.step, story.evidence.event
    if (step.observed.now, step.state.now, step.state.sequence) != (event.date, event.date, event.sequence):
        yield Witness("the date or sequence of the state is not the event's")
    if step.state.catalog != story.evidence.before.catalog:
        yield Witness("the catalogue changed")
    if _capacities(step.state) != _capacities(story.evidence.before):
        yield Witness("a node came, went, moved in traversal order or has another capacity")
    shown = facts_of(step.observed.nodes, step.observed.pending)
    for name, due in vars(story.effected).items():
        yield from _differences(f"after the event, {name}", due, getattr(shown, name))
    if tuple(story.effected.pending) != tuple(shown.pending):
        yield Witness("after the event, the pending invocations do not stand in the order of joining")


def _capacities(state: ServiceState) -> tuple[object, ...]:
    return tuple(
        (each.name, each.ram_bytes, each.disk_bytes, each.max_invocations, each.max_containers) for each in state.nodes
    )


def _accounts_are_right(story: Story) -> Iterator[Witness]:
    """Ids, dates, generations and alarms after the batch."""
    if story.due is None:
        return
    for name in ("alarms", "next_container", "next_generation", "submitted"):
        due, found = getattr(story.due, name), getattr(story.found, name)
        if due != found:
            yield Witness(f"after the batch, {name} is not what the event and the operations make it")
    for name in ("disk", "ram"):
        due, found = getattr(story.due, name), getattr(story.found, name)
        for place in due:
            if place in found and due[place] != found[place]:
                yield Witness(f"after the batch, the layer's date on {name} is wrong", node=place[0], layer=place[1])
    for id_, (node, container) in story.due.containers.items():
        if id_ in story.found.containers and story.found.containers[id_][1].last_used != container.last_used:
            yield Witness("after the batch, the container's last use is wrong", node=node, container=id_)


def _alarms_are_right(story: Story) -> Iterator[Witness]:
    idle = sorted(id_ for id_, (_, container) in story.found.containers.items() if is_idle(container))
    if [alarm.container for alarm in story.step.state.alarms] != idle:
        yield Witness("there is not exactly one idle alarm for each idle container, by ascending id")
    new = tuple(alarm for alarm in story.step.state.alarms if _is_new(story, alarm))
    if story.step.alarms != new:
        yield Witness("the alarms handed to the driver are not those newly set")
    for outcome, reason in story.fates:
        starts = reason is None and outcome.refusal is None and _starts(outcome)
        if starts != (outcome.container is not None):
            yield Witness("an id is told for an operation that starts no container, or none for one that does")
    given = [outcome.container for outcome in story.step.outcomes if outcome.container is not None]
    first = story.evidence.before.next_container
    if given != list(range(first, first + len(given))):
        yield Witness("the ids given to new containers do not go on from the last one")


def _is_new(story: Story, alarm: IdleAlarm) -> bool:
    return alarm.generation >= story.evidence.before.next_generation and alarm.date is not None


def _starts(outcome: Outcome) -> bool:
    cold = outcome.kind is OperationKind.DISPATCH and getattr(outcome.operation, "container", 0) is None
    return cold or outcome.kind is OperationKind.PREWARM


def _serv_0(story: Story) -> Iterator[Witness]:
    yield from _effect_is_right(story)
    yield from _accounts_are_right(story)
    yield from _alarms_are_right(story)


SERV_0 = ServiceClause(
    id="SERV-0",
    title="Every event does what it says, once",
    doc="""Events come in the order of date and sequence; one that breaks a rule is refused with an error and changes
    nothing. One that is accepted changes the facts that it is about, and no others: a transfer that fails clears its mark
    and its space, a finished invocation frees one unit, a container that does not start gives its invocation back under
    its first date. Ids and generations go up and are never given twice; dates follow dispatches, starts and ends. A stale
    idle alarm or wake-up is accepted without effect. Example: the second report of one completion is an error, and no
    counter moves.""",
    seed=SEED,
    breaches=_serv_0,
)


# SERV-1


def _serv_1(story: Story) -> Iterator[Witness]:
    told = tuple((outcome.kind, outcome.operation) for outcome in story.step.outcomes)
    if told != in_order(story.step.decisions):
        yield Witness("the outcomes are not the operations of the batch, each once, in the service's order")
    if story.due is not None:
        for name in ("pending", "running"):
            yield from _differences(f"after the batch, {name}", getattr(story.due, name), getattr(story.found, name))
        if tuple(story.due.pending) != tuple(story.found.pending) or tuple(story.due.running) != tuple(story.found.running):
            yield Witness("after the batch, pending or running invocations stand in another order")
        for name in ("disk", "ram"):
            due, found = getattr(story.due, name), getattr(story.found, name)
            for place in sorted(due.keys() ^ found.keys()):
                yield Witness(f"after the batch, the layer is wrongly there or missing: {name}", node=place[0], layer=place[1])
    yield from _is_conserved(story)


def _is_conserved(story: Story) -> Iterator[Witness]:
    """Whatever is charged is charged to somebody who is there, and the totals never go beyond what the nodes have."""
    state, found = story.step.state, story.found
    for node in state.nodes:
        if overdrawn(node):
            yield Witness("more is in use on the node than it has", node=node.name)
    holders = [container for container, _ in found.running.values()]
    for id_, (holder, container) in found.containers.items():
        if holders.count(id_) != container.in_flight:
            numbers = (("in flight", container.in_flight), ("running", holders.count(id_)))
            yield Witness(
                "the container's count is not that of the invocations it holds", holder, container=id_, numbers=numbers
            )
    for invocation, (container_id, _) in found.running.items():
        if container_id not in found.containers:
            yield Witness("an invocation runs in a container that is gone", invocation=invocation, container=container_id)
        if invocation in found.pending:
            yield Witness("an invocation is pending and running at once", invocation=invocation)
    for invocation in (*found.pending, *found.running):
        if invocation not in found.submitted:
            yield Witness("an invocation is known that was never submitted", invocation=invocation)


SERV_1 = ServiceClause(
    id="SERV-1",
    title="Each operation is applied whole or refused whole",
    doc="""The service takes the categories in its own order, the freeing ones first, and looks at each operation by
    itself. A refused one is recorded and leaves no trace in the state; it undoes no other. So what is in use is at any
    time the sum of what is there, and whatever was charged is released once and in full. Example: a dispatch that is
    refused leaves its invocation pending and the dates of the layers as they were.""",
    seed=SEED,
    breaches=_serv_1,
    ambiguities=("AMB-8",),
)


# SERV-2


def _serv_2(story: Story) -> Iterator[Witness]:
    for outcome, reason in story.fates:
        if outcome.refusal is not reason:
            said = "accepted" if outcome.refusal is None else f"refused ({outcome.refusal.value})"
            due = "accepted" if reason is None else f"refused ({reason.value})"
            yield Witness(f"{outcome.kind.value}: {outcome.operation} is {said}, and was to be {due}")


SERV_2 = ServiceClause(
    id="SERV-2",
    title="Every operation is checked at the moment of its application",
    doc="""An operation is accepted exactly when nothing speaks against it in the state that the operations before it
    left: the node's status, what is resident, in use or under way, and room in all four resources. A refusal gives the
    first reason there is. Example: two cold dispatches where one position is left; the first is accepted, the second
    refused for want of a position.""",
    seed=SEED,
    breaches=_serv_2,
    applies=lambda story: len(story.step.outcomes) > 0,
)


# SERV-3


def _serv_3(story: Story) -> Iterator[Witness]:
    if story.due is not None:
        for id_ in sorted(story.due.containers.keys() ^ story.found.containers.keys()):
            yield Witness("a container is there that should not be, or is missing", container=id_)
        for id_, (node, container) in story.due.containers.items():
            if id_ in story.found.containers and _essence(story.found.containers[id_]) != _essence((node, container)):
                yield Witness("the container has another node, function, status or count than it should", node, container=id_)
    for id_, (node, container) in story.found.containers.items():
        if container.status is ContainerStatus.STARTING and container.in_flight > 1:
            yield Witness("a starting container holds more than one invocation", node, container=id_)
        before = _container_in(story.evidence.before, container)
        ready_at_once = before is None or before.status is ContainerStatus.STARTING
        started = isinstance(story.evidence.event, ContainerStarted) and story.evidence.event.container == id_
        if container.status is ContainerStatus.READY and ready_at_once and not started:
            yield Witness("a container is ready that was not reported as started", node, container=id_)


def _container_in(state: ServiceState, container: Container) -> Container | None:
    return next((each for node in state.nodes for each in node.containers if each.id == container.id), None)


def _essence(held: tuple[str, Container]) -> tuple[str, Container]:
    return held[0], replace(held[1], last_used=0.0)


SERV_3 = ServiceClause(
    id="SERV-3",
    title="A cold container holds its invocation from the start",
    doc="""A container that a cold dispatch starts takes its room and its invocation at once, and nothing else, until it
    is reported as started; then it is ready. Only the report of a start makes a container ready, and only a dispatch, an
    end, a failed start, a termination, a time-out or the deactivation of its node changes it. Example: while a cold
    container starts, a second invocation of its function is not sent to it.""",
    seed=SEED,
    breaches=_serv_3,
    applies=lambda story: bool(story.found.containers) or (story.due is not None and bool(story.due.containers)),
    ambiguities=("AMB-10",),
)


# SERV-4


def _serv_4(story: Story) -> Iterator[Witness]:
    if story.due is not None:
        for name, status in story.due.status.items():
            if story.found.status.get(name) is not status:
                yield Witness(f"the node is not {status.value}", node=name)
    for node in story.step.state.nodes:
        held = len(node.containers) + len(node.ram_layers) + len(node.copying) + len(node.loading)
        if node.status is not NodeStatus.ACTIVATED and held > 0:
            yield Witness("a node that is not activated holds a container, a layer in RAM or a transfer", node=node.name)
    yield from _keeps_its_disk(story)


def _keeps_its_disk(story: Story) -> Iterator[Witness]:
    before = {node.name: on_disk(node) for node in story.evidence.before.nodes}
    for node in story.step.state.nodes:
        for layer in (
            sorted(before.get(node.name, frozenset()) - on_disk(node)) if node.status is not NodeStatus.ACTIVATED else ()
        ):
            yield Witness("a node loses a layer on disk as it goes down, or while it is down", node=node.name, layer=layer)


SERV_4 = ServiceClause(
    id="SERV-4",
    title="Only a node at rest is let go, and it keeps its disk",
    doc="""A deactivation is accepted only on an activated node without invocations, starting containers and transfers. At
    the request its idle containers end and its RAM is emptied; what is on disk stays. It is deactivating until it is
    reported as deactivated, as an activated one is activating until it is reported. Example: a node whose only container
    is idle goes down and comes back with its layers on disk and none in RAM.""",
    seed=SEED,
    breaches=_serv_4,
    ambiguities=("AMB-6",),
)


# SERV-5


def _serv_5(story: Story) -> Iterator[Witness]:
    for outcome in story.step.outcomes:
        if outcome.refusal is not None:
            yield Witness(f"{outcome.kind.value}: {outcome.operation} is refused ({outcome.refusal.value})")


SERV_5 = ServiceClause(
    id="SERV-5",
    title="This scheduler is never refused",
    doc="""A batch that this scheduler made, with policies that keep their contracts, from the very state to which it is
    applied has no refused operation: all that frees is applied before all that takes, and what is taken stays within the
    totals that the round kept. Example: a plan ends one container and starts another in its room; the service ends the
    one first, and the other fits.""",
    seed=SEED,
    breaches=_serv_5,
    applies=lambda story: story.evidence.abiding and len(story.step.outcomes) > 0,
)


# SERV-6


def _serv_6(story: Story) -> Iterator[Witness]:
    if story.due is not None and story.due.wakeup != story.found.wakeup:
        numbers = tuple(
            (name, date) for name, date in (("due", story.due.wakeup), ("found", story.found.wakeup)) if date is not None
        )
        yield Witness("the standing wake-up is not the earlier of the old and the new one", numbers=numbers)


SERV_6 = ServiceClause(
    id="SERV-6",
    title="The earlier wake-up stands",
    doc="""A wake-up that stands gives way only to an earlier one, or to its own firing; a round that asks for none leaves
    it standing. Example: one stands for 10, a round asks for 12: it is still 10; it fires at 10 and is gone, and the
    round that follows may ask again.""",
    seed=SEED,
    breaches=_serv_6,
    applies=lambda story: story.found.wakeup is not None or (story.due is not None and story.due.wakeup is not None),
)


CLAUSES = (SERV_0, SERV_1, SERV_2, SERV_3, SERV_4, SERV_5, SERV_6)


def _differences(what: str, due: dict[object, object], found: dict[object, object]) -> Iterator[Witness]:
    for key in (*due, *(key for key in found if key not in due)):
        if key not in found:
            yield Witness(f"{what}: {key!r} is missing")
        elif key not in due:
            yield Witness(f"{what}: {key!r} should not be there")
        elif due[key] != found[key]:
            yield Witness(f"{what}: {key!r} is not as it should be")
