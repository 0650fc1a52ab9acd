"""A run told to programs: a JSON line for each case, then a footer, by whose absence a truncated report is noticed."""

from collections.abc import Iterator

import msgspec

from gaugeblock.conformance.verdicts import CaseResult, CategoryDifference, RunResult, Verdict
from gaugeblock.version import __version__
from gaugeblock_specs.verdicts import ClauseResult, Witness


def json_lines(result: RunResult, strict_order: bool) -> Iterator[str]:
    """Yield the lines without line feeds. They hold no times, so that two runs can be compared line by line."""
    for each in result.results:
        yield _line(_case(each))
    yield _line(_footer(result, strict_order))


def _case(result: CaseResult) -> dict[str, object]:
    record: dict[str, object] = {"case": result.case, "verdict": result.verdict.value}
    if result.detail:
        record["detail"] = result.detail
    if result.differences:
        record["differences"] = [_difference(each) for each in result.differences]
    if result.parting:
        parting = result.parting
        record["parting"] = {"where": parting.where, "clause": parting.clause, "sentence": parting.sentence}
    if result.violations:
        record["violations"] = [violation(each) for each in result.violations]
    if result.reference_disagrees:
        record["reference_disagrees"] = True
    return record


def violation(result: ClauseResult) -> dict[str, object]:
    """Return a violated clause with its witnesses; what a witness does not have is left out."""
    return {"clause": result.clause, "witnesses": [_witness(each) for each in result.witnesses]}


def _witness(witness: Witness) -> dict[str, object]:
    told: dict[str, object] = {"message": witness.message}
    for field in ("node", "invocation", "layer", "container"):
        if getattr(witness, field) is not None:
            told[field] = getattr(witness, field)
    if witness.numbers:
        told["numbers"] = dict(witness.numbers)
    return told


def _difference(difference: CategoryDifference) -> dict[str, object]:
    record: dict[str, object] = {"category": difference.category}
    if difference.reordered:
        record["reordered"] = True
    for name, operations in (("missing", difference.missing), ("unexpected", difference.unexpected)):
        if operations:
            record[name] = [msgspec.Raw(operation.encode()) for operation in operations]
    return record


def _footer(result: RunResult, strict_order: bool) -> dict[str, object]:
    return {
        "footer": True,
        "gaugeblock": __version__,
        "subject": result.subject,
        "judge": result.judging.value,
        "strict_order": strict_order,
        "selected": result.selected,
        "judged": result.judged,
        "counts": {verdict.value: result.count(verdict) for verdict in Verdict},
        "stopped": result.stopped,
        "conformant": result.is_conformant,
    }


def _line(record: dict[str, object]) -> str:
    return msgspec.json.encode(record).decode()
