"""Quantities on the command line: sizes with their unit, and ranges of minutes."""

import re
from fractions import Fraction
from typing import Final

import click

from gaugeblock.model import LARGEST_INTEGER
from gaugeblock.simulation.workloads.azure import Minutes

LAST_MINUTE: Final = 1440
FACTORS: Final = {
    "": 1,
    "B": 1,
    **{f"{letter}B": 1000**power for power, letter in enumerate("kMGTP", start=1)},
    **{f"{letter}iB": 1024**power for power, letter in enumerate("KMGTP", start=1)},
}
_SIZE: Final = re.compile(r"([0-9]{1,20}(?:\.[0-9]{1,20})?) ?([A-Za-z]{0,3})")
_MINUTES: Final = re.compile(r"([0-9]{1,4})(?::([0-9]{1,4}))?")


def size(text: str) -> int:
    """Return a number of bytes, given with a unit or without: ``4096``, ``64GiB``, ``1.25GB``; exact, down to whole bytes."""
    parsed = _SIZE.fullmatch(text)
    found = int(Fraction(parsed[1]) * FACTORS[parsed[2]]) if parsed and parsed[2] in FACTORS else LARGEST_INTEGER + 1
    if found > LARGEST_INTEGER:
        raise click.BadParameter(f"found {text!r}; expected bytes up to 2^63-1, such as 4096, 64GiB or 1.25GB")
    return found


def minutes(text: str) -> Minutes:
    """Return minutes of the day, both ends included: ``540:599``, or one alone: ``540``."""
    parsed = _MINUTES.fullmatch(text)
    first, last = (int(parsed[1]), int(parsed[2] or parsed[1])) if parsed else (1, 0)
    if not first <= last <= LAST_MINUTE:
        raise click.BadParameter(f"found {text!r}; expected minutes of the day such as 540:599, the first not after the last")
    return Minutes(first, last)
