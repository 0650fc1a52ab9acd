"""ACCT: what each step of a chosen plan does to the working state. Every change of a counter in a round is made here."""

from gaugeblock.model import (
    ContainerId,
    Function,
    Invocation,
    Layer,
    LayerName,
    PlacementPass,
    Plan,
    Reclamation,
    ResidentLayer,
    WorkingContainer,
    WorkingNode,
    WorkingState,
    replace,
)


def apply_plan(state: WorkingState, plan: Plan, invocation: Invocation) -> WorkingState:
    """Return the state after ``plan``, chosen for ``invocation``; only the plan's node changes (ACCT-7, ACCT-8)."""
    nodes = tuple(apply_to_node(node, plan, invocation) if node.observed.name == plan.node else node for node in state.nodes)
    return replace(state, nodes=nodes)


def apply_to_node(node: WorkingNode, plan: Plan, invocation: Invocation) -> WorkingNode:
    """Return the plan's node after reclamation, then the operation of its pass, then protection (ACCT-1 to ACCT-7)."""
    node = reclaim(node, plan.reclamation)
    if plan.placement_pass is PlacementPass.REUSE and plan.container is not None:
        node = reuse_container(node, plan.container)
    elif plan.placement_pass is PlacementPass.COLD_DISPATCH:
        node = start_container(node, invocation.function)
    elif plan.placement_pass is PlacementPass.RAM_LOAD:
        for layer in planned_layers(plan, invocation):
            node = begin_load(node, layer)
    elif plan.placement_pass is PlacementPass.DISK_COPY:
        for layer in planned_layers(plan, invocation):
            node = begin_copy(node, layer)
    return protect(node, invocation.function)


def reclaim(node: WorkingNode, reclamation: Reclamation) -> WorkingNode:
    """Return the node after the terminations and evictions of a plan (ACCT-3, ACCT-4)."""
    for container in reclamation.terminations:
        node = end_container(node, container)
    for name in reclamation.ram_evictions:
        node = evict_from_ram(node, resident_layer(node.observed.ram_layers, name))
    for name in reclamation.disk_evictions:
        node = evict_from_disk(node, resident_layer(node.observed.disk_layers, name))
    return node


def reuse_container(node: WorkingNode, container: ContainerId) -> WorkingNode:
    """ACCT-1: the node and the container each hold one invocation more, and the container is no longer idle (AMB-3)."""
    containers = tuple(
        WorkingContainer(each.container, each.invocations_available - 1, chosen_for_reuse=True)
        if each.container.id == container
        else each
        for each in node.containers
    )
    return use(replace(node, containers=containers), invocations=1)


def start_container(node: WorkingNode, function: Function) -> WorkingNode:
    """ACCT-2: a cold container takes a position and its private RAM and disk, and the node holds one invocation more."""
    node = replace(node, planned=(*node.planned, function))
    return use(node, ram=function.ram_bytes, disk=function.disk_bytes, invocations=1, positions=1)


def end_container(node: WorkingNode, container: ContainerId) -> WorkingNode:
    """ACCT-3: an ended container returns its private RAM and disk and its position, and leaves the collection."""
    ended = next(each.container.function for each in node.containers if each.container.id == container)
    node = replace(node, containers=tuple(each for each in node.containers if each.container.id != container))
    return use(node, ram=0 - ended.ram_bytes, disk=0 - ended.disk_bytes, positions=-1)


def evict_from_ram(node: WorkingNode, layer: Layer) -> WorkingNode:
    """ACCT-4: the layer is no longer resident in RAM, and its RAM footprint is free."""
    node = replace(node, resident_in_ram=node.resident_in_ram - {layer.name})
    return use(node, ram=0 - layer.ram_bytes)


def evict_from_disk(node: WorkingNode, layer: Layer) -> WorkingNode:
    """ACCT-4: the layer is no longer resident on disk, and its disk footprint is free."""
    node = replace(node, resident_on_disk=node.resident_on_disk - {layer.name})
    return use(node, disk=0 - layer.disk_bytes)


def begin_load(node: WorkingNode, layer: Layer) -> WorkingNode:
    """ACCT-5: the layer is being loaded, not resident, so what needs it comes later (EXEC-3); its RAM is reserved."""
    return use(replace(node, loading=node.loading | {layer.name}), ram=layer.ram_bytes)


def begin_copy(node: WorkingNode, layer: Layer) -> WorkingNode:
    """ACCT-5: the layer is being copied, not resident, so what needs it comes later (EXEC-3); its disk is reserved."""
    return use(replace(node, copying=node.copying | {layer.name}), disk=layer.disk_bytes)


def protect(node: WorkingNode, function: Function) -> WorkingNode:
    """ACCT-7: the layers that the function requires may not be evicted here for the rest of the round."""
    return replace(node, protected=node.protected | {layer.name for layer in function.image.layers})


def prewarm_container(node: WorkingNode, function: Function) -> WorkingNode:
    """PREW-3: a prewarmed container takes a position, and no invocation (PREW-5); RAM and disk are not planned again."""
    return use(replace(node, planned=(*node.planned, function)), positions=1)


def use(node: WorkingNode, ram: int = 0, disk: int = 0, invocations: int = 0, positions: int = 0) -> WorkingNode:
    """Take quantities (bytes, bytes, counts) from what is available, or give them back where they are negative (ACCT-9)."""
    return replace(
        node,
        ram_available=node.ram_available - ram,
        disk_available=node.disk_available - disk,
        invocations_available=node.invocations_available - invocations,
        positions_available=node.positions_available - positions,
    )


def resident_layer(residents: tuple[ResidentLayer, ...], name: LayerName) -> Layer:
    """Return the layer of that name among ``residents``."""
    return next(resident.layer for resident in residents if resident.layer.name == name)


def planned_layers(plan: Plan, invocation: Invocation) -> tuple[Layer, ...]:
    """Return the layers that the plan loads or copies, in image order."""
    return tuple(layer for layer in invocation.function.image.layers if layer.name in plan.layers)
