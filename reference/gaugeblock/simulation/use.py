"""How much of everything is in use at one moment, over the whole cluster."""

from typing import Final

import msgspec

FIELDS: Final = ("ram_bytes", "disk_bytes", "containers", "pending", "running", "active_nodes")


class Use(msgspec.Struct, gc=False):
    """Bytes of RAM and disk taken, containers, pending and running invocations, activated nodes. Mutable."""

    ram_bytes: int = 0
    disk_bytes: int = 0
    containers: int = 0
    pending: int = 0
    running: int = 0
    active_nodes: int = 0

    def rise_to(self, other: "Use") -> None:
        """Raise every field that is less than the other's to it."""
        self.ram_bytes = max(self.ram_bytes, other.ram_bytes)
        self.disk_bytes = max(self.disk_bytes, other.disk_bytes)
        self.containers = max(self.containers, other.containers)
        self.pending = max(self.pending, other.pending)
        self.running = max(self.running, other.running)
        self.active_nodes = max(self.active_nodes, other.active_nodes)

    def copy(self) -> "Use":
        """Return another of the same amounts."""
        return Use(self.ram_bytes, self.disk_bytes, self.containers, self.pending, self.running, self.active_nodes)
