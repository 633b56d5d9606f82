"""The change on tasks that were picked by their failures: chance alone must not look like a gain."""

from itertools import combinations

import numpy as np
import pytest

from blade.stats import ImpossibleCounts, selected_change


def test_chance_gives_what_all_deals_give() -> None:
    """One task, 2 + 2 rollouts: pass, pass, failing carrier, other failure; every deal of two to A, selected where A has the carrier."""
    kinds = ["pass", "pass", "carrier", "other"]
    deals = []
    for mine in combinations(range(4), 2):
        won = sum(kinds[place] == "pass" for place in mine)
        selected = any(kinds[place] == "carrier" for place in mine)
        deals.append(((2 - won) / 2 - won / 2) if selected else 0.0)
    found = selected_change(([1], [1]), ([1], [0]), ([2], [2]))
    assert found is not None
    assert found.by_chance == pytest.approx(np.mean(deals), abs=0.03)
    assert found.observed == 0.0
    assert found.selected == found.tasks == 1


@pytest.mark.parametrize("repeats", [1, 4])
def test_two_runs_of_one_system_rarely_gain(repeats: int) -> None:
    rng = np.random.default_rng(7)
    told, seen = 0, []
    for seed in range(120):
        rates = rng.beta(1, 1, 60)
        wins = [rng.binomial(repeats, rates) for _ in range(2)]
        hits = [rng.binomial(repeats - won, 0.6) for won in wins]
        attempts = np.full(60, repeats)
        found = selected_change((wins[0], wins[1]), (hits[0], hits[1]), (attempts, attempts), seed)
        assert found is not None
        seen.append((found.observed, found.by_chance))
        told += found.p_value <= 0.05
    observed, by_chance = np.mean(seen, axis=0)
    assert observed == pytest.approx(by_chance, abs=0.01)
    assert by_chance > 0.02, "tasks that were picked by their failures do better"
    assert told <= 14


def test_a_true_gain_is_found() -> None:
    attempts = np.full(60, 4)
    before, after = np.repeat([1, 4], 30), np.repeat([4, 4], 30)
    found = selected_change((before, after), (np.repeat([3, 0], 30), np.zeros(60)), (attempts, attempts))
    assert found is not None
    assert found.p_value < 0.01
    assert 0.1 < found.excess < found.observed == pytest.approx(0.375)


def test_without_a_carrier_in_a_nothing_is_selected() -> None:
    assert selected_change(([1], [1]), ([0], [1]), ([2], [2])) is None


def test_counts_that_cannot_be_are_refused() -> None:
    with pytest.raises(ImpossibleCounts):
        selected_change(([2], [1]), ([1], [0]), ([2], [2]))
