"""The yardstick: a plain prototype of one round with dictionaries and sets, scanning every node for every invocation.

It is no part of gaugeblock. Its time on the machine at hand tells how that machine compares with the one on which the C++
scheduler was timed, since the same kind of prototype was timed there too. It knows FCFS, fewest, lru and eviction-averse.
"""

from gaugeblock.model import Layer, Node, ObservedState


class Plain:
    """A node as dictionaries."""

    def __init__(self, node: Node) -> None:
        self.name = node.name
        self.ram, self.disk = node.ram_available, node.disk_available
        self.invocations, self.positions = node.invocations_available, node.positions_available
        self.in_ram = {each.layer.name: each for each in node.ram_layers}
        self.on_disk = {each.layer.name: each for each in node.disk_layers}
        self.loading = {layer.name for layer in node.loading}
        self.copying = {layer.name for layer in node.copying}
        self.containers = {each.id: each for each in node.containers}
        self.rooms = {
            each.id: each.function.max_invocations_per_container - each.in_flight
            for each in node.containers
            if each.status.value == "ready"
        }
        self.busy = {each.id for each in node.containers if not each.is_idle}
        self.protected = self.loading | self.copying


def pick(candidates, deficits, weights, age, lru):
    """Pick victims: ``weights`` gives a candidate's (ram, disk, positions)."""
    key = 0 if deficits[0] > 0 else 1
    order = sorted(candidates, key=age if lru else lambda each: weights(each)[key])
    left, chosen = list(deficits), []
    while order and max(left) > 0:
        index = 0
        if not lru:
            covering = [i for i, each in enumerate(order) if all(w >= d for w, d in zip(weights(each), left, strict=True))]
            index = covering[0] if covering else len(order) - 1
        each = order.pop(index)
        chosen.append(each)
        left = [d - w for d, w in zip(left, weights(each), strict=True)]
    return chosen, left


def reclaim(node, ram, disk, positions, required, lru):
    """Return (terminations, RAM evictions, disk evictions), or None."""
    left = [max(0, ram - node.ram), max(0, disk - node.disk), max(0, positions - node.positions)]
    ended, from_ram, from_disk = [], [], []
    if max(left) > 0:
        idle = [each for each in node.containers.values() if each.id not in node.busy]
        ended, left = pick(
            idle, left, lambda each: (each.function.ram_bytes, each.function.disk_bytes, 1), lambda each: each.last_used, lru
        )
    if max(left) <= 0:
        return ended, [], []
    gone = {each.id for each in ended}
    used = {layer.name for each in node.containers.values() if each.id not in gone for layer in each.function.image.layers}
    spared = used | node.protected | required
    if left[0] > 0:
        free = [each for each in node.in_ram.values() if each.layer.ram_bytes > 0 and each.layer.name not in spared]
        from_ram, rest = pick(
            free, [left[0], 0, 0], lambda each: (each.layer.ram_bytes, 0, 0), lambda each: each.last_access, lru
        )
        left[0] = rest[0]
    if left[1] > 0:
        free = [each for each in node.on_disk.values() if each.layer.disk_bytes > 0 and each.layer.name not in spared]
        from_disk, rest = pick(
            free, [0, left[1], 0], lambda each: (0, each.layer.disk_bytes, 0), lambda each: each.last_access, lru
        )
        left[1] = rest[1]
        taken = {each.layer.name for each in from_ram}
        from_ram += [
            node.in_ram[each.layer.name]
            for each in from_disk
            if each.layer.name in node.in_ram and each.layer.name not in taken
        ]
    return None if max(left) > 0 else (ended, from_ram, from_disk)


def apply(node, freed):
    """Free the victims."""
    ended, from_ram, from_disk = freed
    for each in ended:
        node.containers.pop(each.id)
        node.rooms.pop(each.id, None)
        node.ram += each.function.ram_bytes
        node.disk += each.function.disk_bytes
        node.positions += 1
    for each in from_ram:
        node.in_ram.pop(each.layer.name)
        node.ram += each.layer.ram_bytes
    for each in from_disk:
        node.on_disk.pop(each.layer.name)
        node.disk += each.layer.disk_bytes


def choose(alternatives):
    """Pick the least rank, then the smallest name."""
    return min(
        alternatives,
        key=lambda each: (len(each[1][2]), len(each[1][1]), len(each[1][0]), each[2], each[0].name),
    )


def place(nodes, invocation, lru):
    """Place one invocation and return what it came to."""
    function = invocation.function
    layers: tuple[Layer, ...] = function.image.layers
    required = {layer.name for layer in layers}
    open_nodes = [node for node in nodes if node.invocations > 0]
    for node in open_nodes:
        for container in node.containers.values():
            if container.function.name == function.name and node.rooms.get(container.id, 0) > 0:
                node.rooms[container.id] -= 1
                node.invocations -= 1
                node.busy.add(container.id)
                node.protected |= required
                return "reuse"
    found = []
    for node in open_nodes:
        if required <= node.in_ram.keys():
            freed = reclaim(node, function.ram_bytes, function.disk_bytes, 1, required, lru)
            if freed is not None:
                found.append((node, freed, 0))
    if found:
        node, freed, _ = choose(found)
        apply(node, freed)
        node.ram -= function.ram_bytes
        node.disk -= function.disk_bytes
        node.positions -= 1
        node.invocations -= 1
        node.protected |= required
        return "cold"
    for there, under_way, size, kept in (
        ("in_ram", "loading", "ram_bytes", "on_disk"),
        ("on_disk", "copying", "disk_bytes", None),
    ):
        for node in open_nodes:
            missing = [layer for layer in layers if layer.name not in getattr(node, there)]
            if missing and all(layer.name in getattr(node, under_way) for layer in missing):
                node.protected |= required
                return "wait"
        found = []
        for node in open_nodes:
            if kept is not None and not required <= node.on_disk.keys():
                continue
            have, coming = getattr(node, there), getattr(node, under_way)
            missing = [layer for layer in layers if layer.name not in have and layer.name not in coming]
            if missing:
                need = sum(getattr(layer, size) for layer in missing)
                ram, disk = (need, 0) if size == "ram_bytes" else (0, need)
                freed = reclaim(node, ram, disk, 0, required, lru)
                if freed is not None:
                    found.append((node, freed, len(missing)))
        if found:
            node, freed, _ = choose(found)
            apply(node, freed)
            for layer in layers:
                if layer.name not in getattr(node, there) and layer.name not in getattr(node, under_way):
                    getattr(node, under_way).add(layer.name)
                    if size == "ram_bytes":
                        node.ram -= layer.ram_bytes
                    else:
                        node.disk -= layer.disk_bytes
            node.protected |= required
            return "transfer"
    return "nothing"


def decide_plainly(observed: ObservedState, *, lru: bool) -> list[str]:
    """Decide one round and return what each invocation came to."""
    nodes = [Plain(node) for node in observed.nodes]
    pending = sorted(observed.pending, key=lambda each: (each.submitted, each.id))
    return [place(nodes, invocation, lru) for invocation in pending]
