"""What the service knows besides its nodes: who is pending, who runs where, which alarms and which wake-up stand (SERV).

Invariants (``checks.check_ledger`` recomputes them all):

- ``queue`` holds the values of ``pending`` in the order of submission, ``pending`` itself in the order of joining;
- ``running`` is in the order of dispatch, and each container holds as many invocations as ``running`` says;
- ``starting`` gives the invocation of every container that holds one before it is ready;
- ``hosts`` gives the node of every container; ``alarms`` has one entry for each idle container and no other.
"""

from bisect import bisect_left

from gaugeblock.model import LARGEST_DATE, ContainerId, IdleAlarm, Invocation, InvocationId, Running, ServiceState
from gaugeblock.optimized.cluster import Cluster
from gaugeblock.optimized.nodes import NodeRecord, Slot
from gaugeblock.optimized.rounds import Waiting, first_come


class Ledger:
    """The books of one service, mutable."""

    def __init__(self, state: ServiceState, cluster: Cluster, idle_timeout: float) -> None:
        self._numbering = cluster.numbering
        self.idle_timeout = idle_timeout
        self.now, self.sequence = state.now, state.sequence
        self.joined = 0
        self.pending: dict[InvocationId, Waiting] = {}
        self.queue: list[Waiting] = []
        for invocation in state.pending:
            self.join(invocation)
        self.running: dict[InvocationId, Running] = {each.invocation.id: each for each in state.running}
        self.alarms: dict[ContainerId, IdleAlarm] = {alarm.container: alarm for alarm in state.alarms}
        self.hosts: dict[ContainerId, NodeRecord] = {slot: node for node in cluster.nodes for slot in node.containers}
        self.starting: dict[ContainerId, InvocationId] = {
            each.container: each.invocation.id
            for each in state.running
            if not self.hosts[each.container].containers[each.container].ready
        }
        self.next_container, self.next_generation = state.next_container, state.next_generation
        self.wakeup = state.wakeup
        self.submitted: set[InvocationId] = set(state.submitted)
        self._set_alarms: list[IdleAlarm] = []

    def join(self, invocation: Invocation) -> None:
        """Let an invocation be pending, as the last to join."""
        waiting = Waiting(invocation, self._numbering.function_named[invocation.function.name], self.joined)
        self.joined += 1
        self.pending[invocation.id] = waiting
        self.queue.insert(bisect_left(self.queue, first_come(waiting), key=first_come), waiting)

    def leave(self, invocation: InvocationId) -> Invocation:
        """Let a pending invocation be pending no more."""
        waiting = self.pending.pop(invocation)
        del self.queue[bisect_left(self.queue, first_come(waiting), key=first_come)]
        return waiting.invocation

    def set_alarm(self, slot: Slot) -> None:
        """Begin an idle spell: a new generation, due after the time-out, or never where that date is not finite (SERV-0)."""
        date = self.now + self.idle_timeout
        alarm = IdleAlarm(slot.id, self.next_generation, date if date <= LARGEST_DATE else None)
        self.next_generation += 1
        self.alarms[slot.id] = alarm
        self._set_alarms.append(alarm)

    def forget_container(self, container: ContainerId) -> None:
        """Strike out a container that is no more."""
        self.hosts.pop(container)
        self.alarms.pop(container, None)
        self.starting.pop(container, None)

    def new_alarms(self) -> tuple[IdleAlarm, ...]:
        """Return the alarms set since the last call that still stand and will ring, for the driver to deliver."""
        alarms, self._set_alarms = self._set_alarms, []
        return tuple([each for each in alarms if each.date is not None and self.alarms.get(each.container) is each])
