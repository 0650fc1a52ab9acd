"""Faults of reclamation: deficits, candidates, and the order and effect of its steps."""

from gaugeblock.miniatures.fault import Fault

RECLAMATION = "gaugeblock.round.reclamation"

FAULTS = (
    Fault(
        name="evicts-at-equality",
        story="A need that is exactly what is free counts as a deficit of all of it.",
        clauses=("RECL-1",),
        known_as=("B16",),
        unsafe=True,
        module=RECLAMATION,
        original="        max(0, need.ram_bytes - node.ram_available),\n",
        faulty="        need.ram_bytes if need.ram_bytes >= node.ram_available else 0,\n",
    ),
    Fault(
        name="unsigned-deficit",
        story="A deficit below zero wraps around to an enormous one, and everything is evicted.",
        clauses=("RECL-1",),
        known_as=("B16",),
        module=RECLAMATION,
        original="        max(0, need.disk_bytes - node.disk_available),\n",
        faulty="        (need.disk_bytes - node.disk_available) % 2**64,\n",
    ),
    Fault(
        name="gives-containers-back",
        story="Where idle containers alone do not make enough room, they are spared and layers are evicted in their place.",
        clauses=("RECL-2",),
        known_as=("quirk 1",),
        module=RECLAMATION,
        original="    kept = kept_layers(node, ended.victims)\n",
        faulty=(
            "    ended = _ContainerStep((), (), at_first) if is_short(ended.deficits) else ended\n"
            "    kept = kept_layers(node, ended.victims)\n"
        ),
    ),
    Fault(
        name="spares-wanted-containers",
        story="An idle container is not ended while some pending invocation could reuse it.",
        clauses=("RECL-4",),
        known_as=("quirk 9",),
        module=RECLAMATION,
        original="    candidates = idle_candidates(node)\n",
        faulty=(
            "    wanted = {invocation.function.name for invocation in state.worklist}\n"
            "    candidates = tuple(each for each in idle_candidates(node) if each.function.name not in wanted)\n"
        ),
    ),
    Fault(
        name="credits-a-whole-image",
        story="Ending a container is credited with the RAM of its layers, which stay for others.",
        clauses=("RECL-7", "ACCT-9"),
        known_as=("B15",),
        unsafe=True,
        module=RECLAMATION,
        original="freed_ram = sum(function.ram_bytes for function in ended)",
        faulty=("freed_ram = sum(each.ram_bytes for function in ended for each in (function, *function.image.layers))"),
    ),
    Fault(
        name="disk-before-ram",
        story="Layers on disk are evicted first, and the RAM that goes with them counts before victims in RAM are chosen.",
        clauses=("RECL-2",),
        known_as=("quirk 5",),
        module=RECLAMATION,
        original=(
            "    from_ram = _ram_step(state, node, ended.deficits, kept, function, policy)\n"
            "    from_disk = _disk_step(state, node, from_ram.deficits, kept, function, policy, from_ram.victims)\n"
        ),
        faulty=(
            "    from_disk = _disk_step(state, node, ended.deficits, kept, function, policy, ())\n"
            "    gone = kept | frozenset(from_disk.victims)\n"
            "    from_ram = _ram_step(state, node, from_disk.deficits, gone, function, policy)\n"
            "    from_disk = from_disk._replace(deficits=from_ram.deficits)\n"
        ),
    ),
    Fault(
        name="evicts-what-containers-use",
        story="Layers in use by the containers that stay are evicted under them.",
        clauses=("RECL-5", "RECL-6"),
        known_as=("B15",),
        unsafe=True,
        module=RECLAMATION,
        original="return node.protected | kept | {layer.name for layer in function.image.layers}",
        faulty="return node.protected | {layer.name for layer in function.image.layers}",
    ),
    Fault(
        name="evicts-protected-layers",
        story="What an earlier plan of this round relies on is evicted for a later invocation.",
        clauses=("ACCT-7", "RECL-5", "RECL-6"),
        known_as=("B14",),
        unsafe=True,
        module=RECLAMATION,
        original="return node.protected | kept | {layer.name for layer in function.image.layers}",
        faulty="return frozenset(layer.name for layer in function.image.layers)",
    ),
    Fault(
        name="evicts-required-layers",
        story="Room for an invocation is made by evicting a layer that it needs.",
        clauses=("RECL-5", "RECL-6"),
        unsafe=True,
        module=RECLAMATION,
        original="return node.protected | kept | {layer.name for layer in function.image.layers}",
        faulty="return node.protected | kept",
    ),
    Fault(
        name="starting-containers-use-nothing",
        story="The layers of a container that is being started count as unused.",
        clauses=("RECL-5",),
        known_as=("AMB-4",),
        unsafe=True,
        module=RECLAMATION,
        original="for each in node.containers if each.container.id not in ended]",
        faulty='for each in node.containers if each.container.id not in ended and each.container.status.value == "ready"]',
    ),
    Fault(
        name="weightless-ram-victims",
        story="Layers without a footprint in RAM are offered as victims there.",
        clauses=("RECL-5",),
        known_as=("quirk 10",),
        unsafe=True,
        module=RECLAMATION,
        original="resident.layer.ram_bytes > 0",
        faulty="resident.layer.ram_bytes >= 0",
    ),
    Fault(
        name="weightless-disk-victims",
        story="Layers without a footprint on disk are offered as victims there.",
        clauses=("RECL-6",),
        known_as=("quirk 10",),
        unsafe=True,
        module=RECLAMATION,
        original="        and resident.layer.disk_bytes > 0\n",
        faulty="",
    ),
    Fault(
        name="weightless-companions-stay",
        story="A disk victim without a footprint in RAM stays there, resident in RAM but not on disk.",
        clauses=("RECL-6",),
        known_as=("quirk 10",),
        unsafe=True,
        module=RECLAMATION,
        original="for name in from_disk if name in node.resident_in_ram and name not in from_ram)",
        faulty=(
            "for name in from_disk if name in node.resident_in_ram and name not in from_ram and any("
            "resident.layer.name == name and resident.layer.ram_bytes > 0 for resident in node.observed.ram_layers))"
        ),
    ),
    Fault(
        name="companions-stay",
        story="A layer that is evicted from disk stays in RAM.",
        clauses=("RECL-6",),
        unsafe=True,
        module=RECLAMATION,
        original="for name in from_disk if name in node.resident_in_ram and name not in from_ram)",
        faulty="for name in from_disk if name not in from_disk)",
    ),
    Fault(
        name="companions-go-twice",
        story="A layer chosen both in RAM and on disk is evicted from RAM twice, and its bytes are credited twice.",
        clauses=("RECL-6", "RECL-8", "EXEC-2"),
        unsafe=True,
        module=RECLAMATION,
        original="if name in node.resident_in_ram and name not in from_ram)",
        faulty="if name in node.resident_in_ram)",
    ),
    Fault(
        name="reads-dates-on-disk",
        story="Victims in RAM are ranked by when their copies on disk were last used.",
        clauses=("POL-lru",),
        module=RECLAMATION,
        original="        for resident in node.observed.ram_layers\n",
        faulty="        for resident in node.observed.disk_layers\n",
    ),
)
