"""Pairs of runs whose truth is known, put through the very code that compares real ones.

A cell is a kind of pair: so many tasks and repeats, and a family that says how the rates of its tasks come about in A and in B. Tasks
are drawn afresh for every pair. Every cell has its own seed, so a slice of the cells shows the same figures as the whole.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from blade.comparison.rules import Decisions, decide
from blade.stats import Benchmark, rates_on_this_benchmark
from blade.stats.counts import FloatArray
from blade.stats.paired import WHOLE_FLIP, added_tasks_interval
from blade.stats.power import paired_power, task_rates
from blade.stats.sign_flip import sign_flip_p_values

Rates = tuple[FloatArray, FloatArray]
PAIRS = 2_000


@dataclass(frozen=True, slots=True)
class Family:
    """How rates come about: `draw` gives those of A and B for pairs (rows) of tasks (columns); `truth` is the mean of B minus A."""

    name: str
    truth: float
    draw: Callable[[np.random.Generator, tuple[int, int]], Rates]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the comparison said of all pairs of a cell."""

    coverage: float
    width: float
    decisions: Decisions

    @property
    def told_apart(self) -> float:
        return float(np.mean(self.decisions.improved | self.decisions.regressed))

    @property
    def equivalent(self) -> float:
        return float(np.mean(self.decisions.equivalent))

    @property
    def improved(self) -> float:
        return float(np.mean(self.decisions.improved))


def compared(family: Family, tasks: int, repeats: int, seed: list[int], margin: float, pairs: int = PAIRS) -> Seen:
    """All pairs of a cell: the paired interval, the equivalence interval, the sign-flip test and the rules of the verdict.

    The test is asked where an interval leaves 0, since only there it can change the verdict.
    """
    rng = np.random.default_rng(seed)
    before, after = family.draw(rng, (pairs, tasks))
    steps = rng.binomial(repeats, after) - rng.binomial(repeats, before)
    differences = steps / repeats
    interval = added_tasks_interval(differences, 1 / sqrt(repeats))
    strict = added_tasks_interval(differences, WHOLE_FLIP)
    p_values = np.ones(pairs)
    apart = (interval[0] > 0) | (interval[1] < 0)
    p_values[apart] = sign_flip_p_values(steps[apart])
    return Seen(
        coverage=float(np.mean((interval[0] <= family.truth) & (family.truth <= interval[1]))),
        width=float(np.mean(interval[1] - interval[0])),
        decisions=decide(interval, strict, p_values, tasks, margin),
    )


def unchanged(of: Benchmark) -> Family:
    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Rates:
        rates = task_rates(of, shape, rng)
        return rates, rates

    return Family("unchanged", 0.0, draw)


def shifted(of: Benchmark, change: float, name: str = "shifted") -> Family:
    """Every failure mended (or every pass lost) with one chance, so that the mean moves by `change`."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Rates:
        rates = task_rates(of, shape, rng)
        return rates, _moved(rates, of.mean, change)

    return Family(name, change, draw)


def reshuffled(of: Benchmark, change: float, share: float = 0.2, name: str = "reshuffled") -> Family:
    """The same shift, and a share of the tasks with new rates altogether, better or worse."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Rates:
        rates = task_rates(of, shape, rng)
        renewed = np.where(rng.random(shape) < share, task_rates(of, shape, rng), rates)
        return rates, _moved(renewed, of.mean, change)

    return Family(name, change, draw)


def flipping(up: float, down: float, name: str) -> Family:
    """Deterministic tasks, half of which pass; `up` of all tasks flip to pass and `down` to fail."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Rates:
        passing = rng.random(shape) < 0.5
        flips = rng.random(shape) < np.where(passing, 2 * down, 2 * up)
        return passing.astype(np.float64), (passing ^ flips).astype(np.float64)

    return Family(name, up - down, draw)


def halfway(share: float, name: str) -> Family:
    """Deterministic tasks of which a share goes from never to every other time."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Rates:
        passing = rng.random(shape) < 0.5
        wakes = ~passing & (rng.random(shape) < 2 * share)
        return passing.astype(np.float64), np.where(wakes, 0.5, passing)

    return Family(name, share / 2, draw)


def _moved(rates: FloatArray, mean: float, change: float) -> FloatArray:
    return rates + change / (1 - mean) * (1 - rates) if change >= 0 else rates * (1 + change / mean)


@dataclass(frozen=True, slots=True)
class Promise:
    """The power that the planner promises for a gain, and how often the verdict was `improved`."""

    promised: float
    found: float


def power_held(of: Benchmark, tasks: int, repeats: int, gain: float, seed: list[int], pairs: int = PAIRS) -> Promise:
    promised = paired_power(of, tasks, repeats, gain)
    # a margin of nothing: the planner speaks of the test, and equivalence takes precedence where the gain is below the margin
    seen = compared(shifted(of, gain), tasks, repeats, seed, margin=0.0, pairs=pairs)
    return Promise(promised, seen.improved)


@dataclass(frozen=True, slots=True)
class FixedTasks:
    """On fixed tasks that did not change: how often the noise-only interval held 0, and the test said that they did."""

    coverage: float
    false_alarms: float


def on_fixed_tasks(of: Benchmark, tasks: int, repeats: int, seed: list[int], pairs: int) -> FixedTasks:
    rng = np.random.default_rng(seed)
    rates = task_rates(of, (tasks,), rng)
    passed = rng.binomial(repeats, rates, (2, pairs, tasks))
    tried = np.full(tasks, repeats)
    found = [rates_on_this_benchmark(a, tried, b, tried) for a, b in zip(*passed, strict=True)]
    told = [one for one in found if one is not None]
    return FixedTasks(
        coverage=float(np.mean([one.interval.low <= 0 <= one.interval.high for one in told])),
        false_alarms=float(np.mean([one.p_value <= 0.05 for one in told])),
    )
