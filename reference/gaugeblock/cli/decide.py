"""``gaugeblock decide``: a round in, the decisions of the reference or of the optimized model out."""

import click

from gaugeblock.cli import questions
from gaugeblock.conformance.optimized_subject import decide_by_optimized_model
from gaugeblock.conformance.subjects import decide_by_reference
from gaugeblock.wire.decisions import encode_decisions


@click.command("decide")
@questions.options
@click.option("--optimized", is_flag=True, help="Ask the optimized model: the same decisions, sooner.")
def command(source: str | None, example: bool, case_id: str | None, policy_options: tuple[str, ...], optimized: bool) -> None:
    """Print the decisions of the reference for the round in SOURCE, as one line of JSON.

    SOURCE is a file or - for standard input; it holds a round, {"round": ..., "policies": ...}, or a case. A policy given by
    --policy takes the place of the document's: --policy eviction=lru, --policy plan_selection=random,seed=7,
    --policy 'container_prewarm={"name": "warm-pool", "per_function": {"resize": 2}}', or --policy eviction=module:attribute.
    """
    asked = questions.question(source, example, case_id, policy_options)
    decide = decide_by_optimized_model if optimized else decide_by_reference
    decisions = decide(asked.round, asked.policies)
    click.echo(encode_decisions(decisions))
