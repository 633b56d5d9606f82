from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.gym.endpoints import ScriptedEndpoint


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests leave the user's cache alone."""
    monkeypatch.setenv("BLADE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


class StartEndpoint(Protocol):
    def __call__(
        self, script: Mapping[str, Any] | str | Path, *, log_bodies: bool = False, port: int = 0
    ) -> ScriptedEndpoint: ...


@pytest.fixture
def scripted_endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartEndpoint]:
    """Starts OpenAI-compatible endpoints that answer from a script (`tests/gym/scripted_endpoint.py`); they end with the test."""
    started: list[ScriptedEndpoint] = []

    def start(script: Mapping[str, Any] | str | Path, *, log_bodies: bool = False, port: int = 0) -> ScriptedEndpoint:
        started.append(ScriptedEndpoint(tmp_path_factory.mktemp("endpoint"), script, log_bodies=log_bodies, port=port))
        return started[-1]

    yield start
    for endpoint in started:
        endpoint.stop()
