"""``gaugeblock decide``: a round in, the reference's decisions out."""

import click

from gaugeblock.cli import questions
from gaugeblock.conformance.subjects import reference_scheduler
from gaugeblock.wire.decisions import encode_decisions


@click.command("decide")
@questions.options
def command(source: str | None, example: bool, case_id: str | None, policy_options: tuple[str, ...]) -> None:
    """Print the decisions of the reference for the round in SOURCE, as one line of JSON.

    SOURCE is a file or - for standard input; it holds a round, {"round": ..., "policies": ...}, or a case. A policy given by
    --policy takes the place of the document's: --policy eviction=lru, --policy plan_selection=random,seed=7,
    --policy 'container_prewarm={"name": "warm-pool", "per_function": {"resize": 2}}', or --policy eviction=module:attribute.
    """
    asked = questions.question(source, example, case_id, policy_options)
    decisions, _ = reference_scheduler(asked.policies).schedule(asked.round)
    click.echo(encode_decisions(decisions))
