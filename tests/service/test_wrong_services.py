"""The tester tested: each wrong service is found by the machine within the budget of ``ci``."""

import pytest
from hypothesis import HealthCheck, Phase, settings
from service_machines import BrokenHistory, run_machine

from gaugeblock.miniatures.fault import UnknownMiniature
from gaugeblock.miniatures.service_faults import FAULTS, service

BUDGET = settings(
    max_examples=100,
    stateful_step_count=30,
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.generate,),
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)
"""The budget of the ``ci`` profile, whatever the profile; a fault that is found need not be made small.

The rounds are those of the reference, so that only the clauses of the service need be evaluated.
"""


@pytest.mark.parametrize("name", [fault.name for fault in FAULTS])
def test_a_wrong_service_is_found(name: str) -> None:
    """SERV-0 to SERV-6: a service with this one fault in it breaks a clause in some history."""
    with pytest.raises(BrokenHistory):
        run_machine(service(name), BUDGET, judges_rounds=False)


def test_an_unknown_name_is_refused() -> None:
    """SERV-0: a wrong service is known by its name, and by no other."""
    with pytest.raises(UnknownMiniature):
        service("nobody")
