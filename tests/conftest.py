"""Settings for every test: a slow machine is no failure, so Hypothesis has no deadline; how wide the caller's window is says nothing.

A shell has its background jobs ignore interrupts, and their children with them; here they count, so that interrupts can be tested.
"""

import gc
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.commands import components
from tests.ray_cluster import ray_address
from tests.shared_data import real_index

__all__ = ["ray_address", "real_index"]  # one cluster and one index for all tests that want them

settings.register_profile("blade", deadline=None)
settings.load_profile("blade")
TOGETHER = {
    "tests/engines/test_ray.py": "the Ray cluster",
    "tests/runs/test_on_ray.py": "the Ray cluster",
    "tests/packages/test_init.py": "the EvalPlus package",
    "tests/packages/test_ready.py": "the EvalPlus package",
    "tests/packages/test_validate_golden.py": "the EvalPlus package",
    "tests/packages/test_validate_skill.py": "the EvalPlus package",
}
"""Files that share what is made once for a session."""
LONG_FILES = ("tests/e2e/", "tests/docs/", "tests/packages/", "tests/lab/")
os.environ.pop("COLUMNS", None)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


class ByFile(LoadScopeScheduling):
    """A file's tests run in one worker, which makes what they share once; so do files that share something for a whole session."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return TOGETHER.get(file, file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    """Not the marker `xdist_group`: with pytest 9.2 and xdist 3.8 it does not reach the scheduler."""
    return ByFile(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The folders with the longest files come first, so that no worker has long work left when the other has none."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG_FILES))


def pytest_collection_finish() -> None:
    """What collecting ten thousand tests has made stays to the end: whoever collects garbage, a library at every call, need not look through it."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    gc.unfreeze()


@pytest.fixture(autouse=True)
def same_components() -> Iterator[None]:
    """A component of another folder replaces one of the same name; the next test finds the modules that its file imported."""
    before = components()
    yield
    after = components()
    if any(after.get(name) is not module for name, module in before.items()):
        for name in after:
            del sys.modules[name]
        sys.modules.update(before)
