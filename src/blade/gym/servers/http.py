"""One server behind a port: `serve` puts `Server.handle` on HTTP, and adds nothing to what it means.

What only HTTP can get wrong is answered here: a body that is not JSON or is not sent as JSON (422, so that a web page cannot send one
unasked), one that is too large (413), and a name in `Host` that does not belong to this machine (403, against pages that have their own
name resolve to the loopback address). A request whose sender has gone is cancelled, so that nobody computes for a dead caller.
"""

import ipaddress
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from blade.gym.servers.calls import Reply, failure
from blade.gym.servers.mcp import SESSION_HEADER
from blade.gym.servers.server import Server
from blade.gym.servers.wire import (
    JSON,
    LARGEST_BODY,
    TEXT,
    NotJson,
    decoded,
    decoded_cookies,
    decoded_path,
    encoded,
    encoded_cookie,
    encoded_text,
)

LOOPBACK: Final = "127.0.0.1"
BACKLOG: Final = 4_096
KEEP_IDLE_SECONDS: Final = 3_600.0
"""Longer than any client of ours keeps a connection, so that a server never closes one that a request is being written to."""
LAST_SECONDS: Final = 1.0
"""What requests under way are given when a server ends."""
Handle = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def serve(
    server: Server,
    host: str = LOOPBACK,
    port: int = 0,
    *,
    listening: socket.socket | None = None,
    largest_body: int = LARGEST_BODY,
) -> AsyncIterator[str]:
    """Start a server and answer requests at the address given until the block ends; gives its URL.

    Port 0 is any free one. `listening` is a socket that somebody else has bound already, instead of an address.
    """
    bound = listening or listen(host, port)
    try:
        await server.start()
        async with listener(_application(server, largest_body, only_here=is_loopback(bound.getsockname()[0])), bound):
            yield url_of(bound)
    finally:
        bound.close()
        await server.stop()


@asynccontextmanager
async def listener(application: web.Application, bound: socket.socket) -> AsyncIterator[None]:
    """An application that answers on a socket until the block ends."""
    runner = web.AppRunner(
        application,
        access_log=None,
        handler_cancellation=True,
        keepalive_timeout=KEEP_IDLE_SECONDS,
        shutdown_timeout=LAST_SECONDS,
    )
    await runner.setup()
    try:
        await web.SockSite(runner, bound, backlog=BACKLOG).start()
        yield
    finally:
        await runner.cleanup()


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections from now on, even before anybody answers them; raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=BACKLOG)


def url_of(bound: socket.socket) -> str:
    """Where a socket can be reached from this machine."""
    host, port = bound.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "::1" if ":" in host else LOOPBACK
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def _application(server: Server, largest_body: int, *, only_here: bool) -> web.Application:
    application = web.Application(client_max_size=largest_body, middlewares=[known_host] if only_here else [])

    async def answer(request: web.Request) -> web.StreamResponse:
        try:
            content = await request.read()
        except web.HTTPRequestEntityTooLarge:
            return _response(
                failure("body_too_large", f"the body is larger than {largest_body:,} bytes", status=413, terminal=True)
            )
        if content and request.content_type != JSON:
            return _response(Reply(422, {"detail": f"the body must be sent as {JSON}"}))
        try:
            body = decoded(content)
        except NotJson as error:
            return _response(Reply(422, {"detail": str(error)}))
        path = decoded_path(request.rel_url.raw_path)
        cookies = decoded_cookies(request.cookies)
        if token := request.headers.get(SESSION_HEADER):
            cookies[SESSION_HEADER] = token
        return _response(await server.handle(request.method, path, body, cookies))

    application.router.add_route("*", "/{path:.*}", answer)
    return application


@web.middleware
async def known_host(request: web.Request, handler: Handle) -> web.StreamResponse:
    """Refuse requests that were addressed to some other name."""
    with suppress(ValueError):
        if is_loopback(urlsplit(f"//{request.host}").hostname or ""):
            return await handler(request)
    return _response(Reply(403, {"detail": f"this server answers on this machine only, not for {request.host!r}"}))


def _response(reply: Reply) -> web.Response:
    if isinstance(reply.body, str):
        response = web.Response(
            status=reply.status, body=encoded_text(reply.body), content_type=reply.content_type or TEXT, charset="utf-8"
        )
    else:
        try:
            content = encoded(reply.body)
        except (TypeError, ValueError) as error:
            return _response(failure("server_error", f"the answer cannot be written as JSON: {error}"))
        response = web.Response(status=reply.status, body=content, content_type=JSON)
    for name, value in reply.cookies.items():
        response.set_cookie(encoded_cookie(name), encoded_cookie(value), httponly=True, samesite="Strict")
    return response
