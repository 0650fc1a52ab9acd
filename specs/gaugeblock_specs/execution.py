"""EXEC: what the batch must be like because a service carries it out in its own order, piece by piece."""

from collections.abc import Iterator

from gaugeblock.model import ContainerStatus, Decisions, Value
from gaugeblock_specs.clause import Clause, safety
from gaugeblock_specs.context import Batch, Context
from gaugeblock_specs.derive import names, repeated, required
from gaugeblock_specs.verdicts import Witness

SEED = "Wakeups and execution"


# EXEC-1


def _batches(context: Context) -> Iterator[Batch]:
    return (batch for batch in context.batches if batch.frees)


def _survives_the_services_order(_: Context, batch: Batch) -> Iterator[Witness]:
    """Terminations and evictions are applied before dispatches, transfers and prewarms, whatever order they were planned in."""
    node = batch.node.name
    for invocation, container in batch.reuses:
        if container.id in batch.ended:
            message = "the container is ended before the invocation is dispatched to it"
            yield Witness(message, node=node, invocation=invocation.id, container=container.id)
    gone = batch.leaves_ram | batch.leaves_disk
    started = [(invocation.function, invocation.id) for invocation in batch.cold]
    for function, invocation_id in started:
        for layer in required(function):
            if layer.name in gone:
                message = "a layer is evicted before the container that needs it is started"
                yield Witness(message, node=node, invocation=invocation_id, layer=layer.name)
    for layer in batch.loads:
        if layer.name in batch.leaves_disk:
            yield Witness("a layer is evicted from disk before it is loaded from there", node=node, layer=layer.name)


EXEC_1 = Clause(
    id="EXEC-1",
    title="The batch survives the service's own order",
    doc="""The service applies category by category: first what frees, then what takes; it checks each operation against the
    state at that moment. A batch must not need the order in which it was planned. Example: a container that is both reused
    and ended would be ended first, and the dispatch refused.""",
    seed=SEED,
    ambiguities=("AMB-3", "AMB-8"),
    checks=(safety(_batches, _survives_the_services_order),),
)


# EXEC-2


def _categories(context: Context) -> Iterator[tuple[str, tuple[Value | str, ...]]]:
    decisions: Decisions = context.decisions
    for category in ("activations", "deactivations", "terminations", "ram_evictions", "disk_evictions", "loads", "copies"):
        operations = getattr(decisions, category)
        if operations:
            yield category, operations


def _names_each_operation_once(_: Context, subject: tuple[str, tuple[Value | str, ...]]) -> Iterator[Witness]:
    category, operations = subject
    for operation in repeated(operations):
        if isinstance(operation, str):
            yield Witness(f"{category}: {operation!r} is named twice")
        else:
            where = {name: getattr(operation, name) for name in ("node", "layer", "container") if hasattr(operation, name)}
            yield Witness(f"{category}: one operation is asked for twice", **where)


EXEC_2 = Clause(
    id="EXEC-2",
    title="Each operation stands by itself",
    doc="""A batch is no transaction: an operation that the service refuses undoes no other. So each must be right by
    itself, and none is named twice: the second termination of one container would be refused, and a plan that counted on
    its room twice would fail by halves. Example: two invocations that need one layer cause one load, not two.""",
    seed=SEED,
    checks=(safety(_categories, _names_each_operation_once),),
)


# EXEC-3


def _acting_batches(context: Context) -> Iterator[Batch]:
    return (batch for batch in context.batches if batch.dispatched or batch.loads or batch.prewarms)


def _assumes_no_completion(context: Context, batch: Batch) -> Iterator[Witness]:
    node = batch.node
    if node.name in context.decisions.activations:
        yield Witness("an operation on a node whose activation is only requested", node=node.name)
    for invocation, container in batch.reuses:
        if container.status is not ContainerStatus.READY:
            yield Witness(
                "a dispatch to a container that is still starting",
                node=node.name,
                invocation=invocation.id,
                container=container.id,
            )
    coming = names(node.copying) | names(node.loading) | names(batch.loads) | names(batch.copies)
    for function in (*(invocation.function for invocation in batch.cold), *batch.prewarms):
        for layer in required(function):
            if layer.name in coming:
                yield Witness(
                    f"a container of {function.name!r} is started before the layer has arrived",
                    node=node.name,
                    layer=layer.name,
                )
    for layer in batch.loads:
        if layer.name in names(node.copying) | names(batch.copies):
            yield Witness("a layer is loaded before its copy has arrived", node=node.name, layer=layer.name)


EXEC_3 = Clause(
    id="EXEC-3",
    title="What depends on a completion waits for a later round",
    doc="""A copy, load, start or activation that is asked for, or is under way, has not happened yet. Nothing in the batch
    may rely on it; the round that follows its completion will. Example: a layer is being copied; it is neither loaded nor
    is a container that needs it started in the same batch.""",
    seed=SEED,
    checks=(safety(_acting_batches, _assumes_no_completion),),
)


CLAUSES = (EXEC_1, EXEC_2, EXEC_3)
