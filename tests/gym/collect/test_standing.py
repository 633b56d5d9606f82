import json
from pathlib import Path

import pytest

from blade.errors import UnreadableRun
from blade.gym.collect.standing import Key, RunFiles, interrupted, read_standing


def row(task: int, repeat: int, **more: object) -> str:
    return json.dumps({"_ng_task_index": task, "_ng_rollout_index": repeat, **more}) + "\n"


@pytest.fixture
def files(tmp_path: Path) -> RunFiles:
    return RunFiles(tmp_path / "run.jsonl")


def test_done_failed_and_terminal(files: RunFiles) -> None:
    files.rollouts.write_text(row(0, 0, reward=1))
    files.failures.write_text(
        row(0, 1, _ng_failure_class="model_timeout")
        + row(0, 1, _ng_failure_class="model_timeout", _ng_attempt_index=1)
        + row(1, 0, _ng_failure_class="model_client_error", _ng_failure_terminal=True)
        + row(1, 1, _ng_failure_class="interrupted")
    )
    standing = read_standing(files)
    assert standing.done == {Key(0, 0)}
    assert [standing.to_do(Key(*key), 3) for key in ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0))] == [False, True, False, True, True]
    assert not standing.to_do(Key(0, 1), 2)
    assert standing.begun[Key(0, 1)] == 2
    assert (standing.failed[Key(1, 1)], standing.begun[Key(1, 1)]) == (0, 1)


def test_an_attempt_that_left_no_row_was_interrupted(files: RunFiles) -> None:
    files.rollouts.write_text(row(0, 0) + row(0, 1, _ng_attempt_index=1))
    files.failures.write_text(row(1, 0, _ng_failure_class="model_timeout"))
    files.attempts.write_text(
        row(0, 0) + row(0, 1) + row(0, 1, _ng_attempt_index=1) + row(1, 0) + row(1, 0, _ng_attempt_index=1) + row(2, 0)
    )
    lost = [(found["_ng_task_index"], found["_ng_rollout_index"], found["_ng_attempt_index"]) for found in interrupted(files)]
    assert lost == [(0, 1, 0), (1, 0, 1), (2, 0, 0)]
    with files.failures.open("a") as file:
        file.writelines(json.dumps(found) + "\n" for found in [*interrupted(files)])
    assert list(interrupted(files)) == []


@pytest.mark.parametrize("bad", ["{", "[]", '{"_ng_task_index": "x", "_ng_rollout_index": 0}', '{"reward": 1}'])
def test_a_line_that_is_no_row_is_named(files: RunFiles, bad: str) -> None:
    files.rollouts.write_text(row(0, 0) + bad + "\n")
    with pytest.raises(UnreadableRun, match="line 2"):
        read_standing(files)
