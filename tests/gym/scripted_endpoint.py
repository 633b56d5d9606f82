"""An OpenAI-compatible endpoint whose answers come from a script: a real server on loopback, in a process of its own, and no model.

Every answer says so: its `model` is `scripted-endpoint`. The same request gets the same answer with the same ids, so that two runs over
it can be compared byte by byte.

    python tests/gym/scripted_endpoint.py --port 0 --script FILE [--log FILE] [--log-bodies]

prints its address (`http://127.0.0.1:PORT/v1`) in one line and serves `/v1/responses`, `/v1/chat/completions`, `/v1/models`, `/health`.

A script is a JSON file, or a Python file with `reply(request) -> dict | str` and, if wanted, `fault(request) -> str | dict | None` and
`SETTINGS` (a dict of the keys below). In JSON:

    {"latency_seconds": 0.2,
     "apis": ["responses", "chat"],            which of the two exist; the other answers 404
     "rules": [{"when": {"contains": "task-7", "turn": 1, "seed": 0, "tool_output_contains": "sent"}, "reply": REPLY}, …],
     "faults": [{"when": {…}, "schedule": ["429", "500", "half", null]},
                {"share": 0.1, "kinds": ["500", "reset"], "most": 2, "salt": "a"}]}

The first rule whose `when` holds answers; `when` may be left out. `contains` looks at the last user's text, `turn` counts the model's
earlier turns. REPLY is a text, or an object with any of `text`, `reasoning`, `refusal`, `calls` ([{name, arguments}]), `finish`
(`length`, `content_filter`), `usage`, `latency_seconds`; or `{"each": [REPLY, …]}`: by the request's seed, without one by how often
the same request came; or `{"status": 400, "body": {…}, "headers": {…}}` as it is.

A fault goes before the reply. `schedule`: what the first, second, … of the same request meets. `share`: so much of the requests meet one
of `kinds`, chosen by a hash of the request and its visit, at most `most` times in a row. Kinds: `429` (`Retry-After` from `retry_after`,
0 by default), any other status, `garbage`, `half` (half a body, then the connection closes), `reset` (closes without an answer), `hang`
(never answers), `slow` (answers after `slow_seconds`, 2 by default), `list` (JSON, but no object), `hollow` (an object without an answer).
"""

import argparse
import asyncio
import hashlib
import importlib.util
import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import web

MODEL = "scripted-endpoint"
MODEL_ITEMS = ("reasoning", "function_call")


@dataclass(frozen=True)
class Request:
    """What a script may look at."""

    path: str
    body: dict[str, Any]
    text: str
    """The last user's text."""
    opening: str
    """The first user's text: the task."""
    tool_output: str
    """The last tool's output, empty when there is none after the last user's text."""
    turn: int
    """How many turns the model had before this one."""
    seed: int | None
    key: str
    """The same for the same conversation and seed."""
    nth: int
    """How often this key came before."""


# ---------------------------------------------------------------- reading a request


def read(path: str, body: dict[str, Any], visits: Counter[str]) -> Request:
    said = body.get("input") if path.endswith("responses") else body.get("messages")
    items = [{"role": "user", "content": said}] if isinstance(said, str) else said or []
    seed = body.get("seed")
    if seed is None:
        seed = json.loads((body.get("metadata") or {}).get("extra_body") or "{}").get("seed")
    key = hashlib.sha256(json.dumps([items, seed], sort_keys=True).encode()).hexdigest()[:16]
    nth = visits[key]
    visits[key] += 1
    users = [text(item) for item in items if item.get("role") == "user"]
    last_user = max((place for place, item in enumerate(items) if item.get("role") == "user"), default=-1)
    outputs = [
        text(item) for item in items[last_user + 1 :] if item.get("role") == "tool" or item.get("type") == "function_call_output"
    ]
    return Request(
        path=path,
        body=body,
        text=users[-1] if users else "",
        opening=users[0] if users else "",
        tool_output=outputs[-1] if outputs else "",
        turn=turns(items),
        seed=seed,
        key=key,
        nth=nth,
    )


def text(item: dict[str, Any]) -> str:
    content = item.get("content", item.get("output"))
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return str(content or "")


def turns(items: list[dict[str, Any]]) -> int:
    """Runs of the model's own items."""
    mine = [item.get("type") in MODEL_ITEMS or item.get("role") == "assistant" for item in items]
    return sum(now and not before for before, now in zip([False, *mine], mine, strict=False))


# ---------------------------------------------------------------- the script


@dataclass(frozen=True)
class Script:
    reply: Callable[[Request], Any]
    fault: Callable[[Request], Any]
    settings: dict[str, Any]


def load(file: Path) -> Script:
    if file.suffix == ".py":
        spec = importlib.util.spec_from_file_location("endpoint_script", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return Script(module.reply, getattr(module, "fault", lambda request: None), getattr(module, "SETTINGS", {}))
    rules = json.loads(file.read_text(encoding="utf-8"))
    return Script(lambda request: by_rules(rules, request), lambda request: by_faults(rules, request), rules)


def by_rules(script: dict[str, Any], request: Request) -> Any:
    for rule in script.get("rules", []):
        if holds(rule.get("when", {}), request):
            return rule["reply"]
    return {"status": 418, "body": {"error": {"message": f"no rule of the script answers {request.text[:80]!r}"}}}


def by_faults(script: dict[str, Any], request: Request) -> Any:
    for rule in script.get("faults", []):
        if not holds(rule.get("when", {}), request):
            continue
        schedule = rule.get("schedule", [])
        if request.nth < len(schedule) and schedule[request.nth]:
            return rule | {"kind": schedule[request.nth]}
        if "share" in rule and request.nth < rule.get("most", 2):
            chance = hashlib.sha256(f"{rule.get('salt', '')}/{request.key}/{request.nth}".encode()).digest()
            if int.from_bytes(chance[:4]) / 2**32 < rule["share"]:
                return rule | {"kind": rule["kinds"][chance[4] % len(rule["kinds"])]}
    return None


def holds(when: dict[str, Any], request: Request) -> bool:
    return (
        when.get("contains", "") in request.text
        and when.get("opening_contains", "") in request.opening
        and when.get("tool_output_contains", "") in request.tool_output
        and when.get("turn", request.turn) == request.turn
        and when.get("seed", request.seed) == request.seed
        and when.get("nth", request.nth) == request.nth
    )


def chosen(reply: Any, request: Request) -> dict[str, Any]:
    if isinstance(reply, str):
        return {"text": reply}
    if "each" in reply:
        place = request.nth if request.seed is None else request.seed
        return chosen(reply["each"][place % len(reply["each"])], request)
    return dict(reply)


# ---------------------------------------------------------------- answers in the two shapes


def as_response(reply: dict[str, Any], request: Request) -> dict[str, Any]:
    name, finish = f"{request.key}-{request.nth}", reply.get("finish", "stop")
    output: list[dict[str, Any]] = []
    if reply.get("reasoning"):
        output.append(
            {"id": f"rs_{name}", "type": "reasoning", "summary": [{"type": "summary_text", "text": reply["reasoning"]}]}
        )
    part = None
    if reply.get("refusal"):
        part = {"type": "refusal", "refusal": reply["refusal"]}
    elif reply.get("text") is not None:
        part = {"type": "output_text", "text": reply["text"], "annotations": [], "logprobs": []}
    if part:
        output.append({"id": f"msg_{name}", "type": "message", "role": "assistant", "status": "completed", "content": [part]})
    for place, call in enumerate(reply.get("calls", [])):
        called = {"id": f"fc_{name}-{place}", "type": "function_call", "status": "completed", "call_id": f"call_{name}-{place}"}
        output.append(called | {"name": call["name"], "arguments": arguments(call)})
    reason = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(finish)
    read_, written = counts(reply, request)
    usage = {
        "input_tokens": read_,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": read_ + written,
    }
    return {
        "id": f"resp_{name}",
        "object": "response",
        "created_at": 0,
        "model": MODEL,
        "status": "incomplete" if reason else "completed",
        "error": None,
        "incomplete_details": {"reason": reason} if reason else None,
        "output": output,
        "usage": reply.get("usage", usage),
    }


def as_chat(reply: dict[str, Any], request: Request) -> dict[str, Any]:
    name = f"{request.key}-{request.nth}"
    message: dict[str, Any] = {"role": "assistant", "content": reply.get("text")}
    message |= {"refusal": reply["refusal"]} if reply.get("refusal") else {}
    message |= {"reasoning_content": reply["reasoning"]} if reply.get("reasoning") else {}
    calls = [
        {"id": f"call_{name}-{place}", "type": "function", "function": {"name": call["name"], "arguments": arguments(call)}}
        for place, call in enumerate(reply.get("calls", []))
    ]
    message |= {"tool_calls": calls} if calls else {}
    finish = reply.get("finish", "tool_calls" if calls else "stop")
    read_, written = counts(reply, request)
    usage = {
        "prompt_tokens": read_,
        "completion_tokens": written,
        "total_tokens": read_ + written,
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }
    return {
        "id": f"chatcmpl-{name}",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": reply.get("usage", usage),
    }


def arguments(call: dict[str, Any]) -> str:
    given = call.get("arguments", {})
    return given if isinstance(given, str) else json.dumps(given)


def counts(reply: dict[str, Any], request: Request) -> tuple[int, int]:
    """Words, which stand in for tokens."""
    said = json.dumps(request.body.get("input") or request.body.get("messages") or "")
    return len(said.split()), len(json.dumps({key: reply[key] for key in ("text", "reasoning", "calls") if key in reply}).split())


# ---------------------------------------------------------------- the server


class Endpoint:
    def __init__(self, script: Script, log: Path | None, *, log_bodies: bool) -> None:
        self.script = script
        self.visits: Counter[str] = Counter()
        self.log = log.open("a", encoding="utf-8") if log else None
        self.log_bodies = log_bodies
        self.apis = script.settings.get("apis", ["responses", "chat"])

    def app(self) -> web.Application:
        app = web.Application(client_max_size=256 * 1024 * 1024)
        app.router.add_post("/v1/responses", self.answer)
        app.router.add_post("/v1/chat/completions", self.answer)
        app.router.add_get("/v1/models", self.models)
        app.router.add_get("/health", self.health)
        return app

    async def models(self, _: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": MODEL, "object": "model", "owned_by": "script"}]})

    async def health(self, _: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def answer(self, http: web.Request) -> web.StreamResponse:
        body = await http.json()
        api = "responses" if http.path.endswith("responses") else "chat"
        if api not in self.apis or not body.get("input" if api == "responses" else "messages"):
            status = 400 if api in self.apis else self.script.settings.get("missing_status", 404)
            self.write(http, body, None, str(status))
            said = "the request has no input" if status == 400 else f"unknown url: {http.path}"
            return web.json_response({"error": {"message": said}}, status=status)
        request = read(http.path, body, self.visits)
        fault = self.script.fault(request)
        fault = {"kind": fault} if isinstance(fault, str) else fault
        self.write(http, body, request, fault["kind"] if fault else None)
        if fault and fault["kind"] not in ("slow",):
            return await self.fail(http, fault, request)
        reply = chosen(self.script.reply(request), request)
        pause = (
            fault.get("slow_seconds", 2)
            if fault
            else reply.get("latency_seconds", self.script.settings.get("latency_seconds", 0))
        )
        if pause:
            await asyncio.sleep(pause)
        if "status" in reply:
            return web.json_response(reply.get("body"), status=reply["status"], headers=reply.get("headers"))
        return web.json_response(as_response(reply, request) if api == "responses" else as_chat(reply, request))

    async def fail(self, http: web.Request, fault: dict[str, Any], request: Request) -> web.StreamResponse:
        kind = fault["kind"]
        if kind == "hang":
            await asyncio.sleep(3600)
        if kind == "garbage":
            return web.Response(body=b"\x00\xffthis is not JSON<html>", content_type="application/json")
        if kind == "list":
            return web.json_response([1, 2])
        if kind == "hollow":
            return web.json_response({"object": "response", "model": MODEL})
        if kind in ("half", "reset"):
            if kind == "half":
                whole = json.dumps(as_response({"text": "half " * 50}, request)).encode()
                answer = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": str(len(whole))})
                await answer.prepare(http)
                await answer.write(whole[: len(whole) // 2])
            assert http.transport is not None
            http.transport.abort()
            return web.Response()
        headers = {"Retry-After": str(fault.get("retry_after", 0))} if kind == "429" else {}
        return web.json_response({"error": {"message": f"scripted fault {kind}"}}, status=int(kind), headers=headers)

    def write(self, http: web.Request, body: dict[str, Any], request: Request | None, fault: str | None) -> None:
        """One line for every request, written before it is answered."""
        if self.log is None:
            return
        line: dict[str, Any] = {"at": time.time(), "path": http.path, "fault": fault, "model": body.get("model")}
        if request:
            line |= {
                "key": request.key,
                "nth": request.nth,
                "turn": request.turn,
                "seed": request.seed,
                "text": request.text[:200],
            }
        if self.log_bodies:
            line |= {"body": body, "headers": dict(http.headers)}
        self.log.write(json.dumps(line) + "\n")
        self.log.flush()


async def serve(endpoint: Endpoint, port: int) -> None:
    runner = web.AppRunner(endpoint.app(), access_log=None, keepalive_timeout=120)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, backlog=4096)
    await site.start()
    bound = runner.addresses[0][1]
    print(f"http://127.0.0.1:{bound}/v1", flush=True)
    await asyncio.Event().wait()


def end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


def main() -> None:
    parser = argparse.ArgumentParser(description="An OpenAI-compatible endpoint that answers from a script.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path, required=True)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--log-bodies", action="store_true")
    parser.add_argument("--with-parent", type=int, metavar="PID", help="end when this parent process does")
    options = parser.parse_args()
    if options.with_parent:
        threading.Thread(target=end_with, args=(options.with_parent,), daemon=True).start()
    endpoint = Endpoint(load(options.script), options.log, log_bodies=options.log_bodies)
    try:
        asyncio.run(serve(endpoint, options.port))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
