"""EQUIV: whole rounds under every built-in policy: the optimized model decides what the reference decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gaugeblock.model import (
    LARGEST_DATE,
    Catalog,
    Container,
    ContainerId,
    ContainerStatus,
    Decisions,
    Function,
    FunctionName,
    Image,
    ImageName,
    Invocation,
    InvocationId,
    Layer,
    LayerName,
    Node,
    NodeName,
    NodeStatus,
    ObservedState,
    PolicyName,
    PolicyNames,
    ResidentLayer,
    replace,
)
from gaugeblock.optimized.builtin import rules_of
from gaugeblock.optimized.cluster import Cluster
from gaugeblock_proofs.shapes import ABSENT, COPYING, IN_RAM, LOADING, ON_DISK
from gaugeblock_proofs.states import valid_state
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes

ROUNDS = "gaugeblock.optimized.rounds"
SCHEDULER = "gaugeblock.scheduler"

SAME = "both decide the same batch, category by category and in the same order, but for the text of a failure's reason"

BASE, TOP, SIDE = (Layer(LayerName(name), size, size) for name, size in (("base", 10), ("top", 20), ("side", 10)))
USING = Function(FunctionName("using"), Image(ImageName("image"), (BASE, TOP)), 1, 1, 1)
PLAIN = Function(FunctionName("plain"), Image(ImageName("empty"), ()), 1, 1, 2)
HUGE = Function(FunctionName("huge"), Image(ImageName("base"), (BASE,)), 1_000, 1, 1)
TOPPED = Function(FunctionName("topped"), Image(ImageName("top"), (TOP,)), 1, 1, 1)
SIDED = Function(FunctionName("sided"), Image(ImageName("sided"), (BASE, SIDE)), 1, 1, 1)
FUNCTIONS = (USING, PLAIN, HUGE, TOPPED, SIDED)
CATALOG = Catalog((BASE, TOP, SIDE), tuple(each.image for each in FUNCTIONS), FUNCTIONS)

FAR = 2.0**40
WAIT = 5.0
"""Seconds, for the policies that take some."""
TIMEOUT = PolicyName("pending-timeout", (("seconds", WAIT),))
POOL = PolicyName("warm-pool", (("per_function", ((USING.name, 1), (PLAIN.name, 2))),))
LET_GO = PolicyName("deactivate-idle", (("seconds", WAIT),))


def same_batch(setting: Setting, observed: ObservedState, names: PolicyNames, by_value: bool = False) -> None:
    """Oblige both to decide the same; the text of a failure's reason is nobody's business.

    With ``by_value`` the optimized model is also given the policies themselves.
    """
    setting.policies = names
    scheduler = setting.shipped.scheduler.scheduler_from(names)
    decided, _ = scheduler.schedule(observed)
    given = setting.path.choose((names, scheduler)) if by_value else names
    found = setting.shipped.optimized.rounds.decide(observed, given)
    setting.path.prove(_without_reasons(found) == _without_reasons(decided), SAME)


def _without_reasons(batch: Decisions) -> Decisions:
    return replace(batch, failures=tuple(replace(each, reason="") for each in batch.failures))


class Built(NamedTuple):
    """What stands on a node of these theorems: where the first layers are, its containers, its capacities."""

    places: tuple[str, ...] = ()
    containers: tuple[tuple[Function, ContainerStatus, int], ...] = ()
    ram_bytes: int = 100
    disk_bytes: int = 100
    invocations: int = 2
    positions: int = 2
    status: NodeStatus = NodeStatus.ACTIVATED


def node(number: int, name: str, of: Built, date: float = 0.0) -> Node:
    """Return a node of concrete sizes; all its dates are ``date``, and its container ids count from ten times its number."""
    placed = tuple(zip(CATALOG.layers, of.places, strict=False))

    def those(*places: str) -> tuple[Layer, ...]:
        return tuple(each for each, place in placed if place in places)

    return Node(
        NodeName(name),
        of.status,
        of.ram_bytes,
        of.disk_bytes,
        of.invocations,
        of.positions,
        tuple(ResidentLayer(each, date) for each in those(ON_DISK, LOADING, IN_RAM)),
        tuple(ResidentLayer(each, date) for each in those(IN_RAM)),
        those(COPYING),
        those(LOADING),
        tuple(
            Container(ContainerId(10 * number + place), function, status, held, date)
            for place, (function, status, held) in enumerate(of.containers)
        ),
    )


def waiting(*functions: Function) -> tuple[Invocation, ...]:
    """Return invocations of these functions, the later ids submitted earlier."""
    return tuple(Invocation(InvocationId(number), of, float(-number)) for number, of in enumerate(functions, 1))


def any_date(setting: Setting, name: str) -> float:
    """Return any date that is not too far from zero to tell seconds apart."""
    return setting.symbols.date(name, -FAR, FAR)


def failing(setting: Setting) -> None:
    """POL-pending-timeout, WAKE-1: three invocations of any dates, on no node."""
    pending = tuple(
        Invocation(InvocationId(number), PLAIN, any_date(setting, f"invocation{number}.submitted")) for number in (2, 3, 1)
    )[: setting.path.choose((0, 1, 3))]
    observed = valid_state(setting, CATALOG, (), pending, any_date(setting, "now"))
    same_batch(setting, observed, PolicyNames(invocation_failing=TIMEOUT))


def largest_date(setting: Setting) -> None:
    """WAKE-1: sums that are the largest date, which means none, or leave the range of dates."""
    path = setting.path
    seconds = (("seconds", path.choose((LARGEST_DATE, LARGEST_DATE / 2, 1.0))),)
    names = (
        PolicyNames(invocation_failing=PolicyName("pending-timeout", seconds)),
        PolicyNames(node_scaling=PolicyName("deactivate-idle", seconds)),
    )
    now = path.choose((0.0, LARGEST_DATE / 2, LARGEST_DATE))
    pending = (Invocation(InvocationId(1), PLAIN, now),)
    observed = ObservedState(now, CATALOG, (node(0, "n0", Built((ON_DISK, ABSENT), invocations=0), now),), pending)
    same_batch(setting, observed, path.choose(names))


def letting_go(setting: Setting) -> None:
    """POL-deactivate-idle, WAKE-1: two nodes of any dates, one of which may hold a container; nothing pending, or something."""
    path = setting.path
    idle = path.choose(((), ((PLAIN, ContainerStatus.READY, 0),), ((PLAIN, ContainerStatus.READY, 1),)))
    nodes = (
        node(0, "n0", Built((ON_DISK, ABSENT), idle), any_date(setting, "n0.date")),
        node(1, "n1", Built((ON_DISK, ABSENT)), any_date(setting, "n1.date")),
        node(2, "n2", Built(status=NodeStatus.DEACTIVATED)),
    )
    pending = path.choose(((), (Invocation(InvocationId(1), PLAIN, any_date(setting, "submitted")),)))
    failing_policy = path.choose((PolicyName("never"), TIMEOUT))
    observed = valid_state(setting, CATALOG, nodes, pending, any_date(setting, "now"))
    prewarm = path.choose((PolicyName("never"), POOL))
    names = PolicyNames(invocation_failing=failing_policy, node_scaling=LET_GO, container_prewarm=prewarm)
    same_batch(setting, observed, names)


def activating(setting: Setting) -> None:
    """POL-activate-one-when-no-free-slot, POL-never: a full node and a deactivated one, something pending or nothing."""
    path = setting.path
    nodes = (node(0, "n0", Built(invocations=path.choose((0, 1)))), node(1, "n1", Built(status=NodeStatus.DEACTIVATED)))
    observed = ObservedState(1.0, CATALOG, nodes, path.choose(((), waiting(PLAIN))))
    policies = tuple(PolicyName(name) for name in ("activate-one-when-no-free-slot", "never"))
    same_batch(setting, observed, PolicyNames(node_scaling=path.choose((*policies, LET_GO))), by_value=True)


def drawing(setting: Setting) -> None:
    """POL-random: four invocations for two places, and up to two nodes to choose from, for some seeds."""
    path = setting.path
    ready = path.choose(((IN_RAM, IN_RAM), (ON_DISK, IN_RAM), (ABSENT, ON_DISK)))
    nodes = tuple(
        node(number, name, Built(ready, invocations=1, ram_bytes=path.choose((100, 30))))
        for number, name in enumerate(("n1", "n0"))
    )
    observed = ObservedState(1.0, CATALOG, nodes, path.choose((waiting(USING), waiting(USING, USING, USING, USING))))
    drawn = PolicyName("random", (("seed", path.choose((1, 2, 3))),))
    names = (PolicyNames(invocation_ordering=drawn), PolicyNames(plan_selection=drawn))
    same_batch(setting, observed, path.choose(names))


def evicting(setting: Setting) -> None:
    """POL-fewest, POL-lru: three invocations of two functions on a node where something is in the way."""
    path = setting.path
    places = path.choose(
        ((IN_RAM, ON_DISK), (ON_DISK, ON_DISK), (IN_RAM, ABSENT), (ABSENT, LOADING), (IN_RAM, LOADING), (COPYING, ON_DISK))
    )
    held = path.choose(((), ((PLAIN, ContainerStatus.READY, 0),)))
    capacities = path.choose(((100, 100), (31, 31), (30, 100), (100, 30)))
    built = Built(places, held, *capacities, invocations=path.choose((1, 3)))
    used = sum(each.ram_bytes for each, place in zip(CATALOG.layers, places, strict=False) if place in (IN_RAM, LOADING))
    if used + len(held) > built.ram_bytes:
        built = built._replace(ram_bytes=100)
    built = built._replace(disk_bytes=max(built.disk_bytes, 31 if held else 30))
    nodes = (node(0, "n1", built), node(1, "n0", path.choose((Built(invocations=0), Built((ON_DISK, IN_RAM), ram_bytes=20)))))
    orders = ((USING, PLAIN, USING), (PLAIN, USING, USING), (USING, USING, PLAIN), (PLAIN, PLAIN, PLAIN))
    observed = ObservedState(1.0, CATALOG, nodes, waiting(*path.choose(orders)))
    same_batch(setting, observed, PolicyNames(eviction=PolicyName(path.choose(("fewest", "lru")))))


def evicted_for_another(setting: Setting) -> None:
    """POL-lru: nothing can be done for an invocation until another one has had a layer evicted that it needs."""
    built = Built((IN_RAM, IN_RAM), ram_bytes=30, invocations=3, positions=3)
    observed = ObservedState(1.0, CATALOG, (node(0, "n0", built),), waiting(HUGE, PLAIN, HUGE)[::-1])
    pending = tuple(replace(each, submitted=float(each.id) - 5.0) for each in observed.pending)
    same_batch(setting, replace(observed, pending=pending), PolicyNames(eviction=PolicyName("lru")))


def prewarming(setting: Setting) -> None:
    """POL-warm-pool: a pool of either function, beside an invocation or none."""
    path = setting.path
    nodes = (node(0, "n1", Built((IN_RAM, path.choose((IN_RAM, ON_DISK))))), node(1, "n0", Built(positions=1)))
    observed = ObservedState(1.0, CATALOG, nodes, path.choose(((), waiting(PLAIN))))
    same_batch(setting, observed, PolicyNames(container_prewarm=POOL))


def again(setting: Setting) -> None:
    """ROUND-10: three rounds on one cluster; before the last one a container that fails to start makes room."""
    path = setting.path
    starting = ((PLAIN, ContainerStatus.STARTING, 0),)
    built = Built(path.choose(((IN_RAM, IN_RAM), (ABSENT, ABSENT))), starting, positions=1)
    pending = waiting(*path.choose(((PLAIN,), (USING,), (USING, PLAIN), (PLAIN, PLAIN))))
    crowded, freed = (
        ObservedState(1.0, CATALOG, (node(0, "n0", each),), pending) for each in (built, built._replace(containers=()))
    )
    cluster = Cluster(CATALOG, crowded.nodes)

    def fail_to_start() -> None:
        cluster.drop_container(cluster.nodes[0], ContainerId(0))
        cluster.note(cluster.nodes[0])

    _prove_rounds(setting, cluster, (crowded, crowded, freed), fail_to_start)


def protected_before(setting: Setting) -> None:
    """ROUND-10: what one round protects is free again in the next one, where nobody asks for it."""
    nodes = (
        node(0, "n0", Built((LOADING, IN_RAM, IN_RAM), ram_bytes=40)),
        node(1, "n1", setting.path.choose((Built((ABSENT, ON_DISK), ram_bytes=5), Built(invocations=0)))),
    )
    both, alone = waiting(TOPPED, SIDED), waiting(TOPPED)
    observed = tuple(ObservedState(1.0, CATALOG, nodes, pending) for pending in (both, both, alone))
    _prove_rounds(setting, Cluster(CATALOG, nodes), observed, lambda: None)


def _prove_rounds(
    setting: Setting, cluster: Cluster, observed: tuple[ObservedState, ...], before_the_last: Callable[[], None]
) -> None:
    """Oblige both to decide the same, round by round; the optimized model takes each plan back and remembers what it found."""
    rounds = setting.shipped.optimized.rounds
    scheduler = rounds.RoundScheduler(cluster, rules_of(PolicyNames()))
    for each in observed:
        if each is observed[-1]:
            before_the_last()
        expected, _ = setting.shipped.scheduler.scheduler_from(PolicyNames()).schedule(each)
        found, planning = scheduler.plan(1.0, rounds.queue_of(cluster, each.pending))
        setting.path.prove(found == expected, SAME)
        planning.take_back()


BODIES = {
    "pending-timeout": failing,
    "the largest date": largest_date,
    "deactivate-idle": letting_go,
    "node scaling": activating,
    "random order, random plans": drawing,
    "evictions": evicting,
    "evicted for another": evicted_for_another,
    "warm-pool": prewarming,
    "again and again": again,
    "protected before": protected_before,
}

THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "ROUND-10.optimized-policies",
        "Whichever built-in policies are in force, the optimized model decides the batch that the reference decides, but for "
        "the text of a failure's reason.",
        ("ROUND-10", "ROUND-2", "ROUND-3", "ROUND-4", "WAKE-1", "PREW-3"),
        (f"{ROUNDS}.decide", f"{ROUNDS}.RoundScheduler", f"{SCHEDULER}.scheduler_from"),
        shapes(
            "under pending-timeout and deactivate-idle any dates within 2^40 s as reals, and the largest date, of up to three "
            "invocations or two nodes; under the others some concrete rounds of one or two nodes, up to four invocations, and "
            "three seeds; three rounds in a row on one cluster; node scaling also as values"
        ),
        tuple(Part(name, body) for name, body in BODIES.items()),
        (SAME,),
    ),
)
