"""Small runs with a signal, rollout by rollout, and what lift and gain mean, written down without a formula shared with the code."""

from fractions import Fraction
from statistics import fmean

import numpy as np
from hypothesis import strategies as st

from blade.stats import Split, split_rows

Task = list[tuple[bool, float]]
"""The rollouts of a task: whether the signal is there, and the reward."""


def tasks(rewards: st.SearchStrategy[float], min_size: int = 1, max_size: int = 8) -> st.SearchStrategy[list[Task]]:
    rollouts = st.lists(st.tuples(st.booleans(), rewards), min_size=1, max_size=5)
    return st.lists(rollouts, min_size=min_size, max_size=max_size)


binary = st.sampled_from([0.0, 1.0])
graded = st.integers(0, 8).map(lambda eighths: eighths / 8)


def as_split(run: list[Task]) -> Split:
    rows = [(number, carries, reward) for number, task in enumerate(run) for carries, reward in task]
    names, signal, rewards = zip(*rows, strict=True)
    return split_rows(names, signal, rewards)


def brute_lift(run: list[Task]) -> float | None:
    top = bottom = Fraction(0)
    for task in run:
        with_it = [Fraction(reward) for carries, reward in task if carries]
        without = [Fraction(reward) for carries, reward in task if not carries]
        if with_it and without:
            weight = Fraction(len(with_it) * len(without), len(task))
            top += weight * (sum(without) / len(without) - sum(with_it) / len(with_it))
            bottom += weight
    return float(top / bottom) if bottom else None


def brute_gain(run: list[Task], low: float = 0.0, high: float = 1.0) -> float | None:
    """The change of the score when every affected rollout gets its target."""
    lift = brute_lift(run)
    if lift is None:
        return None
    gains = []
    for task in run:
        affected = [reward for carries, reward in task if carries]
        other = [reward for carries, reward in task if not carries]
        target = fmean(other) if other else min(max(fmean(affected) + lift, low), high) if affected else 0.0
        fixed = [target if carries else reward for carries, reward in task]
        gains.append(fmean(fixed) - fmean(reward for _, reward in task))
    return fmean(gains)


def simulated(rng: np.random.Generator, tasks: int, repeats: int, effect: float) -> Split:
    """Tasks of differing difficulty and differing tendency to show a signal, which lowers the chance to pass by `effect`."""
    chance, tendency = 0.3 + 0.6 * rng.random(tasks), rng.beta(0.6, 1.2, tasks)
    signal = rng.random((tasks, repeats)) < tendency[:, None]
    rewards = rng.random((tasks, repeats)) < chance[:, None] - effect * signal
    return split_rows(np.repeat(np.arange(tasks), repeats), signal.ravel(), rewards.ravel())


TENDENCY = 0.6 / 1.8
"""The share of affected rollouts in `simulated`."""
