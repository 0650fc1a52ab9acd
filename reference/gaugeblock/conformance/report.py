"""A run told to people: a table of the verdicts, then the first faults with all that helps to find their cause."""

from collections import Counter
from collections.abc import Callable, Iterator
from textwrap import indent

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from gaugeblock.conformance.texts import LISTED, listed, printable
from gaugeblock.conformance.verdicts import CaseResult, CategoryDifference, Judging, RunResult, Verdict
from gaugeblock.wire.errors import shortened
from gaugeblock_specs.registry import find
from gaugeblock_specs.verdicts import ClauseResult, Witness

STYLES = {Verdict.PASSED: "green", Verdict.SKIPPED: "yellow"}
"""Colours, used on terminals only; every other verdict is red."""

LONGEST_DETAIL = 2000
"""Characters shown of what a subject says of itself; a subject may say as much as fits into a line of the protocol."""

Reproduction = Callable[[str], str]


def print_report(console: Console, result: RunResult, show: int, reproduction: Reproduction) -> None:
    """Print the first ``show`` faults, each with the command that judges this one case again, and the summary."""
    faults = [each for each in result.results if each.verdict.is_fault]
    for fault in faults[:show]:
        for line in fault_lines(fault, reproduction):
            console.print(line, soft_wrap=True)
    if len(faults) > show:
        console.print(Text(f"and {len(faults) - show} more cases at fault; --show N shows more, --json all\n"))
    console.print(Text(printable(f"{result.subject} on {_cases(result.selected)}"), "bold"), soft_wrap=True)
    console.print(summary_table(result))
    for line in conclusion(result):
        console.print(line, soft_wrap=True)


def summary_table(result: RunResult) -> Table:
    """Return the verdicts and how many cases ended in each."""
    table = Table("verdict", Column("cases", justify="right"))
    for verdict in Verdict:
        count = result.count(verdict)
        if count or verdict in (Verdict.PASSED, Verdict.FAILED, Verdict.SKIPPED):
            table.add_row(Text(verdict.value, STYLES.get(verdict, "red") if count else "dim"), f"{count:,}")
    if len(result.results) < result.selected:
        table.add_row(Text("not reached", "red"), f"{result.selected - len(result.results):,}")
    return table


def conclusion(result: RunResult) -> Iterator[Text]:
    """Yield what was judged, why cases were skipped, why the run ended early, and whether the subject is conformant."""
    share = 100 * result.judged / result.selected if result.selected else 0.0
    yield Text(f"judged: {result.judged:,} of {_cases(result.selected)} ({share:.1f} %)")
    reasons = Counter(each.detail for each in result.results if each.verdict is Verdict.SKIPPED).most_common()
    for reason, count in reasons[:LISTED]:
        yield Text(f"skipped: {_cases(count)}: {printable(shortened(reason, LONGEST_DETAIL))}")
    if len(reasons) > LISTED:
        yield Text(f"skipped: {_cases(sum(count for _, count in reasons[LISTED:]))} for {len(reasons) - LISTED} other reasons")
    disagreements = sum(each.reference_disagrees for each in result.results)
    if disagreements:
        yield Text(f"CASE AND REFERENCE DISAGREE in {_cases(disagreements)}: the case file states other decisions", "bold red")
    if result.stopped:
        yield Text(printable(f"stopped early: {result.stopped}"), "red")
    by = "" if result.judging is Judging.EXACT else f" (judged by {result.judging.value})"
    if result.is_conformant:
        yield Text(f"conformant{by}", "bold green")
    else:
        yield Text(f"not conformant{by}: {_why_not(result)}", "bold red")


def fault_lines(fault: CaseResult, reproduction: Reproduction) -> Iterator[Text]:
    """Yield one fault in full."""
    yield Text(printable(f"{fault.case}: {fault.verdict.value}"), "bold red")
    if fault.detail:
        yield _indented(shortened(fault.detail, LONGEST_DETAIL))
    for difference in fault.differences:
        yield from map(_indented, difference_lines(difference))
    for violated in fault.violations:
        yield from map(_indented, violation_lines(violated))
    if fault.parting:
        who = "the case, taken for an answer, parts" if fault.reference_disagrees else "the answer parts"
        where = f"{fault.parting.where} ({fault.parting.clause})"
        yield _indented(f"{who} from the reference at {where}: {fault.parting.sentence}")
    yield _indented(f"again: {reproduction(fault.case)}")
    yield Text()


def violation_lines(result: ClauseResult) -> Iterator[str]:
    """Yield a violated clause with its title, then what shows the violation."""
    clause = find(result.clause)
    yield f"{result.clause}: {clause.title if clause else 'violated'}"
    more = len(result.witnesses) - LISTED
    for witness in result.witnesses[:LISTED]:
        yield f"    {witness_text(witness)}"
    if more > 0:
        yield f"    and {more} more"


def witness_text(witness: Witness) -> str:
    """Return a witness in one line: where, what, and the numbers."""
    places = (("node", witness.node), ("invocation", witness.invocation), ("layer", witness.layer))
    where = [f"{name} {value}" for name, value in (*places, ("container", witness.container)) if value is not None]
    numbers = ", ".join(f"{name} {number!r}" for name, number in witness.numbers)
    return f"{', '.join(where)}{': ' if where else ''}{witness.message}{f' ({numbers})' if numbers else ''}"


def difference_lines(difference: CategoryDifference) -> Iterator[str]:
    """Yield what is missing and what is unexpected in one category."""
    if difference.reordered:
        yield f"{difference.category}: the same operations in another order"
    for word, operations in (("missing", difference.missing), ("unexpected", difference.unexpected)):
        if operations:
            yield f"{difference.category}: {word} {listed(operations)}"


def _indented(text: str) -> Text:
    return Text(indent(printable(text), "    "))


def _why_not(result: RunResult) -> str:
    faults = sum(each.verdict.is_fault for each in result.results)
    if faults:
        return f"{_cases(faults)} at fault"
    return "the run did not come to its end" if result.stopped else "no case was judged"


def _cases(count: int) -> str:
    return f"{count:,} case" if count == 1 else f"{count:,} cases"
