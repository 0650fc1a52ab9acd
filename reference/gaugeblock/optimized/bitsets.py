"""Sets of small numbers as Python integers: bit ``n`` is set when ``n`` is a member.

Layers are numbered by their catalogue position, nodes by the rank of their names or by their turn in the traversal. An
intersection of sets over a thousand nodes then costs about as much as one addition.
"""

from collections.abc import Iterator, Sequence

FEW = 6
LONG = 32


def members(bits: int) -> list[int]:
    """Return the members in ascending order."""
    found: list[int] = []
    if bits.bit_count() <= FEW:
        while bits:
            low = bits & -bits
            found.append(low.bit_length() - 1)
            bits ^= low
        return found
    text = bin(bits)[:1:-1]
    place = text.find("1")
    while place >= 0:
        found.append(place)
        place = text.find("1", place + 1)
    return found


def lowest(bits: int) -> int:
    """Return the smallest member of a set that has one."""
    return (bits & -bits).bit_length() - 1


def ascending(bits: int) -> Iterator[int]:
    """Yield the members in ascending order, for a caller that may stop early."""
    if bits.bit_count() <= LONG:
        yield from members(bits)
        return
    text = bin(bits)[:1:-1]
    place = text.find("1")
    while place >= 0:
        yield place
        place = text.find("1", place + 1)


def transposed(rows: Sequence[int], width: int) -> list[int]:
    """Return for each number below ``width`` the set of the rows that have it as a member."""
    lines = [format(row, f"0{width}b") for row in reversed(rows)]
    columns = [int("".join(column), 2) for column in zip(*lines, strict=True)]
    return columns[::-1] if columns else [0] * width


def total(sizes: tuple[int, ...], layers: int) -> int:
    """Return the sum of the sizes of a set of layers."""
    return sum([sizes[layer] for layer in members(layers)]) if layers else 0
