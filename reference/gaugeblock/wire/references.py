"""Whether decisions name only what their round holds. A case is judged by this; a subject's answer is judged by its content."""

from collections.abc import Collection, Iterator

from gaugeblock.model import ContainerId, NodeName, ObservedState
from gaugeblock.wire.documents import DecisionsDocument
from gaugeblock.wire.errors import DocumentProblem

BY_INVOCATION = ("failures", "dispatches")
BY_NODE_NAME = ("activations", "deactivations")
BY_NODE = ("terminations", "ram_evictions", "disk_evictions", "dispatches", "loads", "copies", "prewarms")
BY_LAYER = ("ram_evictions", "disk_evictions", "loads", "copies")
BY_CONTAINER = ("terminations", "dispatches")


def dangling_names(decisions: DecisionsDocument, state: ObservedState, path: str) -> Iterator[DocumentProblem]:
    """Yield every name and id in ``decisions``, which stands at ``path``, that means nothing in ``state``."""
    nodes = {node.name for node in state.nodes}
    for category in BY_NODE_NAME:
        for index, node in enumerate(getattr(decisions, category)):
            if node not in nodes:
                yield DocumentProblem(f"{path}.{category}[{index}]", repr(node), "the name of a node of the round")
    pending = {invocation.id for invocation in state.pending}
    layers = {layer.name for layer in state.catalog.layers}
    functions = {function.name for function in state.catalog.functions}
    yield from _unknown(decisions, BY_INVOCATION, "invocation", pending, "the id of a pending invocation", path)
    yield from _unknown(decisions, BY_NODE, "node", nodes, "the name of a node of the round", path)
    yield from _unknown(decisions, BY_LAYER, "layer", layers, "the name of a layer of the catalogue", path)
    yield from _unknown(decisions, ("prewarms",), "function", functions, "the name of a function of the catalogue", path)
    yield from _misplaced_containers(decisions, state, path)


def _unknown(
    decisions: DecisionsDocument, categories: tuple[str, ...], field: str, known: Collection[object], expected: str, path: str
) -> Iterator[DocumentProblem]:
    for category in categories:
        for index, operation in enumerate(getattr(decisions, category)):
            name = getattr(operation, field)
            if name not in known:
                yield DocumentProblem(f"{path}.{category}[{index}].{field}", repr(name), expected)


def _misplaced_containers(decisions: DecisionsDocument, state: ObservedState, path: str) -> Iterator[DocumentProblem]:
    homes: dict[ContainerId, NodeName] = {container.id: node.name for node in state.nodes for container in node.containers}
    for category in BY_CONTAINER:
        for index, operation in enumerate(getattr(decisions, category)):
            if operation.container is not None and homes.get(operation.container) != operation.node:
                where = f"{path}.{category}[{index}].container"
                yield DocumentProblem(where, repr(operation.container), "the id of a container on that node")
