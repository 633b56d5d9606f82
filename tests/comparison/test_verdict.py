import math

import numpy as np
import pytest
from hypothesis import given, settings

from blade.comparison.paired_tests import PairedTests, compare_means, compare_rates
from blade.comparison.rules import decide, smallest_margins
from blade.comparison.units import REWARDS, p_text
from blade.comparison.verdict import Name, verdict
from blade.stats import Detectable, Interval
from tests.stats.pairs import Pair, pairs, reordered, swapped
from tests.stats.runs import Counts, runs


def ends(low: float, high: float) -> Interval:
    return Interval(low, high, method="given")


@pytest.mark.parametrize(
    ("interval", "careful", "p_value", "tasks", "expected"),
    [
        ((0.01, 0.09), (0.0, 0.1), 0.03, 200, "improved"),
        ((-0.09, -0.01), (-0.1, 0.0), 0.03, 200, "regressed"),
        ((0.01, 0.09), (0.0, 0.1), 0.051, 200, "inconclusive"),  # the test does not agree
        ((-0.01, 0.09), (-0.02, 0.1), 0.03, 200, "inconclusive"),  # the interval does not agree
        ((0.005, 0.015), (0.004, 0.016), 0.0001, 200, "equivalent"),  # certain, and smaller than the margin
        ((-0.01, 0.01), (-0.021, 0.02), 1.0, 200, "inconclusive"),  # a little wider than the margin
        ((-0.01, 0.01), (-0.02, 0.02), 1.0, 150, "equivalent"),
        ((-0.01, 0.01), (-0.02, 0.02), 1.0, 149, "inconclusive"),  # fewer than 3/margin tasks
    ],
)
def test_the_rules_in_their_order(
    interval: tuple[float, float], careful: tuple[float, float], p_value: float, tasks: int, expected: Name
) -> None:
    found = verdict(tasks, sum(interval) / 2, ends(*interval), ends(*careful), p_value)
    assert found.verdict == expected
    assert found.reason.lower().startswith(expected)
    wide = verdict(
        tasks,
        5 * sum(interval),
        ends(*(10 * x for x in interval)),
        ends(*(10 * x for x in careful)),
        p_value,
        margin=0.2,
        span=10.0,
    )
    assert wide.verdict == expected


@pytest.mark.parametrize("tasks", [2, 20, 59, 149, 150, 151, 500])
@pytest.mark.parametrize("repeats", [1, 4])
def test_a_run_against_itself_is_equivalent_from_150_tasks_on(tasks: int, repeats: int) -> None:
    passed, tried = np.arange(tasks) % (repeats + 1), np.full(tasks, repeats)
    found = compare_rates(passed, tried, passed, tried)
    assert found.verdict.verdict == ("equivalent" if tasks >= 150 else "inconclusive")
    assert (found.delta, found.p_value) == (0.0, 1.0)
    means, spread = passed / tried * 20 - 10, np.full(tasks, np.nan)
    rewards = compare_means((means, means), (spread, spread), (tried, tried), margin=0.4, span=20.0)
    assert rewards.verdict.verdict == found.verdict.verdict
    wider = compare_rates(passed, tried, passed, tried, margin=0.05)
    assert wider.verdict.verdict == ("equivalent" if tasks >= 60 else "inconclusive")


@settings(max_examples=40)
@given(run=runs(max_tasks=40))
def test_a_run_against_itself_never_changes(run: Counts) -> None:
    assert compare_rates(*run, *run).verdict.verdict in ("equivalent", "inconclusive")


MIRROR = {"improved": "regressed", "regressed": "improved"}


def mirrored(found: PairedTests) -> tuple[str, float | None]:
    return MIRROR.get(found.verdict.verdict, found.verdict.verdict), found.verdict.smallest_margin


@settings(max_examples=40)
@given(pair=pairs(max_tasks=30))
def test_swapping_the_runs_swaps_improved_and_regressed(pair: Pair) -> None:
    there, back, turned = compare_rates(*pair), compare_rates(*swapped(pair)), compare_rates(*reordered(pair))
    assert mirrored(back) == (there.verdict.verdict, pytest.approx(there.verdict.smallest_margin, abs=1e-12))
    assert turned.verdict.verdict == there.verdict.verdict


@settings(max_examples=40)
@given(pair=pairs(min_tasks=2, max_tasks=40))
def test_the_smallest_margin_is_the_least_that_holds(pair: Pair) -> None:
    found = compare_rates(*pair)
    least = found.verdict.smallest_margin
    if least is None:
        assert found.verdict.verdict == "inconclusive" or found.tasks < 3
        return
    assert compare_rates(*pair, margin=least).verdict.verdict == "equivalent"
    assert compare_rates(*pair, margin=0.99 * least).verdict.verdict != "equivalent"


def test_many_pairs_at_once_are_decided_as_one_by_one() -> None:
    rng = np.random.default_rng(3)
    low = rng.normal(0, 0.02, 300)
    high = low + rng.uniform(0, 0.06, 300)
    p_values = rng.uniform(0, 0.1, 300)
    strict = low - 0.002, high + 0.002
    found = decide((low, high), strict, p_values, 400, 0.02)
    for place in range(300):
        alone = verdict(400, 0.0, ends(low[place], high[place]), ends(strict[0][place], strict[1][place]), p_values[place])
        masks = [name for name in ("equivalent", "improved", "regressed") if getattr(found, name)[place]]
        assert masks == ([alone.verdict] if alone.verdict != "inconclusive" else [])
        assert smallest_margins(strict, 400)[place] == alone.smallest_margin


@pytest.mark.parametrize(
    ("common", "redefined", "words"),
    [
        (0, 0, "the runs share no scored task."),
        (0, 7, "all 7 tasks that share an id are defined otherwise in the two runs."),
        (0, 1, "the only task that shares an id is defined otherwise in the two runs."),
        (3, 0, "the runs share 3 tasks, of which none was scored in both."),
        (3, 7, "the runs share 3 tasks, of which none was scored in both; 7 more carry one id and two definitions."),
    ],
)
def test_no_common_task_is_not_comparable(common: int, redefined: int, words: str) -> None:
    found = compare_rates([], [], [], [], common=common, redefined=redefined)
    assert found.verdict.verdict == "not_comparable"
    assert words in found.verdict.reason
    assert found.interval is found.p_value is found.delta is None


def test_one_common_task_is_inconclusive() -> None:
    found = compare_rates([0], [4], [4], [4])
    assert found.verdict.verdict == "inconclusive"
    assert found.delta == 1.0


def test_the_reason_speaks_in_points_and_tasks() -> None:
    found = verdict(115, 0.0435, ends(-0.052, 0.139), ends(-0.06, 0.15), 0.487, Detectable(0.131, 0.1, 0.16, "paired_t"))
    assert found.reason == (
        "Inconclusive: B scores 4.3 points higher on 115 tasks (95 % interval −5.2 to +13.9; sign-flip p = .49); "
        "only a change of about 13.1 points or more would probably be found; "
        "the smallest margin within which they are equivalent is ±15.0 points."
    )
    assert "lower" in verdict(60, -0.2, ends(-0.3, -0.1), ends(-0.3, -0.1), 0.001).reason
    assert verdict(60, -0.2, ends(-0.3, -0.1), ends(-0.3, -0.1), 0.001, letter="C").reason.startswith("Regressed: C scores 20.0 ")
    assert "2.5 higher" in verdict(60, 2.5, ends(1, 4), ends(1, 4), 0.001, margin=0.2, span=10.0, units=REWARDS).reason


def test_the_metric_and_not_the_scale_says_whether_there_are_points() -> None:
    """Rewards from 0 to 1 whose range happens to be 1 are no pass rates."""
    spread, n = np.full(4, np.nan), np.ones(4, dtype=np.int64)
    found = compare_means((np.zeros(4), np.array([0.5, 0.25, 0.5, 0.25])), (spread, spread), (n, n), span=1.0)
    assert "B scores 0.375 higher" in found.verdict.reason
    assert "point" not in found.verdict.reason


@pytest.mark.parametrize(("p", "text"), [(1.0, "p = 1"), (0.487, "p = .49"), (0.0032, "p = .0032"), (1e-9, "p < .0001")])
def test_p_values_in_words(p: float, text: str) -> None:
    assert p_text(p) == text


@pytest.mark.parametrize("margin", [0.0, -0.1, math.nan, math.inf])
def test_a_margin_is_a_positive_number(margin: float) -> None:
    with pytest.raises(ValueError, match="margin"):
        verdict(10, 0.0, ends(0, 0), ends(0, 0), 1.0, margin=margin)
