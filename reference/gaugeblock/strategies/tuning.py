"""How generated rounds are tuned: limits of counts and sizes, and how often the awkward things occur."""

from gaugeblock.model import Value


class Tuning(Value, frozen=True):
    """What generated rounds look like. Counts and sizes are inclusive limits; a ``*_percent`` is a chance from 0 to 100.

    ``ram_slack`` and ``disk_slack`` are the most bytes that a node has free: the less, the more often room must be made.
    ``image_percent`` is the chance that an image takes a given layer, so that high values make images share layers.
    ``transfer_percent`` is the chance that a layer that could be on its way to a node is. ``ages`` is how many different
    dates there are before now: with few of them dates are tied. ``full_percent`` is the chance that no node of a round has
    invocation capacity left, ``quiet_percent`` that nothing is pending, ``busy_percent`` that a container holds invocations.
    ``zero_percent`` adds to the zero sizes that come up anyway.
    """

    fewest_nodes: int = 1
    most_nodes: int = 4
    most_layers: int = 6
    most_images: int = 4
    most_functions: int = 4
    most_containers: int = 3
    most_pending: int = 6
    largest_layer: int = 6
    largest_private: int = 5
    ram_slack: int = 4
    disk_slack: int = 4
    invocation_slack: int = 4
    position_slack: int = 2
    most_shared: int = 3
    shared_percent: int = 30
    image_percent: int = 45
    transfer_percent: int = 25
    inactive_percent: int = 15
    full_percent: int = 8
    quiet_percent: int = 6
    busy_percent: int = 45
    zero_percent: int = 0
    ages: int = 6
    foreign_name_percent: int = 15


MIXED = Tuning()
"""A little of everything: the default."""

TIGHT_RAM = Tuning(ram_slack=2, disk_slack=30)
"""RAM is what is missing."""

TIGHT_DISK = Tuning(ram_slack=30, disk_slack=2, image_percent=30)
"""Disk is what is missing."""

TIGHT = Tuning(ram_slack=2, disk_slack=2)
"""Almost every plan must make room for itself."""

SHARED_LAYERS = Tuning(image_percent=80, most_layers=5, ram_slack=3, disk_slack=3)
"""Images have most of their layers in common."""

TRANSFERS = Tuning(transfer_percent=70, most_containers=1, most_layers=5)
"""Many layers are on their way, so that many invocations wait."""

CROWDED = Tuning(shared_percent=80, position_slack=1, invocation_slack=1, most_containers=6, full_percent=15)
"""Containers hold several invocations; positions and invocation capacity are scarce."""

IDLE_CONTAINERS = Tuning(
    most_nodes=2,
    most_layers=3,
    most_functions=6,
    most_containers=8,
    largest_private=12,
    ram_slack=1,
    disk_slack=1,
    busy_percent=8,
    inactive_percent=5,
    position_slack=1,
)
"""Many idle containers of many sizes to choose victims from."""

RESTING = Tuning(most_pending=2, quiet_percent=50, busy_percent=15, transfer_percent=5, inactive_percent=35, full_percent=20)
"""Little is pending and nodes come and go: scaling, prewarming and wake-ups."""

TIED = Tuning(ages=1, zero_percent=30, largest_layer=2, largest_private=2, ram_slack=3, disk_slack=3)
"""Nearly all dates and sizes are equal: what is left to the order of names, ids and creation."""

LARGE = Tuning(most_nodes=12, most_layers=12, most_functions=8, most_containers=8, most_pending=24, ages=20)
"""Larger rounds, for bulk work rather than for reading."""

ALL_TUNINGS = (MIXED, TIGHT_RAM, TIGHT_DISK, TIGHT, SHARED_LAYERS, TRANSFERS, CROWDED, IDLE_CONTAINERS, RESTING, TIED, LARGE)
"""Every ready-made tuning."""
