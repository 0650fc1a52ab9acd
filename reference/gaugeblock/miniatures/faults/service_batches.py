"""Wrong services: faults of how a batch is applied, and of the checks of each operation."""

from functools import partial

from gaugeblock.miniatures.fault import SERVICE_ROOTS, Fault

CHANGES = "gaugeblock.service.changes"
CHECKS = "gaugeblock.service.checks"
APPLICATION = "gaugeblock.service.application"

_wrong = partial(Fault, roots=SERVICE_ROOTS)

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
        clauses=("SERV-2",),
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
        clauses=("SERV-2",),
        known_as=("B23", "B25"),
        module=CHECKS,
        original="if not state.now < date < LARGEST_DATE:",
        faulty="if not state.now <= date < LARGEST_DATE:",
    ),
)
"""Faults of the checks."""
