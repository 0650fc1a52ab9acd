"""``clauses``: the table in its three forms, one clause alone, and what is refused."""

import json

import pytest
from command_lines import gaugeblock, message

from gaugeblock.traceability import load
from gaugeblock_specs import registry, service

KNOWN = [clause.id for clause in registry.ALL] + [clause.id for clause in service.CLAUSES]


def test_the_list_has_every_clause() -> None:
    """A row for each, SERV included."""
    text = gaugeblock("clauses").stdout.decode()
    assert all(f" {identifier} " in text for identifier in KNOWN)
    assert f"{len(KNOWN)} clauses" in text


def test_the_list_tells_what_is_proved_and_how_far_it_reaches() -> None:
    """Status and scope of each clause's theorems, in the table of the terminal and in that of the document."""
    rows = {each.split(" ", 2)[1]: each for each in gaugeblock("clauses").stdout.decode().splitlines() if each.startswith("│ ")}
    told = gaugeblock("clauses", "--markdown").stdout.decode()
    for clause in load().clauses:
        assert clause.status in rows[clause.id]
        assert all(each.split(" ")[0] in rows[clause.id] for each in clause.reach)
        assert f"| {clause.status} | {', '.join(clause.reach) or '–'} |\n" in told
    assert "proved, false claim" in rows["POL-fewest"]


def test_json_is_the_table() -> None:
    """Every clause with the words of its specification."""
    told = json.loads(gaugeblock("clauses", "--json").stdout)
    assert [each["id"] for each in told] == KNOWN
    assert {each["title"] for each in told} >= {clause.title for clause in registry.ALL}


def test_one_clause_is_told_whole() -> None:
    """RECL-5: its rule, where it stands, code, tests, cases, theorems, miniatures."""
    text = gaugeblock("clauses", "RECL-5").stdout.decode()
    for fragment in (
        "RECL-5: A layer leaves RAM only if nobody holds on to it",
        "Example: L6 is used by an idle container",
        "stands in: specs/gaugeblock_specs/reclamation.py",
        "depends on: AMB-4",
        "  gaugeblock.round.reclamation.ram_candidates\n",
        "  RECL-5.candidates (proved; shapes): ",
        "  evicts-what-containers-use\n",
    ):
        assert fragment in text


def test_one_clause_comes_as_json_and_as_markdown() -> None:
    """An object and a section; the identifier's case does not matter."""
    assert json.loads(gaugeblock("clauses", "--json", "pol-fewest").stdout)["id"] == "POL-fewest"
    assert gaugeblock("clauses", "--markdown", "SERV-5").stdout.decode().startswith("## SERV-5\n")


def test_markdown_has_a_section_for_each_clause() -> None:
    """And a row of the overview that leads there."""
    text = gaugeblock("clauses", "--markdown").stdout.decode()
    for identifier in KNOWN:
        assert f"\n## {identifier}\n" in text
        assert f"[{identifier}](#{identifier.lower()})" in text


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (("RECL-99",), "found no clause 'RECL-99'; expected one of RECL-1, "),
        (("nonsense",), "expected an identifier of one of the families ROUND, PLACE"),
        (("--json", "--markdown"), "give one of them"),
    ],
)
def test_bad_usage_is_status_two(arguments: tuple[str, ...], fragment: str) -> None:
    """The message says which clauses there are."""
    done = gaugeblock("clauses", *arguments)
    assert done.returncode == 2
    assert fragment in message(done)


def test_the_table_needs_no_specifications_to_be_printed() -> None:
    """It is data of the package: identifiers and counts come from it alone."""
    assert [clause.id for clause in load().clauses] == KNOWN
