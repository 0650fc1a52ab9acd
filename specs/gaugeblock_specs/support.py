"""Which invocations can account for the transfers of a batch, when only the batch is known (PLACE-4, PLACE-6, PLACE-7)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from gaugeblock.model import Function, FunctionName, PlacementPass
from gaugeblock_specs.context import Batch, Context
from gaugeblock_specs.derive import in_ram, names, on_disk, required_names


@dataclass(frozen=True, eq=False)
class Group:
    """The loads, or the copies, that a batch asks of one node."""

    batch: Batch
    placement_pass: PlacementPass


def groups(context: Context) -> tuple[Group, ...]:
    """Return every group of transfers that is not empty."""
    loads = tuple(Group(batch, PlacementPass.RAM_LOAD) for batch in context.batches if batch.loads)
    return loads + tuple(Group(batch, PlacementPass.DISK_COPY) for batch in context.batches if batch.copies)


def supporters(context: Context, group: Group) -> tuple[Function, ...]:
    """Return the functions of left-over invocations that can have asked for transfers of this group.

    Once planned for, an invocation's layers are protected on its node: whatever order the batch was planned in, at its end
    each of them is where it was needed, or on its way there.
    """
    node, batch = group.batch.node, group.batch
    kept = on_disk(node) - batch.leaves_disk
    if group.placement_pass is PlacementPass.RAM_LOAD:
        ready = kept & ((in_ram(node) - batch.leaves_ram) | names(node.loading) | names(batch.loads))
    else:
        ready = kept | names(node.copying) | names(batch.copies)
    return tuple(function for function in context.left_over_functions if required_names(function) <= ready)


def groups_without_invocation(context: Context, found: tuple[Group, ...]) -> Iterator[Group]:
    """Yield the groups that stay without an invocation of their own, however the left-over ones are shared out."""
    room = Counter(invocation.function.name for invocation in context.left_over)
    able = {group: tuple(function.name for function in supporters(context, group)) for group in found}
    holders: dict[FunctionName, list[Group]] = {name: [] for name in room}
    for group in found:
        if not _settle(group, able, holders, room):
            yield group


def _settle(
    group: Group,
    able: dict[Group, tuple[FunctionName, ...]],
    holders: dict[FunctionName, list[Group]],
    room: Counter[FunctionName],
) -> bool:
    """Give the group an invocation, by way of moving others if need be; breadth first, so that chains may be long."""
    came_from: dict[FunctionName, Group] = {}
    queue = [group]
    for asking in queue:
        for name in able[asking]:
            if name in came_from:
                continue
            came_from[name] = asking
            if len(holders[name]) < room[name]:
                _move_along(name, group, came_from, holders)
                return True
            queue.extend(holders[name])
    return False


def _move_along(
    name: FunctionName, group: Group, came_from: dict[FunctionName, Group], holders: dict[FunctionName, list[Group]]
) -> None:
    while True:
        asking = came_from[name]
        previous = next((held for held, those in holders.items() if asking in those), None)
        holders[name].append(asking)
        if asking is group or previous is None:
            return
        holders[previous].remove(asking)
        name = previous
