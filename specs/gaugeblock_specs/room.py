"""What the decisions leave on each node when all is placed, and whether a container of a function would still fit there."""

from gaugeblock.model import Function, Need, NodeName
from gaugeblock_specs.context import Batch, Context
from gaugeblock_specs.derive import disk_left, invocations_left, positions_left, ram_left


def is_placement_known(context: Context) -> bool:
    """Whether selection, reuse, eviction and plan selection all are built in, so that more is known of who comes first."""
    policies = context.policies
    return (
        policies.node_selection.name == "select-all-possible"
        and policies.reusable_container.name == "first-fit"
        and policies.eviction.name in ("fewest", "lru")
        and policies.plan_selection.name == "eviction-averse"
    )


def takes_more(context: Context, batch: Batch) -> bool:
    """Whether the node of a batch is usable and has invocation capacity left after it."""
    return context.is_usable(batch.node) and invocations_left(batch.node) - len(batch.dispatched) > 0


def left_on(context: Context, name: NodeName) -> Need:
    """Return what placement has left on a node, by the decisions' sums: bytes of RAM and disk, container positions."""
    return context.once(_left)[name]


def _left(context: Context) -> dict[NodeName, Need]:
    return {
        name: Need(
            ram_bytes=ram_left(batch.node) + batch.freed_ram - batch.wanted_ram,
            disk_bytes=disk_left(batch.node) + batch.freed_disk - batch.wanted_disk,
            positions=positions_left(batch.node) + len(batch.ended) - len(batch.cold),
        )
        for name, batch in context.batch_of.items()
    }


def fits(function: Function, left: Need) -> bool:
    """Whether one more container of a function fits in what is left."""
    return function.ram_bytes <= left.ram_bytes and function.disk_bytes <= left.disk_bytes and left.positions >= 1
