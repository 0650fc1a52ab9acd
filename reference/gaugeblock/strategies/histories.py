"""Generated histories of a service: an opening, and events that fit what is under way, with strays among them.

What is outstanding is read from the service's state, so that one construction drives any service whose step is given.
"""

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from gaugeblock.model import (
    Catalog,
    ContainerFailed,
    ContainerId,
    ContainerStarted,
    ContainerStatus,
    CopyCompleted,
    CopyFailed,
    Event,
    IdleAlarm,
    IdleTimeout,
    InvocationFailed,
    InvocationFinished,
    InvocationId,
    LayerName,
    LoadCompleted,
    LoadFailed,
    Node,
    NodeActivated,
    NodeDeactivated,
    NodeName,
    NodeStatus,
    Opening,
    ResidentLayer,
    ServiceSettings,
    ServiceState,
    Submit,
    Value,
    WakeUp,
)
from gaugeblock.strategies.building import build_catalog
from gaugeblock.strategies.choices import Choices, chance, pick
from gaugeblock.strategies.naming_policies import build_policy_names
from gaugeblock.strategies.tuning import CROWDED, MIXED, SHARED_LAYERS, Tuning

UNITS: Final = (1.0, 0.1)
"""Seconds between two dates. Tenths have no exact binary value, so that differently written sums differ."""

Place: TypeAlias = tuple[NodeName, LayerName]


SMALL_LAYERS: Final = Tuning(most_layers=8, largest_layer=2, largest_private=8, image_percent=30)
"""Many small layers and large containers, so that room for one takes several victims."""

ONE_BYTE_LAYERS: Final = Tuning(most_layers=8, largest_layer=1, largest_private=4, zero_percent=0)
"""Layers of one byte each, so that no single one of them makes room for a container."""


class HistoryTuning(Value, frozen=True):
    """What generated histories look like; a catalogue is tuned by one of ``catalogs``. Counts are inclusive limits.

    Each node has room for the needs of one to ``most_fitting`` functions and a slack of up to so many bytes: the less, the more
    often room must be made. ``longest_idle`` is the largest idle time-out in units of dates; a ``*_percent`` is a chance.
    """

    catalogs: tuple[Tuning, ...] = (SHARED_LAYERS, MIXED, CROWDED, SMALL_LAYERS, ONE_BYTE_LAYERS)
    fewest_nodes: int = 1
    most_nodes: int = 3
    most_invocations: int = 4
    most_containers: int = 3
    most_fitting: int = 2
    slack: int = 4
    longest_idle: int = 12
    inactive_percent: int = 30
    resident_percent: int = 30
    most_pending: int = 8


COMMON = HistoryTuning()
"""A little of everything on few nodes: the default."""


class Outstanding(Value, frozen=True):
    """What is under way in a service and will end by an event: its names and ids, in the order of the state."""

    copies: tuple[Place, ...]
    loads: tuple[Place, ...]
    starts: tuple[ContainerId, ...]
    ends: tuple[InvocationId, ...]
    activations: tuple[NodeName, ...]
    deactivations: tuple[NodeName, ...]
    alarms: tuple[IdleAlarm, ...]
    wakeup: float | None

    @property
    def outcomes(self) -> int:
        """How many things will end by a report, not counting alarms and the wake-up."""
        lists = (self.copies, self.loads, self.starts, self.ends, self.activations, self.deactivations)
        return sum(len(each) for each in lists)


def outstanding(state: ServiceState) -> Outstanding:
    """Return what is under way in ``state``."""
    containers = [each for node in state.nodes for each in node.containers]
    starting = {each.id for each in containers if each.status is ContainerStatus.STARTING}
    return Outstanding(
        copies=tuple((node.name, layer.name) for node in state.nodes for layer in node.copying),
        loads=tuple((node.name, layer.name) for node in state.nodes for layer in node.loading),
        starts=tuple(each.id for each in containers if each.id in starting),
        ends=tuple(each.invocation.id for each in state.running if each.container not in starting),
        activations=tuple(node.name for node in state.nodes if node.status is NodeStatus.ACTIVATING),
        deactivations=tuple(node.name for node in state.nodes if node.status is NodeStatus.DEACTIVATING),
        alarms=tuple(alarm for alarm in state.alarms if alarm.date is not None),
        wakeup=state.wakeup,
    )


def build_opening(choices: Choices, tuning: HistoryTuning) -> Opening:
    """Build what a history starts from: nodes that can hold little, some layers on them, policies of all kinds."""
    catalog = build_catalog(choices, pick(choices, tuning.catalogs))
    unit = pick(choices, UNITS)
    nodes = choices.many(tuning.fewest_nodes, tuning.most_nodes, partial(_node, catalog, tuning))
    policies = build_policy_names(choices, catalog, random_policies=True)
    return Opening(0.0, catalog, nodes, policies, ServiceSettings(choices.integer(0, tuning.longest_idle) * unit))


def _node(catalog: Catalog, tuning: HistoryTuning, choices: Choices, index: int) -> Node:
    fitting = choices.many(1, tuning.most_fitting, lambda source, _: pick(source, catalog.functions))
    layers = {layer.name: layer for function in fitting for layer in function.image.layers}.values()
    ram = sum(layer.ram_bytes for layer in layers) + sum(function.ram_bytes for function in fitting)
    disk = sum(layer.disk_bytes for layer in layers) + sum(function.disk_bytes for function in fitting)
    there = {layer.name for layer in layers if chance(choices, tuning.resident_percent)}
    return Node(
        name=NodeName(f"node-{index}"),
        status=NodeStatus.DEACTIVATED if chance(choices, tuning.inactive_percent) else NodeStatus.ACTIVATED,
        ram_bytes=ram + choices.integer(0, tuning.slack),
        disk_bytes=disk + choices.integer(0, tuning.slack),
        max_invocations=choices.integer(1, tuning.most_invocations),
        max_containers=choices.integer(1, tuning.most_containers),
        disk_layers=tuple(ResidentLayer(layer, 0.0) for layer in catalog.layers if layer.name in there),
    )


Stamp: TypeAlias = tuple[float, int]
"""Date (seconds) and sequence."""


def build_stamp(choices: Choices, state: ServiceState, not_before: float | None = None) -> Stamp:
    """Choose when the next event comes: often at the date of the last one, else a little later, never before ``not_before``."""
    if not_before is not None and not_before > state.now:
        return not_before, choices.integer(0, 3)
    if chance(choices, 60):
        return state.now + choices.integer(1, 4) * pick(choices, UNITS), choices.integer(0, 3)
    return state.now, state.sequence + choices.integer(1, 3)


def build_submission(choices: Choices, state: ServiceState) -> Event:
    """Build a submission of some function under a fresh id; ids follow neither dates nor each other."""
    number = choices.integer(0, 3 * len(state.submitted) + 3)
    while number in state.submitted:
        number += 1
    function = pick(choices, state.catalog.functions)
    return Submit(*build_stamp(choices, state), InvocationId(number), function.name)


def build_outcome(choices: Choices, state: ServiceState, *, failing: bool) -> Event | None:
    """Build the report of one thing that is under way, good or bad; None if there is none (nodes never fail)."""
    under_way = outstanding(state)
    reports: list[Callable[[float, int], Event]] = []
    reports += [partial(_transfer, CopyFailed if failing else CopyCompleted, place) for place in under_way.copies]
    reports += [partial(_transfer, LoadFailed if failing else LoadCompleted, place) for place in under_way.loads]
    reports += [partial(_start, failing, container) for container in under_way.starts]
    reports += [partial(_end, failing, invocation) for invocation in under_way.ends]
    if not failing:
        reports += [partial(_on_node, NodeActivated, name) for name in under_way.activations]
        reports += [partial(_on_node, NodeDeactivated, name) for name in under_way.deactivations]
    return pick(choices, tuple(reports))(*build_stamp(choices, state)) if reports else None


def _transfer(
    report: type[CopyCompleted | CopyFailed | LoadCompleted | LoadFailed], place: Place, date: float, sequence: int
) -> Event:
    return report(date, sequence, *place)


def _start(failing: bool, container: ContainerId, date: float, sequence: int) -> Event:
    report = ContainerFailed if failing else ContainerStarted
    return report(date, sequence, container)


def _end(failing: bool, invocation: InvocationId, date: float, sequence: int) -> Event:
    report = InvocationFailed if failing else InvocationFinished
    return report(date, sequence, invocation)


def _on_node(report: type[NodeActivated | NodeDeactivated], node: NodeName, date: float, sequence: int) -> Event:
    return report(date, sequence, node)


def build_alarm(choices: Choices, state: ServiceState) -> Event | None:
    """Build an idle time-out: mostly of a container that is idle, at its due date or later, else of an old spell."""
    alarms = outstanding(state).alarms
    if alarms and not chance(choices, 25):
        alarm = pick(choices, alarms)
        return IdleTimeout(*build_stamp(choices, state, alarm.date), alarm.container, alarm.generation)
    if state.next_generation == 0:
        return None
    container = ContainerId(choices.integer(0, state.next_container - 1))
    generation = choices.integer(0, state.next_generation - 1)
    return IdleTimeout(*build_stamp(choices, state), container, generation)


def build_wakeup(choices: Choices, state: ServiceState) -> Event:
    """Build a wake-up: at the standing date if there is one, at times before it."""
    return WakeUp(*build_stamp(choices, state, None if chance(choices, 20) else state.wakeup))


Weighted: TypeAlias = tuple[int, Callable[[Choices, ServiceState], Event | None]]


def build_event(choices: Choices, state: ServiceState, tuning: HistoryTuning, strays: Callable[..., Event]) -> Event:
    """Build the next event, of a kind that weighs the more the more is outstanding of it."""
    weighted: tuple[Weighted, ...] = (
        (30 if len(state.pending) < tuning.most_pending else 3, build_submission),
        (12 * min(outstanding(state).outcomes, 8), partial(build_outcome, failing=False)),
        (2 * min(outstanding(state).outcomes, 8), partial(build_outcome, failing=True)),
        (4 * min(len(state.alarms), 3), build_alarm),
        (3 if state.wakeup is None else 12, build_wakeup),
        (8, strays),
    )
    ticket = choices.integer(1, sum(weight for weight, _ in weighted))
    for weight, build in weighted:
        ticket -= weight
        if ticket <= 0:
            return build(choices, state) or build_submission(choices, state)
    return build_submission(choices, state)
