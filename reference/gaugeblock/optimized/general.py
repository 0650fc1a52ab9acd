"""One scheduling round with policies of one's own: the same accounting, but every policy is called as the protocols say.

Nodes are visited one by one, since nothing is known of what a foreign policy prefers: this path costs nodes times pending. It
plans on the same cluster through the same ``Planning`` as the fast path, and shows policies views of it.
"""

from collections.abc import Callable

from gaugeblock.model import (
    LARGEST_DATE,
    Decisions,
    Deficits,
    Invocation,
    NodeName,
    PlacementPass,
    Plan,
    PolicyKind,
    Prewarm,
    Reclamation,
    ReuseCandidate,
)
from gaugeblock.optimized import contracts
from gaugeblock.optimized.batches import Batch
from gaugeblock.optimized.choices import Choice, Victims
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.general_reclaiming import make_room
from gaugeblock.optimized.nodes import NodeRecord
from gaugeblock.optimized.numbering import NumberedFunction
from gaugeblock.optimized.planning import Planning
from gaugeblock.optimized.ranking import Demand, cold_demand, copy_demand, load_demand
from gaugeblock.optimized.views import Views, container_value
from gaugeblock.policies.protocols import AnyPolicy, Policies


class GeneralRound:
    """One round on a cluster, from ``pending`` in the order of joining."""

    def __init__(self, cluster: Cluster, policies: Policies, now: float, pending: tuple[Invocation, ...]) -> None:
        self.cluster = cluster
        self.policies = policies
        self.now = now
        self.worklist = pending
        self.planning = Planning(cluster)
        self._views = Views(cluster, now)
        self._batch = Batch(cluster.numbering)

    def plan(self) -> Decisions:
        """Run all phases in order (ROUND-2 to ROUND-7).

        Raises:
            PolicyContractError: when a policy breaks its contract; the caller then takes the planning back.
        """
        self._fail()
        self._scale()
        self._order()
        for invocation in self.worklist:
            self._place(invocation)
        self._prewarm()
        self._batch.wakeup = self._wakeup()
        return self._batch.decisions()

    def _fail(self) -> None:
        policy = self.policies.invocation_failing
        failures = policy.failures(self._views.state(self.worklist))
        contracts.require_failures(policy, failures, self.worklist)
        failed = {failure.invocation for failure in failures}
        self._batch.failures = failures
        self.worklist = tuple([each for each in self.worklist if each.id not in failed])

    def _scale(self) -> None:
        policy = self.policies.node_scaling
        requests = policy.scale(self._views.state(self.worklist))
        contracts.require_scaling(policy, requests, self.cluster)
        self._batch.activations, self._batch.deactivations = requests.activations, requests.deactivations
        for name in requests.deactivations:
            self.planning.select_for_deactivation(self.cluster.named[name])

    def _order(self) -> None:
        policy = self.policies.invocation_ordering
        ordered = policy.order(self._views.state(self.worklist))
        contracts.require_permutation(policy, ordered, self.worklist)
        self.worklist = ordered

    def _place(self, invocation: Invocation) -> None:
        """Consider one invocation: the first pass that selects a node decides (PLACE-7)."""
        function = self.cluster.numbering.function_named[invocation.function.name]
        nodes = self._eligible(invocation)
        choice = self._reuse(invocation, function, nodes)
        for placement_pass in (PlacementPass.COLD_DISPATCH, PlacementPass.RAM_LOAD, PlacementPass.DISK_COPY):
            if choice is None:
                choice = self._wait(placement_pass, function, nodes)
            if choice is None:
                choice = self._operation(placement_pass, invocation, function, nodes)
        if choice is None:
            return
        if choice.placement_pass in (PlacementPass.WAIT_FOR_RAM, PlacementPass.WAIT_FOR_DISK):
            self.planning.protect(choice.node, function.image.mask)
        else:
            self.planning.apply(choice, function)
            self._batch.add(invocation.id, choice)

    def _eligible(self, invocation: Invocation) -> list[NodeRecord]:
        policy = self.policies.node_selection
        selected = policy.select(self._views.state(self.worklist), invocation)
        contracts.require_selection(policy, selected, self.cluster)
        return [node for node in self.cluster.nodes if node.is_open and node.name in selected]

    def _reuse(self, invocation: Invocation, function: NumberedFunction, nodes: list[NodeRecord]) -> Choice | None:
        hosts: dict[object, NodeRecord] = {}
        candidates: list[ReuseCandidate] = []
        for node in nodes:
            for slot in node.containers.values():
                if slot.function is function and slot.ready and slot.room > 0:
                    candidates.append(ReuseCandidate(node.name, container_value(slot), slot.room))
                    hosts[slot.id] = node
        if not candidates:
            return None
        policy = self.policies.reusable_container
        picked = policy.pick(self._views.state(self.worklist), invocation, tuple(candidates))
        if picked is None:
            return None
        contracts.require_members(policy, "PLACE-1", [picked], hosts)
        return Choice(PlacementPass.REUSE, hosts[picked], picked)

    def _wait(self, before: PlacementPass, function: NumberedFunction, nodes: list[NodeRecord]) -> Choice | None:
        """Return the wait that is tried before a load or copy: the first node that qualifies (PLACE-3, PLACE-5)."""
        if before is PlacementPass.COLD_DISPATCH:
            return None
        waiting = PlacementPass.WAIT_FOR_RAM if before is PlacementPass.RAM_LOAD else PlacementPass.WAIT_FOR_DISK
        for node in nodes:
            there, coming = _residency(before, node)
            missing = function.image.mask & ~there
            if missing and not missing & ~coming:
                return Choice(waiting, node)
        return None

    def _operation(
        self, placement_pass: PlacementPass, invocation: Invocation, function: NumberedFunction, nodes: list[NodeRecord]
    ) -> Choice | None:
        """Collect the alternatives of a pass and let plan selection pick one (PLACE-2, PLACE-4, PLACE-6)."""
        demand_on = self._demand(placement_pass, function)
        found: dict[NodeName, Choice] = {}
        for node in nodes:
            layers = self._layers(placement_pass, function, node)
            if layers is not None:
                victims = self._victims(node, function, demand_on(node))
                if victims is not None:
                    found[node.name] = Choice(placement_pass, node, None, layers, victims)
        if not found:
            return None
        policy = self.policies.plan_selection
        plans = tuple([self._plan(invocation, choice) for choice in found.values()])
        name = policy.choose(self._views.state(self.worklist), invocation, plans)
        if name is None:
            return None
        contracts.require_members(policy, "PLACE-7", [name], found)
        return found[name]

    def _demand(self, placement_pass: PlacementPass, function: NumberedFunction) -> Callable[[NodeRecord], Demand]:
        numbering = self.cluster.numbering
        if placement_pass is PlacementPass.COLD_DISPATCH:
            return cold_demand(function)
        if placement_pass is PlacementPass.RAM_LOAD:
            return load_demand(function.image, numbering.ram_bytes)
        return copy_demand(function.image, numbering.disk_bytes)

    def _layers(self, placement_pass: PlacementPass, function: NumberedFunction, node: NodeRecord) -> tuple[int, ...] | None:
        """Return the layers that the pass would transfer to the node, or None where the pass does not apply."""
        required = function.image.mask
        if placement_pass is PlacementPass.COLD_DISPATCH:
            return None if required & ~(node.in_ram & node.on_disk) else ()
        if placement_pass is PlacementPass.RAM_LOAD and required & ~node.on_disk:
            return None
        there, coming = _residency(placement_pass, node)
        return tuple([layer for layer in function.image.layers if not (there | coming) >> layer & 1]) or None

    def _victims(self, node: NodeRecord, function: NumberedFunction, demand: Demand) -> Victims | None:
        deficits = Deficits(
            max(0, demand.ram_bytes - node.ram_free),
            max(0, demand.disk_bytes - node.disk_free),
            max(0, demand.positions - node.positions_free),
        )
        if not (deficits.ram_bytes > 0 or deficits.disk_bytes > 0 or deficits.positions > 0):
            return Victims()
        state = self._views.state(self.worklist)
        return make_room(self.policies.eviction, state, self._views.node(node), node, deficits, function.image.mask)

    def _plan(self, invocation: Invocation, choice: Choice) -> Plan:
        names, victims = self.cluster.numbering.names, choice.victims
        reclamation = Reclamation(victims.terminations, names(victims.ram_evictions), names(victims.disk_evictions))
        return Plan(choice.placement_pass, invocation.id, choice.node.name, None, names(choice.layers), reclamation)

    def _prewarm(self) -> None:
        policy = self.policies.container_prewarm
        proposals = policy.propose(self._views.state(self.worklist))
        contracts.require_tuple(policy, "PREW-3", proposals, Prewarm)
        for proposal in proposals:
            contracts.require_prewarm(policy, proposal, self.cluster)
            function = self.cluster.numbering.function_named[proposal.function]
            self.planning.prewarm(self.cluster.named[proposal.node], function)
        self._batch.prewarms = proposals

    def _wakeup(self) -> float | None:
        """Ask every policy, and keep the earliest date (WAKE-1, WAKE-2)."""
        state = self._views.state(self.worklist)
        dates: list[float] = []
        for kind in PolicyKind:
            policy: AnyPolicy = getattr(self.policies, kind.value)
            date = policy.wakeup(state)
            if date is not None and date != LARGEST_DATE:
                contracts.require_later(policy, date, self.now)
                dates.append(date)
        return min(dates, default=None)


def _residency(placement_pass: PlacementPass, node: NodeRecord) -> tuple[int, int]:
    """Return the layers that are where a load or copy would put them, and those on their way there."""
    if placement_pass is PlacementPass.RAM_LOAD:
        return node.in_ram, node.loading
    return node.on_disk, node.copying
