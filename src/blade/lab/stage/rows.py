"""An episode as the evaluation loop writes it: one row of a rollout file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from blade.lab.stage.play import OUTPUT_LIMIT, Episode, identifier
from blade.lab.stage.script import Row, Task

_UNSET = (
    "background", "conversation", "instructions", "max_tool_calls", "previous_response_id", "prompt", "prompt_cache_key",
    "reasoning", "safety_identifier", "service_tier", "text", "top_logprobs", "truncation", "user",
)  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """What all rows of one environment share."""

    agent: str
    model: str
    tools: Sequence[Row]
    temperature: float = 0.7
    host_field: str | None = None
    """The row's field that names the host, where rows say it."""
    time_fields: tuple[str, str] | None = None
    """The row's fields with the beginning and the end of the rollout, where rows say it."""
    opening_role: str = "system"
    parts: bool = False
    """Whether the texts of the prompt stand in lists of parts."""


def request(setting: Setting, task: Task) -> Row:
    prompt: list[Row] = []
    if task.system:
        prompt.append(_prompted(setting, setting.opening_role, task.system))
    prompt.append(_prompted(setting, "user", task.request))
    asked: Row = {"input": prompt, "parallel_tool_calls": False, "max_output_tokens": OUTPUT_LIMIT}
    if setting.tools:
        asked["tools"] = list(setting.tools)
    return asked | {"temperature": setting.temperature, "top_p": 1.0}


def _prompted(setting: Setting, role: str, text: str) -> Row:
    return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}] if setting.parts else text}


def response(setting: Setting, episode: Episode, name: str) -> Row:
    cut = episode.truncated
    written = OUTPUT_LIMIT if cut else episode.written_tokens
    broken = episode.error is not None
    usage = {
        "input_tokens": episode.read_tokens,
        "input_tokens_details": {"cached_tokens": episode.read_tokens // 3},
        "output_tokens": written,
        "output_tokens_details": {"reasoning_tokens": episode.thought_tokens},
        "total_tokens": episode.read_tokens + written,
    }
    return {
        "id": identifier("resp", name),
        "created_at": episode.ended,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "metadata": {},
        "model": setting.model,
        "object": "response",
        "output": episode.items,
        "parallel_tool_calls": False,
        "temperature": setting.temperature,
        "tool_choice": "auto",
        "tools": list(setting.tools),
        "top_p": 1.0,
        "max_output_tokens": OUTPUT_LIMIT,
        **dict.fromkeys(_UNSET),
        "status": "incomplete" if cut else "completed",
        "usage": None if broken else usage,
    }


def row(setting: Setting, episode: Episode, repeat: int, name: str, verdict: Row) -> Row:
    """The whole row: request, response, what the verifier said, the dataset's fields, and the collector's keys."""
    task = episode.task
    written: Row = {
        "responses_create_params": request(setting, task),
        "response": response(setting, episode, name),
        **verdict,
        **task.gold,
        "agent_ref": {"type": "responses_api_agents", "name": setting.agent},
        "_ng_task_index": task.index,
        "_ng_rollout_index": repeat,
    }
    if setting.host_field is not None:
        written[setting.host_field] = episode.host
    if setting.time_fields is not None:
        written |= dict(zip(setting.time_fields, map(_written_time, (episode.started, episode.ended)), strict=True))
    if episode.error is not None:
        written["error"] = episode.error
    return written


def _written_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
