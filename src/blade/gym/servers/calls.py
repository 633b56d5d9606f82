"""How one server reaches another.

Servers know each other by instance name only. In one process a call is a function call (`LocalCalls`); between processes it is HTTP
(`blade.gym.servers.http`). Bodies are JSON values and are never changed by the one who receives them, so that both ways mean the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from blade.gym.servers.server import Server


@dataclass(frozen=True)
class Reply:
    """What a server answered: an HTTP status, a JSON value or a text (plain unless `content_type` says otherwise), and the cookies to
    send along from now on."""

    status: int
    body: Any = None
    cookies: Mapping[str, str] = field(default_factory=dict)
    content_type: str | None = None

    @property
    def ok(self) -> bool:
        return self.status < 400


class CallFailed(Exception):
    """A call that got no usable answer: which server, which path, what class of failure, and its own words."""

    def __init__(self, server: str, path: str, failure: str, message: str, *, terminal: bool = False) -> None:
        super().__init__(server, path, failure, message, terminal)
        self.server, self.path, self.failure, self.message, self.terminal = server, path, failure, message, terminal

    def __str__(self) -> str:
        return f"{self.server}{self.path}: {self.message}"


class Calls(Protocol):
    async def post(
        self, server: str, path: str, body: Any, *, cookies: Mapping[str, str] | None = None, timeout: float | None = None
    ) -> Reply: ...


class LocalCalls:
    """Calls between servers that live in this process: no ports, no copies."""

    def __init__(self) -> None:
        self.servers: dict[str, Server] = {}

    async def post(
        self, server: str, path: str, body: Any, *, cookies: Mapping[str, str] | None = None, timeout: float | None = None
    ) -> Reply:
        import asyncio

        if server not in self.servers:
            raise CallFailed(server, path, "unknown_server", f"no server is called {server!r}", terminal=True)
        if timeout is None:
            return await self.servers[server].handle("POST", path, body, cookies or {})
        try:
            async with asyncio.timeout(timeout):
                return await self.servers[server].handle("POST", path, body, cookies or {})
        except TimeoutError:
            raise CallFailed(server, path, "timeout", f"no answer within {timeout:g} s") from None


class NoCalls:
    """For code that runs in a worker process: it computes, and reaches nobody."""

    async def post(
        self, server: str, path: str, body: Any, *, cookies: Mapping[str, str] | None = None, timeout: float | None = None
    ) -> Reply:
        raise CallFailed(server, path, "not_here", "code in a worker process cannot call other servers; make the method async")


def failure(kind: str, message: str, *, status: int = 500, terminal: bool = False) -> Reply:
    """An answer that says what went wrong in a form that the caller can sort by: `failure_of` reads it."""
    return Reply(status, {"error": {"class": kind, "message": message, "terminal": terminal}})


def failure_of(server: str, path: str, reply: Reply) -> CallFailed:
    """The typed failure in a reply of 400 or more, whoever wrote it."""
    body = reply.body
    if isinstance(body, dict) and isinstance(error := body.get("error"), dict) and isinstance(error.get("class"), str):
        return CallFailed(server, path, error["class"], str(error.get("message", "")), terminal=error.get("terminal") is True)
    text = body if isinstance(body, str) else repr(body)
    return CallFailed(server, path, "server_error", f"status {reply.status}: {text[:2_000]}")
