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

from tests.commands import components
from tests.ray_cluster import ray_address

__all__ = ["ray_address"]  # one cluster for all tests that want one

settings.register_profile("blade", deadline=None)
settings.load_profile("blade")
LONG_FILES = ("tests/e2e/", "tests/docs/", "tests/packages/", "tests/lab/")
os.environ.pop("COLUMNS", None)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A file's tests run in one worker, which makes what they share once; the folders with the longest files come first (see `make test`)."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
    items.sort(key=lambda item: not item.nodeid.startswith(LONG_FILES))


def pytest_collection_finish() -> None:
    """What collecting ten thousand tests has made stays to the end: whoever collects garbage, a library at every call, need not look through it."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    gc.unfreeze()


@pytest.fixture(autouse=True)
def samecomponents() -> Iterator[None]:
    """A component of another folder replaces one of the same name; the next test finds the modules that its file imported."""
    before = components()
    yield
    after = components()
    if any(after.get(name) is not module for name, module in before.items()):
        for name in after:
            del sys.modules[name]
        sys.modules.update(before)
