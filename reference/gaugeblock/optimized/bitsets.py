"""Sets of small numbers as Python integers: bit ``n`` is set when ``n`` is a member.

Layers are numbered by their catalogue position, nodes by the rank of their names or by their turn in the traversal. An
intersection of sets over a thousand nodes then costs about as much as one addition.
"""

from collections.abc import Iterator, Sequence
from itertools import compress, count

FEW = 5
"""Up to how many members taking them off one by one is faster than looking at every digit."""

_ZERO_AND_ONE = bytes.maketrans(b"01", b"\0\1")


def _digits(bits: int) -> bytes:
    """Return the binary digits, the lowest first, each as a byte that is zero or one."""
    return bin(bits)[:1:-1].encode().translate(_ZERO_AND_ONE)


def members(bits: int) -> list[int]:
    """Return the members in ascending order."""
    if bits.bit_count() > FEW:
        return list(compress(count(), _digits(bits)))
    found: list[int] = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def ascending(bits: int) -> Iterator[int]:
    """Yield the members in ascending order, for a caller that may stop early."""
    return compress(count(), _digits(bits))


def lowest(bits: int) -> int:
    """Return the smallest member of a set that has one."""
    return (bits & -bits).bit_length() - 1


def transposed(rows: Sequence[int], width: int) -> list[int]:
    """Return for each number below ``width`` the set of the rows that have it as a member."""
    lines = [format(row, f"0{width}b") for row in reversed(rows)]
    columns = [int("".join(column), 2) for column in zip(*lines, strict=True)]
    return columns[::-1] if columns else [0] * width


def total(sizes: tuple[int, ...], layers: int) -> int:
    """Return the sum of the sizes of a set of layers."""
    if layers.bit_count() > FEW:
        return sum(compress(sizes, _digits(layers)))
    return sum([sizes[layer] for layer in members(layers)]) if layers else 0
