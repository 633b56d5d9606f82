"""An environment's own figures: `compute_metrics` and `get_key_metrics` of its class, over rows on disk.

A hook gets the rollouts of each task as they stand in the file, without prompts and outputs (`response` is reduced to its usage), as a
server would.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import msgspec

from blade.gym.metrics.counted import Counted
from blade.gym.metrics.entries import Entry
from blade.runs.run import Run

LEFT_OUT = ("responses_create_params", "ng_trajectory", "ng_model_call_capture", "ng_agent_observations")
Row = dict[str, Any]


class Hook(Protocol):
    @property
    def has_own_metrics(self) -> bool: ...
    def compute_metrics(self, tasks: list[list[Row]]) -> Row: ...
    def get_key_metrics(self, agent_metrics: Row) -> Row: ...


Hooks = Mapping[str | None, Hook]
"""By the agent's name: the environment that it works in."""


def apply(hook: Hook, entry: Entry, tasks: list[list[Row]]) -> Entry:
    """An agent's entry with the hook's figures; `per_task_metrics` go to the tasks they name."""
    own = dict(hook.compute_metrics(tasks))
    per_task = {task.get("_ng_task_index"): task for task in own.pop("per_task_metrics", [])}
    metrics = entry["agent_metrics"] | own
    groups = [group | per_task.get(group["_ng_task_index"], {}) for group in entry["group_level_metrics"]]
    return entry | {"agent_metrics": metrics, "key_metrics": hook.get_key_metrics(metrics), "group_level_metrics": groups}


def rows_by_task(run: Run, counted: Counted, tasks: Iterable[int]) -> list[list[Row]]:
    """The rollouts of these tasks, in order, without what hooks do not see."""
    wanted = {task: position for position, task in enumerate(tasks)}
    found: list[list[Row]] = [[] for _ in wanted]
    for number in range(counted.task.size):
        position = wanted.get(int(counted.task[number]))
        if position is not None:
            found[position].append(_lean(msgspec.json.decode(run.text(counted.place(number)))))
    return [rows for rows in found if rows]


def _lean(row: Row) -> Row:
    response = row.get("response")
    usage = response.get("usage") if isinstance(response, dict) else None
    return {name: value for name, value in row.items() if name not in LEFT_OUT} | {"response": {"usage": usage}}
