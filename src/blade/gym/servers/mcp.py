"""The tools of an environment over the Model Context Protocol (Streamable HTTP, every answer in one piece).

For agents that bring their own loop and speak MCP. They find the way in what `/seed_session` answers, and say which session they mean in
the header that stands there. Tools run as they do at their own paths, in the same session.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from blade import __version__
from blade.gym.servers.calls import Reply

PATH: Final = "/mcp"
SESSION_HEADER: Final = "X-NeMo-Gym-Session-Token"
VERSIONS: Final = ("2025-06-18", "2025-03-26", "2024-11-05")
"""Of the protocol, newest first: the tools part is the same in all."""
INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS = -32600, -32601, -32602
Use = Callable[[str, Any], Awaitable[tuple[str, bool]]]
"""Runs a tool: its output as text, and whether it went well."""
Row = dict[str, Any]


class _Refused(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


async def no_stream(body: Any, cookies: Mapping[str, str]) -> Reply:
    """Nothing is sent unasked, and there is no session of the protocol to end."""
    return Reply(405, {"detail": "POST one message at a time"})


async def answer(message: Any, server: str, tools: list[Row], use: Use) -> Reply:
    """The answer to one JSON-RPC message; what wants none gets 202."""
    if not isinstance(message, Mapping) or message.get("jsonrpc") != "2.0":
        return Reply(400, _error(None, INVALID_REQUEST, "the body must be one JSON-RPC 2.0 message"))
    if not isinstance(method := message.get("method"), str) or message.get("id") is None:
        return Reply(202)
    params = message.get("params")
    try:
        result = await _result(method, params if isinstance(params, Mapping) else {}, server, tools, use)
    except _Refused as error:
        return Reply(200, _error(message["id"], error.code, str(error)))
    return Reply(200, {"jsonrpc": "2.0", "id": message["id"], "result": result})


async def _result(method: str, params: Mapping[str, Any], server: str, tools: list[Row], use: Use) -> Row:
    if method == "initialize":
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": {"name": server, "version": __version__},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [_described(tool) for tool in tools]}
    if method == "tools/call":
        name = params.get("name")
        if all(tool["name"] != name for tool in tools):
            raise _Refused(INVALID_PARAMS, f"no tool is called {name!r}")
        text, went_well = await use(str(name), params.get("arguments") or {})
        return {"content": [{"type": "text", "text": text}], "isError": not went_well}
    raise _Refused(UNKNOWN_METHOD, f"{method} is not answered here")


def way_in(server: str, session: str) -> Row:
    """What the answer to `/seed_session` says about it."""
    return {"server_name": server, "url_path": PATH, "transport": "http", "headers": {SESSION_HEADER: session}}


def with_plain_names(response: Row, server: str) -> Row:
    """A response in which tools have their own names again: clients of MCP write `mcp__<server>__` before them."""
    output = response.get("output")
    if not isinstance(output, list):
        return response
    return response | {"output": [_plainly_named(item, f"mcp__{server}__") for item in output]}


def _plainly_named(item: Any, prefix: str) -> Any:
    if isinstance(item, dict) and isinstance(name := item.get("name"), str) and name.startswith(prefix):
        return item | {"name": name.removeprefix(prefix)}
    return item


def _described(tool: Row) -> Row:
    return {"name": tool["name"], "description": tool["description"], "inputSchema": tool["parameters"]}


def _error(identity: Any, code: int, message: str) -> Row:
    return {"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": message}}
