"""The numbers of a run against brute force over its rows."""

import math
from collections import Counter
from itertools import combinations
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.diagnosis.metrics import headline, metrics, usage
from tests.runs.support import opened, planned, row

Rewards = dict[int, list[float | None]]  # task → its planned repeats: the reward, or None for a missing one


def files(rewards: Rewards) -> dict[str, list[dict[str, Any]]]:
    rows = [
        row(task, repeat, reward) for task, given in rewards.items() for repeat, reward in enumerate(given) if reward is not None
    ]
    return {
        "r.jsonl": rows,
        "r_materialized_inputs.jsonl": [planned(task, repeat) for task, given in rewards.items() for repeat in range(len(given))],
    }


def scored(rewards: Rewards) -> list[list[float]]:
    """The scored rewards of each task that has any."""
    kept = [[reward for reward in given if reward is not None] for given in rewards.values()]
    return [given for given in kept if given]


def runs(values: list[float]) -> st.SearchStrategy[Rewards]:
    repeats = st.lists(st.sampled_from([*values, *values, None]), min_size=1, max_size=4)
    tasks = st.lists(repeats, min_size=1, max_size=10).map(lambda tasks: dict(enumerate(tasks)))
    return tasks.filter(lambda rewards: len(scored(rewards)) > 0)


def share(subsets: list[tuple[float, ...]], chosen: Any) -> float:
    return fmean(chosen(reward == 1 for reward in subset) for subset in subsets)


@settings(max_examples=10)
@given(rewards=runs([0, 1]))
def test_rates_of_a_binary_run(rewards: Rewards) -> None:
    tasks = scored(rewards)
    planned_counts = [len(given) for given in rewards.values()]
    passes = [sum(reward == 1 for reward in given if reward is not None) for given in rewards.values()]
    gone = [sum(reward is None for reward in given) for given in rewards.values()]
    with opened(files(rewards)) as run:
        found = metrics(run)
        top = headline(run)
    assert found["pass_at_1"]["value"] == pytest.approx(fmean(fmean(task) for task in tasks))
    assert found["pass_at_1"]["tasks"] == len(tasks)
    assert found["mean_reward"]["value"] == pytest.approx(found["pass_at_1"]["value"])
    most = max(map(len, tasks))
    assert list(found["pass_at_k"]) == list(found["pass_hat_k"]) == [str(k) for k in range(1, most + 1)]
    for k in range(1, most + 1):
        enough = [list(combinations(task, k)) for task in tasks if len(task) >= k]
        assert found["pass_at_k"][str(k)] == {
            "value": pytest.approx(fmean(share(subsets, any) for subsets in enough)),
            "tasks": len(enough),
        }
        assert found["pass_hat_k"][str(k)] == {
            "value": pytest.approx(fmean(share(subsets, all) for subsets in enough)),
            "tasks": len(enough),
        }
    assert found["consistency"] == pytest.approx(fmean(all(task) for task in tasks))
    assert found["oracle"] == pytest.approx(fmean(any(task) for task in tasks))
    assert found["coverage"] == pytest.approx(sum(map(len, tasks)) / sum(planned_counts))
    assert found["completed_only"] == pytest.approx(found["pass_at_1"]["value"])
    assert found["missing_as_failed"] == pytest.approx(fmean(p / n for p, n in zip(passes, planned_counts, strict=True)))
    high = fmean((p + g) / n for p, g, n in zip(passes, gone, planned_counts, strict=True))
    assert found["bounds"] == pytest.approx([found["missing_as_failed"], high])
    assert top["buckets"] == {
        "always": sum(all(task) for task in tasks),
        "sometimes": sum(any(task) and not all(task) for task in tasks),
        "never": sum(not any(task) for task in tasks),
        "missing": len(rewards) - len(tasks),
    }
    for ci in (found["pass_at_1"]["ci"], found["mean_reward"]["ci"]):
        assert (ci is None) == (len(tasks) == 1)
        if ci is not None:
            assert 0 <= ci[0] <= found["pass_at_1"]["value"] <= ci[1] <= 1


@settings(max_examples=6)
@given(rewards=runs([0, 1]))
def test_retry_value_is_about_the_most_frequent_repeat_count(rewards: Rewards) -> None:
    tasks = scored(rewards)
    counts = Counter(map(len, tasks))
    k = min(count for count in counts if counts[count] == max(counts.values()))
    enough = [task for task in tasks if len(task) >= k]
    expected = fmean(share(list(combinations(task, k)), any) for task in enough) - fmean(fmean(task) for task in enough)
    with opened(files(rewards)) as run:
        assert metrics(run)["retry_value"] == pytest.approx(expected)


@settings(max_examples=6)
@given(rewards=runs([-1, 1]))
def test_rewards_of_minus_one_and_one_pass_at_one_and_average_on_their_own_scale(rewards: Rewards) -> None:
    tasks = scored(rewards)
    with opened(files(rewards)) as run:
        found = metrics(run)
        assert run.pass_rule.kind == "binary"
    rate = fmean(fmean(reward == 1 for reward in task) for task in tasks)
    assert found["pass_at_1"]["value"] == pytest.approx(rate)
    assert found["mean_reward"]["value"] == pytest.approx(2 * rate - 1)
    if any(reward < 0 for task in tasks for reward in task) and len(tasks) > 1:
        assert found["mean_reward"]["ci"] == pytest.approx([2 * edge - 1 for edge in found["pass_at_1"]["ci"]])


@settings(max_examples=6)
@given(rewards=runs([0.2, 0.5, 3.0]))
def test_without_a_pass_rule_there_are_means_and_no_rates(rewards: Rewards) -> None:
    tasks = scored(rewards)
    low, high = min(map(min, tasks)), max(map(max, tasks))
    with opened(files(rewards)) as run:
        found = metrics(run)
        top = headline(run)
    assert found["pass_at_1"]["value"] is found["pass_at_1"]["ci"] is found["consistency"] is found["retry_value"] is None
    assert (found["pass_at_k"], found["pass_hat_k"]) == ({}, {})
    assert found["mean_reward"]["value"] == pytest.approx(fmean(fmean(task) for task in tasks))
    assert found["oracle"] == pytest.approx(fmean(max(task) for task in tasks))
    assert top["buckets"] == {"always": None, "sometimes": None, "never": None, "missing": len(rewards) - len(tasks)}

    def filled(score: float) -> float:
        return fmean(fmean(score if reward is None else reward for reward in given) for given in rewards.values())

    lacking = any(reward is None for given in rewards.values() for reward in given)
    if lacking and (low < 0 or high > 1):
        assert found["bounds"] is found["missing_as_failed"] is None  # nobody knows how far an unseen reward could lie
    else:
        assert found["bounds"] == pytest.approx([filled(0), filled(1)])


def test_the_booked_score_weighs_tasks_and_not_rollouts() -> None:
    """One task passed once; another failed three times: half, not a quarter."""
    with opened(files({0: [1], 1: [0, 0, 0]})) as run:
        assert metrics(run)["pass_at_1"]["value"] == 0.5


def test_one_task_has_no_interval_and_says_why() -> None:
    with opened([row(0, 0, 1), row(0, 1, 0)]) as run:
        found = metrics(run)
    assert (found["pass_at_1"]["value"], found["pass_at_1"]["ci"], found["pass_at_1"]["method"]) == (0.5, None, "none: one task")
    assert (found["mean_reward"]["ci"], found["mean_reward"]["method"]) == (None, "none: one task")


def test_nothing_scored_gives_no_number_and_no_crash() -> None:
    with opened([row(0, 0, None), row(1, 0, "text")]) as run:
        found = metrics(run)
        top = headline(run)
    assert top["pass_at_1"]["value"] is top["mean_reward"]["value"] is None
    assert top["buckets"]["missing"] == 2
    assert found["coverage"] == 0
    for name in ("consistency", "retry_value", "oracle", "icc", "mde", "missing_as_failed", "completed_only", "bounds"):
        assert found[name] is None, name


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("rewards", [[1e308, 1e308], [-1e308, 1e308], [0.0, 1e-320], [1e300, -5], [1e308, -1e308, 1.7e308] * 6])
def test_extreme_rewards_give_finite_numbers_or_none(rewards: list[float]) -> None:
    def numbers(value: Any) -> list[float]:
        if isinstance(value, dict):
            return [number for inner in value.values() for number in numbers(inner)]
        if isinstance(value, list):
            return [number for inner in value for number in numbers(inner)]
        return [value] if isinstance(value, float) else []

    with opened([row(task, 0, reward) for task, reward in enumerate(rewards)]) as run:
        assert all(map(math.isfinite, numbers([metrics(run), headline(run)])))


def test_usage_is_over_the_rows_that_report_it_and_count() -> None:
    def used(**tokens: int) -> dict[str, Any]:
        return {"response": {"output": [{"type": "function_call"}], "usage": tokens}}

    rows = [
        row(0, 0, 1, **used(input_tokens=10, output_tokens=4)),
        row(0, 1, None, **used(input_tokens=20)),
        row(0, 0, 1, **used(input_tokens=10, output_tokens=4)),
        row(0, 0, 0, **used(input_tokens=99)),
        row(1, 0, 1),
    ]
    with opened(rows) as run:
        found = usage(run)
    assert found["input_tokens"] == {"mean": 15.0, "total": 30.0, "rollouts": 2}
    assert found["output_tokens"] == {"mean": 4.0, "total": 4.0, "rollouts": 1}
    assert found["steps"] == {"mean": pytest.approx(2 / 3), "total": 2.0, "rollouts": 3}
    assert "latency_ms" not in found


def test_many_repeats_are_shown_at_every_k_up_to_64_then_at_powers_of_two_and_the_last() -> None:
    with opened([row(0, repeat, repeat % 2) for repeat in range(150)]) as run:
        assert [int(k) for k in metrics(run)["pass_at_k"]] == [*range(1, 65), 128, 150]
