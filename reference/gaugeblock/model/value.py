"""The base of every value in gaugeblock: a frozen struct; not even ``object.__setattr__`` sets a field of it again."""

import msgspec
from msgspec.structs import replace

__all__ = ["Value", "replace"]


class Value(msgspec.Struct, frozen=True, gc=False):
    """A deeply immutable value: fields hold numbers, text, enumeration members, other values, tuples or frozen sets of names.

    Values never form cycles, so the cycle collector need not track them (``gc=False``). ``replace(value, field=...)``
    gives a copy with that field changed and leaves the original as it was.
    """
