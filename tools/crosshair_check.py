"""Puts a few contracts of plain shipped functions to CrossHair, which shares Z3 with the prover here and nothing else.

    pip install -e '.[crosshair]'
    python tools/crosshair_check.py [--seconds N]

Each contract is a function of integers that asserts: first what it assumes, then what holds of the shipped function's answer.
One of them is false on purpose. Exit status: 0 if CrossHair confirms every true contract over all paths and refutes the false
one, 1 if not, 2 if CrossHair is not installed.
"""

import argparse
import importlib
import importlib.metadata
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

from gaugeblock.model import Deficits, Layer, LayerName, Need, Value, WorkingNode
from gaugeblock.policies.builtin.eviction import Entry, fewest
from gaugeblock.round.accounting import begin_load
from gaugeblock.round.reclamation import deficits_for, reduced


def deficits_are_what_is_missing(ram: int, disk: int, positions: int, has_ram: int, has_disk: int, has_positions: int) -> None:
    """RECL-1: any integers."""
    assert True  # nothing is assumed
    node: Any = SimpleNamespace(ram_available=has_ram, disk_available=has_disk, positions_available=has_positions)
    found = deficits_for(Need(ram, disk, positions), node)
    assert found.ram_bytes == (ram - has_ram if ram > has_ram else 0)
    assert found.disk_bytes == (disk - has_disk if disk > has_disk else 0)
    assert found.positions == (positions - has_positions if positions > has_positions else 0)


def freeing_reduces_deficits(ram: int, disk: int, positions: int, more_ram: int, more_disk: int, more_positions: int) -> None:
    """RECL-7: any deficits, and any amounts freed, in two portions or at once."""
    assert min(ram, disk, positions, more_ram, more_disk, more_positions) >= 0
    at_once = reduced(Deficits(ram, disk, positions), more_ram + 1, more_disk + 1, more_positions + 1)
    found = reduced(reduced(Deficits(ram, disk, positions), more_ram, more_disk, more_positions), 1, 1, 1)
    assert found == at_once
    assert at_once.ram_bytes == (ram - more_ram - 1 if ram > more_ram + 1 else 0)
    assert min(at_once.ram_bytes, at_once.disk_bytes, at_once.positions) >= 0


def fewest_frees_enough_or_everything(first: int, second: int, third: int, missing: int) -> None:
    """POL-fewest: three entries of any RAM sizes and any RAM deficit; and no victim too many."""
    assert min(first, second, third, missing) >= 0
    sizes = (first, second, third)
    victims = fewest(
        [Entry(LayerName(str(place)), size, 0, 0, 0.0) for place, size in enumerate(sizes)], Deficits(missing, 0, 0)
    )
    freed = [sizes[int(name)] for name in victims]
    assert len(set(victims)) == len(victims)
    assert sum(freed) >= missing or len(victims) == len(sizes)
    assert not victims or sum(freed[:-1]) < missing


def a_load_takes_ram_alone(ram: int, disk: int, invocations: int, positions: int, layer_disk: int, layer_ram: int) -> None:
    """ACCT-5: any counters, any footprints."""
    assert True  # nothing is assumed
    rest: dict[str, Any] = {name: object() for name in WorkingNode.__struct_fields__}
    counters = {
        "ram_available": ram,
        "disk_available": disk,
        "invocations_available": invocations,
        "positions_available": positions,
    }
    before = WorkingNode(**{**rest, **counters, "loading": frozenset({"other"})})
    after = begin_load(before, Layer(LayerName("layer"), layer_disk, layer_ram))
    assert after.ram_available == ram - layer_ram
    assert (after.disk_available, after.invocations_available, after.positions_available) == (disk, invocations, positions)
    assert after.loading == {"other", "layer"}
    assert all(getattr(after, name) is value for name, value in rest.items() if name not in (*counters, "loading"))


def fewest_takes_the_fewest(ram: int, disk: int, more_ram: int, more_disk: int) -> None:
    """False on purpose (AMB-11): with RAM and disk short, two victims would sometimes do where it takes three."""
    assert min(ram, disk, more_ram, more_disk) >= 0
    sizes = ((ram, disk), (more_ram, more_disk), (1, 0))
    entries = [Entry(LayerName(str(place)), *size, 0, 0.0) for place, size in enumerate(sizes)]
    victims = fewest(entries, Deficits(1, 2, 0))
    two_would_do = ram + more_ram >= 1 and disk + more_disk >= 2
    assert not two_would_do or len(victims) <= 2


class Contract(NamedTuple):
    """A contract, and whether it holds."""

    function: Callable[..., None]
    holds: bool


CONTRACTS = (
    Contract(deficits_are_what_is_missing, True),
    Contract(freeing_reduces_deficits, True),
    Contract(fewest_frees_enough_or_everything, True),
    Contract(a_load_takes_ram_alone, True),
    Contract(fewest_takes_the_fewest, False),
)


def main() -> int:
    """Check each contract and print what came of it; return the exit status."""
    parser = argparse.ArgumentParser(description="Cross-check a few results with CrossHair.")
    parser.add_argument("--seconds", type=float, default=60.0, help="the most that one contract may take (default: 60)")
    seconds = parser.parse_args().seconds
    try:
        version = importlib.metadata.version("crosshair-tool")
    except importlib.metadata.PackageNotFoundError:
        print("crosshair_check: found no CrossHair; expected it installed: pip install -e '.[crosshair]'", file=sys.stderr)
        return 2
    print(f"CrossHair {version}")
    _let_values_be_made()
    as_stated = [_check(contract, seconds) for contract in CONTRACTS]
    return 0 if all(as_stated) else 1


def _let_values_be_made() -> None:
    """Have CrossHair call the types of values as they are: it takes construction apart, which msgspec does not let it."""
    enforce: Any = importlib.import_module("crosshair.enforce")
    taken_apart = enforce.manual_constructor
    enforce.manual_constructor = lambda made: made if issubclass(made, Value) else taken_apart(made)


def _check(contract: Contract, seconds: float) -> bool:
    """Return whether CrossHair comes to what is stated; anything less than a confirmation is none."""
    core, options = (importlib.import_module(f"crosshair.{name}") for name in ("core_and_libs", "options"))
    chosen = options.AnalysisOptionSet(
        analysis_kind=[options.AnalysisKind.asserts], per_condition_timeout=seconds, per_path_timeout=seconds, report_all=True
    )
    messages = core.run_checkables(core.analyze_function(contract.function, chosen))
    states = [message.state.name for message in messages]
    refuted = states == ["EXEC_ERR"] and messages[0].message.startswith("AssertionError")
    as_stated = states == ["CONFIRMED"] if contract.holds else refuted
    name = f"{contract.function.__name__} ({'true' if contract.holds else 'false'})"
    print(f"{'as stated' if as_stated else 'NOT AS STATED'}: {name}")
    for message in messages:
        print(f"    {message.message}")
    return as_stated


if __name__ == "__main__":
    sys.exit(main())
