"""What the induction over placements keeps: each condition can fail."""

from __future__ import annotations

from typing import Any

import pytest

from gaugeblock.model import (
    Container,
    ContainerId,
    ContainerStatus,
    Function,
    FunctionName,
    Image,
    ImageName,
    Layer,
    LayerName,
    Node,
    NodeName,
    NodeStatus,
    ResidentLayer,
    WorkingContainer,
    WorkingNode,
    replace,
)
from gaugeblock.round.initial import working_node
from gaugeblock_proofs.conservation import World
from gaugeblock_proofs.soundness import Soundness, counts, is_served, is_well_placed, not_negative

A, B = (Layer(LayerName(name), 2, 1) for name in ("a", "b"))
RESIDENT = ResidentLayer(A, 0.0)
USER = Function(FunctionName("f"), Image(ImageName("i"), (A,)), 1, 1, 1)
HELD = Container(ContainerId(0), USER, ContainerStatus.READY, 0, 0.0)
OBSERVED = Node(NodeName("n"), NodeStatus.ACTIVATED, 9, 9, 1, 2, (RESIDENT,), (RESIDENT,), (B,), (), (HELD,))
SOUND = working_node(OBSERVED)
NAME_A, NAME_B = frozenset({A.name}), frozenset({B.name})


def test_a_fresh_node_is_sound() -> None:
    """ACCT-9: the beginning of the induction."""
    assert is_well_placed(SOUND)
    assert is_served(SOUND)
    assert not_negative(SOUND)
    assert counts(Soundness(World((A, B), (USER,), SOUND), USER), SOUND)


@pytest.mark.parametrize(
    "change",
    [
        {"resident_on_disk": frozenset()},
        {"loading": NAME_B, "copying": frozenset()},
        {"loading": NAME_A, "protected": NAME_A | NAME_B},
        {"resident_on_disk": NAME_A | NAME_B},
        {"protected": frozenset()},
        {"observed": replace(OBSERVED, ram_layers=())},
        {"observed": replace(OBSERVED, disk_layers=())},
    ],
    ids=range(7),
)
def test_a_layer_out_of_place_is_noticed(change: dict[str, Any]) -> None:
    """ACCT-5, ACCT-7: in RAM and not on disk, in two places, in progress and not protected, or never observed."""
    assert not is_well_placed(replace(SOUND, **change))


@pytest.mark.parametrize(
    "change",
    [{"resident_in_ram": frozenset()}, {"containers": (), "planned": (USER,)}],
    ids=("of a container", "of a planned one that is not protected"),
)
def test_a_need_that_is_not_served_is_noticed(change: dict[str, Any]) -> None:
    """ACCT-7, RECL-5: evicted under a container, or open to eviction before a planned one starts."""
    assert not is_served(replace(SOUND, **change))


@pytest.mark.parametrize("name", ["ram_available", "disk_available", "invocations_available", "positions_available"])
def test_a_counter_below_zero_or_out_of_step_is_noticed(name: str) -> None:
    """ACCT-9: of each of the four."""
    wrong: WorkingNode = replace(SOUND, **{name: -1})
    assert not not_negative(wrong)
    assert not counts(Soundness(World((A, B), (USER,), SOUND), USER), wrong)


def test_the_room_of_a_container_counts() -> None:
    """ACCT-1, ACCT-9."""
    assert not not_negative(replace(SOUND, containers=(WorkingContainer(HELD, -1),)))
