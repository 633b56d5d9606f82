"""An environment's tools over MCP: a real server on loopback, and the official client."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

from blade.gym.servers.calls import LocalCalls
from blade.gym.servers.components import build, find
from blade.gym.servers.http import serve
from blade.gym.servers.mcp import with_plain_names

from .on_disk import write

SHELF = (Path(__file__).parent / "shelf.py").read_text()


@asynccontextmanager
async def shelf(root: Path, *, exposed: bool = True) -> AsyncIterator[str]:
    write(root / "resources_servers" / "shelf" / "app.py", SHELF)
    component = find("resources_servers", "shelf", [root])
    settings = {"num_workers": 1, "expose_tools_over_mcp": exposed, "tool_timeout_seconds": 5.0}
    async with serve(build(component, "shelf", settings, LocalCalls())) as url:
        yield url


async def seeded(http: aiohttp.ClientSession, url: str, books: list[str]) -> dict[str, Any]:
    async with http.post(f"{url}/seed_session", json={"books": books}) as reply:
        body: dict[str, Any] = await reply.json()
        return body


@asynccontextmanager
async def client(url: str, headers: dict[str, str]) -> AsyncIterator[ClientSession]:
    async with (
        create_mcp_http_client(headers=headers) as http,
        streamable_http_client(f"{url}/mcp", http_client=http) as (received, sent),
        ClientSession(received, sent) as session,
    ):
        await session.initialize()
        yield session


async def said(session: ClientSession, name: str, **arguments: Any) -> tuple[str, bool]:
    result: Any = await session.call_tool(name, arguments)
    return result.content[0].text, bool(result.is_error)


def test_the_official_client_lists_and_uses_the_tools_of_its_session(tmp_path: Path) -> None:
    async def it() -> None:
        async with shelf(tmp_path) as url, aiohttp.ClientSession() as http:
            mine, other = await seeded(http, url, ["Emma"]), await seeded(http, url, [])
            way = mine["mcp"]
            assert (way["server_name"], way["url_path"], way["transport"]) == ("shelf", "/mcp", "http")
            async with client(url, way["headers"]) as session:
                tools = (await session.list_tools()).tools
                assert {"shelf_add", "shelf_list"} <= {tool.name for tool in tools}
                (add,) = [tool for tool in tools if tool.name == "shelf_add"]
                assert add.description == "Put a book on the shelf."
                assert add.input_schema["required"] == ["title"]
                assert await said(session, "shelf_add", title="Ivanhoe") == ("2 books", False)
                assert await said(session, "shelf_list") == ('{"books": ["Emma", "Ivanhoe (2020)"]}', False)
                text, failed = await said(session, "shelf_raise")
                assert (text, failed) == ("Error executing tool 'shelf_raise': the shelf fell down", True)
                text, failed = await said(session, "shelf_add", size=3)
                assert failed
                assert "invalid arguments" in text
            async with client(url, other["mcp"]["headers"]) as session:
                assert await said(session, "shelf_list") == ('{"books": []}', False)

    asyncio.run(it())


def test_without_a_session_nothing_is_run(tmp_path: Path) -> None:
    async def it() -> None:
        async with shelf(tmp_path) as url, client(url, {}) as session:
            text, failed = await said(session, "shelf_list")
            assert failed
            assert "carries no session" in text

    asyncio.run(it())


@pytest.mark.parametrize(
    ("message", "status", "code"),
    [
        ([1], 400, -32600),
        ({"id": 1, "method": "tools/list"}, 400, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "resources/list"}, 200, -32601),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "verify"}}, 200, -32602),
        ({"jsonrpc": "2.0", "method": "notifications/initialized"}, 202, None),
        ({"jsonrpc": "2.0", "id": 7, "result": {}}, 202, None),
    ],
)
def test_what_is_no_request_for_a_tool(tmp_path: Path, message: Any, status: int, code: int | None) -> None:
    async def it() -> None:
        async with shelf(tmp_path) as url, aiohttp.ClientSession() as http, http.post(f"{url}/mcp", json=message) as reply:
            assert reply.status == status
            body = await reply.json(content_type=None)
            assert (body["error"]["code"] if body else None) == code

    asyncio.run(it())


def test_an_environment_that_does_not_offer_it_has_no_such_address(tmp_path: Path) -> None:
    async def it() -> None:
        async with shelf(tmp_path, exposed=False) as url, aiohttp.ClientSession() as http:
            assert await seeded(http, url, []) == {}
            async with http.post(f"{url}/mcp", json={}) as reply:
                assert reply.status == 404

    asyncio.run(it())


def test_a_verifier_sees_tools_under_their_own_names() -> None:
    call = {"type": "function_call", "name": "mcp__shelf__shelf_add", "arguments": "{}"}
    other = {"type": "function_call", "name": "mcp__web__search", "arguments": "{}"}
    found = with_plain_names({"id": "r", "output": [call, other, {"type": "message"}]}, "shelf")
    assert [item.get("name") for item in found["output"]] == ["shelf_add", "mcp__web__search", None]
    assert call["name"] == "mcp__shelf__shelf_add"
    assert with_plain_names({"output": "abc"}, "shelf") == {"output": "abc"}


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_stream_to_listen_to(tmp_path: Path, method: str) -> None:
    async def it() -> None:
        async with shelf(tmp_path) as url, aiohttp.ClientSession() as http, http.request(method, f"{url}/mcp") as reply:
            assert reply.status == 405

    asyncio.run(it())
