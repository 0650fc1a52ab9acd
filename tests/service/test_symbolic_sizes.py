"""The service computes with sizes and compares them, and does nothing else with them, so that proofs can run it on symbols."""

from typing import Any, NoReturn

from hypothesis import given
from hypothesis import strategies as st

from gaugeblock.model import Catalog, Image, Layer, Opening, ResidentLayer, ServiceState, Step, replace
from gaugeblock.scheduler import scheduler_from
from gaugeblock.service import GivenDecisions, step
from gaugeblock.strategies.seeded_histories import drive


class Shy:
    """A size that can be added, subtracted and compared for order; to hash, print, test or equate it is an error."""

    def __init__(self, number: int) -> None:
        """Stand for ``number``."""
        self.number = number

    def __add__(self, other: Any) -> "Shy":
        return Shy(self.number + plain(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> "Shy":
        return Shy(self.number - plain(other))

    def __lt__(self, other: Any) -> bool:
        return self.number < plain(other)

    def __le__(self, other: Any) -> bool:
        return self.number <= plain(other)

    def __gt__(self, other: Any) -> bool:
        return self.number > plain(other)

    def __ge__(self, other: Any) -> bool:
        return self.number >= plain(other)

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("a size was hashed, printed, tested for truth or for equality")

    __eq__ = __hash__ = __bool__ = __repr__ = __format__ = __index__ = _refuse


def plain(value: Any) -> int:
    """Return the number that a size stands for."""
    number: int = value.number if isinstance(value, Shy) else value
    return number


def shy_opening(opening: Opening) -> ServiceState:
    """Return the first state of an opening, with shy sizes."""
    shy: Any = Shy
    known = opening.catalog
    layers = {each.name: Layer(each.name, shy(each.disk_bytes), shy(each.ram_bytes)) for each in known.layers}
    images = {each.name: Image(each.name, tuple(layers[layer.name] for layer in each.layers)) for each in known.images}
    functions = tuple(
        replace(each, image=images[each.image.name], ram_bytes=shy(each.ram_bytes), disk_bytes=shy(each.disk_bytes))
        for each in known.functions
    )
    nodes = tuple(
        replace(
            node,
            ram_bytes=shy(node.ram_bytes),
            disk_bytes=shy(node.disk_bytes),
            disk_layers=tuple(ResidentLayer(layers[each.layer.name], each.last_access) for each in node.disk_layers),
        )
        for node in opening.nodes
    )
    return ServiceState(opening.now, Catalog(tuple(layers.values()), tuple(images.values()), functions), nodes)


@given(st.integers(0, 10**6))
def test_the_service_runs_on_sizes_that_can_only_be_added_and_compared(seed: int) -> None:
    """SERV-5: with the same answers, every operation meets the same fate as with integers."""
    state = None
    for opening, happening, _, result in drive(seed, 40, step, scheduler_from, foreign_percent=50):
        state = shy_opening(opening) if state is None else state
        if isinstance(result, Step):
            shy = step(state, happening.event, GivenDecisions(result.decisions), opening.settings)
            assert [each.refusal for each in shy.outcomes] == [each.refusal for each in result.outcomes]
            state = shy.state
