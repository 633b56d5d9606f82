import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.runs.pass_rule import PassRule, RewardShape, pass_rule

from .support import opened, row


def shape_of(rewards: list[float]) -> RewardShape:
    low, high = (min(rewards), max(rewards)) if rewards else (None, None)
    return RewardShape(
        len(rewards), low, high, bool(rewards) and set(rewards) <= {0, 1}, bool(rewards) and set(rewards) <= {-1, 1}
    )


CASES = [
    ([0, 1], "binary"),
    ([1], "binary"),
    ([0], "binary"),
    ([-1, 1], "binary"),
    ([-1], "binary"),
    ([-1, 0, 1], "none"),
    ([0, 0.5, 1], "full_reward"),
    ([0.25, 1 - 1e-9], "full_reward"),
    ([0, 0.5, 0.9], "none"),
    ([-0.2, 0.5, 1], "none"),
    ([0, 1, 1.5], "none"),
    ([2, 7], "none"),
    ([], "none"),
]


@pytest.mark.parametrize(("rewards", "kind"), CASES)
def test_the_rule_follows_from_the_rewards(rewards: list[float], kind: str) -> None:
    rule = pass_rule(shape_of(rewards))
    assert rule == PassRule(kind, None if kind == "none" else 1.0, "rewards")
    assert rule.decides == (kind != "none")


@pytest.mark.parametrize("rewards", [case[0] for case in CASES])
def test_a_given_threshold_decides_whatever_the_rewards_are(rewards: list[float]) -> None:
    assert pass_rule(shape_of(rewards), 0.5) == PassRule("threshold", 0.5, "flag")
    assert pass_rule(shape_of(rewards), 0.0, source="package") == PassRule("threshold", 0.0, "package")


def test_without_a_rule_there_is_no_least_passing_reward() -> None:
    with pytest.raises(ValueError, match="no pass rule"):
        _ = pass_rule(shape_of([])).least


@given(threshold=st.floats(-1e6, 1e6))
def test_the_threshold_itself_passes_and_a_clearly_lower_reward_does_not(threshold: float) -> None:
    least = pass_rule(shape_of([0.3]), threshold).least
    assert threshold >= least
    assert threshold - 1e-3 < least


@pytest.mark.parametrize(
    ("rewards", "threshold", "kind", "passed"),
    [
        ([0, 1, 1], None, "binary", 2),
        ([True, False], None, "binary", 1),
        ([-1, 1, -1], None, "binary", 1),
        ([0.5, 1.0, 0.9999999], None, "full_reward", 2),
        ([0.5, 0.7], None, "none", None),
        ([0.5, 0.7], 0.7, "threshold", 1),
        ([-3, 5, 12], 5, "threshold", 2),
        (["1", None], None, "none", None),
    ],
)
def test_a_run_applies_its_rule_to_scored_rows(
    rewards: list[object], threshold: float | None, kind: str, passed: int | None
) -> None:
    rows = [{"_ng_task_index": task, "response": {}, "reward": reward} for task, reward in enumerate(rewards)]
    with opened(rows, pass_threshold=threshold) as run:
        assert run.pass_rule.kind == kind
        assert run.denominator.passed == passed
        if passed is None:
            assert run.denominator.failed is None
            assert run.outcomes.passed is None
        else:
            assert run.denominator.failed == run.denominator.scored - passed
            assert sum(run.outcomes.passed) == passed


def test_rewards_of_rows_that_do_not_count_do_not_shape_the_rule() -> None:
    """A conflicting 0.5 and a marked filler of 0.3 leave the run binary."""
    rows = [row(0, 0, 1), row(0, 0, 0.5), row(1, 0, 0), row(2, 0, 0.3, reward_missing=True)]
    with opened(rows) as run:
        assert run.pass_rule.kind == "binary"
