"""Small runs written to disk, for the tests of the evaluation loop."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def input_row(task: int, repeat: int, agent: str = "alice", **more: Any) -> Row:
    prompt = {"input": [{"role": "user", "content": f"question {task}"}]}
    return {
        "responses_create_params": prompt,
        **more,
        "agent_ref": {"name": agent},
        "_ng_task_index": task,
        "_ng_rollout_index": repeat,
    }


def rollout(task: int, repeat: int, reward: Any = 1.0, agent: str = "alice", usage: Any = None, **more: Any) -> Row:
    response = {"id": f"r-{task}-{repeat}", "output": [{"type": "message", "role": "assistant", "content": []}], "usage": usage}
    return input_row(task, repeat, agent) | {"response": response, "reward": reward} | more


def write_lines(path: Path, rows: Iterable[Row | str]) -> Path:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


def write_run(folder: Path, rollouts: Iterable[Row | str], inputs: Iterable[Row | str], stem: str = "run") -> tuple[Path, Path]:
    """Inputs and rollouts, in this order."""
    return write_lines(folder / f"{stem}_materialized_inputs.jsonl", inputs), write_lines(folder / f"{stem}.jsonl", rollouts)


def read_lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()]
