"""An environment's own figures: `compute_metrics` and `get_key_metrics` of its class, called without any server.

A hook gets the rollouts of each task as they stand in the file, without prompts and outputs (`response` is reduced to its usage), as a
server would.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import msgspec

from blade.gym.collect.counted import Counted
from blade.gym.collect.entries import Entry
from blade.gym.config import GymConfig
from blade.gym.servers.calls import NoCalls
from blade.gym.servers.components import build, find
from blade.gym.servers.resources import ResourcesServer
from blade.runs.run import Run

LEFT_OUT = ("responses_create_params", "ng_trajectory", "ng_model_call_capture", "ng_agent_observations")
Row = dict[str, Any]


class Hook(Protocol):
    def compute_metrics(self, tasks: list[list[Row]]) -> Row: ...
    def get_key_metrics(self, agent_metrics: Row) -> Row: ...


Hooks = Mapping[str | None, Hook]
"""By the agent's name: the environment that it works in."""


def hooks_of(config: GymConfig) -> dict[str | None, Hook]:
    """The environments of a configuration's agents, built from their classes and never started."""
    found: dict[str | None, Hook] = {}
    for agent in config.instances.values():
        reference = agent.settings.get("resources_server")
        name = reference.get("name") if isinstance(reference, dict) else None
        instance = config.instances.get(str(name))
        if agent.kind == "responses_api_agents" and instance is not None:
            component = find(instance.kind, instance.implementation, config.roots)
            server = build(component, instance.name, instance.settings, NoCalls())
            if isinstance(server, ResourcesServer):
                found[agent.name] = server
    return found


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


def overrides_metrics(hook: Hook) -> bool:
    return type(hook).compute_metrics is not ResourcesServer.compute_metrics


def _lean(row: Row) -> Row:
    response = row.get("response")
    usage = response.get("usage") if isinstance(response, dict) else None
    return {name: value for name, value in row.items() if name not in LEFT_OUT} | {"response": {"usage": usage}}
