"""The parameters of built-in policies, with the range that each may have."""

from typing import Annotated

from msgspec import Meta

from gaugeblock.model import LARGEST_DATE, LARGEST_INTEGER

Seconds = Annotated[float, Meta(ge=0, le=LARGEST_DATE)]
"""A span of time in seconds, finite and not negative."""

Seed = Annotated[int, Meta(ge=0, le=LARGEST_INTEGER)]
"""Where a random policy's stream starts."""

Count = Annotated[int, Meta(ge=0, le=LARGEST_INTEGER)]
"""How many of something."""
