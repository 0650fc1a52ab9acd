"""Writing down a run as a history, event by event, so that any of its rounds can be had again."""

from typing import BinaryIO

from gaugeblock.model import Event, Happening, Opening
from gaugeblock.simulation.services import Reply
from gaugeblock.wire.histories import encode_happening, encode_opening


class Recorder:
    """Writes the opening at once and then each event that the service took, one a line."""

    def __init__(self, opening: Opening, stream: BinaryIO) -> None:
        self._stream = stream
        stream.write(encode_opening(opening) + b"\n")

    def before(self, event: Event) -> None:
        """An event that has not been taken is not written."""

    def after(self, event: Event, reply: Reply) -> None:
        """Write the event; the opening's policies tell what its round decides."""
        self._stream.write(encode_happening(Happening(event)) + b"\n")
