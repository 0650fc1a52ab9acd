"""Faults of eviction policies."""

from gaugeblock.miniatures.fault import Fault

EVICTION = "gaugeblock.policies.builtin.eviction"

FAULTS = (
    Fault(
        name="smallest-first",
        story="Where no candidate is enough alone, the smallest is taken first: {4, 9} of {4, 6, 9}, not {9, 4}.",
        clauses=("POL-fewest",),
        known_as=("B13",),
        module=EVICTION,
        original="next(covering, len(left) - 1)",
        faulty="next(covering, 0)",
    ),
    Fault(
        name="largest-again",
        story="After a first victim the largest left is taken, not the smallest that is enough: {9, 6} where {9, 4} does.",
        clauses=("POL-fewest",),
        known_as=("B13",),
        module=EVICTION,
        original="left.pop(next(covering, len(left) - 1))",
        faulty="left.pop(len(left) - 1 if victims else next(covering, len(left) - 1))",
    ),
    Fault(
        name="largest-covering",
        story="Of the candidates that are enough alone the largest is taken.",
        clauses=("POL-fewest",),
        module=EVICTION,
        original="left.pop(next(covering, len(left) - 1))",
        faulty="left.pop(max(covering, default=len(left) - 1))",
    ),
    Fault(
        name="sorts-anew",
        story="The resource that candidates are sorted by is chosen anew once the RAM deficit is gone.",
        clauses=("POL-fewest",),
        known_as=("quirk 3",),
        module=EVICTION,
        original="        covering = (place for",
        faulty=(
            "        if not deficits.ram_bytes > 0:\n"
            "            left.sort(key=lambda entry: entry.disk_bytes)\n"
            "        covering = (place for"
        ),
    ),
    Fault(
        name="fewest-skips-useless",
        story="Candidates that free nothing of what is missing are passed over.",
        clauses=("POL-fewest",),
        known_as=("quirk 3",),
        module=EVICTION,
        original="    left = sorted(entries, key",
        faulty="    left = sorted((each for each in entries if after_freeing(deficits, each) != deficits), key",
    ),
    Fault(
        name="fewest-sorts-by-disk",
        story="Candidates are sorted by what they free on disk even where RAM is missing.",
        clauses=("POL-fewest",),
        module=EVICTION,
        original="    by_ram = deficits.ram_bytes > 0\n",
        faulty="    by_ram = deficits.ram_bytes > 0 and not deficits.disk_bytes > 0\n",
    ),
    Fault(
        name="lru-skips-useless",
        story="An old candidate that frees nothing of what is missing is passed over, although a prefix is to be taken.",
        clauses=("POL-lru",),
        known_as=("quirk 3",),
        module=EVICTION,
        original="        victims.append(entry.identifier)\n",
        faulty=(
            "        if after_freeing(deficits, entry) == deficits:\n            continue\n"
            "        victims.append(entry.identifier)\n"
        ),
    ),
    Fault(
        name="lru-ties-newest-first",
        story="Of candidates last used at one date the one created last goes first.",
        clauses=("POL-lru",),
        known_as=("B24",),
        module=EVICTION,
        original="for entry in sorted(entries, key=lambda entry: entry.last_access):",
        faulty="for entry in sorted(reversed(entries), key=lambda entry: entry.last_access):",
    ),
    Fault(
        name="lru-ties-by-text",
        story="Of candidates last used at one date the one whose name or id comes first as text goes first: 10 before 9.",
        clauses=("POL-lru",),
        known_as=("B24",),
        module=EVICTION,
        original="for entry in sorted(entries, key=lambda entry: entry.last_access):",
        faulty="for entry in sorted(entries, key=lambda entry: (entry.last_access, str(entry.identifier))):",
    ),
    Fault(
        name="positions-do-not-count",
        story="Idle containers are ended for bytes only, so that a node without a position left never takes a new container.",
        clauses=("POL-fewest", "POL-lru"),
        known_as=("AMB-5",),
        module=EVICTION,
        original="return self.victims(container_entries(candidates), deficits)",
        faulty="return self.victims(container_entries(candidates), Deficits(deficits.ram_bytes, deficits.disk_bytes, 0))",
    ),
    Fault(
        name="position-wants-large-container",
        story="For a position alone the largest idle container is ended, since none is thought to be enough.",
        clauses=("POL-fewest",),
        known_as=("AMB-5",),
        module=EVICTION,
        original="not remains(after_freeing(deficits, entry)))",
        faulty="not remains(after_freeing(deficits, entry)) and not deficits.positions > 0)",
    ),
    Fault(
        name="ram-step-wants-disk",
        story="While disk is missing too, layers in RAM are evicted until none is left, as if that freed disk.",
        clauses=("POL-fewest", "POL-lru"),
        module=EVICTION,
        original="return self.victims(ram_entries(candidates), Deficits(deficits.ram_bytes, 0, 0))",
        faulty="return self.victims(ram_entries(candidates), deficits)",
    ),
)
