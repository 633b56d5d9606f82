"""What the documents promise and the reference lacks: pass@1, pass@k, variance and intervals, per task and per agent.

All rates are 0–1 and none of these keys exists in the reference, whose `pass@1/accuracy` is a percentage under another name.
They speak of scored rollouts (a finite reward that is not marked as a filler); `<stat>/reward` speaks of all rows.
k runs over 1, 2, 4, 8, … and the most scored rollouts that any task of the agent has.

Per task:
    task                        the task's id as BLADE knows it
    num_scored_rollouts         rollouts with a valid score
    pass@1, pass@k/<k>          share of passes; 1 - C(n-c,k)/C(n,k) for k up to the task's scored rollouts
    variance/reward             sample variance of the reward over repeats (two or more)
    ci_low|ci_high/pass@1       95 % Wilson interval: what this task's pass rate may be, given its repeats
    ci_low|ci_high/mean/reward  95 % Student interval of the task's mean reward, where no pass rule fits and repeats differ

Per agent (the task is the unit: repeats are averaged within a task first):
    num_tasks, num_tasks_without_rollouts, num_rollouts, num_scored_rollouts, expected_num_rollouts
    pass@1                      mean over tasks of the task's pass rate; std_err/pass@1 is clustered by task
    ci_low|ci_high/pass@1       95 % effective-sample Wilson interval over tasks
    pass@k/<k>, tasks@k/<k>     and the number of tasks with at least k scored rollouts that it speaks of
    missing_as_failed/pass@1    every planned rollout without a score counted as failed, over all planned tasks
    task_mean/reward            mean over tasks of the task's mean reward (`mean/reward` pools); with std_err/, ci_low/, ci_high/;
                                the interval of two-valued rewards is that of pass@1 on their scale, else Student's
    variance_within|variance_between/reward, icc/reward    repeats of a task against tasks among themselves
Under a pass rule of `none` (rewards that are neither binary nor within 0–1 with some full ones) the pass keys are absent.
"""

from typing import Any

import numpy as np

from blade.gym.metrics.counted import Counted
from blade.runs.pass_rule import PassRule
from blade.stats import (
    clustered_standard_error,
    mean_interval,
    missing_rows,
    pass_at_k,
    rate_interval,
    two_valued_interval,
    variance_split,
)
from blade.stats.counts import BoolArray, FloatArray, IntArray
from blade.stats.intervals import LEVEL, wilson
from blade.stats.quantiles import student_quantile

NORMAL = 1.959963984540054  # the .975 quantile of the normal distribution


class Outcomes:
    """Per task: scored rollouts, passes, and the first two moments of the reward; `scale` is the two values of two-valued rewards."""

    def __init__(self, counted: Counted, rule: PassRule) -> None:
        tasks = len(counted.tasks)
        task, reward = counted.task[counted.scored], counted.reward[counted.scored]
        self.rule = rule
        self.scored: IntArray = np.bincount(task, minlength=tasks).astype(np.int64)
        passing = task[reward >= rule.least] if rule.decides else task[:0]
        self.passed: IntArray = np.bincount(passing, minlength=tasks).astype(np.int64)
        self.total: FloatArray = np.bincount(task, weights=reward, minlength=tasks).astype(np.float64)
        self.mean: FloatArray = np.divide(self.total, self.scored, out=np.full(tasks, np.nan), where=self.scored > 0)
        squares = np.bincount(task, weights=np.square(reward - self.mean[task]), minlength=tasks)
        self.variance: FloatArray = np.divide(squares, self.scored - 1, out=np.full(tasks, np.nan), where=self.scored > 1)
        scales = ((0.0, 1.0), (-1.0, 1.0))
        self.scale = next((scale for scale in scales if reward.size and bool(np.isin(reward, scale).all())), None)


def ks(most: int) -> list[int]:
    """1, 2, 4, 8, … below `most`, and `most`."""
    doubling = [2**power for power in range(max(most, 1).bit_length()) if 2**power < most]
    return [*doubling, most] if most > 0 else []


def per_task(outcomes: Outcomes, counted: Counted) -> dict[str, list[Any]]:
    """Columns of the keys above, one entry per task; NaN where a task has no such figure."""
    n, c = outcomes.scored, outcomes.passed
    columns: dict[str, Any] = {"task": counted.tasks, "num_scored_rollouts": n.tolist()}
    if outcomes.rule.decides:
        scored = n > 0
        size = np.maximum(n, 1).astype(np.float64)
        rate = c / size
        low, high = wilson(rate, size, NORMAL)
        columns["pass@1"] = _where(scored, rate)
        for k in ks(int(n.max(initial=0))):
            columns[f"pass@k/{k}"] = _pass_at_k_of_each(c, n, k).tolist()
        columns["ci_low/pass@1"], columns["ci_high/pass@1"] = _where(scored, low), _where(scored, high)
    columns["variance/reward"] = outcomes.variance.tolist()
    if not outcomes.rule.decides:
        half = _student_half_width(outcomes)
        columns["ci_low/mean/reward"] = (outcomes.mean - half).tolist()
        columns["ci_high/mean/reward"] = (outcomes.mean + half).tolist()
    return columns


def per_agent(outcomes: Outcomes, counted: Counted, member: BoolArray) -> dict[str, float]:
    """The keys above for the tasks where `member` is true."""
    n, c = outcomes.scored[member], outcomes.passed[member]
    done, expected = counted.done[member], counted.expected[member]
    found: dict[str, Any] = {
        "num_tasks": int(member.sum()),
        "num_tasks_without_rollouts": int((done == 0).sum()),
        "num_rollouts": int(done.sum()),
        "num_scored_rollouts": int(n.sum()),
        "expected_num_rollouts": int(expected.sum()),
    }
    scored = n > 0
    if not scored.any():
        return found
    if outcomes.rule.decides:
        rates = c[scored] / n[scored]
        found |= _with_error("pass@1", rates, rate_interval(c, n))
        for k in ks(int(n.max())):
            passing = pass_at_k(c, n, k)
            found[f"pass@k/{k}"], found[f"tasks@k/{k}"] = passing.value, passing.tasks
        found["missing_as_failed/pass@1"] = missing_rows(c, n, expected).missing_as_failed
    means = outcomes.mean[member][scored]
    found |= _with_error(
        "task_mean/reward",
        means,
        mean_interval(means) if outcomes.scale is None else two_valued_interval(outcomes.total[member], n, *outcomes.scale),
    )
    split = variance_split(means, outcomes.variance[member][scored], n[scored])
    if split is not None:
        found |= {"variance_within/reward": split.within, "variance_between/reward": split.between, "icc/reward": split.icc}
    return {name: value for name, value in found.items() if value is not None}


def _pass_at_k_of_each(passed: IntArray, scored: IntArray, k: int) -> FloatArray:
    """pass@k of every single task; tasks of one kind (passes, rollouts) share the figure."""
    kinds, of = np.unique(np.stack([passed, scored]), axis=1, return_inverse=True)
    figures = [pass_at_k([c], [n], k).value if n >= k else np.nan for c, n in kinds.T.tolist()]
    return np.asarray(figures, dtype=np.float64)[of.reshape(-1)]


def _with_error(name: str, means: FloatArray, interval: Any) -> dict[str, Any]:
    bounds = {f"ci_low/{name}": interval.low, f"ci_high/{name}": interval.high} if interval else {}
    return {name: float(means.mean()), f"std_err/{name}": clustered_standard_error(means)} | bounds


def _student_half_width(outcomes: Outcomes) -> FloatArray:
    """t · s/√n over the repeats of each task; NaN below two, or where they all agree and a width of 0 would say too much."""
    n = outcomes.scored
    sizes = range(int(n.max(initial=0)) + 1)
    quantiles = np.array([student_quantile((1.0 + LEVEL) / 2, size - 1) if size > 1 else np.nan for size in sizes])
    varied = np.where(outcomes.variance > 0, outcomes.variance, np.nan)
    return np.asarray(quantiles[n] * np.sqrt(varied / np.maximum(n, 1)), dtype=np.float64)


def _where(known: BoolArray, values: FloatArray) -> list[float]:
    found: list[float] = np.where(known, values, np.nan).tolist()
    return found
