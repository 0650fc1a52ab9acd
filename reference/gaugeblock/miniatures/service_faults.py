"""Wrong services, one fault each: what goes wrong around a scheduler that is right."""

from typing import cast

from gaugeblock.miniatures.fault import Fault, UnknownMiniature
from gaugeblock.miniatures.faults.service_batches import BATCH_FAULTS, CHECK_FAULTS
from gaugeblock.miniatures.faults.service_events import EVENT_FAULTS
from gaugeblock.miniatures.loader import load
from gaugeblock.model import StepFunction

STEP = "gaugeblock.service.step"

FAULTS: tuple[Fault, ...] = EVENT_FAULTS + BATCH_FAULTS + CHECK_FAULTS
"""Every wrong service."""


def service(name: str) -> StepFunction:
    """Return the step function of the wrong service of that name.

    Raises:
        UnknownMiniature: when there is none.
        StaleFault: when its fault does not fit the installed sources.
    """
    for each in FAULTS:
        if each.name == name:
            return cast("StepFunction", load(each, STEP).step)
    raise UnknownMiniature(name, tuple(each.name for each in FAULTS))
