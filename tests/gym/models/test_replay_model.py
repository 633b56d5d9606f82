"""Recorded rollouts played again."""

import json
from pathlib import Path
from typing import Any

import pytest

from blade.errors import UsageError
from blade.gym.models.errors import ModelError
from blade.gym.models.usage import sum_usage
from tests.gym.models.servers import ask, model_server, text_of

USAGE = {
    "input_tokens": 30,
    "input_tokens_details": {"cached_tokens": None},
    "output_tokens": 9,
    "output_tokens_details": {"reasoning_tokens": 4},
    "total_tokens": 39,
}


def said(text: str) -> dict[str, Any]:
    return {
        "id": f"msg_{text}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": text}],
    }


def call(name: str) -> dict[str, Any]:
    return {"id": "fc", "type": "function_call", "call_id": f"c_{name}", "name": name, "arguments": "{}", "status": "completed"}


def output(name: str, text: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": f"c_{name}", "output": text}


def rollout(task: int, repeat: int, prompt: Any, items: list[Any], **response: Any) -> dict[str, Any]:
    whole = {"id": f"resp_{task}_{repeat}", "model": "then", "output": items, "usage": USAGE, "status": "completed"} | response
    return {
        "_ng_task_index": task,
        "_ng_rollout_index": repeat,
        "responses_create_params": {"input": prompt},
        "response": whole,
        "reward": 1.0,
    }


USER = [{"role": "user", "content": "go"}]
THOUGHT = {"type": "reasoning", "id": "rs", "summary": []}
LONG = rollout(0, 0, USER, [THOUGHT, call("look"), output("look", "seen"), call("send"), output("send", "sent"), said("done")])
REPEAT = rollout(0, 1, USER, [call("look"), output("look", "seen"), said("gave up")])
CUT = rollout(1, 0, "short", [said("half")], status="incomplete", incomplete_details={"reason": "max_output_tokens"})


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    path = tmp_path / "rollouts.jsonl"
    lines = [json.dumps(row) for row in (REPEAT, CUT, LONG)]
    path.write_text("\n".join([lines[0], "<PLACEHOLDER ROW>", lines[1], '{"reward": 1}', lines[2]]) + "\n", encoding="utf-8")
    return path


def replay(path: Path, *requests: dict[str, Any]) -> list[dict[str, Any]]:
    return ask(model_server("replay_model", {"rollouts_jsonl_fpath": str(path)}), *requests)


def test_a_rollout_is_played_turn_by_turn(recorded: Path) -> None:
    named = {"metadata": {"rollout_id": "0-0"}}
    items = LONG["response"]["output"]
    answers = replay(recorded, *({"input": USER + items[:done]} | named for done in (0, 3, 5)))
    assert [answer["output"] for answer in answers] == [items[0:2], items[3:4], items[5:6]]
    assert sum_usage(answer["usage"] for answer in answers) == USAGE
    assert {answer["model"] for answer in answers} == {"then"}


def test_ids_and_reasoning_do_not_hide_a_conversation(recorded: Path) -> None:
    back = [call("look") | {"id": None, "status": None}, output("look", "seen") | {"status": "completed"}]
    [answer] = replay(
        recorded, {"input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]}, *back]}
    )
    assert answer["output"] == [call("send")]


def test_repeats_are_taken_in_turn(recorded: Path) -> None:
    second_turn = {"input": [*USER, call("look"), output("look", "seen")]}
    answers = replay(recorded, second_turn, second_turn, second_turn)
    assert [answer["output"][0].get("name", "message") for answer in answers] == ["send", "message", "send"]


@pytest.mark.parametrize("metadata", [{"rollout_id": "0-1"}, {"extra_body": '{"seed": 1}'}])
def test_a_repeat_can_be_named(recorded: Path, metadata: dict[str, str]) -> None:
    second_turn = {"input": [*USER, call("look"), output("look", "seen")], "metadata": metadata}
    assert [text_of(answer) for answer in replay(recorded, second_turn, second_turn)] == ["gave up", "gave up"]


def test_a_cut_answer_is_cut_again(recorded: Path) -> None:
    [answer] = replay(recorded, {"input": "short"})
    assert (answer["status"], answer["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})


@pytest.mark.parametrize(
    ("said_so_far", "words"),
    [
        ([{"role": "user", "content": "else"}], "no rollout with this prompt"),
        ([*USER, call("look"), output("look", "other")], "answered the same"),
    ],
)
def test_what_was_not_recorded_is_not_found(recorded: Path, said_so_far: list[Any], words: str) -> None:
    with pytest.raises(ModelError, match=words) as caught:
        replay(recorded, {"input": said_so_far})
    assert caught.value.category == "not_found"


@pytest.mark.parametrize("text", [None, "", "not JSON\n", '{"reward": 1}\n'])
def test_a_file_without_rollouts_is_refused(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "r.jsonl"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"r\.jsonl"):
        replay(path, {"input": "x"})
