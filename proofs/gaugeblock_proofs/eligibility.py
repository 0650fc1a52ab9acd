"""PLACE and ROUND-3: a theorem about which nodes are considered for an invocation."""

from __future__ import annotations

from types import SimpleNamespace

from gaugeblock.model import NodeName, NodeStatus, WorkingState
from gaugeblock_proofs.building import any_working_node
from gaugeblock_proofs.engine import all_of, same_truth
from gaugeblock_proofs.opaque import anything
from gaugeblock_proofs.theorem import Part, Setting, Theorem, shapes

PLACEMENT = "gaugeblock.round.placement"
NAMES = tuple(NodeName(name) for name in ("n1", "n0"))
ELIGIBLE = "eligible exactly when selected, activated, not selected for deactivation, and with invocation capacity left"
IN_ORDER = "each once, in traversal order"


def eligible(setting: Setting) -> None:
    """PLACE-1 to PLACE-6, ROUND-3: any selection, any status, any counters."""
    path = setting.path
    selected = path.choose_subset(NAMES)
    nodes = tuple(
        any_working_node(
            setting.symbols,
            observed=SimpleNamespace(name=name, status=path.choose(tuple(NodeStatus))),
            invocations_available=setting.symbols.integer(f"{name}.invocations_available", -1),
            selected_for_deactivation=path.choose((False, True)),
        )
        for name in NAMES
    )
    state = WorkingState(anything("now"), anything("catalog"), nodes, anything("worklist"))
    found = setting.shipped.round.placement.eligible_nodes(state, selected)
    for node in nodes:
        takes_work = node.observed.status is NodeStatus.ACTIVATED and not node.selected_for_deactivation
        wanted = all_of(node.observed.name in selected, takes_work, node.invocations_available > 0)
        path.prove(same_truth(any(each is node for each in found), wanted), ELIGIBLE)
    listed = [each for each in nodes if any(each is every for every in found)]
    path.prove(len(listed) == len(found) and all(one is other for one, other in zip(found, listed, strict=True)), IN_ORDER)


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "ROUND-3.eligible",
        "The nodes considered for an invocation are exactly the selected ones that are activated, not selected for "
        "deactivation, and have invocation capacity left, in traversal order.",
        ("ROUND-3", "PLACE-1"),
        (f"{PLACEMENT}.eligible_nodes", f"{PLACEMENT}.takes_work"),
        shapes("two nodes of any status and any invocations left, any of them selected; whatever else they hold is opaque"),
        (Part("two nodes", eligible),),
        (ELIGIBLE, IN_ORDER),
    ),
)
