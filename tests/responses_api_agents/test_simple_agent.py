"""The loop of simple_agent against an environment with workers and a model that says what a test tells it to."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from blade.gym.models.errors import ModelError
from blade.gym.models.shape import function_call, message, reasoning, response
from blade.gym.servers import ModelServer, Settings
from blade.gym.servers.calls import LocalCalls, Reply
from blade.gym.servers.components import build, find
from blade.gym.servers.server import Server
from tests.gym.servers import shelf

REPOSITORY = Path(__file__).parents[2]
Row = dict[str, Any]
Turn = list[Row] | ModelError
SETTINGS = {"model_server": {"name": "model"}, "resources_server": {"name": "shelf"}}


class Told(ModelServer):
    """A model whose turns are written down beforehand; the last one repeats."""

    def __init__(self, turns: Iterable[Turn], calls: LocalCalls, incomplete: str | None = None) -> None:
        super().__init__("model", Settings(), calls)
        self.turns = list(turns)
        self.incomplete = incomplete
        self.asked: list[Row] = []

    async def responses(self, params: Row) -> Row:
        self.asked.append(params)
        turn = self.turns[min(len(self.asked), len(self.turns)) - 1]
        if isinstance(turn, ModelError):
            raise turn
        usage = {"input_tokens": 10, "output_tokens": 2, "total_tokens": 12}
        return response(params, turn, model="told", usage=usage, incomplete=self.incomplete)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("root")
    (folder / "resources_servers" / "shelf").mkdir(parents=True)
    copy(shelf.__file__, folder / "resources_servers" / "shelf" / "app.py")
    return folder


@pytest.fixture
def run(root: Path) -> Callable[..., tuple[Row, Told]]:
    async def serve(turns: Iterable[Turn], row: Row, settings: Row, incomplete: str | None) -> tuple[Row, Told]:
        calls = LocalCalls()
        quick = {"tool_timeout_seconds": 1, "verify_timeout_seconds": 1, "num_workers": 1}
        calls.servers["shelf"] = build(find("resources_servers", "shelf", [root]), "shelf", quick, calls)
        agent = find("responses_api_agents", "simple_agent", [REPOSITORY])
        calls.servers["agent"] = build(agent, "agent", SETTINGS | settings, calls)
        model = Told(turns, calls, incomplete)
        calls.servers["model"] = model
        await calls.servers["shelf"].start()
        try:
            whole = {"responses_create_params": {"input": [{"role": "user", "content": "go"}]}, "books": []} | row
            return (await calls.post("agent", "/run", whole)).body, model
        finally:
            await calls.servers["shelf"].stop()

    def go(turns: Iterable[Turn], incomplete: str | None = None, settings: Row | None = None, **row: Any) -> tuple[Row, Told]:
        return asyncio.run(serve(turns, row, settings or {}, incomplete))

    return go


def add(title: str, call_id: str = "c") -> Row:
    return function_call("shelf_add", json.dumps({"title": title}), call_id)


def test_tools_run_in_order_and_the_answer_ends_the_loop(run: Callable[..., Any]) -> None:
    row, model = run([[add("a", "c1"), add("b", "c2")], [message("done")]])
    outputs = [item["output"] for item in row["response"]["output"] if item["type"] == "function_call_output"]
    assert outputs == ["1 books", "2 books"]
    assert (row["reward"], row["_ng_stop_reason"]) == (2.0, "completed")
    assert row["response"]["usage"]["total_tokens"] == 24
    assert [item.get("type") for item in model.asked[1]["input"]] == [None, *["function_call"] * 2, *["function_call_output"] * 2]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (function_call("shelf_add", '{"title": ', "c"), "Invalid tool call arguments"),
        (function_call("shelf_add", "[1]", "c"), "invalid arguments"),
        (function_call("shelf_burn", "{}", "c"), "no tool is called 'shelf_burn'"),
        (function_call("../verify", "{}", "c"), "no tool is called"),
        (function_call("shelf_raise", "{}", "c"), "Error executing tool 'shelf_raise': the shelf fell down"),
        (function_call("shelf_hang", "{}", "c"), "no result within 1 s"),
        (function_call("read_skill", '{"name": "x"}', "c"), "no tool is called 'read_skill'"),
        *(
            (function_call(name, '{"response": {}, "books": ["x"], "reward": 7}', "c"), f"no tool is called '{name}'")
            for name in ("seed_session", "verify", "aggregate_metrics", "reverify_mode", "reset", "step", "mcp")
        ),
    ],
)
def test_a_bad_call_is_an_output_that_the_model_may_mend(run: Callable[..., Any], call: Row, words: str) -> None:
    row, _ = run([[call], [add("a")], [message("mended")]])
    output = next(item["output"] for item in row["response"]["output"] if item["type"] == "function_call_output")
    assert words in output
    assert row["reward"] == 1.0


@pytest.mark.parametrize(
    ("turns", "settings", "reason", "asked"),
    [
        ([[add(str(number))] for number in range(9)], {"max_steps": 4}, "max_steps", 4),
        ([[reasoning("hm")]], {}, "no_progress", 3),
        ([[]], {}, "no_progress", 3),
        ([[function_call("shelf_list", "{}", "c")]], {}, "no_progress", 11),
        ([[add(str(number))] for number in range(200)], {}, "max_steps", 100),
    ],
)
def test_a_loop_that_would_not_end_is_ended_and_verified(
    run: Callable[..., Any], turns: list[Turn], settings: Row, reason: str, asked: int
) -> None:
    row, model = run(turns, settings=settings)
    assert (row["_ng_stop_reason"], len(model.asked)) == (reason, asked)
    assert "reward" in row


def test_an_output_that_was_cut_off_runs_no_tools(run: Callable[..., Any]) -> None:
    row, _ = run([[add("a")]], incomplete="max_output_tokens")
    assert (row["reward"], row["_ng_stop_reason"]) == (0.0, "incomplete")
    assert row["response"]["incomplete_details"] == {"reason": "max_output_tokens"}


def test_a_model_that_gives_up_leaves_what_there_was(run: Callable[..., Any]) -> None:
    row, _ = run([[add("a")], ModelError("rate_limit", 429, "slow down")], id=5)
    assert (row["_ng_failure_class"], row["id"]) == ("model_rate_limit", 5)
    assert [item["type"] for item in row["response"]["output"]] == ["function_call", "function_call_output"]
    assert "reward" not in row


def test_a_request_that_is_refused_for_good_is_not_tried_again(run: Callable[..., Any]) -> None:
    row, _ = run([ModelError("client_error", 400, "too long")])
    assert (row["_ng_failure_class"], row["_ng_failure_terminal"]) == ("model_client_error", True)


@pytest.mark.parametrize(
    ("how", "failure"), [("raise", "verifier_error"), ("hang", "verifier_timeout"), ("judge", "judge_failed")]
)
def test_a_verifier_that_fails_keeps_the_response(run: Callable[..., Any], how: str, failure: str) -> None:
    row, _ = run([[message("hello")]], how=how)
    assert row["_ng_failure_class"] == failure
    assert row["response"]["output"][0]["content"][0]["text"] == "hello"


def test_skills_change_the_system_message_and_one_tool(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "shelving").mkdir()
    (tmp_path / "shelving" / "SKILL.md").write_text("---\nname: shelving\ndescription: How to shelve.\n---\nBy title.\n")
    from blade.gym.skills import load_skills

    reference = load_skills(str(tmp_path)).reference()
    turns = [[function_call("read_skill", '{"name": "shelving"}', "c")], [message("done")]]
    row, model = run(turns, skills_ref=reference)
    _, without = run([[message("done")]])
    output = next(item["output"] for item in row["response"]["output"] if item["type"] == "function_call_output")
    assert output.endswith("By title.\n")
    first, plain = model.asked[0], without.asked[0]
    assert "shelving: How to shelve." in first["input"][0]["content"]
    assert [tool["name"] for tool in first["tools"]] == ["read_skill"]
    assert first["input"][1:] == plain["input"]
    assert {**first, "input": 0, "tools": 0} == {**plain, "input": 0, "tools": 0}
    (tmp_path / "shelving" / "SKILL.md").write_text("---\nname: shelving\n---\nChanged.\n")
    changed, _ = run(turns, skills_ref=reference)
    assert changed["_ng_failure_class"] == "skills_changed"


class Jar(Server):
    """An environment that hands out cookies with every answer and remembers those it was sent."""

    def __init__(self) -> None:
        super().__init__("shelf", Settings(), LocalCalls())
        self.seen: list[dict[str, str]] = []

    async def unknown(self, method: str, path: str, body: Any, cookies: Mapping[str, str]) -> Reply:
        self.seen.append(dict(cookies))
        if path == "/seed_session":
            return Reply(200, {}, {"session": "mine"})
        return Reply(200, body if path == "/verify" else "done", {"session": "another's", f"of {path}": "new"})


async def agent_of(calls: LocalCalls, environment: Server, turns: Iterable[Turn]) -> None:
    calls.servers["shelf"] = environment
    calls.servers["model"] = Told(turns, calls)
    calls.servers["agent"] = build(find("responses_api_agents", "simple_agent", [REPOSITORY]), "agent", SETTINGS, calls)


def test_a_tool_cannot_replace_the_session() -> None:
    async def serve() -> list[dict[str, str]]:
        calls, jar = LocalCalls(), Jar()
        await agent_of(calls, jar, [[add("a"), add("b")], [message("done")]])
        await calls.post("agent", "/run", {"responses_create_params": {"input": "go"}})
        return jar.seen

    held = {"session": "mine", "of /shelf_add": "new"}
    assert asyncio.run(serve()) == [{}, {"session": "mine"}, held, held]


def test_the_loop_alone_for_a_caller_who_has_the_session(root: Path) -> None:
    async def serve() -> list[Reply]:
        calls = LocalCalls()
        shelf_server = build(find("resources_servers", "shelf", [root]), "shelf", {"num_workers": 1}, calls)
        await agent_of(calls, shelf_server, [[add("a")], [message("done")]])
        await shelf_server.start()
        try:
            cookies = (await calls.post("shelf", "/seed_session", {})).cookies
            params = {"input": "go", "temperature": 0.5}
            done = await calls.post("agent", "/v1/responses", params, cookies=cookies)
            verdict = await calls.post("shelf", "/verify", {"response": done.body}, cookies=done.cookies)
            calls.servers["model"] = Told([[add("a")]], calls)
            lost = await calls.post("agent", "/v1/responses", params)
            calls.servers["model"] = Told([ModelError("rate_limit", 429, "slow down")], calls)
            limited = await calls.post("agent", "/v1/responses", params)
            bad: list[Any] = [{}, [], params | {"stream": True}]
            wrong = [await calls.post("agent", "/v1/responses", body) for body in bad]
            return [done, verdict, lost, limited, *wrong]
        finally:
            await shelf_server.stop()

    done, verdict, lost, limited, *wrong = asyncio.run(serve())
    assert [item["type"] for item in done.body["output"]] == ["function_call", "function_call_output", "message"]
    assert (done.status, done.body["object"], done.body["temperature"]) == (200, "response", 0.5)
    assert done.body["usage"]["total_tokens"] == 24
    assert verdict.body["books"] == ["a (2020)"]
    assert (lost.status, lost.body["error"]["class"]) == (502, "session_lost")
    assert (limited.status, limited.body["error"]["class"]) == (502, "model_rate_limit")
    assert [reply.status for reply in wrong] == [422, 422, 422]


def test_skills_are_read_once_and_cannot_change_under_a_run(tmp_path: Path) -> None:
    from blade.gym.skills import load_skills

    (tmp_path / "shelving").mkdir()
    file = tmp_path / "shelving" / "SKILL.md"
    file.write_text("---\nname: shelving\n---\nBy title.\n")
    row = {"responses_create_params": {"input": "go"}, "skills_ref": load_skills(str(tmp_path)).reference()}

    async def serve() -> list[Row]:
        calls = LocalCalls()
        await agent_of(calls, Jar(), [[function_call("read_skill", '{"name": "shelving"}', "c")], [message("done")]])
        rows = [(await calls.post("agent", "/run", row)).body]
        file.write_text("---\nname: shelving\n---\nBy colour.\n")
        calls.servers["model"] = Told([[function_call("read_skill", '{"name": "shelving"}', "c")], [message("done")]], calls)
        rows.append((await calls.post("agent", "/run", row)).body)
        file.unlink()
        other = row["skills_ref"] | {"hash": "0" * 12}
        return [*rows, (await calls.post("agent", "/run", row | {"skills_ref": other})).body]

    first, second, refused = asyncio.run(serve())
    for found in (first, second):
        assert found["response"]["output"][1]["output"].endswith("By title.\n")
    assert refused["_ng_failure_class"] == "skills_changed"


def test_only_tools_that_the_row_offers_are_run(run: Callable[..., Any]) -> None:
    params = {"input": "go", "tools": [{"type": "function", "name": "shelf_list"}]}
    row, _ = run([[add("a")], [function_call("shelf_list", "{}", "c")], [message("done")]], responses_create_params=params)
    outputs = [item["output"] for item in row["response"]["output"] if item["type"] == "function_call_output"]
    assert "no tool is called" in outputs[0]
    assert json.loads(outputs[1]) == {"books": []}


def test_an_endless_output_is_cut_in_the_middle(run: Callable[..., Any]) -> None:
    long = function_call("shelf_add", json.dumps({"title": "x" * 500, "copies": 1}), "c")
    row, _ = run(
        [[long], [function_call("shelf_list", "{}", "c")], [message("done")]], settings={"max_tool_output_characters": 100}
    )
    output = [item["output"] for item in row["response"]["output"] if item["type"] == "function_call_output"][1]
    assert "characters left out" in output
    assert len(output) < 200
