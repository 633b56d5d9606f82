import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests leave the user's cache alone."""
    monkeypatch.setenv("BLADE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
