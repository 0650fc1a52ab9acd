"""What counts as citing a clause, and as a test that can fail."""

from pathlib import Path

import pytest

from gaugeblock.traceability.citations import cited_in, citing_code, citing_tests, clauses_in

MODULE = '''
"""RECL-1 is cited by the module, which is no function."""


def carries_it_out():
    """RECL-2: does so."""
    note = "RECL-3 in a body"

    def within():
        """RECL-4."""


class Thing:
    """PLACE-1 to PLACE-3."""

    def method(self):
        """POL-first-fit, AMB-1."""


def silent():
    return 1
'''

TESTS = '''
import pytest

TABLE = {"WAKE-1": 1, "WAKE-2": 2, "not an identifier": 3, "about ROUND-1": 4}


def checked(value):
    assert value


def test_asserts():
    """RECL-1."""
    assert True


def test_expects():
    """RECL-2."""
    with pytest.raises(ValueError):
        int("x")


def test_calls():
    """RECL-3."""
    checked(1)


def test_cannot_fail():
    """RECL-4."""
    print("fine")


def test_recl_5_by_name():
    assert True


def test_by_body(found):
    assert found["RECL-6"]


@pytest.mark.parametrize("clause", sorted(TABLE))
def test_by_table(clause):
    assert clause


def helper():
    """RECL-8."""
    assert True
'''


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("RECL-4 to RECL-6", {"RECL-4", "RECL-5", "RECL-6"}),
        ("(PLACE-1, AMB-10)", {"PLACE-1", "AMB-10"}),
        ("POL-fewest.covers and POL-lru", {"POL-fewest", "POL-lru"}),
        ("ROUND-10", {"ROUND-10"}),
        ("RECL-1 to PLACE-3", {"RECL-1", "PLACE-3"}),
        ("SUPERB-3, recl-5, PRECL-1, POL-<name>, ROUND", set()),
    ],
)
def test_identifiers_are_found_in_text(text: str, cited: set[str]) -> None:
    """Ranges of one family count in full; look-alikes do not."""
    assert cited_in(text) == cited


def test_code_cites_by_the_docstrings_of_functions_and_classes(tmp_path: Path) -> None:
    """Neither the module's docstring nor a text in a body makes a function carry out a clause."""
    file = tmp_path / "module.py"
    file.write_text(MODULE)
    assert dict(citing_code(file, "m")) == {
        "m.carries_it_out": {"RECL-2"},
        "m.carries_it_out.within": {"RECL-4"},
        "m.Thing": {"PLACE-1", "PLACE-2", "PLACE-3"},
        "m.Thing.method": {"POL-first-fit", "AMB-1"},
    }


def test_a_test_must_be_able_to_fail(tmp_path: Path) -> None:
    """It asserts, expects an error or calls what asserts; it cites by docstring, name, body or table."""
    file = tmp_path / "test_it.py"
    file.write_text(TESTS)
    assert dict(citing_tests(file, "t")) == {
        "t::test_asserts": {"RECL-1"},
        "t::test_expects": {"RECL-2"},
        "t::test_calls": {"RECL-3"},
        "t::test_recl_5_by_name": {"RECL-5"},
        "t::test_by_body": {"RECL-6"},
        "t::test_by_table": {"WAKE-1", "WAKE-2"},
    }


def test_a_clause_is_stated_where_one_is_made(tmp_path: Path) -> None:
    """By a constant identifier."""
    file = tmp_path / "rules.py"
    file.write_text('A = Clause(id="RECL-1", title="x")\nB = ServiceClause(id="SERV-1")\nC = Other(id="RECL-2")\n')
    assert set(clauses_in(file)) == {"RECL-1", "SERV-1"}
