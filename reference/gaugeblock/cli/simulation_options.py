"""The options of ``gaugeblock simulate``, group by group, and the scenario that they describe."""

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import click

from gaugeblock.cli.errors import InvalidOption
from gaugeblock.cli.policies import with_options
from gaugeblock.cli.quantities import minutes, size
from gaugeblock.model import PolicyNames
from gaugeblock.simulation.costs import CostModel
from gaugeblock.simulation.scenarios import Cluster, Scenario, Workload
from gaugeblock.simulation.workloads.azure import Extras, azure
from gaugeblock.simulation.workloads.docker import read_images
from gaugeblock.simulation.workloads.lines import read_workload
from gaugeblock.simulation.workloads.synthetic import Shape, synthetic

Command = TypeVar("Command", bound=Callable[..., Any])
COSTS: Final = CostModel()
SHAPE: Final = Shape()

WORKLOAD: Final = (
    click.option("--workload", "workload_file", metavar="FILE", help="A workload of one's own, as JSON lines."),
    click.option("--azure", "azure_directory", metavar="DIR", help="A directory of Azure Functions 2019 tables."),
    click.option("--docker", "docker_directory", metavar="DIR", help="A directory of Docker layer tables."),
    click.option("--minutes", type=minutes, metavar="FIRST:LAST", default="540:599", help="Minutes of the day, with --azure."),
    click.option("--invocations", type=int, default=SHAPE.invocations, show_default=True, help="Synthetic: how many in all."),
    click.option("--functions", type=int, default=SHAPE.functions, show_default=True, help="Synthetic: different functions."),
    click.option("--rate", type=float, default=SHAPE.rate, show_default=True, help="Synthetic: invocations a second."),
    click.option("--concurrency", type=int, default=1, show_default=True, help="Invocations that a container may hold."),
    click.option("--function-disk", type=size, default="64MiB", show_default=True, help="Private disk, with --azure."),
    click.option("--seed", type=int, default=1, show_default=True, help="Of everything that is drawn."),
)
CLUSTER: Final = (
    click.option("--nodes", type=int, default=6, show_default=True, help="How many nodes."),
    click.option("--active", type=int, default=None, help="How many of them are activated at the start; all by default."),
    click.option("--ram", type=size, default="4GiB", show_default=True, help="RAM of a node."),
    click.option("--disk", type=size, default="2.5GiB", show_default=True, help="Disk of a node."),
    click.option("--max-invocations", type=int, default=8, show_default=True, help="Invocations that a node may hold."),
    click.option("--max-containers", type=int, default=8, show_default=True, help="Containers that a node may hold."),
)
DELAYS: Final = (
    click.option("--head-bandwidth", type=size, default="1.25GB", show_default=True, help="Copies: bytes a second, all nodes."),
    click.option("--node-bandwidth", type=size, default="250MB", show_default=True, help="Copies: bytes a second, each node."),
    click.option("--load-bandwidth", type=size, default="1GB", show_default=True, help="Loads: bytes a second, each node."),
    click.option("--transfer-latency", type=float, default=COSTS.transfer_latency, show_default=True, help="Each transfer, s."),
    click.option("--startup", type=float, default=COSTS.startup, show_default=True, help="To start a container, s."),
    click.option("--activation", type=float, default=COSTS.activation, show_default=True, help="To activate a node, s."),
    click.option("--deactivation", type=float, default=COSTS.deactivation, show_default=True, help="To deactivate one, s."),
    click.option("--idle-timeout", type=float, default=60.0, show_default=True, help="Until an idle container is ended, s."),
    click.option("--tail", type=float, default=600.0, show_default=True, help="Without work until a run is over, s."),
)


class Variant(NamedTuple):
    """One of the runs: what it is called beside the others, and its policies."""

    name: str
    policies: PolicyNames


def options(command: Command) -> Command:
    """Give a command the options that describe a scenario."""
    for decorate in reversed((*WORKLOAD, *CLUSTER, *DELAYS)):
        command = decorate(command)
    return command


def scenario_of(given: Mapping[str, Any]) -> Scenario:
    """Return the scenario that the options describe, with the default policies.

    Raises:
        InvalidOption: when options do not go together.
        InvalidScenario, InvalidTrace, UnreadableTrace, InvalidDocument: when the scenario or its workload is bad.
    """
    costs = CostModel(**{name: given[name] for name in CostModel.__struct_fields__})
    active = given["nodes"] if given["active"] is None else given["active"]
    cluster = Cluster(given["nodes"], active, given["ram"], given["disk"], given["max_invocations"], given["max_containers"])
    return Scenario(_workload(given), cluster, costs, given["idle_timeout"], PolicyNames(), given["tail"])


def variants_of(policy_options: tuple[str, ...], comparisons: tuple[str, ...]) -> tuple[Variant, ...]:
    """Return the runs to make: one, or one for each combination of the policies to compare.

    Raises:
        InvalidOption: when an option is not of its form, or a kind is compared twice.
    """
    base = with_options(PolicyNames(), policy_options)
    alternatives = [_alternatives(comparison) for comparison in comparisons]
    kinds = [each[0].partition("=")[0] for each in alternatives]
    if len(set(kinds)) < len(kinds):
        raise InvalidOption(f"--compare: found {', '.join(kinds)}; expected each kind once")
    chosen = product(*alternatives)
    return tuple(Variant(", ".join(each.partition("=")[2] for each in choice), with_options(base, choice)) for choice in chosen)


def _workload(given: Mapping[str, Any]) -> Workload:
    own, traces, images = given["workload_file"], given["azure_directory"], given["docker_directory"]
    if (traces is None) != (images is None):
        raise InvalidOption("--azure and --docker: found one of them; expected both, for the trace has no images")
    if own is not None and traces is not None:
        raise InvalidOption("--workload and --azure: found both; expected one workload")
    if own is not None:
        return read_workload(Path(own))
    shape = Shape(given["invocations"], given["functions"], given["rate"], given["concurrency"])
    if traces is None:
        return synthetic(shape, given["seed"])
    extras = Extras(given["function_disk"], given["concurrency"])
    return azure(Path(traces), read_images(Path(images)), given["minutes"], extras, given["seed"])


def _alternatives(comparison: str) -> list[str]:
    """Take apart KIND=NAME,NAME,PARAMETER=VALUE...: a part with an equals sign belongs to the name before it."""
    kind, equals, names = comparison.partition("=")
    alternatives: list[str] = []
    for part in names.split(","):
        if "=" in part and alternatives:
            alternatives[-1] += f",{part}"
        else:
            alternatives.append(f"{kind}={part}")
    if not equals or len(set(alternatives)) < max(len(alternatives), 2):
        raise InvalidOption(f"--compare {comparison}: expected KIND=NAME,NAME,... with two or more different policies")
    return alternatives
