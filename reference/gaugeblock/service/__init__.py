"""SERV: the service around the scheduler, as a pure step from state and event to the next state.

``opening_state`` gives the first state, ``observe`` what a scheduler is shown of one, ``step`` takes one event.
"""

from gaugeblock.service.observing import observe, opening_state
from gaugeblock.service.replaying import GivenDecisions, replay
from gaugeblock.service.step import step

__all__ = ["GivenDecisions", "observe", "opening_state", "replay", "step"]
