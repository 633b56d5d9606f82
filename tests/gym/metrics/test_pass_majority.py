"""The reference's helper, against enumeration of every choice of k."""

from itertools import combinations
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.gym.metrics.pass_majority import majority, pass_at_k, pass_majority


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=7), st.integers(1, 7))
def test_pass_at_k_of_binary_scores_is_the_mean_over_all_choices(scores: list[float], k: int) -> None:
    if k <= len(scores):
        assert pass_at_k(scores, k) == pytest.approx(fmean(max(chosen) for chosen in combinations(scores, k)))


def test_pass_at_k_of_partial_scores_is_the_best_of_the_first_k() -> None:
    assert pass_at_k([0.2, 0.9, 0.5], 1) == 0.2
    assert pass_at_k([0.2, 0.9, 0.5], 2) == 0.9


@pytest.mark.parametrize(
    ("answers", "scores", "expected"),
    [
        (["a", "a", "b"], [1.0, 1.0, 0.0], 1.0),
        (["a", "b"], [1.0, 0.0], 0.5),  # a tie is shared
        ([None, None], [1.0, 1.0], 0.0),
        (["a", "a", "a", "b", "b"], [1.0, 0.0, 1.0, 0.0, 0.0], 0.5),  # a flaky judge splits one answer: (a, 1) and (b, 0) tie
    ],
)
def test_majority(answers: list[str | None], scores: list[float], expected: float) -> None:
    assert majority(answers, scores) == expected


def test_all_keys_for_two_tasks_of_unequal_length() -> None:
    found = pass_majority({"accuracy": [[1.0, 0.0, 0.0], [0.0, 1.0]]}, {"accuracy": [["x", None, "y"], ["z", "x"]]})
    assert found["pass@1/accuracy"] == pytest.approx(100 * fmean([1 / 3, 1 / 2]))
    assert found["pass@2/accuracy"] == pytest.approx(100 * fmean([2 / 3, 1.0]))
    assert found["pass@3/accuracy"] == pytest.approx(100.0)  # the second task has too few
    assert found["pass@1[avg-of-3]/accuracy"] == pytest.approx(100 * fmean([1 / 3, 1 / 2]))  # and is kept here
    assert found["per_sample_aggregate"] == {"accuracy": [50.0, 50.0, 0.0]}
    assert found["pass@1[avg-of-3]/accuracy/std_dev_across_runs"] == pytest.approx(stdev([50.0, 50.0, 0.0]))
    assert found["pass@1[avg-of-2]/accuracy/std_err_across_runs"] == 0.0
    assert found["majority@1/accuracy"] == pytest.approx(50.0)
    assert found["majority@2/accuracy"] == pytest.approx(100 * fmean([1.0, 0.5]))
    assert "pass@1[avg-of-1]/accuracy/std_dev_across_runs" not in found
