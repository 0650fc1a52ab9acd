"""The faults, by the part of a round that they spoil."""
