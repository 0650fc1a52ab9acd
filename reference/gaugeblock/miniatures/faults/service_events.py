"""Wrong services: faults of what an event does, and of the round that follows it."""

from functools import partial

from gaugeblock.miniatures.fault import SERVICE_ROOTS, Fault

EFFECTS = "gaugeblock.service.effects"
STEP = "gaugeblock.service.step"

_wrong = partial(Fault, roots=SERVICE_ROOTS)

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
        clauses=("SERV-1",),
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
        clauses=("SERV-6",),
        module=EFFECTS,
        original="return replace(state, wakeup=None) if due else state",
        faulty="return state",
    ),
    _wrong(
        name="stale-wake-up-consumes",
        story="A wake-up that fires too early takes the standing one with it.",
        clauses=("SERV-6",),
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
