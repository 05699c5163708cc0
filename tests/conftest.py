"""The fixture that runs every rule test on both engines, and how hard Hypothesis tries."""

import os

import hypothesis
import pytest

pytest.register_assert_rewrite("support")

from support.engines import ENGINES, Engine  # noqa: E402

# How long a machine takes is no property of the library: no deadline, and no complaint about slow data.
hypothesis.settings.register_profile(
    "default",
    deadline=None,
    derandomize=True,
    max_examples=150,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.register_profile(
    "long", hypothesis.settings.get_profile("default"), derandomize=False, max_examples=5_000, print_blob=True
)
hypothesis.settings.load_profile(os.environ.get("TABULA_HYPOTHESIS", "default"))


@pytest.fixture(params=ENGINES, ids=lambda engine: engine.name)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine in turn."""
    return request.param
