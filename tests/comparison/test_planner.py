"""The spread of a pair, what it takes to find a change in it, and the step that an inconclusive pair is given."""

from random import Random

import numpy as np
import pytest

from blade import stats
from blade.comparison.pairing import pair
from blade.comparison.planner import for_pair, plan
from blade.comparison.spread import Spread, spread_of
from tests.comparison.support import both, rolled
from tests.runs.support import opened


@pytest.mark.parametrize(
    ("spread", "target", "repeats"),
    [(Spread(0.0, 0.4), 0.05, 1), (Spread(0.02, 0.3), 0.04, 4), (Spread(4.0, 30.0, 50.0), 2.0, 2)],
)
def test_the_fewest_tasks_are_the_fewest(spread: Spread, target: float, repeats: int) -> None:
    needed = spread.tasks_needed(target, repeats)
    assert needed is not None
    assert spread.finds(target, needed, repeats)
    assert not spread.finds(target, needed - 1, repeats)


def test_repeats_take_off_noise_and_nothing_else() -> None:
    noisy, varied = Spread(0.0, 0.4), Spread(0.1, 0.4)
    assert noisy.finds(0.02, 100, 1_000_000)
    assert not varied.finds(0.02, 100, 1_000_000)
    assert varied.finds(0.02, 10_000, 4)


def test_a_wish_beyond_all_tasks_has_no_number() -> None:
    assert Spread(0.2, 0.4).tasks_needed(1e-4, 1) is None
    assert Spread(0.2, 0.4).effect(3, 1) is None


def test_what_a_pair_shows_is_split_into_noise_and_change() -> None:
    """Rates of 1/2 everywhere: Var(one rollout) = 1/4 in each run; a third of the tasks always change by one half."""
    rng = Random(5)
    coin = [rolled(task, int(rng.random() < 0.5), repeat) for task in range(150) for repeat in range(8)]
    again = [
        rolled(task, int(rng.random() < (1.0 if task % 3 == 0 else 0.5)), repeat) for task in range(150) for repeat in range(8)
    ]
    with both(coin, again) as (a, b):
        found = spread_of(pair(a, b))
    assert found.within == pytest.approx(0.25 + 0.25 * 2 / 3, abs=0.05)
    assert found.between == pytest.approx(0.25 * 2 / 9, abs=0.025)


def test_with_one_repeat_all_of_it_is_taken_for_noise() -> None:
    with both([rolled(task, task % 2) for task in range(20)], [rolled(task, task % 3 == 0) for task in range(20)]) as (a, b):
        found = spread_of(pair(a, b))
    assert found.between == 0
    assert found.within > 0.3


def test_the_step_of_an_inconclusive_pair() -> None:
    rng = Random(1)
    made = [[rolled(task, int(rng.random() < 0.5), repeat) for task in range(40) for repeat in range(2)] for _ in range(2)]
    with both(*made) as (a, b):
        step = for_pair(pair(a, b), 0.2, 0.02, ("a b.jsonl", "b.jsonl"))
        tiny = for_pair(pair(a, b), 0.0, 0.001, ("a.jsonl", "b.jsonl"))
    assert step is not None
    assert step["command"] == "blade plan 'a b.jsonl' b.jsonl --detect 20"
    assert step["repeats"] in (4, 8, 16)
    assert f"Run {step['repeats']} repeats of the 40 tasks" in step["title"]
    assert tiny is not None
    assert tiny["repeats"] is None
    assert "Add tasks: repeats of these alone take too many" in tiny["title"]


def test_repeats_are_given_up_only_where_the_changes_surely_vary() -> None:
    """Half of the tasks turn round for good: no repeats make a small difference of the mean visible."""
    before = [rolled(task, task % 2, repeat) for task in range(40) for repeat in range(4)]
    after = [rolled(task, (task + task // 2) % 2, repeat) for task in range(40) for repeat in range(4)]
    with both(before, after) as (a, b):
        step = for_pair(pair(a, b), 0.05, 0.02, ("a", "b"))
    assert step is not None
    assert "more repeats of these cannot settle it" in step["title"]


def test_too_few_tasks_have_no_step() -> None:
    with both([rolled(0, 1)], [rolled(0, 0)]) as (a, b):
        assert for_pair(pair(a, b), -1.0, 0.02, ("a", "b")) is None


def test_one_run_of_rewards_with_one_repeat_is_planned_for_the_worst_case() -> None:
    """A run against itself shows no difference at all; that is no reason to promise that any change is found."""
    rewards = [(7 * task % 40) * 0.25 - 0.5 for task in range(40)]
    with opened([rolled(task, reward) for task, reward in enumerate(rewards)]) as run:
        found = plan([run], 2.0)
    known = stats.detectable_mean(rewards, [float("nan")] * 40, [1] * 40, span=9.75)
    assert found["metric"] == "mean_reward"
    assert found["current"]["mde"] == pytest.approx(known.value)
    assert not found["current"]["finds"]
    assert found["current"]["noise_of_a_rollout"] == pytest.approx(np.std(rewards, ddof=1))
    assert "all that the tasks differ by is taken for noise, the worst case" in found["says"][-1]


def test_one_run_of_rewards_with_repeats_is_planned_by_the_noise_they_show() -> None:
    rewards = {task: [task + 0.5, task - 0.5, task + 1.5, task - 1.5] for task in range(12)}
    with opened([rolled(task, reward, repeat) for task, them in rewards.items() for repeat, reward in enumerate(them)]) as run:
        found = plan([run], 1.0)
    assert found["current"]["noise_of_a_rollout"] == pytest.approx(np.std([0.5, -0.5, 1.5, -1.5], ddof=1))
    assert "worst case" not in " ".join(found["says"])


def test_the_step_of_a_pair_with_one_repeat_does_not_promise_what_it_cannot_know() -> None:
    rng = Random(1)
    made = [[rolled(task, int(rng.random() < 0.5)) for task in range(40)] for _ in range(2)]
    with both(*made) as (a, b):
        step = for_pair(pair(a, b), 0.2, 0.02, ("a.jsonl", "b.jsonl"))
    assert step is not None
    assert step["repeats"] is not None
    assert "noise cannot be told from what the tasks are: if the tasks truly changed differently, it takes more" in step["detail"]
