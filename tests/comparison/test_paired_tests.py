"""The figures of a pair, against those that somebody else computed for real runs."""

from collections import defaultdict

import numpy as np
import pytest

from blade.comparison.paired_tests import compare_means, compare_rates
from tests.shared_data import needs_shared_data, reference_numbers, shared_data, shared_rows

PAIRS = sorted(reference_numbers()["pairs"]) if shared_data() else []


def passes(run: str) -> dict[str, list[int]]:
    rewards: defaultdict[str, list[int]] = defaultdict(list)
    for row in shared_rows(run):
        rewards[str(row["_ng_task_index"])].append(int(row["reward"] >= 1 - 1e-6))
    return rewards


@needs_shared_data
@pytest.mark.parametrize("pair", PAIRS)
def test_figures_match_the_reference(pair: str) -> None:
    reference = reference_numbers()["pairs"][pair]
    folder, _, names = pair.partition(": ")
    a, b = (passes(f"{folder}/{name}") for name in names.split(" -> "))
    common = [task for task in a if task in b]
    counts = [[function(run[task]) for task in common] for run in (a, b) for function in (sum, len)]
    found = compare_rates(*counts)
    assert found.tasks == reference["tasks_compared"]
    assert found.delta == pytest.approx(reference["diff_B_minus_A"], abs=1e-9)
    assert found.standard_error == pytest.approx(reference["se_clustered"], abs=1e-9)
    assert found.bootstrap is not None
    assert [found.bootstrap.low, found.bootstrap.high] == pytest.approx(reference["ci95_bootstrap_by_task"], abs=1e-9)
    assert (found.p_value, found.test) == (pytest.approx(reference["mcnemar_exact_p"], abs=1e-9), "exact_mcnemar")
    assert found.on_this_benchmark is None  # one rollout each
    assert found.verdict.verdict == ("improved" if reference["mcnemar_exact_p"] <= 0.05 else "inconclusive")


def test_passes_as_rewards_have_the_same_figures() -> None:
    rng = np.random.default_rng(4)
    n = np.full(120, 4)
    a, b = rng.binomial(4, 0.5, 120), rng.binomial(4, 0.6, 120)
    rates = compare_rates(a, n, b, n)
    variances = tuple(c / 4 * (1 - c / 4) * 4 / 3 for c in (a, b))
    rewards = compare_means((a / 4, b / 4), (variances[0], variances[1]), (n, n))
    assert rewards.interval == rates.interval
    assert rewards.equivalence == rates.equivalence
    assert rewards.bootstrap == rates.bootstrap
    assert rewards.detectable == rates.detectable
    assert rates.p_value is not None
    assert rewards.p_value == pytest.approx(rates.p_value, abs=0.01)
    assert rates.on_this_benchmark is not None
    assert rewards.on_this_benchmark is not None
    assert rewards.on_this_benchmark.interval == rates.on_this_benchmark.interval


def test_tasks_that_one_run_did_not_score_are_left_out() -> None:
    found = compare_rates([1, 2, 0, 3], [4, 4, 0, 4], [3, 2, 4, 0], [4, 4, 4, 0])
    assert found.tasks == 2
    assert found.delta == pytest.approx(0.25)
