import numpy as np
import pytest
from hypothesis import given

from blade.stats import ImpossibleCounts, mean_interval, rate_interval, two_valued_interval

from .runs import Counts, runs


@given(run=runs(min_tasks=2))
def test_rewards_of_0_and_1_have_the_interval_of_the_rate(run: Counts) -> None:
    assert two_valued_interval(*run, 0.0, 1.0) == rate_interval(*run)


@given(run=runs(min_tasks=2))
def test_rewards_of_minus_1_and_1_have_it_on_their_scale(run: Counts) -> None:
    passed, tried = map(np.asarray, run)
    rate, signed = rate_interval(passed, tried), two_valued_interval(2.0 * passed - tried, tried, -1.0, 1.0)
    assert rate is not None
    assert signed is not None
    assert (signed.low, signed.high) == pytest.approx((2 * rate.low - 1, 2 * rate.high - 1))
    assert -1 <= signed.low <= signed.high <= 1
    assert signed.method == "effective_wilson"


def test_it_stays_on_the_scale_where_student_leaves_it() -> None:
    student, found = mean_interval([1.0, 1.0, 1.0, 0.5]), two_valued_interval([2.0, 2.0, 2.0, 1.0], [2, 2, 2, 2], 0.0, 1.0)
    assert student is not None
    assert found is not None
    assert student.high > 1
    assert 0 < found.low < 7 / 8 < found.high <= 1


def test_tasks_without_a_scored_rollout_do_not_count() -> None:
    assert two_valued_interval([1.0, 0.0, 2.0], [2, 0, 2], 0.0, 1.0) == two_valued_interval([1.0, 2.0], [2, 2], 0.0, 1.0)
    assert two_valued_interval([1.0, 0.0], [2, 0], 0.0, 1.0) is None


def test_what_cannot_be() -> None:
    with pytest.raises(ImpossibleCounts):
        two_valued_interval([5.0, 1.0], [2, 2], 0.0, 1.0)
    with pytest.raises(ValueError, match="no scale"):
        two_valued_interval([1.0, 1.0], [2, 2], 1.0, 1.0)
