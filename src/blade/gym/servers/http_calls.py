"""Calls between servers in different processes: the same `Calls` as within one process, over HTTP.

What a call can meet besides an answer is typed: `server_unreachable` (no connection came about, so nothing was asked), `server_lost`
(the connection broke before the whole answer was there, so whether the call took effect is unknown) and `timeout`. Only the first
is tried again, for a while, because a server that was killed is being started again by whoever supervises it; a call that may have
taken effect is never repeated behind the caller's back.
"""

import asyncio
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Self

from blade.gym.servers.calls import CallFailed, Reply
from blade.gym.servers.wire import JSON, LARGEST_BODY, NotJson, cookie_header, decoded, decoded_cookies, encoded, encoded_path

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

MOST_CONNECTIONS: Final = 102_400
MOST_CONNECTIONS_TO_ONE: Final = 16_384
KEEP_IDLE_SECONDS: Final = 60.0
PATIENCE_SECONDS: Final = 60.0
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
_CHUNK: Final = 64 << 10


class HttpCalls:
    """Calls to servers by instance name; `urls` says where each one listens. Close it, or use it as `async with`."""

    def __init__(self, urls: Mapping[str, str], *, patience: float = PATIENCE_SECONDS) -> None:
        self.urls = dict(urls)
        self._patience = patience
        self._session: ClientSession | None = None

    async def post(
        self, server: str, path: str, body: Any, *, cookies: Mapping[str, str] | None = None, timeout: float | None = None
    ) -> Reply:
        return await self._call("POST", server, path, body, cookies, timeout)

    async def get(self, server: str, path: str, *, timeout: float | None = None) -> Reply:
        return await self._call("GET", server, path, None, None, timeout)

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(
        self, method: str, server: str, path: str, body: Any, cookies: Mapping[str, str] | None, timeout: float | None
    ) -> Reply:
        if server not in self.urls:
            raise CallFailed(server, path, "unknown_server", f"no server is called {server!r}", terminal=True)
        headers = {"Content-Type": JSON} | ({"Cookie": cookie_header(cookies)} if cookies else {})
        try:
            content = encoded(body) if method == "POST" else b""
        except (TypeError, ValueError) as error:
            raise CallFailed(
                server, path, "unsendable", f"the request cannot be written as JSON: {error}", terminal=True
            ) from None
        try:
            async with asyncio.timeout(timeout):
                return await self._patiently(method, server, path, content, headers)
        except TimeoutError:
            raise CallFailed(server, path, "timeout", f"no answer within {timeout:g} s") from None

    async def _patiently(self, method: str, server: str, path: str, content: bytes, headers: Mapping[str, str]) -> Reply:
        """Try until a connection comes about; then once."""
        import aiohttp

        pause, until = FIRST_PAUSE, time.monotonic() + self._patience
        while True:
            try:
                return await self._once(method, server, path, content, headers)
            except aiohttp.ClientConnectorError as error:
                if time.monotonic() + pause > until:
                    message = f"{self.urls[server]} takes no connection ({error.os_error.strerror or error.os_error})"
                    raise CallFailed(server, path, "server_unreachable", message) from None
            except (aiohttp.ClientError, OSError) as error:
                said = getattr(error, "strerror", None) or str(error) or type(error).__name__
                raise CallFailed(
                    server, path, "server_lost", f"the connection broke before the answer was there ({said})"
                ) from None
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _once(self, method: str, server: str, path: str, content: bytes, headers: Mapping[str, str]) -> Reply:
        from yarl import URL

        url = URL(self.urls[server].rstrip("/") + encoded_path(path), encoded=True)
        async with self._opened().request(method, url, data=content or None, headers=headers, allow_redirects=False) as response:
            received = await _whole(response, server, path)
            cookies = decoded_cookies({name: morsel.value for name, morsel in response.cookies.items()})
            if response.content_type != JSON:
                return Reply(response.status, received.decode("utf-8", "replace"), cookies, response.content_type)
            try:
                return Reply(response.status, decoded(received), cookies)
            except NotJson:
                raise CallFailed(server, path, "server_error", "the answer says it is JSON, and is not") from None

    def _opened(self) -> "ClientSession":
        if self._session is None:
            import aiohttp

            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    limit=MOST_CONNECTIONS, limit_per_host=MOST_CONNECTIONS_TO_ONE, keepalive_timeout=KEEP_IDLE_SECONDS
                ),
                timeout=aiohttp.ClientTimeout(total=None),
                cookie_jar=aiohttp.DummyCookieJar(),
                trust_env=False,
            )
        return self._session


async def _whole(response: "ClientResponse", server: str, path: str) -> bytes:
    content = bytearray()
    async for chunk in response.content.iter_chunked(_CHUNK):
        content += chunk
        if len(content) > LARGEST_BODY:
            raise CallFailed(server, path, "server_error", f"the answer is larger than {LARGEST_BODY:,} bytes", terminal=True)
    return bytes(content)
