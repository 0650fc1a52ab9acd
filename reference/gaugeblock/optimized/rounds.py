"""One scheduling round with the built-in policies (ROUND)."""

from collections.abc import Sequence

import msgspec

from gaugeblock.model import LARGEST_DATE, Decisions, Failure, Invocation, ObservedState, PlacementPass, PolicyNames
from gaugeblock.optimized.batches import Batch
from gaugeblock.optimized.builtin import Rules, draw, rules_of
from gaugeblock.optimized.choices import Choice
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.general import GeneralRound
from gaugeblock.optimized.numbering import NumberedFunction
from gaugeblock.optimized.planning import Planning
from gaugeblock.optimized.prewarming import Pool
from gaugeblock.optimized.ranking import Ranking
from gaugeblock.optimized.reclaiming import Reclaimer
from gaugeblock.optimized.scaling import IdleDates, activations
from gaugeblock.optimized.searching import FunctionSearch, ImageSearch
from gaugeblock.policies.protocols import Policies

DEFAULT = PolicyNames()
"""The default policies."""


class Waiting(msgspec.Struct, frozen=True, gc=False):
    """A pending invocation, and its place in the order of joining."""

    invocation: Invocation
    function: NumberedFunction
    joined: int


def decide(observed: ObservedState, policies: PolicyNames | Policies = DEFAULT) -> Decisions:
    """Decide one round from a standing start: build the indexes, plan, and forget them.

    Built-in policies are given by name; policy values, built in or not, are called as they are, which is slower.

    Raises:
        NotBuiltIn: when a name is not that of a built-in policy.
        PolicyContractError: when a policy value breaks its contract.
    """
    cluster = Cluster(observed.catalog, observed.nodes)
    if not isinstance(policies, PolicyNames):
        return GeneralRound(cluster, policies, observed.now, observed.pending).plan()
    scheduler = RoundScheduler(cluster, rules_of(policies))
    return scheduler.plan(observed.now, queue_of(cluster, observed.pending))[0]


def queue_of(cluster: Cluster, pending: Sequence[Invocation]) -> list[Waiting]:
    """Return pending invocations, given in the order of joining, in the order of submission."""
    functions = cluster.numbering.function_named
    waiting = [Waiting(each, functions[each.function.name], joined) for joined, each in enumerate(pending)]
    waiting.sort(key=first_come)
    return waiting


def first_come(waiting: Waiting) -> tuple[float, int]:
    """Return the key of the order of submission: date, then id."""
    return waiting.invocation.submitted, waiting.invocation.id


class RoundScheduler:
    """Plans rounds on one cluster, and remembers between them what cannot have changed."""

    def __init__(self, cluster: Cluster, rules: Rules) -> None:
        self.cluster = cluster
        self.rules = rules
        reclaimer = Reclaimer(by_age=rules.evicts_by_age)
        numbering = cluster.numbering
        self.images = [ImageSearch(cluster, image, reclaimer) for image in numbering.images]
        self.functions = [
            FunctionSearch(cluster, function, self.images[function.image.number], reclaimer) for function in numbering.functions
        ]
        self.pool = Pool(cluster, rules.pool)
        self.idle_dates = IdleDates(cluster)
        self._epoch = 0

    def plan(self, now: float, pending: Sequence[Waiting]) -> tuple[Decisions, Planning]:
        """Plan one round for ``pending``, given in the order of submission.

        Returns:
            The decisions, and what was done to the cluster, for the caller to take back or not.
        """
        batch, planning = Batch(self.cluster.numbering), Planning(self.cluster)
        idle_date = self._idle_date(now)
        worklist = self._without_failures(now, pending, batch)
        self._scale(now, worklist, batch, planning)
        self._place(now, self._ordered(now, worklist), batch, planning)
        batch.prewarms = self.pool.prewarms(planning)
        batch.wakeup = self._wakeup(worklist, idle_date)
        return batch.decisions(), planning

    def _without_failures(self, now: float, pending: Sequence[Waiting], batch: Batch) -> Sequence[Waiting]:
        """Fail what has been pending for too long (ROUND-2); that is a prefix, as sums grow with dates."""
        patience = self.rules.fail_after
        if patience is None:
            return pending
        count = 0
        while count < len(pending) and pending[count].invocation.submitted + patience <= now:
            count += 1
        failed = sorted(pending[:count], key=lambda waiting: waiting.joined)
        batch.failures = tuple(Failure(each.invocation.id, f"pending for {patience} s or longer") for each in failed)
        return pending[count:]

    def _scale(self, now: float, worklist: Sequence[Waiting], batch: Batch, planning: Planning) -> None:
        """Ask for nodes, and let idle ones go (ROUND-3)."""
        if self.rules.activates and worklist:
            batch.activations = activations(self.cluster)
        if self.rules.deactivate_after is not None and not worklist:
            leaving = self.idle_dates.unused(now, self.rules.deactivate_after)
            batch.deactivations = tuple(node.name for node in leaving)
            for node in leaving:
                planning.select_for_deactivation(node)

    def _ordered(self, now: float, worklist: Sequence[Waiting]) -> Sequence[Waiting]:
        """Order the worklist (ROUND-4)."""
        seed = self.rules.ordering_seed
        if seed is None:
            return worklist
        drawn = [(draw("ordering", seed, now, each.invocation.id), each.invocation.id, each) for each in worklist]
        return [each for _, _, each in sorted(drawn, key=lambda entry: entry[:2])]

    def _place(self, now: float, worklist: Sequence[Waiting], batch: Batch, planning: Planning) -> None:
        """Consider each invocation once, in order (ROUND-5).

        ``passed_over`` spares a function whose last outcome in this very epoch changed nothing: an epoch ends with each change
        of a node, and a wait has put down its layers already.
        """
        self._epoch += 1
        functions = self.functions
        for waiting in worklist:
            search = functions[waiting.function.number]
            if search.passed_over == self._epoch:
                continue
            choice = search.settled if search.is_settled() else self._outcome(now, waiting.invocation, search, planning)
            if choice is None or choice.placement_pass in WAITS:
                search.passed_over = self._epoch
                if choice is not None:
                    planning.protect_later(choice.node, waiting.function.image.mask)
            else:
                planning.apply(choice, waiting.function)
                batch.add(waiting.invocation.id, choice)
                self._epoch += 1

    def _outcome(self, now: float, invocation: Invocation, search: FunctionSearch, planning: Planning) -> Choice | None:
        """Return the outcome of the first pass that selects a node (PLACE-7), or None (PLACE-8)."""
        search.firm = False
        choice = search.reuse()
        if choice is not None:
            return choice
        image = search.image
        image.classify()
        firm = True
        for candidates, placement_pass, ranking, waiting, wait in (
            (image.ready, PlacementPass.COLD_DISPATCH, search.colds, image.awaiting_ram, image.await_ram),
            (image.loadable, PlacementPass.RAM_LOAD, image.loads, image.awaiting_disk, image.await_disk),
            (image.copyable, PlacementPass.DISK_COPY, image.copies, 0, image.await_disk),
        ):
            if candidates:
                planning.settle_guards(ranking.undead(candidates))
                choice = self._select(now, invocation, search, placement_pass, ranking, candidates)
                if choice is not None:
                    return choice
                firm = firm and ranking.is_dead(candidates)
            if waiting:
                return search.settle(wait(), firm=firm)
        return search.settle(None, firm=firm)

    def _select(
        self,
        now: float,
        invocation: Invocation,
        search: FunctionSearch,
        placement_pass: PlacementPass,
        ranking: Ranking,
        candidates: int,
    ) -> Choice | None:
        """Pick among the alternatives of one pass, as the plan-selection policy would."""
        seed = self.rules.selection_seed
        if seed is None:
            best = ranking.best(candidates)
            if best is None:
                return None
            node, victims = best
        else:
            feasible = ranking.feasible(candidates)
            if not feasible:
                return None
            node = feasible[draw("plan-selection", seed, now, invocation.id) % len(feasible)]
            victims = ranking.victims(node)
        layers = () if placement_pass is PlacementPass.COLD_DISPATCH else search.missing(placement_pass, node)
        return Choice(placement_pass, node, None, layers, victims)

    def _idle_date(self, now: float) -> float | None:
        """Return the date that ``deactivate-idle`` will report: it looks at the nodes as observed, before any plan."""
        seconds = self.rules.deactivate_after
        return None if seconds is None else self.idle_dates.next_date(now, seconds)

    def _wakeup(self, worklist: Sequence[Waiting], idle_date: float | None) -> float | None:
        """Return the earliest date that a policy reports (WAKE-1)."""
        dates = [] if idle_date is None else [idle_date]
        if self.rules.fail_after is not None and worklist:
            dates.append(worklist[0].invocation.submitted + self.rules.fail_after)
        return min((date for date in dates if date < LARGEST_DATE), default=None)


WAITS = (PlacementPass.WAIT_FOR_RAM, PlacementPass.WAIT_FOR_DISK)
