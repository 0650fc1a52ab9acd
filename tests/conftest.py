"""What all tests share: the Hypothesis profiles, chosen by ``GAUGEBLOCK_PROFILE`` (``ci`` under CI, else ``dev``)."""

import os

from hypothesis import HealthCheck, Phase, settings

_SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

settings.register_profile("dev", deadline=None, max_examples=50, suppress_health_check=_SLOW_IS_FINE)
settings.register_profile(
    "ci",
    deadline=None,
    max_examples=100,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=_SLOW_IS_FINE,
)
settings.register_profile(
    "thorough",
    deadline=None,
    max_examples=5000,
    print_blob=True,
    phases=tuple(Phase),
    suppress_health_check=_SLOW_IS_FINE,
)
settings.load_profile(os.environ.get("GAUGEBLOCK_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))
