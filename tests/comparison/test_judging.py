from contextlib import ExitStack

import pytest

from blade.comparison.judging import judge
from blade.comparison.pairing import pair
from blade.errors import UsageError
from tests.runs.support import opened

from .support import both, rolled


def rows(*rewards: float) -> list[dict[str, object]]:
    return [rolled(task, reward) for task, reward in enumerate(rewards)]


@pytest.mark.parametrize(
    ("a", "b", "kind", "metric", "codes", "values"),
    [
        ((0, 1), (1, 1), "binary", "pass_at_1", set(), (0.5, 1.0)),
        ((-1, 1), (1, 1), "binary", "pass_at_1", set(), (0.5, 1.0)),
        ((0, 1), (-1, 1), "binary", "pass_at_1", set(), (0.5, 0.5)),
        ((0, 1), (0.5, 1), "full_reward", "pass_at_1", {"partial_rewards_on_one_side"}, (0.5, 0.5)),
        ((0, 1), (0.5, 0.25), "full_reward", "pass_at_1", {"one_pass_rule"}, (0.5, 0.0)),  # nothing in B reaches 1
        ((0, 1), (0.5, 7), "none", "mean_reward", {"no_common_pass_rule", "reward_scales_differ"}, (0.5, 3.75)),
        ((2, 4), (3, 7), "none", "mean_reward", set(), (3.0, 5.0)),
    ],
)
def test_all_runs_are_judged_by_one_rule_and_what_that_changes_is_said(
    a: tuple[float, ...], b: tuple[float, ...], kind: str, metric: str, codes: set[str], values: tuple[float, float]
) -> None:
    with both(rows(*a), rows(*b)) as runs:
        judged = judge(runs)
        paired = pair(*runs)
    assert (judged.rule.kind, judged.metric) == (kind, metric)
    assert {limit.code for limit in judged.limits} == codes
    assert (paired.a.value, paired.b.value) == values


@pytest.mark.parametrize(
    ("third", "said"),
    [
        (((0, 1), (0.5, 1), (0, 1)), "of the runs only B gives partial rewards; a full reward of 1 passes in all"),
        (((0, 1), (0.5, 1), (0.25, 1)), "of the runs only B and C give partial rewards; a full reward of 1 passes in all"),
        (((0, 1), (0.5, 0.25), (0.5, 0.2)), "by themselves B and C would be judged by no rule"),
        (((0, 1), (0.5, 0.25), (0, 1)), "by itself B would be judged by no rule"),
        (((0, 1), (0, 0.5), (-1, 1)), "rewards of −1 and 1 of C count as 0 and 1, the scale of the others"),
    ],
)
def test_of_several_runs_those_are_named_whose_rewards_are_of_another_kind(
    third: tuple[tuple[float, ...], ...], said: str
) -> None:
    with ExitStack() as stack:
        limits = judge([stack.enter_context(opened(rows(*rewards))) for rewards in third]).limits
    assert any(said in limit.message for limit in limits), limits


def test_the_runs_count_by_the_rule_they_share() -> None:
    with both(rows(0, 1), rows(0.5, 0.25)) as (a, b):
        before = b.denominator.passed
        judge((a, b))
        assert (a.denominator.passed, before, b.denominator.passed) == (1, None, 0)


@pytest.mark.parametrize(("first", "second"), [(0.5, None), (None, 0.5), (0.5, 0.9)])
def test_a_threshold_that_was_given_holds_for_all(first: float | None, second: float | None) -> None:
    with opened(rows(0.4, 0.6), pass_threshold=first) as a, opened(rows(0.7, 0.2), pass_threshold=second) as b:
        judged = judge((a, b))
        paired = pair(a, b)
    assert judged.rule.threshold == 0.5
    assert (paired.a.total.tolist(), paired.b.total.tolist()) == ([0, 1], [1, 0])
    assert [limit.code for limit in judged.limits] == ["one_pass_rule"]


def test_signed_rewards_take_the_scale_of_the_other_run_in_a_mean() -> None:
    with both(rows(-1, 1, 1, 1), rows(0, 0.5, 1, 1)) as runs:
        paired = pair(*runs, "mean_reward")
    assert paired.a.total.tolist() == [0, 1, 1, 1]
    assert (paired.a.value, paired.b.value) == (0.75, 0.625)
    assert [limit.code for limit in paired.limits] == ["no_common_pass_rule", "signed_rewards_mapped"]


def test_signed_rewards_on_both_sides_stay_as_they_are() -> None:
    with both(rows(-1, 1), rows(1, 1)) as runs:
        paired = pair(*runs, "mean_reward")
    assert (paired.a.value, paired.b.value, paired.limits) == (0.0, 1.0, ())


def test_pass_rates_need_a_rule_and_a_metric_a_name() -> None:
    with both(rows(2, 4), rows(3, 7)) as runs:
        with pytest.raises(UsageError, match="pass-threshold"):
            judge(runs, "pass_at_1")
        with pytest.raises(UsageError, match="no metric"):
            judge(runs, "accuracy")


def test_a_run_without_a_single_reward_is_judged_by_the_others_rule() -> None:
    with both(rows(0, 1), [rolled(0, None), rolled(1, None)]) as runs:
        paired = pair(*runs)
    assert (paired.a.value, paired.b.value) == (0.5, None)
    assert not paired.paired.any()
