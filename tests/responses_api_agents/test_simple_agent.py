"""The loop of simple_agent against an environment with workers and a model that says what a test tells it to."""

import asyncio
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from blade.gym.models.errors import ModelError
from blade.gym.models.shape import function_call, message, reasoning, response
from blade.gym.servers import ModelServer, Settings
from blade.gym.servers.calls import LocalCalls
from blade.gym.servers.components import build, find
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
