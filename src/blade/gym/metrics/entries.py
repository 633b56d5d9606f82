"""What stands in the files: the figures of each task and each agent, as the reference lays them out, with ours behind."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from blade.gym.metrics.counted import Counted
from blade.gym.metrics.describe import STATS, describe
from blade.gym.metrics.estimates import Outcomes, per_agent, per_task
from blade.runs.pass_rule import PassRule
from blade.stats.counts import BoolArray, FloatArray

TASKS_AT_ONCE = 2_000
Entry = dict[str, Any]


class Entries:
    """Task and agent entries over the counted rollouts; tasks are made in stretches, so that memory does not grow with them."""

    def __init__(self, counted: Counted, rule: PassRule) -> None:
        self.counted = counted
        self.outcomes = Outcomes(counted, rule)
        self.keys = [f"{stat}/{metric.name}" for stat in STATS for metric in counted.metrics]
        columns = [metric.values for metric in counted.metrics]
        self._described = _flat(describe(columns, counted.task, len(counted.tasks)))
        self._ours = per_task(self.outcomes, counted)
        self._starts = np.concatenate([[0], np.cumsum(counted.done)])

    @property
    def agents(self) -> list[str | None]:
        """The agents, in the order of their first task."""
        return list(dict.fromkeys(self.counted.agents))

    def of_agent(self, agent: str | None) -> BoolArray:
        """Which tasks are an agent's."""
        return np.array([name == agent for name in self.counted.agents], dtype=np.bool_)

    def agent_statistics(self, agent: str | None) -> Entry:
        """`<stat>/<field>` over all rollouts of an agent, pooled."""
        rows = self.of_agent(agent)[self.counted.task]
        columns = [metric.values[rows] for metric in self.counted.metrics]
        pooled = describe(columns, np.zeros(int(rows.sum()), dtype=np.int64), 1)
        return _without_nan(self.keys, _flat(pooled)[0].tolist())

    def agent_estimates(self, agent: str | None) -> Entry:
        return per_agent(self.outcomes, self.counted, self.of_agent(agent))

    def statistics(self, task: int) -> Entry:
        return _without_nan(self.keys, self._described[task].tolist())

    def completion(self, task: int) -> Entry:
        done, expected = int(self._starts[task + 1] - self._starts[task]), int(self.counted.expected[task])
        return {
            "num_rollouts": done,
            "expected_num_rollouts": expected,
            "missing_num_rollouts": expected - done,
            "reward_profile_completion_pct": 100.0 * done / expected,
        }

    def estimates(self, task: int) -> Entry:
        return {name: value for name, column in self._ours.items() if (value := column[task]) == value}

    def rollout_infos(self) -> Iterator[list[Entry]]:
        """Per task, in order: every rollout with its id and its own numbers, by repeat."""
        counted = self.counted
        ordered = sorted(counted.metrics, key=lambda metric: (metric.name != "reward", not metric.in_usage))
        for first in range(0, len(counted.tasks), TASKS_AT_ONCE):
            last = min(first + TASKS_AT_ONCE, len(counted.tasks))
            stretch = slice(int(self._starts[first]), int(self._starts[last]))
            columns = [metric.stated[stretch].tolist() for metric in ordered]
            indices = [counted.index[task] for task in counted.task[stretch].tolist()]
            repeats = counted.repeat[stretch].tolist()
            keys = ("rollout_id", "_ng_task_index", "_ng_rollout_index", *(metric.name for metric in ordered))
            ids = [f"{index}:{repeat}" for index, repeat in zip(indices, repeats, strict=True)]
            whole = not any(np.ma.getmaskarray(metric.stated[stretch]).any() for metric in ordered)
            make = _entry if whole else _without_none
            infos = [make(keys, values) for values in zip(ids, indices, repeats, *columns, strict=True)]
            for task in range(first, last):
                yield infos[int(self._starts[task]) - stretch.start : int(self._starts[task + 1]) - stretch.start]


def _flat(described: FloatArray) -> FloatArray:
    return described.reshape(described.shape[0], -1)


def _without_nan(keys: list[str], values: list[float]) -> Entry:
    return {key: value for key, value in zip(keys, values, strict=True) if value == value}  # NaN differs from itself


def _entry(keys: tuple[str, ...], values: tuple[Any, ...]) -> Entry:
    return dict(zip(keys, values, strict=True))


def _without_none(keys: tuple[str, ...], values: tuple[Any, ...]) -> Entry:
    return {key: value for key, value in zip(keys, values, strict=True) if value is not None}
