"""The pages about formats and about reading say what is so."""

import re
import struct
from pathlib import Path

import pytest

from gaugeblock.conformance.answers import Decided
from gaugeblock.conformance.assessing import assess
from gaugeblock.conformance.features import FEATURES
from gaugeblock.conformance.transcripts import OUTPUTS, judge_transcript
from gaugeblock.conformance.verdicts import Verdict
from gaugeblock.policies.registry import BUILTIN
from gaugeblock.traceability import load
from gaugeblock.wire.cases import decode_case
from gaugeblock.wire.protocol import Answered, decode_answer

ROOT = Path(__file__).parents[2]
FORMATS = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "reading-guide.md").read_text(encoding="utf-8")
DOCUMENT = re.compile(r"<!-- document: (?P<kind>\w+) -->\n```json\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
ANSWER = re.compile(r"^ +\*(?P<text>(?:ROUND|PLACE|ACCT|RECL|PREW|WAKE|POL).*?)\*$", re.MULTILINE)


def documents() -> dict[str, bytes]:
    """Return the documents of the page about formats by what they are."""
    return {found["kind"]: found["text"].encode() for found in DOCUMENT.finditer(FORMATS)}


def test_the_case_of_the_page_is_right() -> None:
    """It is read as a case, and its decisions satisfy every clause."""
    case = decode_case(documents()["case"])
    assert assess(case.id, case.round, case.decisions, case.policies, with_trace=True).is_satisfied


def test_the_transcript_of_the_page_replays() -> None:
    """It is the one of that case, in the shapes of the page."""
    case = decode_case(documents()["case"])
    answer = decode_answer(documents()["answer"])
    assert isinstance(answer, Answered)
    assert judge_transcript(case, Decided(answer.decisions, answer.transcript)).verdict is Verdict.PASSED


def test_every_policy_parameter_feature_and_method_is_on_the_page() -> None:
    """A new one is not forgotten."""
    for policy in BUILTIN:
        assert f"`{policy.name}`" in FORMATS
        assert all(f"`{field}`" in FORMATS for field in getattr(policy, "__struct_fields__", ()))
    assert all(f"| `{name}` |" in FORMATS for name in (*FEATURES, *OUTPUTS))


def test_the_date_of_the_draw_is_written_as_the_page_says() -> None:
    """POL-random: 12.0 as a double in hexadecimal."""
    assert f"(`{struct.pack('>d', 12.0).hex()}` for 12.0)" in FORMATS


def test_the_guide_has_ten_questions() -> None:
    """Each with the clause and the file where its answer stands."""
    questions = re.findall(r"^(\d+)\. \*\*", GUIDE, re.MULTILINE)
    assert questions == [str(number) for number in range(1, 11)]
    assert len(ANSWER.findall(GUIDE)) == len(questions)


@pytest.mark.parametrize("answer", ANSWER.findall(GUIDE))
def test_an_answer_stands_where_the_guide_says(answer: str) -> None:
    """The clause is stated in one of the files named beside it; a function that is named is there, too."""
    modules = {clause.id: Path(clause.module).name for clause in load().clauses}
    files = re.findall(r"`(\w+\.py)`", answer)
    cited = re.findall(r"\b(?:[A-Z]+-\d+|POL-[a-z-]+)\b", answer)
    assert cited
    assert {modules[identifier] for identifier in cited} == set(files)
    text = "".join((ROOT / "specs" / "gaugeblock_specs" / file).read_text(encoding="utf-8") for file in files)
    assert all(f"def {name}(" in text for name in re.findall(r"`(_\w+)`", answer))


def test_the_files_of_the_guides_table_exist() -> None:
    """Whatever is in backticks and ends in .py."""
    for file in re.findall(r"`(\w+\.py)`", GUIDE):
        assert (ROOT / "specs" / "gaugeblock_specs" / file).is_file()
