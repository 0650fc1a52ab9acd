"""A wrong answer explained: the rules that it breaks, the numbers that show it, and what would have been right."""

from textwrap import dedent
from typing import Final

from rich.console import Console

from gaugeblock.cli import narration, story
from gaugeblock.conformance.assessing import Assessment
from gaugeblock.conformance.parting import PHASES
from gaugeblock.conformance.report import difference_lines, violation_lines
from gaugeblock.conformance.verdicts import Parting
from gaugeblock.model import PlacementTrace, PolicyNames, RoundTrace
from gaugeblock_specs.registry import find

UNPLACED_SHOWN: Final = 3


def print_violation(console: Console, assessment: Assessment, policies: PolicyNames, rows: int) -> None:
    """Print what is wrong with an answer; ``rows`` limits the tables of what would have been right."""
    if assessment.is_satisfied:
        story.say(console, f"{assessment.case}: nothing is wrong, judged from {assessment.basis.value}.", "bold green")
        return
    story.say(console, f"{assessment.case}: judged from {assessment.basis.value}", "bold")
    for result in assessment.violated:
        head, *witnesses = violation_lines(result)
        story.say(console, f"\n{head}", "bold red")
        for witness in witnesses:
            story.say(console, witness)
        clause = find(result.clause)
        if clause is not None:
            story.say(console, f"  The rule: {_flowing(clause.doc)}")
    _print_right(console, assessment, policies, rows)


def _print_right(console: Console, assessment: Assessment, policies: PolicyNames, rows: int) -> None:
    if assessment.trace is None:
        story.say(console, "\nWhat would have been right depends on a policy that is not built in.")
        return
    story.say(console, "\nWhat would have been right", "bold green")
    for difference in assessment.differences:
        for line in difference_lines(difference):
            story.say(console, f"  {line}")
    parting = assessment.parting
    if parting is not None:
        story.say(console, f"The answer parts from the reference at {parting.where} ({parting.clause}): {parting.sentence}.")
    placements = _concerned(assessment.trace, parting)
    for placement in placements:
        story.print_placement(console, assessment.trace, placement, policies, rows)
    if not placements:
        _print_phases(console, assessment.trace, policies)


def _concerned(trace: RoundTrace, parting: Parting | None) -> tuple[PlacementTrace, ...]:
    """Return the placement at which the answer parts; where it only adds to a node, the first that come to nothing."""
    if parting is None or parting.where in PHASES:
        return ()
    if parting.invocation is None:
        return tuple(each for each in trace.placements if each.plan is None)[:UNPLACED_SHOWN]
    return tuple(each for each in trace.placements if each.invocation == parting.invocation)


def _print_phases(console: Console, trace: RoundTrace, policies: PolicyNames) -> None:
    story.say(console, "")
    for sentence in (*narration.phases_before(trace, policies), *narration.phases_after(trace, policies)):
        story.say(console, sentence)


def _flowing(text: str) -> str:
    return " ".join(dedent(text).split())
