"""Responses that another request got before."""

import json

from blade.diagnosis.diagnose import extractors
from blade.diagnosis.patterns.replayed import learn_replayed
from blade.runs.run import open_run


def rollout(task, repeat, said, response):
    message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said}]}
    asked = [{"role": "user", "content": f"What is the capital of country {task}?"}]
    return {
        "_ng_task_index": task, "_ng_rollout_index": repeat, "reward": 0.0,
        "responses_create_params": {"input": asked}, "response": {"id": response, "output": [message]},
    }  # fmt: skip


def learned(tmp_path, rows):
    path = tmp_path / "rollouts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with open_run(str(path), extractors=extractors(), use_index=False) as run:
        return learn_replayed(run)


def test_the_same_response_under_several_tasks(tmp_path):
    rows = [rollout(task, 0, f"It is city {task}.", f"r{task}") for task in range(6)]
    rows += [rollout(7, 0, "It is city 3.", "r3"), rollout(8, 0, "It is city 3.", "r3")]
    found = learned(tmp_path, rows)
    assert sorted(found) == ["3:0", "7:0", "8:0"]
    assert found["7:0"] == "r3 stands in 3 rollouts of 3 tasks, task 3 among them"


def test_what_says_nothing(tmp_path):
    same_words = [rollout(task, 0, "I do not know.", f"r{task}") for task in range(6)]
    one_id = [rollout(task, 0, "I do not know.", "response") for task in range(6)]
    again = [*same_words, rollout(5, 1, "I do not know.", "r5")]  # another repeat of the same task
    assert [learned(tmp_path, rows) for rows in (same_words, one_id, again)] == [{}, {}, {}]
