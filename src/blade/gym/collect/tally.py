"""What a run has come to so far, for those who watch it: counts, rewards by task, failures by class, tokens, and the time left."""

import math
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Tally:
    """Counts of a run under way; `total` and `before` are known when it starts."""

    total: int
    before: int = 0
    """Rollouts that an earlier part of the run had finished."""
    done: int = 0
    given_up: int = 0
    running: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    """Failed attempts by class."""
    messages: dict[str, str] = field(default_factory=dict)
    """What the last failed attempt of each class said."""
    input_tokens: int = 0
    output_tokens: int = 0
    binary: bool = True
    started: float = field(default_factory=time.monotonic)
    _sums: dict[int, list[float]] = field(default_factory=dict)

    def continue_from(self, rewards: Mapping[int, list[float]]) -> None:
        """Take in what an earlier part of the run scored, so that the score is that of the whole run."""
        for task, given in rewards.items():
            self.binary = self.binary and all(reward in (0, 1) for reward in given)
            self._sums[task] = [sum(given), float(len(given))]

    def finished(self, row: Mapping[str, Any]) -> None:
        """A rollout with a score."""
        self.done += 1
        reward = row.get("reward")
        if isinstance(reward, int | float) and math.isfinite(reward):
            self.binary = self.binary and reward in (0, 1)
            entry = self._sums.setdefault(int(row["_ng_task_index"]), [0.0, 0.0])
            entry[0] += reward
            entry[1] += 1
        usage = row["response"].get("usage") if isinstance(row.get("response"), Mapping) else None
        if isinstance(usage, Mapping):
            self.input_tokens += _count(usage.get("input_tokens"))
            self.output_tokens += _count(usage.get("output_tokens"))

    def failed(self, row: Mapping[str, Any]) -> None:
        """An attempt without a score."""
        kind = str(row["_ng_failure_class"])
        self.failures[kind] += 1
        self.messages[kind] = str(row.get("failure_message") or row.get("_ng_failure_judge_error") or "")

    def score(self) -> tuple[float, tuple[float, float] | None] | None:
        """The mean over tasks of their mean rewards, with a 95 % interval over tasks; None before the first score."""
        from blade.stats.intervals import mean_interval, rate_interval

        if not self._sums:
            return None
        table = np.array(list(self._sums.values()))
        value = float(np.mean(table[:, 0] / table[:, 1]))
        if self.binary:
            found = rate_interval(table[:, 0].astype(int), table[:, 1].astype(int))
        else:
            found = mean_interval(table[:, 0] / table[:, 1])
        return value, None if found is None else (float(found.low), float(found.high))

    def seconds_left(self) -> float | None:
        """At the pace so far; None before there is one."""
        settled = self.done + self.given_up
        if settled < 3:
            return None
        return (time.monotonic() - self.started) / settled * max(0, self.total - self.before - settled)


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
