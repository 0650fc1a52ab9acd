"""Wrong services, one fault each: what goes wrong around a scheduler that is right."""

from functools import partial
from typing import cast

from gaugeblock.miniatures.fault import Fault, UnknownMiniature
from gaugeblock.miniatures.loader import load
from gaugeblock.model import StepFunction

EFFECTS = "gaugeblock.service.effects"
CHANGES = "gaugeblock.service.changes"
CHECKS = "gaugeblock.service.checks"
APPLICATION = "gaugeblock.service.application"
STEP = "gaugeblock.service.step"
ROOTS = ("gaugeblock.service",)
"""What a faulty service has a private copy of; its scheduler is the real one."""

_wrong = partial(Fault, roots=ROOTS)

EVENT_FAULTS = (
    _wrong(
        name="failed-copy-stays-in-progress",
        story="A copy that fails keeps its mark and its space, so the layer is never copied again.",
        clauses=("SERV-0",),
        known_as=("B09",),
        module=EFFECTS,
        original="lambda node: replace(node, copying=without_layer(node.copying, layer.name)))",
        faulty="lambda node: node)",
    ),
    _wrong(
        name="failed-load-counts-as-loaded",
        story="A load that fails leaves its layer in RAM, as if it had arrived.",
        clauses=("SERV-0",),
        known_as=("B09",),
        module=EFFECTS,
        original="lambda node: replace(node, loading=without_layer(node.loading, layer.name)))",
        faulty=(
            "lambda node: replace(node, loading=without_layer(node.loading, layer.name), "
            "ram_layers=add_resident(state, node.ram_layers, layer, state.now)))"
        ),
    ),
    _wrong(
        name="copied-layer-keeps-no-date",
        story="A layer that arrives on disk is dated at the beginning of time, so that it is the first to be evicted again.",
        clauses=("SERV-0",),
        module=EFFECTS,
        original="add_resident(state, node.disk_layers, layer, state.now)",
        faulty="add_resident(state, node.disk_layers, layer, 0.0)",
    ),
    _wrong(
        name="failed-start-stays-charged",
        story="A container that does not start keeps its position, its memory and its invocation's unit.",
        clauses=("SERV-0", "SERV-3"),
        known_as=("B05",),
        module=EFFECTS,
        original="    state = remove_container(state, node.name, container.id)\n",
        faulty="",
    ),
    _wrong(
        name="failed-start-loses-invocation",
        story="The invocation of a container that does not start is neither pending nor running any more.",
        clauses=("SERV-0", "SERV-1"),
        known_as=("B05",),
        module=EFFECTS,
        original="pending=state.pending + back",
        faulty="pending=state.pending",
    ),
    _wrong(
        name="failed-start-makes-invocation-young",
        story="The invocation of a container that does not start is pending under the date of the failure, behind all others.",
        clauses=("SERV-0",),
        module=EFFECTS,
        original="back = tuple(each.invocation for each",
        faulty="back = tuple(replace(each.invocation, submitted=state.now) for each",
    ),
    _wrong(
        name="completion-counts-twice",
        story="The second report of one completion frees a second unit.",
        clauses=("SERV-0", "SERV-1"),
        known_as=("B10",),
        module=EFFECTS,
        original="running = tuple(each for each in state.running if each.invocation.id != event.invocation)",
        faulty="running = state.running",
    ),
    _wrong(
        name="failed-invocation-keeps-its-unit",
        story="Only an invocation that finishes frees its unit; one that fails holds it for ever.",
        clauses=("SERV-0", "SERV-1"),
        module=EFFECTS,
        original="in_flight=container.in_flight - 1",
        faulty="in_flight=container.in_flight - isinstance(event, InvocationFinished)",
    ),
    _wrong(
        name="stale-alarm-obeyed",
        story="An alarm of an earlier idle spell ends a container that has been used since.",
        clauses=("SERV-0",),
        known_as=("B20",),
        module=EFFECTS,
        original="if current is None or current.generation != event.generation:",
        faulty="if current is None:",
    ),
    _wrong(
        name="early-alarm-obeyed",
        story="The current alarm of a container ends it although it is not due yet.",
        clauses=("SERV-0",),
        known_as=("B20",),
        module=EFFECTS,
        original="if current.date is None or event.date < current.date:",
        faulty="if current.date is None:",
    ),
    _wrong(
        name="prewarmed-container-never-times-out",
        story="A container that becomes ready without an invocation gets no idle alarm.",
        clauses=("SERV-0",),
        module=EFFECTS,
        original="    return set_alarm(state, ready.id, settings) if ready.is_idle else state\n",
        faulty="    return state\n",
    ),
    _wrong(
        name="start-is-no-use",
        story="A container that becomes ready keeps the date of its dispatch as its last use.",
        clauses=("SERV-0",),
        module=EFFECTS,
        original="status=ContainerStatus.READY, last_used=state.now",
        faulty="status=ContainerStatus.READY",
    ),
    _wrong(
        name="container-starts-twice",
        story="The start of a container that is ready already is taken once more.",
        clauses=("SERV-0",),
        module=EFFECTS,
        original="if held[1].status is not ContainerStatus.STARTING:",
        faulty="if held[1].status is None:",
    ),
    _wrong(
        name="invocation-ends-before-its-container-is-ready",
        story="An invocation is reported as done while its container is still starting, and that is believed.",
        clauses=("SERV-0",),
        module=EFFECTS,
        original="if held is not None and held[1].status is ContainerStatus.READY:",
        faulty="if held is not None:",
    ),
    _wrong(
        name="invocation-id-used-again",
        story="An id may be submitted again as soon as its first invocation is not pending any more.",
        clauses=("SERV-0",),
        module=EFFECTS,
        original="if event.invocation in state.submitted:",
        faulty="if any(each.id == event.invocation for each in state.pending):",
    ),
    _wrong(
        name="repeated-event-taken",
        story="An event with the date and sequence of the last one is taken as if it were another.",
        clauses=("SERV-0",),
        known_as=("B10",),
        module=EFFECTS,
        original="not event.sequence > state.sequence",
        faulty="not event.sequence >= state.sequence",
    ),
    _wrong(
        name="wake-up-never-consumed",
        story="A wake-up that has fired stands for ever, and hides every later one.",
        clauses=("SERV-0", "SERV-6"),
        module=EFFECTS,
        original="return replace(state, wakeup=None) if due else state",
        faulty="return state",
    ),
    _wrong(
        name="stale-wake-up-consumes",
        story="A wake-up that fires too early takes the standing one with it.",
        clauses=("SERV-0", "SERV-6"),
        module=EFFECTS,
        original="return replace(state, wakeup=None) if due else state",
        faulty="return replace(state, wakeup=None)",
    ),
    _wrong(
        name="second-event-of-a-date-gets-no-round",
        story="An event at the date of the one before is taken, but no round follows it.",
        clauses=("SERV-0",),
        known_as=("B22",),
        module=STEP,
        original="    decisions, trace = scheduler.schedule(observed)\n",
        faulty=(
            "    if event.date > state.now:\n"
            "        decisions, trace = scheduler.schedule(observed)\n"
            "    else:\n"
            "        from gaugeblock.model import Decisions\n\n"
            "        decisions, trace = Decisions(), None\n"
        ),
    ),
)
"""Faults of the effects of events."""

BATCH_FAULTS = (
    _wrong(
        name="dispatch-leaves-layers-old",
        story="A dispatch does not count as an access to its layers, so the least recently used ones are the busiest.",
        clauses=("SERV-0",),
        module=APPLICATION,
        original="change_node(state, order.node, lambda node: accessed(node, invocation.function, state.now)),",
        faulty="state,",
    ),
    _wrong(
        name="dispatch-dates-disk-only",
        story="A dispatch dates its layers on disk and forgets RAM.",
        clauses=("SERV-0",),
        module=APPLICATION,
        original=", ram_layers=dated(node.ram_layers))",
        faulty=")",
    ),
    _wrong(
        name="idle-spell-outlives-dispatch",
        story="A dispatch to an idle container leaves its alarm as it was.",
        clauses=("SERV-0",),
        known_as=("B20",),
        module=APPLICATION,
        original="change_container(forget_alarm(state, container.id), held)",
        faulty="change_container(state, held)",
    ),
    _wrong(
        name="alarm-outlives-container",
        story="A container that ends leaves its alarm behind.",
        clauses=("SERV-0",),
        module=CHANGES,
        original="    state = forget_alarm(state, container)\n",
        faulty="",
    ),
    _wrong(
        name="container-id-used-again",
        story="A new container gets the first id above those of the containers that are there, be it used up or not.",
        clauses=("SERV-0",),
        module=APPLICATION,
        original="next_container=ContainerId(container.id + 1))\n    return",
        faulty=("next_container=ContainerId(1 + sum(len(node.containers) for node in state.nodes)))\n    return"),
    ),
    _wrong(
        name="later-wake-up-wins",
        story="A new wake-up takes the place of an earlier one that stands.",
        clauses=("SERV-6",),
        module=APPLICATION,
        original="wakeup=date if state.wakeup is None else min(state.wakeup, date)",
        faulty="wakeup=date",
    ),
    _wrong(
        name="deactivation-keeps-ram",
        story="A node that is let go keeps what it has in RAM.",
        clauses=("SERV-4",),
        module=APPLICATION,
        original="status=NodeStatus.DEACTIVATING, ram_layers=()",
        faulty="status=NodeStatus.DEACTIVATING",
    ),
    _wrong(
        name="deactivation-wipes-disk",
        story="A node that is let go loses what it has on disk, and must copy it all again.",
        clauses=("SERV-4", "SERV-1"),
        module=APPLICATION,
        original="status=NodeStatus.DEACTIVATING, ram_layers=()",
        faulty="status=NodeStatus.DEACTIVATING, ram_layers=(), disk_layers=()",
    ),
    _wrong(
        name="activation-is-immediate",
        story="A node takes work as soon as its activation is requested.",
        clauses=("SERV-4",),
        known_as=("B19",),
        module=APPLICATION,
        original="replace(node, status=NodeStatus.ACTIVATING)",
        faulty="replace(node, status=NodeStatus.ACTIVATED)",
    ),
    _wrong(
        name="refused-dispatch-half-applied",
        story="An invocation whose dispatch is refused is not pending any more.",
        clauses=("SERV-1",),
        module=APPLICATION,
        original="        return state, Outcome(kind, operation, refusal)\n",
        faulty=(
            "        half = fail(state, operation) if kind is OperationKind.DISPATCH else state\n"
            "        return half, Outcome(kind, operation, refusal)\n"
        ),
    ),
    _wrong(
        name="batch-is-a-transaction",
        story="One refused operation undoes the whole batch.",
        clauses=("SERV-1",),
        module=APPLICATION,
        original="    outcomes: list[Outcome] = []\n    for kind in OperationKind:\n",
        faulty=(
            "    if any(each.refusal for each in _tried(state, decisions)):\n"
            "        return state, _tried(state, decisions)\n"
            "    return _all(state, decisions)\n\n\n"
            "def _tried(state: ServiceState, decisions: Decisions) -> tuple[Outcome, ...]:\n"
            "    return _all(state, decisions)[1]\n\n\n"
            "def _all(state: ServiceState, decisions: Decisions) -> tuple[ServiceState, tuple[Outcome, ...]]:\n"
            "    outcomes: list[Outcome] = []\n    for kind in OperationKind:\n"
        ),
    ),
    _wrong(
        name="dispatches-before-terminations",
        story="Dispatches are applied before anything is freed for them.",
        clauses=("SERV-1", "SERV-5"),
        module=APPLICATION,
        original="for kind in OperationKind:",
        faulty="for kind in sorted(OperationKind, key=lambda each: each is not OperationKind.DISPATCH):",
    ),
)
"""Faults of the application of batches."""

CHECK_FAULTS = (
    _wrong(
        name="idle-containers-use-no-layers",
        story="A layer is evicted under a container that is idle or starting.",
        clauses=("SERV-2",),
        module=CHECKS,
        original="for container in node.containers for layer in container.function.image.layers",
        faulty="for container in node.containers if container.in_flight > 0 for layer in container.function.image.layers",
    ),
    _wrong(
        name="disk-evicted-under-ram",
        story="A layer is evicted from disk while it is resident in RAM.",
        clauses=("SERV-2",),
        module=CHECKS,
        original="    if is_in_ram(node, eviction.layer):\n        yield RefusalReason.LAYER_IN_RAM\n",
        faulty="",
    ),
    _wrong(
        name="disk-evicted-under-load",
        story="A layer is evicted from the disk that it is being loaded from.",
        clauses=("SERV-2",),
        module=CHECKS,
        original="    if _is_loading(node, eviction.layer):\n        yield RefusalReason.LAYER_LOADING\n",
        faulty="",
    ),
    _wrong(
        name="full-container-takes-one-more",
        story="A container takes one invocation more than it may hold.",
        clauses=("SERV-2", "SERV-1"),
        module=CHECKS,
        original="container.in_flight < container.function.max_invocations_per_container",
        faulty="container.in_flight <= container.function.max_invocations_per_container",
    ),
    _wrong(
        name="starting-container-takes-invocations",
        story="An invocation is sent to a container that is still starting.",
        clauses=("SERV-2", "SERV-3"),
        known_as=("AMB-10",),
        module=CHECKS,
        original="    if container.status is not ContainerStatus.READY:\n        yield RefusalReason.CONTAINER_NOT_READY\n",
        faulty="",
    ),
    _wrong(
        name="one-position-too-many",
        story="A container is started on a node whose positions are all taken.",
        clauses=("SERV-2", "SERV-1"),
        module=CHECKS,
        original="node.positions_available > 0",
        faulty="node.positions_available >= 0",
    ),
    _wrong(
        name="transfer-begun-twice",
        story="A layer that is being copied is copied once more, and the second report is an error.",
        clauses=("SERV-2",),
        known_as=("B17",),
        module=CHECKS,
        original="    if any(each.name == copy.layer for each in node.copying):\n        yield RefusalReason.LAYER_COPYING\n",
        faulty="",
    ),
    _wrong(
        name="deactivation-cuts-off-loads",
        story="A node is let go while a layer is being loaded on it.",
        clauses=("SERV-2", "SERV-4"),
        module=CHECKS,
        original="if len(node.copying) > 0 or len(node.loading) > 0:",
        faulty="if len(node.copying) > 0:",
    ),
    _wrong(
        name="stale-wake-up-kept",
        story="A wake-up at the present instant is accepted, and the service rouses itself for ever.",
        clauses=("SERV-2", "WAKE-2"),
        known_as=("B23", "B25"),
        module=CHECKS,
        original="if not state.now < date < LARGEST_DATE:",
        faulty="if not state.now <= date < LARGEST_DATE:",
    ),
)
"""Faults of the checks."""

FAULTS: tuple[Fault, ...] = EVENT_FAULTS + BATCH_FAULTS + CHECK_FAULTS
"""Every wrong service."""


def service(name: str) -> StepFunction:
    """Return the step function of the wrong service of that name.

    Raises:
        UnknownMiniature: when there is none.
        StaleFault: when its fault does not fit the installed sources.
    """
    for each in FAULTS:
        if each.name == name:
            return cast("StepFunction", load(each, STEP).step)
    raise UnknownMiniature(name, tuple(each.name for each in FAULTS))
