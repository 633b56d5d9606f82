"""What every server is: one instance of a configuration, with a name, checked settings, and answers to requests.

A server does not know whether it is reached over HTTP or by a call within the process: `handle` takes a method, a path, a JSON value
and cookies, and gives a `Reply`. Whatever goes wrong inside becomes an answer too, so that one bad request never ends a server.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from blade.gym.servers.calls import Calls, Reply, failure
from blade.gym.settings import Settings

if TYPE_CHECKING:
    from blade.gym.servers.components import Component

Handler = Callable[[Any, Mapping[str, str]], Awaitable[Reply]]
OF_A_ROLLOUT = re.compile(r"^/ng-rollout/[A-Za-z0-9][A-Za-z0-9._-]*(?=/)")


class Server:
    """One instance of an implementation. Subclasses say what they answer in `routes`."""

    Settings: ClassVar[type[Any]] = Settings
    """The class of its settings, a subclass of `blade.gym.settings.Settings`."""

    component: "Component | None" = None
    """Which code this is an instance of; known when it was built from a configuration."""

    def __init__(self, name: str, settings: Any, calls: Calls) -> None:
        self.name = name
        self.settings = settings
        self.calls = calls
        self._routes = self.routes()

    def routes(self) -> dict[tuple[str, str], Handler]:
        return {("GET", "/"): self._alive}

    async def start(self) -> None:
        """Called once before the first request, in the process that serves."""

    async def stop(self) -> None:
        """Called once after the last request."""

    async def handle(self, method: str, path: str, body: Any, cookies: Mapping[str, str]) -> Reply:
        """The answer to a request; an exception is an answer with status 500."""
        bare = OF_A_ROLLOUT.sub("", path)
        handler = self._routes.get((method, bare))
        try:
            return await (handler(body, cookies) if handler else self.unknown(method, bare, body, cookies))
        except Exception as error:  # noqa: BLE001  # the boundary: code of environments may raise anything
            return failure("server_error", f"{type(error).__name__}: {error}")

    async def unknown(self, method: str, path: str, body: Any, cookies: Mapping[str, str]) -> Reply:
        return Reply(404, {"detail": f"{self.name} does not answer {method} {path}"})

    async def _alive(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        return Reply(200, {"status": "ok"})
