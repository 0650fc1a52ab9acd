"""POL-fewest and POL-lru: the rules by which the built-in eviction policies pick victims, told step by step."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from gaugeblock.model import ContainerId, Deficits, LayerName, PolicyName, ReclamationStep, ReclamationStepKind, Value
from gaugeblock_specs.clause import Clause, with_trace
from gaugeblock_specs.context import Context
from gaugeblock_specs.derive import is_met, less
from gaugeblock_specs.reclaimed import Reclaimed, reclamations
from gaugeblock_specs.verdicts import Witness

SEED = "GreedyServerlessScheduler()"


class Offer(Value, frozen=True):
    """A candidate with what ending or evicting it frees, in the resources that count in its step, and its last access."""

    item: ContainerId | LayerName
    frees: Deficits
    last_access: float


Rule: TypeAlias = Callable[[tuple[Offer, ...], Deficits], tuple[ContainerId | LayerName, ...]]


def _offers(context: Context, subject: Reclaimed, step: ReclamationStep) -> Iterator[Offer]:
    """For containers all three resources count, for a layer only that of its step."""
    observed = subject.found.node.observed
    if step.kind is ReclamationStepKind.CONTAINERS:
        for container in observed.containers:
            if container.id in step.candidates:
                frees = Deficits(container.function.ram_bytes, container.function.disk_bytes, positions=1)
                yield Offer(container.id, frees, container.last_used)
        return
    in_ram = step.kind is ReclamationStepKind.RAM_LAYERS
    for resident in observed.ram_layers if in_ram else observed.disk_layers:
        layer = resident.layer
        if layer.name in step.candidates:
            frees = Deficits(layer.ram_bytes, 0, 0) if in_ram else Deficits(0, layer.disk_bytes, 0)
            yield Offer(layer.name, frees, resident.last_access)


def _counting(step: ReclamationStep) -> Deficits:
    """Return the deficits that count in a step: all for containers, that of RAM or of disk for layers."""
    if step.kind is ReclamationStepKind.RAM_LAYERS:
        return Deficits(step.deficits.ram_bytes, 0, 0)
    if step.kind is ReclamationStepKind.DISK_LAYERS:
        return Deficits(0, step.deficits.disk_bytes, 0)
    return step.deficits


def _once_freed(deficits: Deficits, offer: Offer) -> Deficits:
    return less(deficits, offer.frees.ram_bytes, offer.frees.disk_bytes, offer.frees.positions)


def fewest(offers: tuple[Offer, ...], deficits: Deficits) -> tuple[ContainerId | LayerName, ...]:
    """Tell which victims ``fewest`` picks: again and again the smallest that is enough alone, else the largest."""
    by_ram = deficits.ram_bytes > 0
    left = sorted(offers, key=lambda offer: offer.frees.ram_bytes if by_ram else offer.frees.disk_bytes)
    picked: list[ContainerId | LayerName] = []
    while left and not is_met(deficits):
        enough = (place for place, candidate in enumerate(left) if is_met(_once_freed(deficits, candidate)))
        offer = left.pop(next(enough, len(left) - 1))
        deficits = _once_freed(deficits, offer)
        picked.append(offer.item)
    return tuple(picked)


def least_recently_used(offers: tuple[Offer, ...], deficits: Deficits) -> tuple[ContainerId | LayerName, ...]:
    """Tell which victims ``lru`` picks: the oldest, one after the other, until nothing is missing."""
    picked: list[ContainerId | LayerName] = []
    for offer in sorted(offers, key=lambda offer: offer.last_access):
        if is_met(deficits):
            break
        deficits = _once_freed(deficits, offer)
        picked.append(offer.item)
    return tuple(picked)


def _steps_where(name: str) -> Callable[[Context], Iterator[tuple[Reclaimed, ReclamationStep]]]:
    def each(context: Context) -> Iterator[tuple[Reclaimed, ReclamationStep]]:
        policy: PolicyName = context.policies.eviction
        if policy.name == name:
            for subject in reclamations(context):
                for step in subject.reclamation.steps:
                    yield subject, step

    return each


def _picks_by(rule: Rule) -> Callable[[Context, tuple[Reclaimed, ReclamationStep]], Iterator[Witness]]:
    def breach(context: Context, taken: tuple[Reclaimed, ReclamationStep]) -> Iterator[Witness]:
        subject, step = taken
        due = rule(tuple(_offers(context, subject, step)), _counting(step))
        if step.victims != due:
            finding, placement = subject.found.finding, subject.found.placement
            yield Witness(
                f"step {step.kind.value}: the victims due are {due!r}", node=finding.node, invocation=placement.invocation
            )

    return breach


FEWEST = Clause(
    id="POL-fewest",
    title="fewest: the smallest candidate that is enough, else the largest",
    doc="""Candidates are sorted once per call, ascending by RAM freed if RAM is missing, else by disk freed; equals stay in
    creation order. Until nothing is missing: take the first that alone covers all that is missing, else the last. A
    container covers a missing position if only one is missing. Of layers in RAM only what is missing in RAM counts, of
    layers on disk only what is missing on disk. Example: 10 missing, sizes 4, 6, 9: first 9, then 4.""",
    seed=SEED,
    ambiguities=("AMB-5", "AMB-11"),
    checks=(with_trace(_steps_where("fewest"), _picks_by(fewest), needs_policies=True),),
)

LRU = Clause(
    id="POL-lru",
    title="lru: the least recently used first",
    doc="""Candidates go by the date of their last access, the oldest first and equals in creation order, until nothing is
    missing, whatever each of them frees; of layers in RAM only what is missing in RAM counts, of layers on disk only what
    is missing on disk. Example: 5 missing; x (6, used at 2), y (1, used at 1): y, then x.""",
    seed=SEED,
    ambiguities=("AMB-5",),
    checks=(with_trace(_steps_where("lru"), _picks_by(least_recently_used), needs_policies=True),),
)
