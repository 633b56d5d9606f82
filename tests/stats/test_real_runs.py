"""The formulas on real runs, against figures that somebody else computed and that the benchmark's authors published."""

from collections import defaultdict

import numpy as np
import pytest

from blade.stats import (
    buckets,
    clustered_standard_error,
    consistency,
    missing_rows,
    oracle,
    pass_at_k,
    pass_hat_k,
    rate_interval,
    retry_value,
    task_means,
)
from tests.shared_data import needs_shared_data, reference_numbers, shared_data, shared_rows

RUNS = sorted(reference_numbers()["runs"]) if shared_data() else []


def counts(run: str) -> tuple[list[int], list[int]]:
    rewards: defaultdict[str, list[float]] = defaultdict(list)
    for row in shared_rows(run):
        rewards[str(row["_ng_task_index"])].append(row["reward"])
    return [sum(reward >= 1 - 1e-6 for reward in task) for task in rewards.values()], [len(task) for task in rewards.values()]


@needs_shared_data
@pytest.mark.parametrize("run", RUNS)
def test_figures_match_the_reference(run: str) -> None:
    reference = reference_numbers()["runs"][run]
    passed, tried = counts(run)
    for k in range(1, max(tried) + 1):
        at, hat = pass_at_k(passed, tried, k), pass_hat_k(passed, tried, k)
        assert at.value == pytest.approx(reference[f"pass@{k}"], abs=1e-9)
        assert hat.value == pytest.approx(reference[f"pass^{k}"], abs=1e-9)
        assert at.tasks == hat.tasks == reference[f"tasks_n>={k}"]
    means = task_means(passed, tried)
    assert means.mean() == pytest.approx(reference["pass@1_macro"], abs=1e-9)
    assert clustered_standard_error(means) == pytest.approx(reference["pass@1_macro_se_clustered"], abs=1e-9)
    found = buckets(passed, tried)
    for bucket in ("always", "sometimes", "never"):
        assert int(getattr(found, bucket).sum()) == reference[bucket]
    assert missing_rows(passed, tried, tried).missing_as_failed == pytest.approx(reference["pass@1_macro"], abs=1e-9)
    interval = rate_interval(passed, tried)
    assert interval is not None
    assert interval.low < reference["pass@1"] < interval.high


@needs_shared_data
def test_tau_bench_airline_gives_the_published_curve() -> None:
    run = counts("taubench/airline__gpt-4o__tool-calling__4t")
    assert [round(pass_hat_k(*run, k).value, 3) for k in (1, 2, 3, 4)] == [0.420, 0.273, 0.220, 0.200]
    assert consistency(*run) == pytest.approx(0.200)
    assert oracle(*run) == pytest.approx(0.72)
    retry = retry_value(*run)
    assert retry is not None
    assert (retry.value, retry.k, retry.tasks) == pytest.approx((0.30, 4, 50))
    assert np.mean(task_means(*run)) == pytest.approx(0.42)
