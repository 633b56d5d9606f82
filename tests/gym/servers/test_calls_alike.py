"""A call within the process and a call over HTTP mean the same: one table of calls, run both ways."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from blade.gym.servers.calls import CallFailed, LocalCalls, Reply
from blade.gym.servers.components import build, find
from blade.gym.servers.http import serve
from blade.gym.servers.http_calls import HttpCalls
from tests.gym.servers.on_disk import write_shelf

Way = Callable[[Path], Any]
COOKIE = "Shelf___shelf"
RESPONSE = {"output": [], "id": "r"}


@asynccontextmanager
async def in_one_process(root: Path) -> AsyncIterator[LocalCalls]:
    calls = LocalCalls()
    server = calls.servers["shelf"] = build(find("resources_servers", "shelf", [root]), "shelf", {}, calls)
    await server.start()
    try:
        yield calls
    finally:
        await server.stop()


@asynccontextmanager
async def over_http(root: Path) -> AsyncIterator[HttpCalls]:
    async with HttpCalls({}) as calls:
        server = build(find("resources_servers", "shelf", [root]), "shelf", {}, calls)
        async with serve(server) as url:
            calls.urls["shelf"] = url
            yield calls


WAYS = pytest.mark.parametrize("way", [in_one_process, over_http])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_shelf(tmp_path)
    return tmp_path


def sentence(reply: Reply, status: int, *parts: str) -> bool:
    return reply.status == status and all(part in str(reply.body) for part in parts)


CALLS: list[tuple[str, Any, int, Any]] = [
    ("/shelf_add", {"title": "Emma"}, 200, "2 books"),
    ("/shelf_add", {"title": "É…\n\u0000", "copies": "2"}, 200, "3 books"),
    ("/shelf_list", {}, 200, {"books": ["Dune"], "ümlaut": None}),
    ("/shelf_count", {}, 200, 1),
    ("/ng-rollout/0-1/shelf_count", {}, 200, 1),
    ("/shelf_count", None, 200, "Error executing tool 'shelf_count': invalid arguments: they must be an object, not NoneType"),
    ("/shelf_add", {}, 200, "Error executing tool 'shelf_add': invalid arguments: title: Field required"),
    ("/shelf_add", [1], 200, "Error executing tool 'shelf_add': invalid arguments: they must be an object, not list"),
    ("/shelf_raise", {}, 200, "Error executing tool 'shelf_raise': 'gone'"),
    ("/shelf_hang", {}, 200, "Error executing tool 'shelf_hang': no result within 1 s: it was killed"),
    ("/shelf_wait", {}, 200, "Error executing tool 'shelf_wait': shelf_wait did not return within 1 s"),
    ("/shelf_die", {}, 200, "Error executing tool 'shelf_die': its process ended (killed or crashed)"),
]


@WAYS
def test_tools(way: Way, root: Path) -> None:
    async def run() -> list[tuple[int, Any]]:
        async with way(root) as calls:

            async def one(path: str, body: Any) -> tuple[int, Any]:
                seeded = await calls.post("shelf", "/seed_session", {"books": ["Dune"]})
                reply = await calls.post("shelf", path, body, cookies=seeded.cookies)
                return reply.status, reply.body

            return await asyncio.gather(*(one(path, body) for path, body, _, _ in CALLS))

    assert asyncio.run(run()) == [(status, body) for _, _, status, body in CALLS]


NO_TOOLS = [
    "shelf add",
    "..",
    ".",
    "",
    "%41",
    "a?b=c",
    "a#b",
    "ü",
    "\ud800",
    "shelf_add%20",
    "verify/../shelf_count",
    "a;b",
    "//x",
]


@WAYS
def test_unknown_tools_are_named_in_the_answer_whatever_their_name(way: Way, root: Path) -> None:
    async def run() -> dict[str, Reply]:
        async with way(root) as calls:
            cookies = (await calls.post("shelf", "/seed_session", {})).cookies
            return {name: await calls.post("shelf", f"/{name}", {}, cookies=cookies) for name in NO_TOOLS}

    for name, reply in asyncio.run(run()).items():
        assert reply.status == 404
        assert reply.body["detail"].startswith(f"no tool is called {name!r}; the tools are shelf_add, shelf_list")


@WAYS
def test_arguments_that_models_write(way: Way, root: Path) -> None:
    """Lone surrogates and numbers beyond 64 bits are JSON to a lenient reader; a tool that cannot take them says so."""

    async def run() -> list[Reply]:
        async with way(root) as calls:
            cookies = (await calls.post("shelf", "/seed_session", {})).cookies
            bodies: list[Any] = [{"title": "\ud800"}, {"title": "a", "copies": 10**30}, {"title": "a", "copies": float("inf")}]
            return [await calls.post("shelf", "/shelf_add", body, cookies=cookies) for body in bodies]

    replies = asyncio.run(run())
    assert [reply.status for reply in replies] == [200, 200, 200]
    assert all(str(reply.body).startswith("Error executing tool 'shelf_add': ") for reply in replies)


VERDICTS: list[tuple[dict[str, Any], int, dict[str, Any]]] = [
    ({"wanted": ["Dune"]}, 200, {"reward": 1.0}),
    ({"wanted": []}, 200, {"reward": 0.0}),
    (
        {"judge": "down"},
        200,
        {"reward": 0.0, "_ng_failure_class": "judge_failed", "_ng_failure_judge_error": "the judge is down"},
    ),
    ({"verify": "raise"}, 500, {"error": {"class": "verifier_error", "message": "oops", "terminal": False}}),
    (
        {"verify": "hang"},
        500,
        {"error": {"class": "verifier_timeout", "message": "no result within 1 s: it was killed", "terminal": False}},
    ),
    (
        {"verify": "nonsense"},
        500,
        {
            "error": {
                "class": "verifier_error",
                "message": "verify must return a finite number as reward, not 'good'",
                "terminal": False,
            }
        },
    ),
]


@WAYS
def test_verdicts(way: Way, root: Path) -> None:
    async def run() -> list[tuple[int, Any]]:
        async with way(root) as calls:

            async def one(row: dict[str, Any]) -> tuple[int, Any]:
                seeded = await calls.post("shelf", "/seed_session", {"books": ["Dune"]})
                reply = await calls.post("shelf", "/verify", row | {"response": RESPONSE}, cookies=seeded.cookies)
                return reply.status, reply.body

            return await asyncio.gather(*(one(row) for row, _, _ in VERDICTS))

    expected = [
        (status, {**row, "response": RESPONSE, **verdict} if status == 200 else verdict) for row, status, verdict in VERDICTS
    ]
    assert asyncio.run(run()) == expected


@WAYS
def test_sessions_are_apart_and_cannot_be_forged(way: Way, root: Path) -> None:
    async def run() -> list[Reply]:
        async with way(root) as calls:

            async def post(path: str, body: Any, cookies: Any = None) -> Reply:
                reply: Reply = await calls.post("shelf", path, body, cookies=cookies)
                return reply

            one, other = await asyncio.gather(post("/seed_session", {"books": ["A"]}), post("/seed_session", {"books": ["B"]}))
            assert set(one.cookies) == {COOKIE}
            assert one.cookies != other.cookies
            await asyncio.gather(*(post("/shelf_add", {"title": str(n)}, one.cookies) for n in range(8)))
            forged = {COOKIE: one.cookies[COOKIE].partition(".")[0] + "." + "0" * 64}
            return [
                await post("/shelf_count", {}, one.cookies),
                await post("/shelf_list", {}, other.cookies | {"another": "cookie; of=ours"}),
                await post("/shelf_list", {}, forged),
                await post("/shelf_list", {}),
                await post("/verify", {"wanted": ["B"], "response": RESPONSE}, other.cookies),
                await post("/shelf_list", {}, other.cookies),
                await post("/seed_session", {"bad_seed": True}),
                await post("/seed_session", [1]),
                await post("/verify", {"wanted": []}, one.cookies),
            ]

    count, listed, forged, missing, verified, ended, bad_seed, no_row, no_response = asyncio.run(run())
    assert count.body == 9
    assert listed.body == {"books": ["B"], "ümlaut": None}
    assert sentence(forged, 400, "not signed by this server")
    assert sentence(missing, 400, "carries no session")
    assert verified.body["reward"] == 1.0
    assert sentence(ended, 400, "has ended")
    assert sentence(bad_seed, 500, "seed_error", "no shelf")
    assert sentence(no_row, 422, "must be the row")
    assert sentence(no_response, 422, "with its response")


@WAYS
def test_a_caller_that_gives_up(way: Way, root: Path) -> None:
    async def run() -> CallFailed:
        async with way(root) as calls:
            cookies = (await calls.post("shelf", "/seed_session", {})).cookies
            with pytest.raises(CallFailed) as given_up:
                await calls.post("shelf", "/shelf_hang", {}, cookies=cookies, timeout=0.2)
            after = await calls.post("shelf", "/shelf_count", {}, cookies=cookies)
            assert after.body == 0
            return given_up.value

    assert asyncio.run(run()).failure == "timeout"


@WAYS
def test_an_unknown_server(way: Way, root: Path) -> None:
    async def run() -> CallFailed:
        async with way(root) as calls:
            with pytest.raises(CallFailed) as unknown:
                await calls.post("nobody", "/run", {})
            return unknown.value

    assert asyncio.run(run()).terminal
