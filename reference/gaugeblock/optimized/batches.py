"""The batch that a round is putting together, and the decisions that it comes to."""

from gaugeblock.model import (
    Decisions,
    Dispatch,
    Eviction,
    Failure,
    InvocationId,
    NodeName,
    PlacementPass,
    Prewarm,
    Termination,
    Transfer,
)
from gaugeblock.optimized.choices import Choice
from gaugeblock.optimized.numbering import Numbering


class Batch:
    """Operations in the order of planning, category by category (AMB-8)."""

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self.failures: tuple[Failure, ...] = ()
        self.activations: tuple[NodeName, ...] = ()
        self.deactivations: tuple[NodeName, ...] = ()
        self.prewarms: tuple[Prewarm, ...] = ()
        self.wakeup: float | None = None
        self._terminations: list[Termination] = []
        self._ram_evictions: list[Eviction] = []
        self._disk_evictions: list[Eviction] = []
        self._dispatches: list[Dispatch] = []
        self._loads: list[Transfer] = []
        self._copies: list[Transfer] = []

    def add(self, invocation: InvocationId, choice: Choice) -> None:
        """Append the operations of a plan other than a wait."""
        names, node = self._numbering.layer_names, choice.node.name
        victims = choice.victims
        if victims.terminations:
            self._terminations.extend(Termination(node, container) for container in victims.terminations)
        if victims.ram_evictions:
            self._ram_evictions.extend(Eviction(node, names[layer]) for layer in victims.ram_evictions)
        if victims.disk_evictions:
            self._disk_evictions.extend(Eviction(node, names[layer]) for layer in victims.disk_evictions)
        if choice.placement_pass is PlacementPass.RAM_LOAD:
            self._loads.extend(Transfer(node, names[layer]) for layer in choice.layers)
        elif choice.placement_pass is PlacementPass.DISK_COPY:
            self._copies.extend(Transfer(node, names[layer]) for layer in choice.layers)
        else:
            self._dispatches.append(Dispatch(invocation, node, choice.container))

    def decisions(self) -> Decisions:
        """Return the batch as a value."""
        return Decisions(
            self.failures,
            self.activations,
            self.deactivations,
            tuple(self._terminations),
            tuple(self._ram_evictions),
            tuple(self._disk_evictions),
            tuple(self._dispatches),
            tuple(self._loads),
            tuple(self._copies),
            self.prewarms,
            self.wakeup,
        )
