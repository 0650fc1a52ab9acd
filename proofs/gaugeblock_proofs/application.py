"""SERV-2: theorems about what each accepted operation changes in the service, and that it changes nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from gaugeblock.model import (
    Catalog,
    Container,
    ContainerId,
    ContainerStatus,
    Dispatch,
    Eviction,
    Failure,
    Function,
    FunctionName,
    IdleAlarm,
    Invocation,
    InvocationId,
    Layer,
    LayerName,
    Node,
    NodeName,
    NodeStatus,
    Prewarm,
    ResidentLayer,
    Running,
    ServiceState,
    Termination,
    Transfer,
    replace,
)
from gaugeblock_proofs.engine import Condition, any_of
from gaugeblock_proofs.opaque import anything
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes

APPLICATION = "gaugeblock.service.application"
CHANGES = "gaugeblock.service.changes"

EFFECT = "exactly the stated changes of the node and of the service"
ELSEWHERE = "no other node, and nothing else of the service, is changed"
EARLIER = "the earlier of the standing date and the new one stands"

LAYERS = tuple(cast("Layer", SimpleNamespace(name=LayerName(name))) for name in "abcdef")
USING = cast("Function", SimpleNamespace(name=FunctionName("f"), image=SimpleNamespace(layers=LAYERS[:1])))
"""A function of layer ``a``."""
PLAIN = cast("Function", SimpleNamespace(name=FunctionName("g"), image=SimpleNamespace(layers=())))
"""A function without layers."""
NEXT = ContainerId(100)
ONE_CONTAINER_MORE = {"next_container": ContainerId(NEXT + 1)}


class Operation(NamedTuple):
    """One application: the function that does it, the operation, and what it changes of the node and of the service."""

    function: str
    operation: object
    of_node: Mapping[str, object] = {}
    of_service: Mapping[str, object] = {}


def any_service(setting: Setting) -> ServiceState:
    """Return a service of two nodes that hold the same, of which anything is true that the operations do not look at."""
    symbols = setting.symbols
    loading = setting.path.choose(((), LAYERS[3:4]))
    copying = setting.path.choose(((), LAYERS[5:]))
    held = symbols.integer("in_flight")
    nodes = tuple(_any_node(NodeName(f"n{number}"), copying, loading, _containers(number, held)) for number in range(2))
    alarms = tuple(IdleAlarm(each.id, anything("generation"), anything("due")) for node in nodes for each in node.containers)
    pending = tuple(Invocation(InvocationId(number), of, anything("date")) for number, of in ((1, USING), (2, PLAIN)))
    running = (Running(anything("invocation"), ContainerId(0)),)
    return ServiceState(
        symbols.date("now"),
        Catalog(LAYERS, anything("images"), (PLAIN, USING)),
        nodes,
        pending,
        running,
        alarms,
        NEXT,
        anything("generation"),
        anything("wake-up"),
        anything("submitted"),
        anything("sequence"),
    )


def _any_node(
    name: NodeName, copying: tuple[Layer, ...], loading: tuple[Layer, ...], containers: tuple[Container, ...]
) -> Node:
    """Return a node with ``a`` to ``d`` on disk, ``a`` and ``b`` in RAM; ``d`` may be loading and ``f`` be copied."""
    return Node(
        name,
        anything("status"),
        anything("RAM"),
        anything("disk"),
        anything("invocations"),
        anything("positions"),
        tuple(ResidentLayer(each, anything("date")) for each in LAYERS[:4]),
        tuple(ResidentLayer(each, anything("date")) for each in LAYERS[:2]),
        copying,
        loading,
        containers,
    )


def _containers(number: int, held: int) -> tuple[Container, ...]:
    """Return a container of each function for the node of that number."""
    return tuple(
        Container(ContainerId(10 * number + place), of, anything("status"), held, anything("date"))
        for place, of in enumerate((USING, PLAIN))
    )


def effects(setting: Setting) -> None:
    """SERV-2, SERV-0, SERV-3, SERV-4: each operation on either of two nodes."""
    before = any_service(setting)
    node = setting.path.choose(before.nodes)
    make = setting.path.choose((_on_invocations, _on_containers, _on_layers))
    wanted = setting.path.choose(make(before, node))
    after: ServiceState = getattr(setting.shipped.service.application, wanted.function)(before, wanted.operation)
    for was, now in zip(before.nodes, after.nodes, strict=True):
        if was is node:
            setting.path.prove(_is_changed(was, now, wanted.of_node), EFFECT)
        else:
            setting.path.prove(now is was, ELSEWHERE)
    fields = [name for name in ServiceState.__struct_fields__ if name != "nodes"]
    setting.path.prove(all(getattr(after, name) == wanted.of_service[name] for name in wanted.of_service), EFFECT)
    others = [name for name in fields if name not in wanted.of_service]
    setting.path.prove(all(getattr(after, name) == getattr(before, name) for name in others), ELSEWHERE)


def _is_changed(was: Node, now: Node, changes: Mapping[str, object]) -> bool:
    """Return whether the fields named are as they should be, and the others as they were."""
    fields = Node.__struct_fields__
    return all(getattr(now, name) == changes.get(name, getattr(was, name)) for name in fields)


def _on_invocations(before: ServiceState, node: Node) -> tuple[Operation, ...]:
    """Return a failure, dispatches of either kind, and a prewarm."""
    using, plain = before.pending
    first, second = node.containers
    return (
        Operation("fail", Failure(using.id, ""), {}, {"pending": (plain,)}),
        Operation("fail", Failure(plain.id, ""), {}, {"pending": (using,)}),
        _reuse(before, node, using, first, {**_accessed(before, node), "containers": (_with_one_more(before, first), second)}),
        _reuse(before, node, plain, second, {"containers": (first, _with_one_more(before, second))}),
        _cold_start(before, node, using, _accessed(before, node)),
        _cold_start(before, node, plain, {}),
        Operation("prewarm", Prewarm(node.name, USING.name), _started(before, node, USING, 0), ONE_CONTAINER_MORE),
    )


def _reuse(
    before: ServiceState, node: Node, invocation: Invocation, container: Container, of_node: Mapping[str, object]
) -> Operation:
    """Return the dispatch to a container: the invocation runs there, and the container's alarm is off."""
    dispatch = Dispatch(invocation.id, node.name, container.id)
    of_service = {**_dispatched(before, invocation, container.id), "alarms": _others(before, container.id)}
    return Operation("dispatch", dispatch, of_node, of_service)


def _cold_start(before: ServiceState, node: Node, invocation: Invocation, accessed: Mapping[str, object]) -> Operation:
    """Return the dispatch to a new container, which takes the next id."""
    of_node = {**accessed, **_started(before, node, invocation.function, 1)}
    of_service = {**_dispatched(before, invocation, NEXT), **ONE_CONTAINER_MORE}
    return Operation("dispatch", Dispatch(invocation.id, node.name, None), of_node, of_service)


def _dispatched(before: ServiceState, invocation: Invocation, container: ContainerId) -> dict[str, object]:
    others = tuple(each for each in before.pending if each is not invocation)
    return {"pending": others, "running": (*before.running, Running(invocation, container))}


def _on_containers(before: ServiceState, node: Node) -> tuple[Operation, ...]:
    """Return terminations, and changes of the node's status."""
    first, second = node.containers
    neither = tuple(each for each in before.alarms if each.container not in (first.id, second.id))
    asleep = {"status": NodeStatus.DEACTIVATING, "ram_layers": (), "containers": ()}
    return (
        Operation(
            "terminate", Termination(node.name, first.id), {"containers": (second,)}, {"alarms": _others(before, first.id)}
        ),
        Operation(
            "terminate", Termination(node.name, second.id), {"containers": (first,)}, {"alarms": _others(before, second.id)}
        ),
        Operation("deactivate", node.name, asleep, {"alarms": neither}),
        Operation("activate", node.name, {"status": NodeStatus.ACTIVATING}),
    )


def _on_layers(before: ServiceState, node: Node) -> tuple[Operation, ...]:
    """Return evictions and transfers."""
    name, (on_disk, in_ram) = node.name, (node.disk_layers, node.ram_layers)
    return (
        Operation("evict_from_ram", Eviction(name, in_ram[0].layer.name), {"ram_layers": in_ram[1:]}),
        Operation("evict_from_ram", Eviction(name, in_ram[1].layer.name), {"ram_layers": in_ram[:1]}),
        Operation("evict_from_disk", Eviction(name, on_disk[2].layer.name), {"disk_layers": (*on_disk[:2], on_disk[3])}),
        Operation("evict_from_disk", Eviction(name, on_disk[3].layer.name), {"disk_layers": on_disk[:3]}),
        Operation("load", Transfer(name, LAYERS[2].name), {"loading": (LAYERS[2], *node.loading)}),
        Operation("copy", Transfer(name, LAYERS[4].name), {"copying": (LAYERS[4], *node.copying)}),
    )


def _others(before: ServiceState, container: ContainerId) -> tuple[IdleAlarm, ...]:
    return tuple(each for each in before.alarms if each.container != container)


def _with_one_more(before: ServiceState, container: Container) -> Container:
    return replace(container, in_flight=container.in_flight + 1, last_used=before.now)


def _accessed(before: ServiceState, node: Node) -> dict[str, object]:
    """Return the node's layers with ``a`` accessed now."""
    now = ResidentLayer(LAYERS[0], before.now)
    return {"disk_layers": (now, *node.disk_layers[1:]), "ram_layers": (now, *node.ram_layers[1:])}


def _started(before: ServiceState, node: Node, of: Function, held: int) -> dict[str, object]:
    cold = Container(NEXT, of, ContainerStatus.STARTING, held, before.now)
    return {"containers": (*node.containers, cold)}


def wakeup(setting: Setting) -> None:
    """SERV-6: any dates, a standing one or none."""
    fields: dict[str, Any] = {name: anything(name) for name in ServiceState.__struct_fields__}
    standing = setting.path.choose((None, setting.symbols.date("standing")))
    new = setting.symbols.date("new")
    before = ServiceState(**{**fields, "wakeup": standing})
    apply: Callable[[ServiceState, float], ServiceState] = setting.shipped.service.application.wake_up_at
    after = apply(before, new)
    setting.path.prove(_is_earlier(after.wakeup, standing, new), EARLIER)
    others = [name for name in fields if name != "wakeup"]
    setting.path.prove(all(getattr(after, name) is fields[name] for name in others), ELSEWHERE)


def _is_earlier(found: float | None, standing: float | None, new: float) -> Condition:
    if found is None or standing is None:
        return found is new
    return any_of(found is standing and standing <= new, found is new and new <= standing)


STEPS = (
    *("fail", "deactivate", "activate", "terminate", "evict_from_ram", "evict_from_disk"),
    *("dispatch", "load", "copy", "prewarm"),
)
SHARED = ("change_node", "change_container", "remove_container", "forget_alarm", "add_transfer", "without_resident")

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "SERV-2.effects",
        "Each accepted operation changes exactly what it states, on its node and in the service, and nothing else.",
        ("SERV-2", "SERV-0", "SERV-3", "SERV-4"),
        (*(f"{APPLICATION}.{name}" for name in STEPS), *(f"{CHANGES}.{name}" for name in SHARED)),
        shapes(
            "two nodes with two containers and four layers each, layers in progress or none, two pending invocations; every "
            "operation on either node; sizes, capacities, statuses and dates are opaque, so may be any"
        ),
        (Part("two nodes", effects),),
        (EFFECT, ELSEWHERE),
    ),
    Theorem(
        "SERV-6.earlier",
        "Of the standing wake-up and a new one the earlier stands.",
        ("SERV-6",),
        (f"{APPLICATION}.wake_up_at",),
        shapes("any dates as reals, a standing one or none; all else is opaque"),
        (Part("any dates", wakeup),),
        (EARLIER, ELSEWHERE),
    ),
)
