"""What only HTTP can get wrong, and what calls over it make of that: a real server and real connections on loopback."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import aiohttp
import pytest

from blade.gym.servers.calls import CallFailed, LocalCalls, Reply
from blade.gym.servers.http import listen, serve, url_of
from blade.gym.servers.http_calls import HttpCalls
from blade.gym.servers.server import Handler, Server
from blade.gym.settings import Settings

Peer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Mirror(Server):
    """Says what it was sent."""

    def __init__(self) -> None:
        super().__init__("mirror", Settings(), LocalCalls())
        self.waiting, self.cancelled = asyncio.Event(), asyncio.Event()

    def routes(self) -> dict[tuple[str, str], Handler]:
        return super().routes() | {("POST", "/mirror"): self.mirror, ("POST", "/wait"): self.wait, ("POST", "/odd"): self.odd}

    async def mirror(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        return Reply(200, body, {"seen by 'me'": "ü; x"})

    async def wait(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        self.waiting.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        return Reply(200)

    async def odd(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        return Reply(200, {"no JSON": object()})


JSON = {"Content-Type": "application/json"}
REQUESTS: list[tuple[str, bytes, dict[str, str], int, str]] = [
    ("/mirror", b'{"a": 1}', JSON, 200, '{"a":1}'),
    ("/mirror", b'"a text"', JSON, 200, "a text"),
    ("/mirror", b"", {}, 200, "null"),
    ("/mirror", b'{"a": ', JSON, 422, "the body is not JSON"),
    ("/mirror", b"\xff\xfe", JSON, 422, "the body is not JSON"),
    ("/mirror", b"[" * 100_000, JSON, 422, "the body is not JSON"),
    ("/mirror", b'{"a": 1}', {"Content-Type": "text/plain"}, 422, "must be sent as application/json"),
    ("/mirror", b'"' + b"x" * 200_001 + b'"', JSON, 413, "larger than 200,000 bytes"),
    ("/mirror", b"1", JSON | {"Host": "evil.example"}, 403, "answers on this machine only"),
    ("/mirror", b"1", JSON | {"Host": "localhost:1"}, 200, "1"),
    ("/elsewhere", b"1", JSON, 404, "does not answer POST /elsewhere"),
    ("/odd", b"1", JSON, 500, "the answer cannot be written as JSON"),
]


def test_requests_as_they_come() -> None:
    async def run() -> list[tuple[int, str]]:
        async with serve(Mirror(), largest_body=200_000) as url, aiohttp.ClientSession() as session:

            async def one(path: str, content: bytes, headers: dict[str, str]) -> tuple[int, str]:
                headers = {"Content-Type": ""} | headers
                async with session.post(url + path, data=content, headers=headers) as response:
                    return response.status, await response.text()

            return [await one(path, content, headers) for path, content, headers, _, _ in REQUESTS]

    for (status, text), (_, _, _, expected, part) in zip(asyncio.run(run()), REQUESTS, strict=True):
        assert (status, part in text) == (expected, True), text


def test_a_cookie_is_not_for_scripts_and_comes_back_as_it_was() -> None:
    async def run() -> tuple[str, str, Reply]:
        async with serve(Mirror()) as url, aiohttp.ClientSession() as session, HttpCalls({"mirror": url}) as calls:
            async with session.post(f"{url}/mirror", json="text") as response:
                header, kind = response.headers["Set-Cookie"], response.headers["Content-Type"]
            return header, kind, await calls.post("mirror", "/mirror", {"NaN": float("nan"), "deep": [1.5, None]})

    header, kind, reply = asyncio.run(run())
    assert "HttpOnly" in header
    assert "SameSite=Strict" in header
    assert kind == "text/plain; charset=utf-8"
    assert reply == Reply(200, {"NaN": None, "deep": [1.5, None]}, {"seen by 'me'": "ü; x"})


def test_nobody_computes_for_a_caller_that_has_gone() -> None:
    async def run() -> None:
        mirror = Mirror()
        async with serve(mirror) as url, HttpCalls({"mirror": url}) as calls:
            with pytest.raises(CallFailed, match="no answer within"):
                await calls.post("mirror", "/wait", {}, timeout=0.2)
            await asyncio.wait_for(mirror.cancelled.wait(), 5)

    asyncio.run(run())


def test_a_server_ends_soon_even_with_requests_under_way() -> None:
    async def run() -> str:
        mirror = Mirror()
        async with HttpCalls({}, patience=0) as calls:
            async with serve(mirror) as url:
                calls.urls["mirror"] = url
                waiting = asyncio.ensure_future(calls.post("mirror", "/wait", {}))
                await mirror.waiting.wait()
            with pytest.raises(CallFailed) as lost:
                await asyncio.wait_for(waiting, 5)
            with pytest.raises(CallFailed) as unreachable:
                await calls.post("mirror", "/mirror", {})
            assert unreachable.value.failure == "server_unreachable"
            return lost.value.failure

    assert asyncio.run(asyncio.wait_for(run(), 10)) == "server_lost"


async def _hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.close()


async def _half(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":')
    await writer.drain()
    writer.close()


async def _not_http(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 mail.example ESMTP\r\n")
    await writer.drain()
    writer.close()


async def _false_json(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n{{{")
    await writer.drain()
    writer.close()


async def _silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


@pytest.mark.parametrize(
    ("peer", "failure"),
    [
        (_hang_up, "server_lost"),
        (_half, "server_lost"),
        (_not_http, "server_lost"),
        (_false_json, "server_error"),
        (_silent, "timeout"),
    ],
)
def test_a_call_that_may_have_arrived_is_made_once(peer: Peer, failure: str) -> None:
    connections = 0

    async def counted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        await peer(reader, writer)

    async def run() -> CallFailed:
        bound = listen("127.0.0.1", 0)
        async with await asyncio.start_server(counted, sock=bound), HttpCalls({"peer": url_of(bound)}) as calls:
            with pytest.raises(CallFailed) as failed:
                await calls.post("peer", "/run", {}, timeout=1)
            return failed.value

    assert asyncio.run(run()).failure == failure
    assert connections == 1


def test_a_server_that_is_not_there_yet_is_waited_for() -> None:
    async def run() -> Reply:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        async with HttpCalls({"mirror": f"http://127.0.0.1:{port}"}, patience=10) as calls:
            waiting = asyncio.ensure_future(calls.post("mirror", "/mirror", 5))
            await asyncio.sleep(0.5)
            assert not waiting.done()
            async with serve(Mirror(), port=port):
                return await waiting

    assert asyncio.run(run()).body == 5


def test_many_calls_at_once() -> None:
    async def run() -> list[Reply]:
        async with serve(Mirror()) as url, HttpCalls({"mirror": url}) as calls:
            return await asyncio.gather(*(calls.post("mirror", "/mirror", {"n": n}) for n in range(2_000)))

    assert [reply.body for reply in asyncio.run(run())] == [{"n": n} for n in range(2_000)]
