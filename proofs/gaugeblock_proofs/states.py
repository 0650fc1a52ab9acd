"""Building states for theorems. The only thing ever assumed of one is that the shipped validity check accepts it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from gaugeblock.model import Catalog, InvalidState, Invocation, Node, ObservedState, PolicyNames
from gaugeblock.model.validity import problems_of
from gaugeblock_proofs.theorem import Setting


def valid_state(
    setting: Setting,
    catalog: Catalog,
    nodes: tuple[Node, ...],
    pending: tuple[Invocation, ...] = (),
    now: float | None = None,
    policies: PolicyNames | None = None,
) -> ObservedState:
    """Return the observed state of these fields, where the shipped validity check accepts it; the path ends elsewhere.

    The check is read up to its first problem before the state is built: k independent rules then cost k discarded paths.
    Without ``now`` the date is a symbol of that name.
    """
    date = setting.symbols.date("now") if now is None else now
    draft = cast("ObservedState", SimpleNamespace(now=date, catalog=catalog, nodes=nodes, pending=pending))
    setting.path.assume_accepted(lambda: problems_of(draft))
    state = setting.path.accepted(lambda: ObservedState(date, catalog, nodes, pending), InvalidState)
    setting.round = state
    if policies is not None:
        setting.policies = policies
    return state
