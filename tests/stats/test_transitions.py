from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from blade.stats import transitions

from .pairs import Pair, pairs, swapped


def bucket(passes: int, size: int) -> int:
    return 0 if passes == size else 2 if passes == 0 else 1


def by_dealing(pair: Pair) -> np.ndarray:
    """Every way to give each run as many rollouts of a task as the smaller of the two has."""
    total = np.zeros((3, 3))
    for a, n_a, b, n_b in zip(*pair, strict=True):
        pooled, each = [1] * (a + b) + [0] * (n_a + n_b - a - b), min(n_a, n_b)
        places = range(n_a + n_b)
        deals = [
            (bucket(sum(pooled[i] for i in first), each), bucket(sum(pooled[i] for i in second), each))
            for first in combinations(places, each)
            for second in combinations([i for i in places if i not in first], each)
        ]
        for row, column in deals:
            total[row, column] += 1 / len(deals)
    return total


@given(pair=pairs(max_tasks=3, max_attempts=3))
def test_expected_moves_are_those_of_all_deals(pair: Pair) -> None:
    assert transitions(*pair).expected.ravel().tolist() == pytest.approx(by_dealing(pair).ravel().tolist(), abs=1e-9)


@given(pair=pairs(max_tasks=12, max_attempts=8))
def test_every_table_holds_every_task_and_turns_with_the_runs(pair: Pair) -> None:
    there, back = transitions(*pair), transitions(*swapped(pair))
    for name in ("observed", "thinned", "expected"):
        table = getattr(there, name)
        assert table.sum() == pytest.approx(len(pair[0]))
        assert (table >= 0).all()
        assert table.T.ravel().tolist() == pytest.approx(getattr(back, name).ravel().tolist(), abs=1e-9)
    assert there.tasks == len(pair[0])


@given(pair=pairs(max_tasks=12, max_attempts=6, equal=True))
def test_equal_repeats_need_no_thinning(pair: Pair) -> None:
    found = transitions(*pair)
    assert found.thinned.ravel().tolist() == pytest.approx(found.observed.ravel().tolist(), abs=1e-9)
    counted = np.zeros((3, 3))
    for a, n_a, b, n_b in zip(*pair, strict=True):
        counted[bucket(a, n_a), bucket(b, n_b)] += 1
    assert (found.observed == counted).all()


def test_they_are_unbiased_where_nothing_changed() -> None:
    """500 pairs of 50 tasks: observed minus expected averages out, also where B ran twice as often."""
    rng = np.random.default_rng(8)
    for n_b in (4, 8):
        surplus = []
        for _ in range(500):
            p = rng.beta(0.4, 0.4, 50)
            found = transitions(rng.binomial(4, p), np.full(50, 4), rng.binomial(n_b, p), np.full(50, n_b))
            surplus.append(found.thinned - found.expected)
        error = np.std(surplus, axis=0) / np.sqrt(500)
        assert (np.abs(np.mean(surplus, axis=0)) < 4 * error + 1e-9).all()


def test_tasks_that_a_run_did_not_score_are_left_out() -> None:
    found = transitions([1, 0, 2], [1, 0, 2], [0, 1, 2], [1, 1, 2])
    assert found.tasks == 2
    assert found.observed.tolist() == [[1, 0, 1], [0, 0, 0], [0, 0, 0]]
