"""An environment as its callers see it, with real worker processes."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from blade.gym.servers.calls import LocalCalls, Reply
from blade.gym.servers.components import build, find
from tests.gym.servers import shelf

Talk = Callable[[LocalCalls], Awaitable[Any]]
TOOL_SECONDS = 1.0


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("root")
    (folder / "resources_servers" / "shelf").mkdir(parents=True)
    copy(shelf.__file__, folder / "resources_servers" / "shelf" / "app.py")
    return folder


@pytest.fixture
def talk(root: Path) -> Callable[..., Any]:
    async def serve(what: Talk, seconds: float) -> Any:
        calls = LocalCalls()
        settings = {"tool_timeout_seconds": seconds, "verify_timeout_seconds": seconds, "num_workers": 2}
        server = calls.servers["shelf"] = build(find("resources_servers", "shelf", [root]), "shelf", settings, calls)
        await server.start()
        try:
            return await what(calls)
        finally:
            await server.stop()

    return lambda what, seconds=TOOL_SECONDS: asyncio.run(serve(what, seconds))


async def begin(calls: LocalCalls, **row: Any) -> Callable[..., Awaitable[Reply]]:
    seeded = await calls.post("shelf", "/seed_session", row)
    assert seeded.status == 200

    def use(path: str, **body: Any) -> Awaitable[Reply]:
        return calls.post("shelf", path, body, cookies=seeded.cookies)

    return use


def test_state_goes_from_seed_through_tools_to_the_verdict(talk: Callable[[Talk], Any]) -> None:
    async def it(calls: LocalCalls) -> Any:
        use = await begin(calls, books=["a"])
        said = await use("/shelf_add", title="b", year="1999-05-01", copies="2")
        listed = await use("/shelf_list")
        verdict = await use("/verify", id=7, response={"output": []})
        return said.body, listed.body, verdict.body

    said, listed, verdict = talk(it)
    assert said == "3 books"
    assert listed == {"books": ["a", "b (1999)", "b (1999)"]}
    assert verdict == {"id": 7, "response": {"output": []}, "reward": 3.0, "books": ["a", "b (1999)", "b (1999)"]}


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/shelf_raise", {}, "Error executing tool 'shelf_raise': the shelf fell down"),
        ("/shelf_hang", {}, "Error executing tool 'shelf_hang': no result within 1 s: it was killed"),
        ("/shelf_wait", {"seconds": 30}, "Error executing tool 'shelf_wait': shelf_wait did not return within 1 s"),
        ("/shelf_die", {}, "Error executing tool 'shelf_die': its process ended (killed or crashed)"),
        ("/shelf_add", {}, "Error executing tool 'shelf_add': invalid arguments: title: Field required"),
        (
            "/shelf_add",
            {"title": "x", "colour": 1},
            "Error executing tool 'shelf_add': invalid arguments: colour: Extra inputs are not permitted",
        ),
        ("/shelf_wait", {}, "Error executing tool 'shelf_wait': invalid arguments: seconds: Field required"),
    ],
)
def test_what_goes_wrong_in_a_tool_is_told_to_the_model_and_leaves_the_state_alone(
    talk: Callable[[Talk], Any], path: str, body: dict[str, Any], words: str
) -> None:
    async def it(calls: LocalCalls) -> Any:
        use = await begin(calls, books=["a"])
        wrong = await use(path, **body)
        return wrong, (await use("/shelf_add", title="b")).body, (await use("/verify", response={})).body["books"]

    wrong, after, books = talk(it)
    assert (wrong.status, wrong.body) == (200, words)
    assert (after, books) == ("2 books", ["a", "b (2020)"])


def test_a_tool_that_nobody_wrote(talk: Callable[[Talk], Any]) -> None:
    async def it(calls: LocalCalls) -> Any:
        return await (await begin(calls))("/shelf_burn")

    found = talk(it)
    assert found.status == 404
    assert "shelf_burn" in found.body["detail"]


@pytest.mark.parametrize(
    ("row", "failure"),
    [
        ({"how": "raise"}, "verifier_error"),
        ({"how": "hang"}, "verifier_timeout"),
        ({"reward": "much"}, "verifier_error"),
        ({"reward": None}, "verifier_error"),
        ({"how": "response"}, "verifier_error"),
    ],
)
def test_a_verdict_that_is_none_is_a_typed_failure(talk: Callable[[Talk], Any], row: dict[str, Any], failure: str) -> None:
    async def it(calls: LocalCalls) -> Any:
        use = await begin(calls)
        return await use("/verify", response={}, **row), await use("/shelf_list")

    found, after = talk(it)
    assert (found.status, found.body["error"]["class"]) == (500, failure)
    assert (after.status, after.body["error"]["message"]) == (400, "the session has ended")


def test_a_verifier_that_fails_once_is_asked_again(talk: Callable[[Talk], Any], tmp_path: Path) -> None:
    async def it(calls: LocalCalls) -> Any:
        use = await begin(calls, books=["a"])
        await use("/shelf_add", title="b")
        return await use("/verify", response={}, how="flaky", marker=str(tmp_path / "marker"))

    found = talk(it)
    assert (found.status, found.body["reward"]) == (200, 2.0)


def test_a_judge_that_fails_leaves_a_row_to_judge_again(talk: Callable[[Talk], Any]) -> None:
    async def it(calls: LocalCalls) -> Any:
        return await (await begin(calls))("/verify", response={"id": "r"}, how="judge")

    found = talk(it)
    marks = {"reward": 0.0, "_ng_failure_class": "judge_failed", "_ng_failure_judge_error": "the judge is ill"}
    assert (found.status, found.body) == (200, {"how": "judge", "response": {"id": "r"}} | marks)


def test_a_session_that_could_not_begin(talk: Callable[[Talk], Any]) -> None:
    async def it(calls: LocalCalls) -> Any:
        return await calls.post("shelf", "/seed_session", {"seed": "raise"})

    found = talk(it)
    assert (found.status, found.body["error"]["class"], found.body["error"]["message"]) == (500, "seed_error", "no shelf")


def test_nobody_reaches_another_session(talk: Callable[[Talk], Any]) -> None:
    async def it(calls: LocalCalls) -> Any:
        seeded = await calls.post("shelf", "/seed_session", {})
        ((name, cookie),) = seeded.cookies.items()
        forged = cookie[:-1] + ("0" if cookie[-1] != "0" else "1")
        answers = [await calls.post("shelf", "/shelf_list", {}, cookies={name: text}) for text in (forged, "x", "")]
        ended = await calls.post("shelf", "/verify", {"response": {}}, cookies=seeded.cookies)
        answers.append(await calls.post("shelf", "/shelf_list", {}, cookies=seeded.cookies))
        return ended.status, [answer.status for answer in answers]

    assert talk(it) == (200, [400, 400, 400, 400])


def test_sessions_do_not_share_a_state_and_a_hang_holds_up_nobody_else(talk: Callable[..., Any], tmp_path: Path) -> None:
    async def it(calls: LocalCalls) -> Any:
        sign = tmp_path / "hangs"
        use = await begin(calls)

        async def hang() -> Reply:
            return await use("/shelf_hang", sign=str(sign))

        hanging = asyncio.create_task(hang())
        while not sign.exists():
            await asyncio.sleep(0.01)

        async def one(number: int) -> Any:
            use = await begin(calls, books=[str(number)])
            await use("/shelf_add", title="b")
            return (await use("/verify", response={})).body["books"]

        books = await asyncio.gather(*(one(number) for number in range(50)))
        pending = not hanging.done()
        hanging.cancel()
        await asyncio.wait([hanging])
        return books, pending

    books, pending = talk(it, 300.0)
    assert books == [[str(number), "b (2020)"] for number in range(50)]
    assert pending


def test_calls_of_one_session_take_turns(talk: Callable[[Talk], Any]) -> None:
    async def it(calls: LocalCalls) -> Any:
        use = await begin(calls)
        await asyncio.gather(*(use("/shelf_add", title=str(number)) for number in range(20)))
        return (await use("/verify", response={})).body["reward"]

    assert talk(it) == 20.0
