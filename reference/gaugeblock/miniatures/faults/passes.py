"""Faults of placement: which nodes, which pass, which layers."""

from gaugeblock.miniatures.fault import Fault

PLACEMENT = "gaugeblock.round.placement"

FAULTS = (
    Fault(
        name="works-on-activating-nodes",
        story="Nodes that are still being activated are given copies.",
        clauses=("ROUND-3", "PLACE-7"),
        known_as=("B19",),
        unsafe=True,
        module=PLACEMENT,
        original="node.observed.status is NodeStatus.ACTIVATED and not",
        faulty="node.observed.status in (NodeStatus.ACTIVATED, NodeStatus.ACTIVATING) and not",
    ),
    Fault(
        name="cold-before-reuse",
        story="A new container is started beside a ready one of the same function.",
        clauses=("PLACE-7", "POL-first-fit"),
        known_as=("B18",),
        module=PLACEMENT,
        original="(_reuse, _cold_dispatch, ",
        faulty="(_cold_dispatch, _reuse, ",
    ),
    Fault(
        name="waits-before-cold-dispatch",
        story="An invocation waits for a load on one node although another could start it now.",
        clauses=("PLACE-7",),
        module=PLACEMENT,
        original="_cold_dispatch, _wait_for_ram, ",
        faulty="_wait_for_ram, _cold_dispatch, ",
    ),
    Fault(
        name="loads-before-waiting",
        story="A load is started elsewhere although the layers are already on their way into RAM on one node.",
        clauses=("PLACE-7",),
        known_as=("quirk 8",),
        module=PLACEMENT,
        original="_wait_for_ram, _ram_load, ",
        faulty="_ram_load, _wait_for_ram, ",
    ),
    Fault(
        name="copies-before-waiting",
        story="A copy is started elsewhere although the layers are already being copied to one node.",
        clauses=("PLACE-7",),
        known_as=("quirk 8",),
        module=PLACEMENT,
        original="_wait_for_disk, _disk_copy)",
        faulty="_disk_copy, _wait_for_disk)",
    ),
    Fault(
        name="reuses-idle-only",
        story="A container with room beside the invocations that it holds is not reused.",
        clauses=("PLACE-1",),
        module=PLACEMENT,
        original="        and each.invocations_available > 0\n    )",
        faulty="        and each.is_idle\n    )",
    ),
    Fault(
        name="reuses-observed-room",
        story="A container's room is taken as observed, so that it is used twice where it has room once.",
        clauses=("PLACE-1", "ACCT-1"),
        known_as=("B18",),
        unsafe=True,
        module=PLACEMENT,
        original="        and each.invocations_available > 0\n    )",
        faulty="        and each.container.in_flight < each.container.function.max_invocations_per_container\n    )",
    ),
    Fault(
        name="reuses-starting",
        story="An invocation is sent to a container that is still being started.",
        clauses=("PLACE-1", "EXEC-3"),
        known_as=("AMB-10",),
        unsafe=True,
        module=PLACEMENT,
        original="        and each.container.status is ContainerStatus.READY\n",
        faulty="",
    ),
    Fault(
        name="reuses-by-image",
        story="A container of another function with the same image is taken for compatible.",
        clauses=("PLACE-1",),
        unsafe=True,
        module=PLACEMENT,
        original="each.container.function.name == invocation.function.name",
        faulty="each.container.function.image.name == invocation.function.image.name",
    ),
    Fault(
        name="waits-for-some",
        story="An invocation waits where only some of the missing layers are on their way, and nobody fetches the others.",
        clauses=("PLACE-3", "PLACE-5"),
        module=PLACEMENT,
        original="if missing and not not_in_progress:",
        faulty="if len(not_in_progress) < len(missing):",
    ),
    Fault(
        name="waits-by-name",
        story="Of two nodes that load the layers the first by name is waited for, so that the wrong one is protected.",
        clauses=("PLACE-3",),
        known_as=("quirk 7",),
        module=PLACEMENT,
        original="awaited = ((each.node, each.not_in_ram, each.not_even_loading) for each in request.nodes)",
        faulty=(
            "awaited = ((each.node, each.not_in_ram, each.not_even_loading)"
            " for each in sorted(request.nodes, key=lambda each: each.node.observed.name))"
        ),
    ),
    Fault(
        name="starts-while-loading",
        story="A container is started where its last layers are still on their way into RAM.",
        clauses=("PLACE-2", "EXEC-3"),
        unsafe=True,
        module=PLACEMENT,
        original="        if each.not_in_ram:\n",
        faulty="        if each.not_even_loading:\n",
    ),
    Fault(
        name="loads-what-is-not-on-disk",
        story="A layer is loaded into RAM from a disk that does not have it.",
        clauses=("PLACE-4",),
        unsafe=True,
        module=PLACEMENT,
        original="if each.not_on_disk or not layers:",
        faulty="if not layers:",
    ),
    Fault(
        name="loads-again",
        story="A layer that is already being loaded is loaded a second time, together with the missing one.",
        clauses=("PLACE-4",),
        known_as=("B17",),
        unsafe=True,
        module=PLACEMENT,
        original="        layers = each.not_even_loading\n",
        faulty="        layers = each.not_in_ram\n",
    ),
    Fault(
        name="copies-again",
        story="A layer that is already being copied is copied a second time, together with the missing one.",
        clauses=("PLACE-6",),
        known_as=("B17",),
        unsafe=True,
        module=PLACEMENT,
        original="        layers = each.not_even_copying\n",
        faulty="        layers = each.not_on_disk\n",
    ),
    Fault(
        name="never-loads-back",
        story="A layer that this round evicted from RAM is not loaded again for a later invocation.",
        clauses=("PLACE-4",),
        known_as=("quirk 4",),
        module=PLACEMENT,
        original="if each.not_on_disk or not layers:",
        faulty=(
            "if each.not_on_disk or not layers"
            " or any(resident.layer.name in layers for resident in each.node.observed.ram_layers):"
        ),
    ),
    Fault(
        name="never-copies-back",
        story="A layer that this round evicted from disk is not copied again for a later invocation.",
        clauses=("PLACE-6",),
        known_as=("quirk 4",),
        module=PLACEMENT,
        original="        layers = each.not_even_copying\n",
        faulty=(
            "        layers = each.not_even_copying\n"
            "        if any(resident.layer.name in layers for resident in each.node.observed.disk_layers):\n"
            "            layers = ()\n"
        ),
    ),
)
