"""Which clauses a case touches, told from its document alone, for cases that do not say so themselves.

The rule, clause by clause. "Left" invocations are pending ones that are not dispatched.

- some invocation pending: ROUND-4, ROUND-5, POL-fcfs, POL-select-all-possible
- a dispatch to a container: PLACE-1, ACCT-1, POL-first-fit; a cold one: PLACE-2, ACCT-2
- a load: PLACE-4, ACCT-5; a copy: PLACE-6, ACCT-5; one of these or a cold dispatch: PLACE-7, POL-eviction-averse
- a termination: RECL-4, ACCT-3; an eviction from RAM: RECL-5, ACCT-4; one from disk: RECL-6, ACCT-4
- any of those three: RECL-1, RECL-2, RECL-8, and the eviction policy
- a left invocation for which an activated node lacks layers in RAM, all of them being loaded: PLACE-3, ACCT-6; the same with
  disk and copies: PLACE-5, ACCT-6
- a left invocation for which neither holds, and none of whose layers is loaded or copied in this round: PLACE-8

It is a reading of what the decisions show, not a replay: it can miss a clause that left no mark.
"""

from collections.abc import Iterator

from gaugeblock.model import Function, Invocation, Node, NodeStatus
from gaugeblock.wire.cases import Case


def touched_clauses(case: Case) -> tuple[str, ...]:
    """Return the clauses that ``case`` touches, sorted: those that it names, or else those that the rule gives."""
    return tuple(sorted(set(case.clauses or _by_rule(case))))


def _by_rule(case: Case) -> Iterator[str]:
    if case.round.pending:
        yield from ("ROUND-4", "ROUND-5", "POL-fcfs", "POL-select-all-possible")
    yield from _placements(case)
    yield from _reclamations(case)
    yield from _left(case)


def _placements(case: Case) -> Iterator[str]:
    decisions = case.decisions
    cold = any(dispatch.container is None for dispatch in decisions.dispatches)
    if any(dispatch.container is not None for dispatch in decisions.dispatches):
        yield from ("PLACE-1", "ACCT-1", "POL-first-fit")
    if cold:
        yield from ("PLACE-2", "ACCT-2")
    if decisions.loads:
        yield from ("PLACE-4", "ACCT-5")
    if decisions.copies:
        yield from ("PLACE-6", "ACCT-5")
    if cold or decisions.loads or decisions.copies:
        yield from ("PLACE-7", f"POL-{case.policies.plan_selection.name}")


def _reclamations(case: Case) -> Iterator[str]:
    decisions = case.decisions
    if decisions.terminations:
        yield from ("RECL-4", "ACCT-3")
    if decisions.ram_evictions:
        yield from ("RECL-5", "ACCT-4")
    if decisions.disk_evictions:
        yield from ("RECL-6", "ACCT-4")
    if decisions.terminations or decisions.ram_evictions or decisions.disk_evictions:
        yield from ("RECL-1", "RECL-2", "RECL-8", f"POL-{case.policies.eviction.name}")


def _left(case: Case) -> Iterator[str]:
    dispatched = {dispatch.invocation for dispatch in case.decisions.dispatches}
    moved = {transfer.layer for transfer in (*case.decisions.loads, *case.decisions.copies)}
    nodes = [node for node in case.round.nodes if node.status is NodeStatus.ACTIVATED]
    for invocation in case.round.pending:
        if invocation.id not in dispatched:
            waits = tuple(_waits(invocation, nodes))
            yield from waits
            if not waits and not any(layer.name in moved for layer in invocation.function.image.layers):
                yield "PLACE-8"


def _waits(invocation: Invocation, nodes: list[Node]) -> Iterator[str]:
    if any(_only_loading_is_missing(invocation.function, node) for node in nodes):
        yield from ("PLACE-3", "ACCT-6")
    if any(_only_copying_is_missing(invocation.function, node) for node in nodes):
        yield from ("PLACE-5", "ACCT-6")


def _only_loading_is_missing(function: Function, node: Node) -> bool:
    missing = [layer for layer in function.image.layers if layer not in [resident.layer for resident in node.ram_layers]]
    return bool(missing) and all(layer in node.loading for layer in missing)


def _only_copying_is_missing(function: Function, node: Node) -> bool:
    missing = [layer for layer in function.image.layers if layer not in [resident.layer for resident in node.disk_layers]]
    return bool(missing) and all(layer in node.copying for layer in missing)
