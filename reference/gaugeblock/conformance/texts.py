"""What a subject says, made fit to be shown."""

from collections.abc import Iterable
from typing import Final

LISTED: Final = 8
"""How many things of one kind are listed where there may be any number."""


def printable(text: str) -> str:
    """Return ``text`` with every control character but line feeds and tabs escaped, so that none reaches a terminal."""
    return "".join(each if each.isprintable() or each in "\n\t" else repr(each)[1:-1] for each in text)


def listed(texts: Iterable[str], separator: str = ", ") -> str:
    """Return the first of ``texts``, separated, and how many more there are."""
    everything = list(texts)
    more = len(everything) - LISTED
    return separator.join(everything[:LISTED]) + (f" and {more} more" if more > 0 else "")
