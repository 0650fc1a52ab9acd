"""The round that ``decide`` and ``explain`` are asked about: from a file, standard input, a vector file, or the example."""

from collections.abc import Callable
from importlib.resources import files as resources
from typing import Any, Final, TypeVar

import click
from msgspec import UNSET, UnsetType

from gaugeblock.cli import cases, files
from gaugeblock.cli.policies import with_options
from gaugeblock.model import ObservedState, PolicyNames, Value
from gaugeblock.wire.documents import DecisionsDocument, Document, PoliciesDocument, RoundDocument
from gaugeblock.wire.policies import policy_names
from gaugeblock.wire.reading import read, shaped
from gaugeblock.wire.resolving import observed_state

Command = TypeVar("Command", bound=Callable[..., Any])

EXAMPLE: Final = "first-round.json"


class Question(Value, frozen=True):
    """A round, and the policies to decide it with."""

    round: ObservedState
    policies: PolicyNames


class QuestionDocument(Document, frozen=True, kw_only=True):
    """A round with policies beside it; a case is one, too, and its decisions do not matter here."""

    id: str = ""
    round: RoundDocument
    policies: PoliciesDocument = PoliciesDocument()
    decisions: DecisionsDocument | UnsetType = UNSET
    clauses: tuple[str, ...] = ()
    derivation: str = ""


def options(command: Command) -> Command:
    """Give a command the argument and the options by which it is asked about a round."""
    for decorate in (
        click.option("--policy", "policy_options", multiple=True, metavar="KIND=NAME", help="Install a policy; repeatable."),
        click.option("--case", "case_id", metavar="ID", help="Take this case of a vector file; without SOURCE, of the corpus."),
        click.option("--example", is_flag=True, help="Take the example round that comes with gaugeblock."),
        click.argument("source", required=False),
    ):
        command = decorate(command)
    return command


def question(source: str | None, example: bool, case_id: str | None, policy_options: tuple[str, ...]) -> Question:
    """Return what the command line asks about.

    Raises:
        InvalidDocument, UnreadableInput, InvalidOption, CaseSelectionError: when that cannot be had.
    """
    asked = _asked(source, example, case_id)
    return Question(asked.round, with_options(asked.policies, policy_options))


def decode_question(data: bytes, source: str) -> Question:
    """Return the question that a document puts: a round, a round with policies, or a case.

    Raises:
        InvalidDocument: when it is none of these.
    """

    def build(value: object) -> Question:
        if isinstance(value, dict) and "round" in value:
            return _question(shaped(value, QuestionDocument))
        return Question(observed_state(shaped(value, RoundDocument)), PolicyNames())

    return read(data, build, source)


def _asked(source: str | None, example: bool, case_id: str | None) -> Question:
    if example and (source or case_id):
        raise click.UsageError("--example stands for a round by itself; give no SOURCE and no --case with it.")
    if case_id is not None:
        (case,) = cases.load((source,) if source else (), (case_id,))
        return Question(case.round, case.policies)
    if example:
        return decode_question(resources("gaugeblock.examples").joinpath(EXAMPLE).read_bytes(), EXAMPLE)
    if source is None:
        raise click.UsageError("Missing argument SOURCE: a file, - for standard input, or else --example or --case ID.")
    return decode_question(files.read(source), files.shown(source))


def _question(document: QuestionDocument) -> Question:
    return Question(observed_state(document.round, "$.round"), policy_names(document.policies, "$.policies"))
