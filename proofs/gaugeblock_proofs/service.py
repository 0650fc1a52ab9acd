"""SERV-5: no operation of a batch is refused by the state that it was planned from."""

from __future__ import annotations

from gaugeblock.model import ContainerId, ObservedState, OperationKind, PolicyKind, RefusalReason, ServiceState
from gaugeblock_proofs.deciding import Decided, decided
from gaugeblock_proofs.engine import Condition
from gaugeblock_proofs.shapes import RoundShape
from gaugeblock_proofs.theorem import Setting

ACCEPTED = "no operation is refused"


def service_state(observed: ObservedState) -> ServiceState:
    """Return a service of which a scheduler is shown this state; new containers are numbered beyond those that there are."""
    return ServiceState(observed.now, observed.catalog, observed.nodes, observed.pending, next_container=ContainerId(100))


def no_refusals(setting: Setting, shape: RoundShape, arbitrary: tuple[PolicyKind, ...] = (), eviction: str = "fewest") -> None:
    """SERV-5, whole: plan, then apply to the same state."""
    round_ = decided(setting, shape, arbitrary, eviction)
    _, outcomes = setting.shipped.service.application.apply(service_state(round_.observed), round_.decisions)
    for outcome in outcomes:
        setting.path.prove(outcome.refusal is None, ACCEPTED)
