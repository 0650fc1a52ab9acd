"""The formally checked reference implementation of WRENCH's GreedyServerlessScheduler.

Start with :class:`gaugeblock.scheduler.GreedyScheduler`, which decides one round, and :mod:`gaugeblock.model`,
the values that it takes and gives. Nothing is imported here, so that the command line starts fast.
"""

from gaugeblock.version import __version__

__all__ = ["__version__"]
