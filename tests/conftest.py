"""The fixture that runs every rule test on both engines, how hard Hypothesis tries, and which tests have which markers."""

import os
import signal

import hypothesis
import pytest

pytest.register_assert_rewrite("support")

from support.engines import ENGINES, Engine  # noqa: E402

# A shell without job control starts what runs in the background with Ctrl-C ignored, and every process that a test starts would
# ignore it too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

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

MARKERS = {
    "test_benchmarks.py": ["measure"],
    "test_bits.py": ["build"],
    "test_c_api_built.py": ["build"],
    "test_browser.py": ["browser"],
    "test_cluster.py": ["cluster"],
    "test_cluster_mpi.py": ["cluster"],
    "test_cluster_ray.py": ["cluster"],
    "test_packaging.py": ["build"],
    "test_sharing.py": ["measure"],
}
"""The markers of all tests of a file; pyproject.toml says what they mean."""

TOGETHER = [
    "test_bits.py",
    "test_browser.py",
    "test_c_api_built.py",
    "test_cluster.py",
    "test_cluster_mpi.py",
    "test_cluster_ray.py",
    "test_units.py",
]
"""Files whose tests share something that takes long to make, so that one worker runs all of a file."""

LONGER = 5
"""How much more time than the others tests have that build something, drive a browser or start processes on a cluster."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Gives each test the markers of its file."""
    usual = config.getoption("timeout")
    seconds = LONGER * float(config.getini("timeout") if usual is None else usual)
    for item in items:
        for name in MARKERS.get(item.path.name, ()):
            item.add_marker(name)
        if any(map(item.get_closest_marker, ("browser", "build", "cluster"))):
            item.add_marker(pytest.mark.timeout(seconds))
        if item.path.name in TOGETHER:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


@pytest.fixture(params=ENGINES, ids=lambda engine: engine.name)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine in turn."""
    return request.param
