"""Every end-to-end test has a cache of its own: none sees what another has indexed."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The index of this test; commands in this process and in others find it through the environment."""
    home = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    for name in ("BLADE_CACHE_DIR", "BLADE_MAX_LINE_MB", "BLADE_DEBUG", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return home / "blade"
