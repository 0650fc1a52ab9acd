"""Faults of the working state: what it starts from, and what a chosen plan does to it."""

from gaugeblock.miniatures.fault import Fault

ACCOUNTING = "gaugeblock.round.accounting"
INITIAL = "gaugeblock.round.initial"

FAULTS = (
    Fault(
        name="starting-containers-weigh-nothing",
        story="The RAM of containers that are still being started is taken for free.",
        clauses=("ROUND-1", "ACCT-9"),
        known_as=("B01",),
        unsafe=True,
        module=INITIAL,
        original="        ram_available=node.ram_available,\n",
        faulty=(
            "        ram_available=node.ram_available"
            ' + sum(each.function.ram_bytes for each in node.containers if each.status.value == "starting"),\n'
        ),
    ),
    Fault(
        name="loads-weigh-nothing",
        story="The RAM reserved for layers that are being loaded is taken for free.",
        clauses=("ROUND-1", "ACCT-9"),
        known_as=("B01",),
        unsafe=True,
        module=INITIAL,
        original="        ram_available=node.ram_available,\n",
        faulty="        ram_available=node.ram_available + sum(layer.ram_bytes for layer in node.loading),\n",
    ),
    Fault(
        name="copies-weigh-nothing",
        story="The disk reserved for layers that are being copied is taken for free.",
        clauses=("ROUND-1", "ACCT-9"),
        known_as=("B01",),
        unsafe=True,
        module=INITIAL,
        original="        disk_available=node.disk_available,\n",
        faulty="        disk_available=node.disk_available + sum(layer.disk_bytes for layer in node.copying),\n",
    ),
    Fault(
        name="starting-containers-take-no-position",
        story="Only ready containers are counted against the positions of a node.",
        clauses=("ROUND-1", "ACCT-9"),
        known_as=("B01",),
        unsafe=True,
        module=INITIAL,
        original="        positions_available=node.positions_available,\n",
        faulty=(
            "        positions_available=node.positions_available"
            ' + len([each for each in node.containers if each.status.value == "starting"]),\n'
        ),
    ),
    Fault(
        name="in-progress-unprotected",
        story="A layer that is being loaded is evicted from the disk that it is loaded from.",
        clauses=("ROUND-1", "RECL-6"),
        unsafe=True,
        module=INITIAL,
        original="        protected=loading | copying,\n",
        faulty="        protected=frozenset(),\n",
    ),
    Fault(
        name="reuse-takes-no-slot",
        story="A reused container takes no invocation capacity from its node.",
        clauses=("ACCT-1",),
        unsafe=True,
        module=ACCOUNTING,
        original="return use(replace(node, containers=containers), invocations=1)",
        faulty="return use(replace(node, containers=containers), invocations=0)",
    ),
    Fault(
        name="cold-dispatch-takes-no-slot",
        story="A new container's invocation takes no invocation capacity from its node.",
        clauses=("ACCT-2",),
        unsafe=True,
        module=ACCOUNTING,
        original="disk=function.disk_bytes, invocations=1, positions=1)",
        faulty="disk=function.disk_bytes, invocations=0, positions=1)",
    ),
    Fault(
        name="cold-dispatch-takes-no-position",
        story="A new container takes no position from its node.",
        clauses=("ACCT-2",),
        unsafe=True,
        module=ACCOUNTING,
        original="disk=function.disk_bytes, invocations=1, positions=1)",
        faulty="disk=function.disk_bytes, invocations=1, positions=0)",
    ),
    Fault(
        name="ended-container-gives-slot",
        story="Ending an idle container is credited with invocation capacity, which it never held.",
        clauses=("ACCT-3", "ACCT-9"),
        known_as=("B03",),
        unsafe=True,
        module=ACCOUNTING,
        original="disk=0 - ended.disk_bytes, positions=-1)",
        faulty="disk=0 - ended.disk_bytes, positions=-1, invocations=-1)",
    ),
    Fault(
        name="ends-container-twice",
        story="An ended container stays in the collection, and is ended again for the next invocation.",
        clauses=("ACCT-3", "RECL-4"),
        known_as=("B03",),
        unsafe=True,
        module=ACCOUNTING,
        original="containers=tuple(each for each in node.containers if each.container.id != container))",
        faulty="containers=node.containers)",
    ),
    Fault(
        name="reused-container-still-idle",
        story="A container chosen for reuse is ended in the same round to make room for another invocation.",
        clauses=("ACCT-1", "RECL-4", "EXEC-1"),
        known_as=("AMB-3",),
        unsafe=True,
        module=ACCOUNTING,
        original="chosen_for_reuse=True)",
        faulty="chosen_for_reuse=False)",
    ),
    Fault(
        name="load-takes-a-slot",
        story="A node that starts a load loses invocation capacity, as in older revisions of the scheduler.",
        clauses=("ACCT-5",),
        module=ACCOUNTING,
        original="            node = begin_load(node, layer)\n",
        faulty="            node = begin_load(use(node, invocations=1), layer)\n",
    ),
    Fault(
        name="wait-takes-a-slot",
        story="A node that is waited for loses invocation capacity, as in older revisions of the scheduler.",
        clauses=("ACCT-6",),
        module=ACCOUNTING,
        original="    return protect(node, invocation.function)\n",
        faulty=(
            "    waits = plan.placement_pass in (PlacementPass.WAIT_FOR_RAM, PlacementPass.WAIT_FOR_DISK)\n"
            "    return protect(use(node, invocations=1) if waits else node, invocation.function)\n"
        ),
    ),
    Fault(
        name="wait-does-not-protect",
        story="What an invocation waits with is evicted for a later one, and its wait was for nothing.",
        clauses=("ACCT-7",),
        known_as=("quirk 6",),
        module=ACCOUNTING,
        original="    return protect(node, invocation.function)\n",
        faulty=(
            "    waits = plan.placement_pass in (PlacementPass.WAIT_FOR_RAM, PlacementPass.WAIT_FOR_DISK)\n"
            "    return node if waits else protect(node, invocation.function)\n"
        ),
    ),
    Fault(
        name="protects-only-what-moves",
        story="A load protects the layers that it moves, but not those of the same image that are there already.",
        clauses=("ACCT-7",),
        known_as=("B14",),
        unsafe=True,
        module=ACCOUNTING,
        original="    return protect(node, invocation.function)\n",
        faulty=(
            "    if plan.placement_pass in (PlacementPass.RAM_LOAD, PlacementPass.DISK_COPY):\n"
            "        return replace(node, protected=node.protected | frozenset(plan.layers))\n"
            "    return protect(node, invocation.function)\n"
        ),
    ),
    Fault(
        name="load-reserves-nothing",
        story="The RAM that a load of this round will take is given away again.",
        clauses=("ACCT-5",),
        unsafe=True,
        module=ACCOUNTING,
        original="return use(replace(node, loading=node.loading | {layer.name}), ram=layer.ram_bytes)",
        faulty="return use(replace(node, loading=node.loading | {layer.name}), ram=0)",
    ),
    Fault(
        name="copy-reserves-nothing",
        story="The disk that a copy of this round will take is given away again.",
        clauses=("ACCT-5",),
        unsafe=True,
        module=ACCOUNTING,
        original="return use(replace(node, copying=node.copying | {layer.name}), disk=layer.disk_bytes)",
        faulty="return use(replace(node, copying=node.copying | {layer.name}), disk=0)",
    ),
    Fault(
        name="evicted-layer-still-there",
        story="A layer that this round evicts from RAM still counts as resident there for later invocations.",
        clauses=("ACCT-4",),
        known_as=("quirk 4",),
        unsafe=True,
        module=ACCOUNTING,
        original="    node = replace(node, resident_in_ram=node.resident_in_ram - {layer.name})\n",
        faulty="",
    ),
    Fault(
        name="load-is-at-once",
        story="A layer whose load is only planned counts as resident, and a container is started on it in the same round.",
        clauses=("ACCT-5", "EXEC-3"),
        unsafe=True,
        module=ACCOUNTING,
        original="return use(replace(node, loading=node.loading | {layer.name}), ram=layer.ram_bytes)",
        faulty="return use(replace(node, resident_in_ram=node.resident_in_ram | {layer.name}), ram=layer.ram_bytes)",
    ),
)
