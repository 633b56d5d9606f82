"""Every end-to-end test has a cache of its own: none sees what another has indexed.

A module that says `ONE_CACHE = True` has one for all its tests, so that its example is read once.
"""

from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what a module's tests share."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def cache(
    home: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The index of this test; commands in this process and in others find it through the environment."""
    folder = home / "cache" if getattr(request.module, "ONE_CACHE", False) else tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    for name in ("BLADE_CACHE_DIR", "BLADE_MAX_LINE_MB", "BLADE_DEBUG", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return folder / "blade"
