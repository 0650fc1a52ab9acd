"""The optimized service: events, observable state, decisions and refusals of the reference service, at a fraction of its cost.

One mutable cluster serves as both the state and the working state. A step lets the event take effect, plans a round on the
cluster, takes the plan back node by node, and applies the decisions with the checks of SERV. What a step costs follows from
what changes: the searches of ``searching`` and ``ranking`` look again only at nodes that the cluster's logs have noted.
"""

from gaugeblock.model import (
    Decisions,
    Event,
    IdleAlarm,
    Node,
    ObservedState,
    Opening,
    Outcome,
    PolicyNames,
    ServiceSettings,
    ServiceState,
    Value,
)
from gaugeblock.optimized.application import Application
from gaugeblock.optimized.builtin import rules_of
from gaugeblock.optimized.checks import check_cluster, check_ledger
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.effects import Effects
from gaugeblock.optimized.general import GeneralRound
from gaugeblock.optimized.ledger import Ledger
from gaugeblock.optimized.rounds import RoundScheduler
from gaugeblock.optimized.search_checks import check_searches
from gaugeblock.optimized.views import node_value
from gaugeblock.policies.protocols import Policies


class OptimizedStep(Value, frozen=True):
    """One accepted event and the round that followed it.

    ``outcomes`` tells the fate of every operation of ``decisions``, in the order of application; ``alarms`` are those newly set
    that will ring; ``wakeup`` is the date (seconds) of the standing wake-up. The state is not part of it, as that would cost
    more than the step: ask the service for it.
    """

    decisions: Decisions
    outcomes: tuple[Outcome, ...]
    alarms: tuple[IdleAlarm, ...]
    wakeup: float | None


class OptimizedService:
    """A service with its scheduler, mutable: :meth:`step` takes it from one state to the next."""

    def __init__(self, state: ServiceState, policies: PolicyNames | Policies, settings: ServiceSettings) -> None:
        """Start from a state of the reference service.

        Args:
            state: where to start from.
            policies: the names of built-in policies, or policy values, which are called one by one and slower.
            settings: what the service is told.

        Raises:
            NotBuiltIn: when a name is not that of a built-in policy.
        """
        self.settings = settings
        self.policies = policies
        self._load(state)

    @classmethod
    def opened(cls, opening: Opening) -> "OptimizedService":
        """Start at the beginning of a history."""
        state = ServiceState(opening.now, opening.catalog, opening.nodes)
        return cls(state, opening.policies, opening.settings)

    def _load(self, state: ServiceState) -> None:
        self._cluster = Cluster(state.catalog, state.nodes)
        self._ledger = Ledger(state, self._cluster, self.settings.idle_timeout)
        self._effects = Effects(self._cluster, self._ledger)
        self._application = Application(self._cluster, self._ledger)
        self._scheduler: RoundScheduler | None = None
        if isinstance(self.policies, PolicyNames):
            self._scheduler = RoundScheduler(self._cluster, rules_of(self.policies))
        self._values: list[tuple[int, Node] | None] = [None] * len(state.nodes)

    def step(self, event: Event, given: Decisions | None = None) -> OptimizedStep:
        """Accept an event, decide a round, apply it.

        Args:
            event: what happens.
            given: decisions to apply in the place of the scheduler's own, as a foreign scheduler made them.

        Raises:
            ServiceError: when the event breaks a rule; nothing has changed then.
            PolicyContractError: when a policy value breaks its contract; nothing has changed then.
        """
        before = self.state() if self._scheduler is None and given is None else None
        self._effects.apply(event)
        if given is not None:
            decisions = given
        elif before is None:
            decisions = self._decide()
        else:
            decisions = self._decide_generally(before)
        outcomes = self._application.apply(decisions)
        return OptimizedStep(decisions, outcomes, self._ledger.new_alarms(), self._ledger.wakeup)

    def _decide(self) -> Decisions:
        assert self._scheduler is not None
        decisions, planning = self._scheduler.plan(self._ledger.now, self._ledger.queue)
        planning.take_back()
        return decisions

    def _decide_generally(self, before: ServiceState) -> Decisions:
        """Ask policy values, and be again as ``before`` if one of them raises anything."""
        assert not isinstance(self.policies, PolicyNames)
        pending = tuple(waiting.invocation for waiting in self._ledger.pending.values())
        try:
            general = GeneralRound(self._cluster, self.policies, self._ledger.now, pending)
            decisions = general.plan()
        except BaseException:
            self._load(before)
            raise
        general.planning.take_back()
        return decisions

    def observed(self) -> ObservedState:
        """Return what a round would be shown now."""
        ledger = self._ledger
        pending = tuple(waiting.invocation for waiting in ledger.pending.values())
        return ObservedState(ledger.now, self._cluster.numbering.catalog, self._nodes(), pending)

    def state(self) -> ServiceState:
        """Return the whole state as a value."""
        ledger = self._ledger
        return ServiceState(
            now=ledger.now,
            catalog=self._cluster.numbering.catalog,
            nodes=self._nodes(),
            pending=tuple(waiting.invocation for waiting in ledger.pending.values()),
            running=tuple(ledger.running.values()),
            alarms=tuple(ledger.alarms[container] for container in sorted(ledger.alarms)),
            next_container=ledger.next_container,
            next_generation=ledger.next_generation,
            wakeup=ledger.wakeup,
            submitted=frozenset(ledger.submitted),
            sequence=ledger.sequence,
        )

    def check_indexes(self) -> None:
        """Recompute every index and running total, and raise ``StaleIndex`` for one that is not as it should be."""
        check_cluster(self._cluster)
        check_ledger(self._ledger, self._cluster)
        if self._scheduler is not None:
            check_searches(self._scheduler)

    def _nodes(self) -> tuple[Node, ...]:
        """Return the nodes as values; those that did not change since the last call are the same values."""
        values: list[Node] = []
        for node in self._cluster.nodes:
            kept = self._values[node.turn]
            if kept is None or kept[0] != node.stamp:
                kept = self._values[node.turn] = (node.stamp, node_value(node))
            values.append(kept[1])
        return tuple(values)
