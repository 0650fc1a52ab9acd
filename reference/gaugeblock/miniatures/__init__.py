"""Miniatures: deliberately wrong schedulers, one fault each. They test the testers.

Each is the shipped scheduler with one edit, so that whatever tells it from the reference has found that one fault.
"""

from gaugeblock.miniatures.catalogue import FAULTS, FaultyScheduler, fault, names, scheduler, scheduler_from
from gaugeblock.miniatures.fault import Fault, StaleFault, UnknownMiniature

__all__ = [
    "FAULTS",
    "Fault",
    "FaultyScheduler",
    "StaleFault",
    "UnknownMiniature",
    "fault",
    "names",
    "scheduler",
    "scheduler_from",
]
