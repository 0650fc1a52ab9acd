"""``gaugeblock explain``: a round in, the story of its decisions out; or an answer in, and what is wrong with it out."""

import click

from gaugeblock.cli import answers, files, questions, story, violation
from gaugeblock.cli.answers import Answer
from gaugeblock.cli.errors import InvalidOption
from gaugeblock.cli.policies import with_options
from gaugeblock.conformance.assessing import assess
from gaugeblock.conformance.subjects import schedule_by_reference
from gaugeblock.model import ObservedState, PolicyNames
from gaugeblock.wire.decisions import decode_decisions
from gaugeblock.wire.traces import encode_trace

VIOLATED = 1


@click.command("explain")
@questions.options
@click.option("--invocation", "invocations", type=int, multiple=True, metavar="ID", help="Tell of this one only; repeatable.")
@click.option("--violation", "of_violation", is_flag=True, help="Tell what is wrong with the decisions in SOURCE, a case.")
@click.option("--decisions", "decisions_file", metavar="FILE", help="The same for the decisions in FILE instead.")
@click.option("--rows", default=12, show_default=True, type=click.IntRange(min=1), help="Nodes listed for each pass.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole trace as JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    source: str | None,
    example: bool,
    case_id: str | None,
    policy_options: tuple[str, ...],
    invocations: tuple[int, ...],
    of_violation: bool,
    decisions_file: str | None,
    rows: int,
    as_json: bool,
) -> None:
    """Tell how the reference decides the round in SOURCE: each phase, and for each invocation every pass that was tried.

    SOURCE and --policy are as for decide. Amounts of RAM and disk are in bytes, dates in seconds.

    With --violation or --decisions, tell instead which clauses an answer violates, the numbers that show it, and what would
    have been right; then the exit status is 1 if it violates any.
    """
    if not of_violation and decisions_file is None:
        asked = questions.question(source, example, case_id, policy_options)
        _, trace = schedule_by_reference(asked.round, asked.policies)
        _require_pending(invocations, asked.round)
        if as_json:
            if invocations:
                raise click.UsageError("--json prints the whole trace; give no --invocation with it.")
            click.echo(encode_trace(trace))
        else:
            story.print_story(story.console_for_stories(), trace, asked.policies, invocations, rows)
        return
    if as_json or invocations:
        raise click.UsageError("--json and --invocation tell of the reference alone; give neither with --violation.")
    answer = _answer(source, example, case_id, policy_options, decisions_file)
    policies = answer.policies or PolicyNames()
    assessment = assess(answer.id, answer.round, answer.decisions, policies, with_trace=True)
    violation.print_violation(story.console_for_stories(), assessment, policies, rows)
    ctx.exit(0 if assessment.is_satisfied else VIOLATED)


def _require_pending(invocations: tuple[int, ...], state: ObservedState) -> None:
    pending = {each.id for each in state.pending}
    unknown = [each for each in invocations if each not in pending]
    if unknown:
        raise InvalidOption(f"found no invocation {unknown[0]}; expected the id of one of the {len(pending)} pending")


def _answer(
    source: str | None, example: bool, case_id: str | None, policy_options: tuple[str, ...], decisions_file: str | None
) -> Answer:
    """Return the answer to explain: decisions of their own file to any question, or those of a case."""
    if decisions_file is not None:
        asked = questions.question(source, example, case_id, policy_options)
        decisions = decode_decisions(files.read(decisions_file), source=files.shown(decisions_file))
        return Answer(files.shown(decisions_file), asked.round, asked.policies, decisions)
    if example or (source is None and case_id is None):
        raise click.UsageError("--violation needs decisions: a case in SOURCE, --case ID of the corpus, or --decisions FILE.")
    found = list(answers.load((source,) if source else (), (case_id,) if case_id else ()))
    if len(found) > 1:
        raise click.UsageError(f"{source}: found {len(found)} cases; say which one to explain with --case ID.")
    answer = found[0]
    return Answer(answer.id, answer.round, with_options(answer.policies or PolicyNames(), policy_options), answer.decisions)
