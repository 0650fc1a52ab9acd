"""Counterexamples that run: the numbers on which a theorem fails, as files, and the commands that replay them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import msgspec

from gaugeblock.model import GaugeblockError, ObservedState, PolicyNames, Value
from gaugeblock.wire.policies import policies_document
from gaugeblock.wire.rounds import round_document
from gaugeblock.writing import replacing
from gaugeblock_proofs.engine import Assignment, Counterexample


class Refutation(Value, frozen=True, forbid_unknown_fields=True):
    """An input on which a part fails: the label that is false there, values by symbol as exact text, and the choices taken.

    ``minimal`` says whether no smaller input fails alike, ``confirmed`` whether the shipped code failed alike on these numbers.
    """

    label: str
    values: tuple[tuple[str, str], ...]
    choices: tuple[int, ...]
    minimal: bool
    confirmed: bool
    message: str = ""


class ReplayFile(Value, frozen=True, forbid_unknown_fields=True):
    """A refutation with the theorem and part that it belongs to."""

    theorem: str
    part: str
    refutation: Refutation


class InvalidReplay(GaugeblockError):
    """A file is not a counterexample that ``gaugeblock prove`` wrote."""


def refutation_of(found: Counterexample) -> Refutation:
    """Return the engine's counterexample as a value that can be written down."""
    values = tuple((name, str(value)) for name, value in found.assignment.values)
    return Refutation(found.label, values, found.assignment.choices, found.minimal, found.confirmed, found.message)


def assignment_of(refutation: Refutation) -> Assignment:
    """Return the numbers of a refutation as the engine takes them."""
    values = tuple((name, Fraction(text) if "/" in text else int(text)) for name, text in refutation.values)
    return Assignment(values, refutation.choices)


def encode_round(identifier: str, state: ObservedState, policies: PolicyNames) -> bytes:
    """Return the document that ``gaugeblock explain`` reads: a round with the policies to decide it with."""
    document = {"id": identifier, "round": round_document(state), "policies": policies_document(policies)}
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def encode_replay(theorem: str, part: str, refutation: Refutation) -> bytes:
    """Return the document that ``gaugeblock prove --replay`` reads."""
    return msgspec.json.format(msgspec.json.encode(ReplayFile(theorem, part, refutation)), indent=2) + b"\n"


def decode_replay(data: bytes, source: str) -> ReplayFile:
    """Return the counterexample of a replay file; raises `InvalidReplay` for anything else."""
    try:
        found = msgspec.json.decode(data, type=ReplayFile)
        assignment_of(found.refutation)
    except (msgspec.DecodeError, ValueError, ZeroDivisionError) as error:
        raise InvalidReplay(f"{source}: {error}; expected a counterexample that gaugeblock prove wrote") from error
    return found


def write(folder: Path, name: str, data: bytes) -> Path:
    """Write a file into the folder, whole or not at all, and return its path.

    Raises:
        OSError: when it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    with replacing(path) as stream:
        stream.write(data)
    return path
