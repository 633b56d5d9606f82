"""The embedded model: a small language model on this machine's processors, in a process of its own."""

import asyncio
import os
from typing import Any

from pydantic import Field

from blade.gym.models.chat import ask_chat
from blade.gym.models.errors import ModelError
from blade.gym.models.local_server import LocalServer, embedded_model
from blade.gym.models.upstream import Upstream, UpstreamSettings
from blade.gym.servers import Calls, ModelServer


class LocalSettings(UpstreamSettings):
    model_path: str | None = None
    """A GGUF file; by default the model that comes with the extra."""
    parallel: int = Field(default=4, ge=1)
    """Answers computed at once."""
    threads: int | None = Field(default=None, ge=1)
    context_tokens: int = Field(default=4096, ge=256)
    """Prompt and answer together, for each of the parallel answers."""
    startup_timeout_seconds: float = Field(default=120, gt=0)
    max_retries: int = Field(default=2, ge=0)
    extra_body: dict[str, Any] = Field(default_factory=dict)


class LocalModel(ModelServer):
    Settings = LocalSettings

    def __init__(self, name: str, settings: LocalSettings, calls: Calls) -> None:
        super().__init__(name, settings, calls)
        self.settings: LocalSettings = settings
        # Waiting happens here, in order, where it does not count as time that the model took.
        queued = settings.model_copy(update={"max_concurrent_requests": settings.max_concurrent_requests or settings.parallel})
        self.upstream = Upstream(queued, urls=["http://127.0.0.1"])
        self.server: LocalServer | None = None
        self._starting = asyncio.Lock()
        self._stopped = False

    async def start(self) -> None:
        await self._running()

    async def stop(self) -> None:
        self._stopped = True
        await self.upstream.close()
        async with self._starting:
            if self.server is not None:
                await self.server.stop()

    async def responses(self, params: dict[str, Any]) -> dict[str, Any]:
        server = await self._running()
        try:
            return await self._ask(server, params)
        except ModelError:
            if server.alive:
                raise
            return await self._ask(await self._running(), params)

    async def _ask(self, server: LocalServer, params: dict[str, Any]) -> dict[str, Any]:
        return await ask_chat(self.upstream, f"{server.url}/v1", params, model=server.model_name, added=self.settings.extra_body)

    async def _running(self) -> LocalServer:
        """The server, started if it is not there: the first time, or because something ended it."""
        async with self._starting:
            if self._stopped:
                raise ModelError("connection", None, "this model server was stopped")
            if self.server is None or not self.server.alive:
                self.server = await LocalServer.launch(
                    self.settings.model_path or embedded_model(),
                    parallel=self.settings.parallel,
                    threads=self.settings.threads or os.cpu_count() or 1,
                    context_tokens=self.settings.context_tokens,
                    deadline=self.settings.startup_timeout_seconds,
                )
            return self.server
