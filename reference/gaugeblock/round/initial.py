"""The fresh working state that a round starts from (ROUND-1)."""

from gaugeblock.model import Node, ObservedState, WorkingContainer, WorkingNode, WorkingState


def working_state(observed: ObservedState) -> WorkingState:
    """Return the planning copy of ``observed``: every counter at its derived availability, nothing planned yet (ROUND-1)."""
    nodes = tuple(working_node(node) for node in observed.nodes)
    return WorkingState(observed.now, observed.catalog, nodes, observed.pending)


def working_node(node: Node) -> WorkingNode:
    """Return the planning copy of one node; layers in progress are protected from the start (ACCT-7)."""
    loading = frozenset(layer.name for layer in node.loading)
    copying = frozenset(layer.name for layer in node.copying)
    return WorkingNode(
        observed=node,
        ram_available=node.ram_available,
        disk_available=node.disk_available,
        invocations_available=node.invocations_available,
        positions_available=node.positions_available,
        resident_in_ram=frozenset(resident.layer.name for resident in node.ram_layers),
        resident_on_disk=frozenset(resident.layer.name for resident in node.disk_layers),
        loading=loading,
        copying=copying,
        containers=tuple(
            WorkingContainer(container, container.function.max_invocations_per_container - container.in_flight)
            for container in node.containers
        ),
        protected=loading | copying,
    )
