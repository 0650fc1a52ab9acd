"""One more event on a standing state: how long it takes, and how that grows with nodes and with pending invocations.

    python benchmarks/event_growth.py [--vectors DIR] [--reference] [--events N] [--plot FILE.svg]

A standing state is one in which a round decides nothing. It is reached by deciding rounds on a generated state, or on a large
vector round from DIR, until nothing is decided any more; then a sample of what waits is kept, or more of the same added, so
that as many are pending as asked for. An event is one of four: a submission, an invocation that finishes, a layer that is
loaded, a wake-up. Times are medians of processor time in milliseconds; ``--reference`` lets the reference service take some of
the same events.
"""

import argparse
import random
import statistics
import time
from collections.abc import Iterator
from itertools import count, pairwise
from pathlib import Path

from pictures import picture

from gaugeblock.model import (
    Catalog,
    Container,
    ContainerId,
    ContainerStatus,
    Decisions,
    Event,
    Function,
    FunctionName,
    IdleAlarm,
    Image,
    ImageName,
    Invocation,
    InvocationFinished,
    InvocationId,
    Layer,
    LayerName,
    LoadCompleted,
    Node,
    NodeName,
    NodeStatus,
    ObservedState,
    PolicyNames,
    ResidentLayer,
    Running,
    ServiceSettings,
    ServiceState,
    Submit,
    WakeUp,
    replace,
)
from gaugeblock.optimized.model import OptimizedService
from gaugeblock.scheduler import scheduler_from
from gaugeblock.service import step
from gaugeblock.wire.cases import read_cases

SETTINGS = ServiceSettings(600.0)
KINDS = ("submission", "finish", "load", "wake-up")
MEGABYTE = 1 << 20


def catalog(source: random.Random) -> Catalog:
    layers = tuple(
        Layer(LayerName(f"layer-{number}"), source.randint(1, 400) * MEGABYTE, source.randint(1, 200) * MEGABYTE)
        for number in range(150)
    )
    weights = [1 / (rank + 5) for rank in range(150)]
    images = []
    for number in range(60):
        size = source.randint(3, 8)
        chosen: dict[Layer, None] = {}
        while len(chosen) < size:
            chosen.setdefault(source.choices(layers, weights)[0])
        images.append(Image(ImageName(f"image-{number}"), tuple(chosen)))
    functions = tuple(
        Function(
            FunctionName(f"function-{number}"),
            source.choice(images),
            source.randint(64, 1024) * MEGABYTE,
            source.randint(16, 256) * MEGABYTE,
            source.choice((1, 1, 4)),
        )
        for number in range(200)
    )
    return Catalog(layers, tuple(images), functions)


def generated(nodes: int, pending: int, *, tight: bool) -> ObservedState:
    """Return a state of many nodes with some images on disk, fewer in RAM, and a handful of containers each."""
    source = random.Random(f"{nodes} {tight}")
    offer, ids = catalog(source), count(1)
    made = tuple(node(source, offer, number, ids, tight=tight) for number in range(nodes))
    waiting = tuple(Invocation(InvocationId(number), source.choice(offer.functions), number / 100) for number in range(pending))
    return ObservedState(10_000.0, offer, made, waiting)


def node(source: random.Random, offer: Catalog, number: int, ids: Iterator[int], *, tight: bool) -> Node:
    stored = source.sample(offer.images, 8)
    loaded = stored[:3]
    on_disk = {layer.name for image in stored for layer in image.layers}
    in_ram = {layer.name for image in loaded for layer in image.layers}
    runnable = [function for function in offer.functions if any(function.image is image for image in loaded)]
    containers = tuple(
        Container(ContainerId(next(ids)), function, ContainerStatus.READY, int(source.random() < 0.6), 9_000.0)
        for function in (source.choices(runnable, k=4) if runnable else ())
    )
    disk = tuple(ResidentLayer(layer, 9_000.0 + source.randint(0, 900)) for layer in offer.layers if layer.name in on_disk)
    ram = tuple(ResidentLayer(layer, 9_000.0 + source.randint(0, 900)) for layer in offer.layers if layer.name in in_ram)
    slack = source.randint(0, 200 if tight else 4000) * MEGABYTE
    used_ram = sum(each.layer.ram_bytes for each in ram) + sum(each.function.ram_bytes for each in containers)
    used_disk = sum(each.layer.disk_bytes for each in disk) + sum(each.function.disk_bytes for each in containers)
    name = NodeName(f"node-{number}")
    return Node(name, NodeStatus.ACTIVATED, used_ram + slack, used_disk + slack, 64, 64, disk, ram, (), (), containers)


def service_state(observed: ObservedState) -> ServiceState:
    """Return a state of the service that shows a round just this."""
    containers = [container for node in observed.nodes for container in node.containers]
    ids = count(1 + max((invocation.id for invocation in observed.pending), default=0))
    running = tuple(
        Running(Invocation(InvocationId(next(ids)), container.function, container.last_used), container.id)
        for container in containers
        for _ in range(container.in_flight)
    )
    idle = sorted(container.id for container in containers if container.is_idle)
    alarms = tuple(IdleAlarm(container, generation, 1e9) for generation, container in enumerate(idle))
    return ServiceState(
        now=observed.now,
        catalog=observed.catalog,
        nodes=observed.nodes,
        pending=observed.pending,
        running=running,
        alarms=alarms,
        next_container=ContainerId(1 + max((container.id for container in containers), default=-1)),
        next_generation=len(alarms),
        submitted=frozenset(invocation.id for invocation in (*observed.pending, *(each.invocation for each in running))),
    )


class Standing:
    """An optimized service in a standing state with exactly so many pending invocations."""

    def __init__(self, observed: ObservedState, policies: PolicyNames, pending: int) -> None:
        self.policies = policies
        self.service = OptimizedService(service_state(observed), policies, SETTINGS)
        self.now, self.sequence, self.ids = observed.now, count(), count(10**9)
        self.source = random.Random(1)
        self.settle()
        self.fill(pending)

    def settle(self) -> None:
        """Decide rounds until one decides nothing."""
        while self.service.step(WakeUp(self.now, next(self.sequence))).decisions != Decisions():
            pass

    def fill(self, pending: int) -> None:
        """Leave a sample of what waits, or submit more of the same, until so many are pending."""
        state = self.service.state()
        if len(state.pending) > pending:
            kept = sorted(self.source.sample(range(len(state.pending)), pending))
            fewer = replace(state, pending=tuple(state.pending[number] for number in kept))
            self.service = OptimizedService(fewer, self.policies, SETTINGS)
            self.sequence = count(state.sequence + 1)
        waiting = [invocation.function.name for invocation in state.pending]
        if not waiting:
            raise SystemExit("nothing waits in the standing state")
        for missing in range(pending - len(waiting)):
            self.service.step(self.submission(waiting[missing % len(waiting)]))
        self.settle()

    def submission(self, function: FunctionName) -> Submit:
        return Submit(self.now, next(self.sequence), InvocationId(next(self.ids)), function)

    def events(self, number: int) -> Iterator[tuple[str, Event]]:
        """Yield kinds and events that are due in the state at that moment."""
        for turn in range(number):
            kind, state = KINDS[turn % len(KINDS)], self.service.state()
            if kind == "submission":
                yield kind, self.submission(self.source.choice(state.catalog.functions).name)
            elif kind == "finish":
                ready = {each.id for node in state.nodes for each in node.containers if each.status is ContainerStatus.READY}
                running = [each for each in state.running if each.container in ready]
                if running:
                    yield kind, InvocationFinished(self.now, next(self.sequence), self.source.choice(running).invocation.id)
            elif kind == "load":
                loads = [(node.name, layer.name) for node in state.nodes for layer in node.loading]
                if loads:
                    yield kind, LoadCompleted(self.now, next(self.sequence), *self.source.choice(loads))
            else:
                yield kind, WakeUp(self.now, next(self.sequence))


Times = dict[str, list[float]]


def measure(standing: Standing, number: int) -> Times:
    """Let events happen and return the times of each kind in milliseconds."""
    times: Times = {kind: [] for kind in KINDS}
    for kind, event in standing.events(number):
        start = time.process_time()
        standing.service.step(event)
        times[kind].append(1000 * (time.process_time() - start))
    return times


def measure_both(standing: Standing, number: int) -> tuple[float, float]:
    """Let both services take the same events from the same states; return the medians (optimized, reference)."""
    scheduler = scheduler_from(standing.policies)
    optimized, reference = [], []
    for _, event in standing.events(number):
        before = standing.service.state()
        start = time.process_time()
        expected = step(before, event, scheduler, SETTINGS)
        middle = time.process_time()
        found = standing.service.step(event)
        optimized.append(time.process_time() - middle)
        reference.append(middle - start)
        if found.decisions != expected.decisions or standing.service.state() != expected.state:
            raise SystemExit(f"the services differ after {event}")
    return 1000 * statistics.median(optimized), 1000 * statistics.median(reference)


def middle(times: Times) -> float:
    """Return the median over events of all kinds, each kind weighing the same."""
    return statistics.mean(statistics.median(each) for each in times.values() if each)


def report(name: str, times: Times) -> None:
    cells = "".join(f"{statistics.median(each) if each else float('nan'):12.3f}" for each in times.values())
    print(f"{name:42}{cells}{middle(times):12.3f}", flush=True)


def growth(events: int) -> dict[str, list[tuple[int, float]]]:
    """Measure generated standing states of growing size."""
    lines: dict[str, list[tuple[int, float]]] = {}
    for tight in (False, True):
        word = "tight" if tight else "roomy"
        by_nodes = lines.setdefault(f"{word}: nodes (500 pending)", [])
        for nodes in (125, 250, 500, 1000):
            times = measure(Standing(generated(nodes, 20 * nodes, tight=tight), PolicyNames(), 500), events)
            report(f"{word}, {nodes} nodes, 500 pending", times)
            by_nodes.append((nodes, middle(times)))
        by_pending = lines.setdefault(f"{word}: pending (500 nodes)", [])
        for pending in (250, 500, 1000, 2000):
            times = measure(Standing(generated(500, 10_000, tight=tight), PolicyNames(), pending), events)
            report(f"{word}, 500 nodes, {pending} pending", times)
            by_pending.append((pending, middle(times)))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--reference", action="store_true")
    parser.add_argument("--events", type=int, default=200)
    parser.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    print(f"{'standing state':42}" + "".join(f"{kind:>12}" for kind in KINDS) + f"{'all':>12}")
    sizes = {"perf-tight-256-fewest": 500, "perf-tight-1000-fewest": 1000, "perf-64": 100, "perf-256": 500, "perf-1000": 1000}
    for name, pending in sizes.items() if arguments.vectors else ():
        case = next(iter(read_cases(arguments.vectors / f"{name}.jsonl")))
        standing = Standing(case.round, case.policies, pending)
        report(f"{name}, {pending} pending", measure(standing, arguments.events))
        if arguments.reference and name in ("perf-64", "perf-1000", "perf-tight-1000-fewest"):
            fast, slow = measure_both(standing, 32 if name == "perf-64" else 4)
            print(f"    the reference on the same states: {slow:.1f} ms against {fast:.3f} ms, {slow / fast:.0f} times as long")
    lines = growth(arguments.events)
    for label, points in lines.items():
        ratios = [later[1] / earlier[1] for earlier, later in pairwise(points)]
        print(f"{label:34} each doubling: {', '.join(f'{ratio:.2f}' for ratio in ratios)}")
    if arguments.plot:
        text = picture(lines, title="Optimized model: one more event", across="nodes, or pending invocations")
        arguments.plot.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
