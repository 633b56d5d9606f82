"""Episodes: an environment with `reset` and `step`, a model that plays, and the agent between them."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from blade.gym.config.roots import install_root
from blade.gym.servers.calls import LocalCalls, Reply
from blade.gym.servers.components import build, find
from tests.gym.servers.on_disk import write

GUESS = """
    import time
    from blade.gym.servers.gymnasium import GymnasiumServer
    from blade.gym.servers import ResourcesSettings

    class Quick(ResourcesSettings):
        tool_timeout_seconds: float = 1.0
        num_workers: int = 1

    class Guess(GymnasiumServer):
        Settings = Quick

        def reset(self, row):
            if row.get("reset") == "raise":
                raise ValueError("no episode")
            return {"secret": row["secret"], "asked": 0}, row.get("rules", "Guess!"), {"easy": True}

        def step(self, state, action, response):
            state["asked"] += 1
            if action == "raise":
                raise ValueError("bad move")
            if action == "hang":
                time.sleep(60)
            if action == "nonsense":
                return {"reward": "much"}
            calls = [item for item in response["output"] if item["type"] == "function_call"]
            if calls:
                return None, 0.5, False, False, {"tool_outputs": [{"call_id": one["call_id"], "output": "ok"} for one in calls]}
            hit = action == str(state["secret"])
            return {"observation": f"no ({state['asked']})", "reward": 1.0 if hit else -0.25, "terminated": hit}
"""
COUNTS = """
    from blade.gym.models import ModelError
    from blade.gym.models.shape import function_call, message, response
    from blade.gym.servers import ModelServer

    class Counts(ModelServer):
        "Plays the moves that the first message lists, one after the other."

        async def responses(self, params):
            moves = params["input"][0]["content"].split()
            played = sum(item.get("role") == "assistant" or item.get("type") == "function_call" for item in params["input"])
            move = moves[played]
            if move == "fail":
                raise ModelError("upstream_error", 500, "gone")
            item = function_call("look", "{}", f"c{played}") if move == "look" else message(move)
            usage = {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}
            return response(params, [item], model="counts", usage=usage)
"""


async def play(root: Path, moves: str, **row: Any) -> Reply:
    write(root / "resources_servers" / "guess" / "app.py", GUESS)
    write(root / "responses_api_models" / "counts" / "app.py", COUNTS)
    calls = LocalCalls()
    agent = {"resources_server": {"name": "guess"}, "model_server": {"name": "counts"}, "max_steps": 4}
    for kind, name, settings in (
        ("resources_servers", "guess", {}),
        ("responses_api_models", "counts", {}),
        ("responses_api_agents", "gymnasium_agent", agent),
    ):
        calls.servers[name] = build(find(kind, name, [root, install_root()]), name, settings, calls)
        await calls.servers[name].start()
    try:
        return await calls.post("gymnasium_agent", "/run", {"secret": 7, "responses_create_params": {"input": moves}} | row)
    finally:
        for server in calls.servers.values():
            await server.stop()


def test_an_episode_sums_its_rewards_and_ends_when_the_environment_says_so(tmp_path: Path) -> None:
    row = asyncio.run(play(tmp_path, "3 look 7 never")).body
    assert row["reward"] == -0.25 + 0.5 + 1.0
    assert (row["terminated"], row["truncated"], row["_ng_stop_reason"]) == (True, False, "completed")
    assert [(item["type"], item.get("role")) for item in row["response"]["output"]] == [
        ("message", "assistant"),
        ("message", "user"),
        ("function_call", None),
        ("function_call_output", None),
        ("message", "assistant"),
    ]
    assert row["response"]["output"][1]["content"] == "no (1)"
    assert row["response"]["usage"]["total_tokens"] == 9
    assert [item["content"] for item in row["responses_create_params"]["input"]] == ["3 look 7 never", "Guess!"]
    assert row["secret"] == 7


def test_an_episode_that_is_too_long_is_truncated(tmp_path: Path) -> None:
    row = asyncio.run(play(tmp_path, "1 2 3 4 7")).body
    assert row["reward"] == -1.0
    assert (row["terminated"], row["truncated"], row["_ng_stop_reason"]) == (False, True, "max_steps")


@pytest.mark.parametrize(
    ("moves", "more", "failure", "said"),
    [
        ("1 raise", {}, "step_error", "bad move"),
        ("1 hang", {}, "step_timeout", "no result within 1 s"),
        ("1 nonsense", {}, "step_error", "step must return a finite number as reward, not 'much'"),
        ("1 fail", {}, "model_upstream_error", "gone"),
        ("1", {"reset": "raise"}, "seed_error", "no episode"),
        ("1", {"rules": 5}, "seed_error", "reset must return a text or None as observation, not int"),
    ],
)
def test_what_goes_wrong_is_a_row_with_its_class(
    tmp_path: Path, moves: str, more: dict[str, Any], failure: str, said: str
) -> None:
    reply = asyncio.run(play(tmp_path, moves, **more))
    assert reply.status == 200
    assert reply.body["_ng_failure_class"] == failure
    assert said in reply.body["failure_message"]
    assert "reward" not in reply.body
    assert ("response" in reply.body) == (failure != "seed_error")


def test_there_is_nothing_to_verify(tmp_path: Path) -> None:
    write(tmp_path / "resources_servers" / "guess" / "app.py", GUESS)
    server = build(find("resources_servers", "guess", [tmp_path]), "guess", {}, LocalCalls())

    async def ask(method: str, path: str) -> Reply:
        return await server.handle(method, path, {"response": {}}, {})

    assert asyncio.run(ask("POST", "/verify")).status == 404
    assert asyncio.run(ask("POST", "/seed_session")).status == 404
    assert asyncio.run(ask("POST", "/step")).status == 400
    assert asyncio.run(ask("GET", "/reverify_mode")).body == "unsupported"
