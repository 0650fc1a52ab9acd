"""The published rule by which the random policies draw, so that a round is reproducible in any language (POL-random).

A draw is the SHA-256 digest, read as an unsigned big-endian integer, of the UTF-8 text ``gaugeblock-1 PURPOSE SEED DATE ID``:
single spaces between; ``PURPOSE`` is ``ordering`` or ``plan-selection``; ``SEED`` and ``ID`` (the invocation's) are decimal;
``DATE`` is the round's ``now`` as the 16 lower-case hexadecimal digits of its IEEE 754 binary64 in big-endian byte order, with
negative zero written as zero. Random ordering sorts by (draw, id); random plan selection takes the alternative at index
``draw mod n`` of the ``n`` alternatives in traversal order.
"""

import hashlib
import struct

from gaugeblock.model import InvocationId


def draw(purpose: str, seed: int, now: float, invocation: InvocationId) -> int:
    """Return the number from 0 to 2^256-1 drawn for ``invocation`` at date ``now`` (seconds)."""
    date = struct.pack(">d", now + 0.0).hex()
    text = f"gaugeblock-1 {purpose} {seed} {date} {invocation}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
