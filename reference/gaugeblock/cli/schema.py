"""``gaugeblock schema``: the JSON Schemas of the documents."""

import json

import click

from gaugeblock.cli.errors import InvalidOption
from gaugeblock.simulation.workloads import lines
from gaugeblock.wire.schema import schemas


@click.command("schema")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Print the JSON Schema of the document called NAME; without NAME, all of them in one object."""
    known = {**schemas(), "workload": lines.schema()}
    if name is not None and name not in known:
        raise InvalidOption(f"found no schema {name!r}; expected one of {', '.join(known)}")
    click.echo(json.dumps(known if name is None else known[name], indent=2, ensure_ascii=False))
