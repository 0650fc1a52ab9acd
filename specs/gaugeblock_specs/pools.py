"""POL-warm-pool: the built-in prewarming policy that keeps containers ready."""

from collections import Counter
from collections.abc import Iterator

from gaugeblock.model import ContainerStatus, Function, Need, NodeName, PolicyKind, PolicyName, Prewarm, RoundTrace
from gaugeblock_specs.clause import Clause, with_policies, with_trace
from gaugeblock_specs.context import Context
from gaugeblock_specs.derive import is_idle, required_names
from gaugeblock_specs.installed import installed, whenever
from gaugeblock_specs.room import fits, left_on
from gaugeblock_specs.verdicts import Witness

# POL-warm-pool


def _wanted(context: Context, policy: PolicyName) -> tuple[tuple[Function, int], ...]:
    listed = next((value for label, value in policy.parameters if label == "per_function"), ())
    sizes = dict(listed) if isinstance(listed, tuple) else {}
    return tuple((function, sizes.get(function.name, 0)) for function in context.observed.catalog.functions)


def _warm_already(context: Context, function: Function) -> int:
    """Count the containers of a function that hold nothing and that nobody was sent to: idle ones kept, and starting ones."""
    count = 0
    for batch in context.batch_of.values():
        reused = frozenset(container.id for _, container in batch.reuses)
        for container in batch.kept:
            empty = is_idle(container) or (container.status is ContainerStatus.STARTING and container.in_flight == 0)
            count += container.function == function and empty and container.id not in reused
    return count


def _proposals_due(context: Context, policy: PolicyName) -> tuple[Prewarm, ...]:
    left = {name: left_on(context, name) for name, node in context.nodes.items() if context.is_usable(node)}
    due: list[Prewarm] = []
    for function, size in _wanted(context, policy):
        for _ in range(size - _warm_already(context, function)):
            name = next((name for name in left if _can_warm(context, name, function, left[name])), None)
            if name is None:
                break
            taken = left[name]
            left[name] = Need(taken.ram_bytes - function.ram_bytes, taken.disk_bytes - function.disk_bytes, taken.positions - 1)
            due.append(Prewarm(name, function.name))
    return tuple(due)


def _can_warm(context: Context, name: NodeName, function: Function, left: Need) -> bool:
    return required_names(function) <= context.batch_of[name].there and fits(function, left)


def _fills_the_pool(context: Context, policy: PolicyName) -> Iterator[Witness]:
    due, found = Counter(_proposals_due(context, policy)), Counter(context.decisions.prewarms)
    for prewarm in {**due, **found}:
        if due[prewarm] != found[prewarm]:
            numbers = (("prewarmed", found[prewarm]), ("expected", due[prewarm]))
            yield Witness(f"the pool of {prewarm.function!r} is not filled as it should be", node=prewarm.node, numbers=numbers)


def _fills_it_in_order(context: Context, trace_and_policy: tuple[RoundTrace, PolicyName]) -> Iterator[Witness]:
    trace, policy = trace_and_policy
    if trace.prewarms != _proposals_due(context, policy):
        yield Witness(
            "the proposals are not those due, by function in catalogue order and each on the first node where it fits"
        )


def _pooled_rounds(context: Context) -> Iterator[tuple[RoundTrace, PolicyName]]:
    policy = installed(context, PolicyKind.CONTAINER_PREWARM, "warm-pool")
    if policy is not None:
        yield context.trace, policy


WARM_POOL = Clause(
    id="POL-warm-pool",
    title="warm-pool: keeps so many containers of a function ready",
    doc="""For each function in catalogue order, as many proposals are made as containers are wanted, less those that are
    idle and not reused in this round and those starting without an invocation. Each goes to the first node in traversal
    order where it fits beside the earlier ones; where none fits there are fewer. Example: two g wanted, one idle: one g is
    prewarmed.""",
    seed="Prewarming",
    checks=(
        with_policies(whenever(PolicyKind.CONTAINER_PREWARM, "warm-pool"), _fills_the_pool),
        with_trace(_pooled_rounds, _fills_it_in_order, needs_policies=True),
    ),
)
