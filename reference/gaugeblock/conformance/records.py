"""A run told to programs: a JSON line for each case, then a footer, by whose absence a truncated report is noticed."""

from collections.abc import Iterator

import msgspec

from gaugeblock.conformance.verdicts import CaseResult, CategoryDifference, RunResult, Verdict
from gaugeblock.version import __version__


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
    if result.reference_disagrees:
        record["reference_disagrees"] = True
    return record


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
        "strict_order": strict_order,
        "selected": result.selected,
        "judged": result.judged,
        "counts": {verdict.value: result.count(verdict) for verdict in Verdict},
        "stopped": result.stopped,
        "conformant": result.is_conformant,
    }


def _line(record: dict[str, object]) -> str:
    return msgspec.json.encode(record).decode()
