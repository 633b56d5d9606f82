"""A run as the evaluation loop leaves it: a rollout file, its sidecars, and a manifest where somebody keeps one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from blade.lab.stage.rows import Setting, request
from blade.lab.stage.script import Row, Task

STEM = "rollouts"


@dataclass(frozen=True)
class RunFiles:
    rows: Sequence[Row]
    manifest: Row | None = None
    inputs: Sequence[Row] = field(default=())
    failures: Sequence[Row] = field(default=())

    def write(self, folder: Path) -> Path:
        """Write everything under the names of the format; returns the rollout file."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{STEM}.jsonl"
        path.write_bytes(_lines(self.rows))
        if self.manifest is not None:
            (folder / f"{STEM}_run.json").write_bytes(msgspec.json.encode(self.manifest))
        for name, rows in (("materialized_inputs", self.inputs), ("failures", self.failures)):
            if rows:
                (folder / f"{STEM}_{name}.jsonl").write_bytes(_lines(rows))
        return path


def _lines(rows: Iterable[Row]) -> bytes:
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def input_row(setting: Setting, task: Task, repeat: int) -> Row:
    """What was to be run, as the loop materializes it before it starts."""
    return {
        "responses_create_params": request(setting, task),
        **task.gold,
        "agent_ref": {"type": "responses_api_agents", "name": setting.agent},
        "_ng_task_index": task.index,
        "_ng_rollout_index": repeat,
    }


def failure_row(setting: Setting, task: Task, repeat: int) -> Row:
    """An attempt that never reached the verifier."""
    error = {"code": "timeout_exceeded", "message": "The attempt ended with timeout_exceeded."}
    return {
        **input_row(setting, task, repeat),
        "response": {"output": [], "status": "failed", "error": error, "model": setting.model},
        "reward": 0.0,
        "_ng_failure_class": "timeout_exceeded",
        "_ng_failure_terminal": True,
    }


def manifest(setting: Setting, verifier: str, *, tokens: int, repeats: int, prompt: str, dataset: str) -> Row:
    """Everything that a comparison asks for."""
    return {
        "model": setting.model,
        "agent": setting.agent,
        "verifier": verifier,
        "dataset": {"fingerprint": dataset},
        "prompt": prompt,
        "sampling": {"temperature": setting.temperature, "top_p": 1.0, "max_output_tokens": tokens},
        "limits": {"max_steps": 60},
        "repeats": repeats,
    }
