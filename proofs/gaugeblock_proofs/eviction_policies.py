"""POL: theorems about the choice of victims by ``fewest`` and ``lru``, on entries of any sizes and dates."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import Any

from gaugeblock.model import (
    Catalog,
    ContainerId,
    Deficits,
    Need,
    Node,
    NodeName,
    NodeStatus,
    PolicyName,
    PolicyNames,
    ResidentLayer,
)
from gaugeblock_proofs.building import container, function, invocation, layer
from gaugeblock_proofs.engine import Budget, Condition, Verdict, all_of, any_of, implies, negate
from gaugeblock_proofs.states import valid_state
from gaugeblock_proofs.theorem import Part, Setting, Theorem, Tier, shapes

EVICTION = "gaugeblock.policies.builtin.eviction"
INITIAL = "gaugeblock.round.initial.working_state"

DISTINCT = "the victims are distinct entries"
COVERS = "the victims cover the deficits, or they are all entries"
NO_MORE = "without the last victim something would be missing"
FEWEST = "no smaller set of entries would cover the deficits"
SMALLEST = "where an entry suffices alone, the smallest such is picked"
LARGEST = "where none suffices alone, the largest is picked"
PREFIX = "no entry that was spared is older than a victim, and victims come oldest first"
VALUES = "a container counts for its RAM, its disk and one position; a layer in RAM for its RAM, one on disk for its disk"
OWN = "only the deficit of the step's own resource counts"

RESOURCES = ("ram_bytes", "disk_bytes", "positions")


def entries(setting: Setting, count: int) -> list[Any]:
    """Return entries of any sizes and dates, each of which frees a position."""
    symbols = setting.symbols
    entry = setting.shipped.policies.builtin.eviction.Entry
    return [
        entry(
            ContainerId(number),
            symbols.integer(f"entry{number}.ram_bytes"),
            symbols.integer(f"entry{number}.disk_bytes"),
            1,
            symbols.date(f"entry{number}.last_access"),
        )
        for number in range(count)
    ]


def any_deficits(setting: Setting, short: tuple[str, ...]) -> Deficits:
    """Return deficits of any amounts of the resources named, and none of the others."""
    found = {name: setting.symbols.integer(f"deficit.{name}") if name in short else 0 for name in RESOURCES}
    return Deficits(**found)


def covered(chosen: list[Any], deficits: Deficits) -> Condition:
    """Return whether the entries free at least the deficits."""
    return all_of(*(getattr(deficits, name) <= sum(getattr(each, name) for each in chosen) for name in RESOURCES))


def _victims(setting: Setting, policy: str, given: list[Any], deficits: Deficits) -> list[Any]:
    """Return the entries that the policy picks, in its order; their identifiers are their places."""
    picked = getattr(setting.shipped.policies.builtin.eviction, policy)(given, deficits)
    setting.path.prove(len(set(picked)) == len(picked) and set(picked) <= {each.identifier for each in given}, DISTINCT)
    return [given[number] for number in picked]


def covers(setting: Setting, policy: str, count: int) -> None:
    """POL-fewest, POL-lru: enough or everything, and nothing after enough; whatever is short."""
    given = entries(setting, count)
    deficits = any_deficits(setting, RESOURCES)
    victims = _victims(setting, policy, given, deficits)
    setting.path.prove(any_of(covered(victims, deficits), len(victims) == count), COVERS)
    if victims:
        setting.path.prove(negate(covered(victims[:-1], deficits)), NO_MORE)


def takes_fewest(setting: Setting, count: int, short: tuple[str, ...]) -> None:
    """POL-fewest: against every smaller set of entries."""
    given = entries(setting, count)
    deficits = any_deficits(setting, short)
    victims = _victims(setting, "fewest", given, deficits)
    enough = covered(victims, deficits)
    smaller = [covered(list(some), deficits) for some in combinations(given, len(victims) - 1)] if victims else []
    setting.path.prove(implies(enough, negate(any_of(*smaller))), FEWEST)


def picks(setting: Setting, count: int) -> None:
    """POL-fewest, pick by pick: the smallest that suffices alone, else the largest; the later one of equals is larger."""
    given = entries(setting, count)
    deficits = any_deficits(setting, RESOURCES)
    victims = _victims(setting, "fewest", given, deficits)
    by = "ram_bytes" if deficits.ram_bytes > 0 else "disk_bytes"
    for number, victim in enumerate(victims):
        earlier = victims[:number]
        others = [each for each in given if all(each is not one for one in (*earlier, victim))]
        alone = covered([*earlier, victim], deficits)
        any_alone = any_of(alone, *(covered([*earlier, each], deficits) for each in others))
        smallest = [implies(covered([*earlier, each], deficits), _before(victim, each, by)) for each in others]
        largest = [_before(each, victim, by) for each in others]
        setting.path.prove(implies(any_alone, all_of(alone, *smallest)), SMALLEST)
        setting.path.prove(any_of(any_alone, all_of(*largest)), LARGEST)


def _before(first: Any, second: Any, by: str) -> Condition:
    """Return whether the first entry is smaller, or of the same size and created earlier."""
    tie = all_of(getattr(first, by) <= getattr(second, by), first.identifier < second.identifier)
    return any_of(getattr(first, by) < getattr(second, by), tie)


def oldest_first(setting: Setting, count: int) -> None:
    """POL-lru."""
    given = entries(setting, count)
    victims = _victims(setting, "least_recently_used", given, any_deficits(setting, RESOURCES))
    ordered = [*victims, *(each for each in given if all(each is not victim for victim in victims))]
    for earlier, later in zip(victims, ordered[1 : len(victims)], strict=False):
        setting.path.prove(_is_older(earlier, later), PREFIX)
    for spared in ordered[len(victims) :]:
        for victim in victims[-1:]:
            setting.path.prove(_is_older(victim, spared), PREFIX)


def _is_older(first: Any, second: Any) -> Condition:
    """Return whether the first entry was accessed earlier, or at the same date and created earlier."""
    tie = all_of(first.last_access <= second.last_access, first.identifier < second.identifier)
    return any_of(first.last_access < second.last_access, tie)


def own_deficit(setting: Setting, policy: str) -> None:
    """POL: of layers in RAM only the RAM deficit counts, of layers on disk only the disk deficit."""
    eviction = setting.shipped.policies.builtin.eviction
    layers = _residents(setting)
    deficits = any_deficits(setting, RESOURCES)
    chooser = getattr(eviction, policy)()
    for method, resource in (("ram_layers", "ram_bytes"), ("disk_layers", "disk_bytes")):
        picked = getattr(chooser, method)(None, None, layers, deficits)
        missing = getattr(deficits, resource)
        sizes = {each.layer.name: getattr(each.layer, resource) for each in layers}
        freed = [sizes[name] for name in picked]
        setting.path.prove(any_of(missing <= sum(freed), len(picked) == len(layers)), OWN)
        setting.path.prove(implies(missing <= 0, len(picked) == 0), OWN)
        setting.path.prove(not picked or sum(freed[:-1]) < missing, OWN)


def entry_values(setting: Setting) -> None:
    """POL-fewest, POL-lru, AMB-5: what each kind of victim counts for."""
    shipped, symbols = setting.shipped.policies.builtin.eviction, setting.symbols
    held = tuple(container(symbols, number, function(symbols, f"f{number}")) for number in range(2))
    layers = _residents(setting)
    expected = [(each.id, each.function.ram_bytes, each.function.disk_bytes, 1, each.last_used) for each in held]
    _prove_entries(setting, shipped.container_entries(held), expected)
    in_ram = [(each.layer.name, each.layer.ram_bytes, 0, 0, each.last_access) for each in layers]
    _prove_entries(setting, shipped.ram_entries(layers), in_ram)
    on_disk = [(each.layer.name, 0, each.layer.disk_bytes, 0, each.last_access) for each in layers]
    _prove_entries(setting, shipped.disk_entries(layers), on_disk)


def _prove_entries(setting: Setting, found: list[Any], expected: list[tuple[Any, ...]]) -> None:
    setting.path.prove(len(found) == len(expected), VALUES)
    for entry, values in zip(found, expected, strict=True):
        fields = (entry.identifier, entry.ram_bytes, entry.disk_bytes, entry.positions, entry.last_access)
        setting.path.prove_all((mine == theirs for mine, theirs in zip(fields, values, strict=True)), VALUES)


def _residents(setting: Setting) -> Any:
    return tuple(
        ResidentLayer(layer(setting.symbols, name), setting.symbols.date(f"{name}.last_access"))
        for name in ("layer0", "layer1")
    )


def fewest_of_containers(setting: Setting, count: int) -> None:
    """POL-fewest, on a round: idle containers of a node, and an invocation for which RAM and disk may both be short."""
    symbols = setting.symbols
    functions = tuple(function(symbols, f"f{number}") for number in range(count))
    wanted = function(symbols, "wanted")
    node = Node(
        NodeName("n"),
        NodeStatus.ACTIVATED,
        symbols.integer("n.ram_bytes"),
        symbols.integer("n.disk_bytes"),
        1,
        symbols.integer("n.max_containers"),
        containers=tuple(container(symbols, number, of, in_flight=0) for number, of in enumerate(functions)),
    )
    catalog = Catalog((), tuple(each.image for each in (*functions, wanted)), (*functions, wanted))
    policies = PolicyNames(eviction=PolicyName("fewest"))
    state = valid_state(setting, catalog, (node,), (invocation(symbols, 1, wanted),), policies=policies)
    shipped = setting.shipped.round
    (working,) = shipped.initial.working_state(state).nodes
    missing = shipped.reclamation.deficits_for(Need(wanted.ram_bytes, wanted.disk_bytes, 1), working)
    candidates = shipped.reclamation.idle_candidates(working)
    victims = setting.shipped.policies.builtin.eviction.Fewest().containers(state, working, candidates, missing)
    given = setting.shipped.policies.builtin.eviction.container_entries(candidates)
    enough = covered([each for each in given if each.identifier in victims], missing)
    smaller = [covered(list(some), missing) for some in combinations(given, len(victims) - 1)] if victims else []
    setting.path.prove(implies(enough, negate(any_of(*smaller))), FEWEST)


MANY = Budget(paths=2_000_000, queries=20_000_000)


def _counted(body: Any, standard: tuple[int, ...], deep: tuple[int, ...], **more: object) -> tuple[Part, ...]:
    tiers = [(count, Tier.STANDARD) for count in standard] + [(count, Tier.DEEP) for count in deep]
    return tuple(Part(f"{count} entries", partial(body, count=count, **more), tier, MANY) for count, tier in tiers)


def _fewest_of(resource: str, name: str) -> Theorem:
    return Theorem(
        f"POL-fewest.optimal-{name}",
        f"When only {name} is short, fewest takes as few victims as any set of candidates that would do.",
        ("POL-fewest",),
        (f"{EVICTION}.fewest", f"{EVICTION}.remains", f"{EVICTION}.after_freeing", f"{EVICTION}.Entry"),
        shapes("any sizes and deficit; one to four candidates (deep: five)"),
        _counted(takes_fewest, (1, 2, 3, 4), (5,), short=(resource,)),
        (DISTINCT, FEWEST),
    )


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "POL-fewest.covers",
        "Whatever is short, fewest picks distinct candidates that cover the deficits, or all of them, and none after enough.",
        ("POL-fewest", "RECL-8"),
        (f"{EVICTION}.fewest", f"{EVICTION}.remains", f"{EVICTION}.after_freeing", f"{EVICTION}.Entry"),
        shapes("any sizes and deficits of RAM, disk and positions; one to three candidates (deep: four)"),
        _counted(covers, (1, 2, 3), (4,), policy="fewest"),
        (DISTINCT, COVERS, NO_MORE),
    ),
    Theorem(
        "POL-fewest.picks",
        "Each pick of fewest is the smallest candidate that suffices alone for what remains, or else the largest; by RAM if "
        "RAM was short at the call, else by disk; of equals the one created earlier is the smaller.",
        ("POL-fewest",),
        (f"{EVICTION}.fewest", f"{EVICTION}.remains", f"{EVICTION}.after_freeing", f"{EVICTION}.Entry"),
        shapes("any sizes and deficits of RAM, disk and positions; one and two candidates (deep: three)"),
        _counted(picks, (1, 2), (3,)),
        (DISTINCT, SMALLEST, LARGEST),
    ),
    _fewest_of("ram_bytes", "RAM"),
    _fewest_of("disk_bytes", "disk"),
    _fewest_of("positions", "positions"),
    Theorem(
        "POL-fewest.not-optimal",
        "False: fewest takes as few victims as any set of candidates that would do, also when RAM and disk are both short.",
        ("POL-fewest",),
        (
            f"{EVICTION}.Fewest",
            f"{EVICTION}.container_entries",
            INITIAL,
            "gaugeblock.round.reclamation.deficits_for",
            "gaugeblock.round.reclamation.idle_candidates",
        ),
        shapes("every valid state of one node with three idle containers, and an invocation"),
        (Part("3 containers", partial(fewest_of_containers, count=3)),),
        (FEWEST,),
        expected=Verdict.REFUTED,
    ),
    Theorem(
        "POL-fewest.optimal-of-two",
        "Of one or two candidates fewest takes as few as would do, whatever is short.",
        ("POL-fewest",),
        (f"{EVICTION}.fewest", f"{EVICTION}.remains", f"{EVICTION}.after_freeing", f"{EVICTION}.Entry"),
        shapes("any sizes and deficits of RAM, disk and positions; one and two candidates"),
        _counted(takes_fewest, (1, 2), (), short=RESOURCES),
        (DISTINCT, FEWEST),
    ),
    Theorem(
        "POL-lru.prefix",
        "lru takes a prefix of the candidates, oldest access first and then in the order of creation, that covers the "
        "deficits or is all of them, and would not do without its last.",
        ("POL-lru", "RECL-8"),
        (f"{EVICTION}.least_recently_used", f"{EVICTION}.remains", f"{EVICTION}.after_freeing", f"{EVICTION}.Entry"),
        shapes("any sizes, dates and deficits; one to three candidates (deep: four)"),
        (
            *_counted(covers, (1, 2, 3), (4,), policy="least_recently_used"),
            *(
                Part(f"order of {count}", partial(oldest_first, count=count), tier, MANY)
                for count, tier in ((2, Tier.STANDARD), (3, Tier.STANDARD), (4, Tier.DEEP))
            ),
        ),
        (DISTINCT, COVERS, NO_MORE, PREFIX),
    ),
    Theorem(
        "POL-fewest.entries",
        "Both policies see a container as its private sizes and one position, a layer as its footprint in the step's resource.",
        ("POL-fewest", "POL-lru"),
        tuple(f"{EVICTION}.{each}" for each in ("container_entries", "ram_entries", "disk_entries")),
        shapes("any sizes and dates; two containers, two layers"),
        (Part("two of each", entry_values),),
        (VALUES,),
    ),
    *(
        Theorem(
            f"POL-{name}.own-deficit",
            f"Of layers in RAM {name} evicts for the RAM deficit alone, of layers on disk for the disk deficit alone.",
            (f"POL-{name}",),
            tuple(f"{EVICTION}.{each}" for each in (policy, "ram_entries", "disk_entries")),
            shapes("any sizes, dates and deficits; two layers"),
            (Part("2 layers", partial(own_deficit, policy=policy)),),
            (OWN,),
        )
        for name, policy in (("fewest", "Fewest"), ("lru", "LeastRecentlyUsed"))
    ),
)
