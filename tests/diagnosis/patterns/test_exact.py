"""The exact tests against enumeration and against scipy."""

from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact, norm

from blade.diagnosis.patterns.exact import fisher_greater, informative, mantel_haenszel, stratified_p


@st.composite
def tables(draw):
    passing, failing = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    return draw(st.integers(0, passing)), passing, draw(st.integers(0, failing)), failing


def enumerated(strata):
    """The p-value by dealing the things out to the rollouts in every possible way."""
    law = {0: 1.0}
    for with_passing, passing, with_failing, failing in strata:
        found, total = with_passing + with_failing, passing + failing
        dealt = {}
        for chosen in combinations(range(total), found):
            hit = sum(place < passing for place in chosen)
            dealt[hit] = dealt.get(hit, 0) + 1
        fresh = {}
        for before, chance in law.items():
            for hit, ways in dealt.items():
                fresh[before + hit] = fresh.get(before + hit, 0.0) + chance * ways / comb(total, found)
        law = fresh
    observed = sum(table[0] for table in strata)
    return sum(chance for hit, chance in law.items() if hit >= observed)


@given(st.lists(tables(), min_size=1, max_size=3))
def test_stratified_p_is_the_share_of_deals(strata):
    assert stratified_p(strata) == pytest.approx(enumerated(strata), abs=1e-9)


@given(tables())
def test_one_task_is_fishers_test(table):
    with_passing, passing, with_failing, failing = table
    wanted = fisher_exact([[with_passing, passing - with_passing], [with_failing, failing - with_failing]], alternative="greater")
    assert stratified_p([table]) == pytest.approx(wanted.pvalue)
    assert fisher_greater(with_passing, passing, with_failing, failing) == pytest.approx(wanted.pvalue)


def test_mantel_haenszel_by_hand():
    # Task one: 2 of 2 pass with it, 0 of 2 without, weight 2·2/4 = 1. Task two: 1 of 1 with, 1 of 3 without, weight 3/4.
    assert mantel_haenszel([(2, 2, 0, 2), (1, 2, 0, 2)]) == pytest.approx((1 * 1 + 0.75 * (1 - 1 / 3)) / 1.75)
    assert mantel_haenszel([(2, 2, 2, 2)]) is None
    assert not informative((2, 2, 2, 2))


def test_many_tasks_take_the_normal_law():
    few = {(2, 2, 1, 2): 300, (1, 2, 1, 2): 600}
    exact = stratified_p(few)
    assert stratified_p([table for table, times in few.items() for _ in range(times)]) == pytest.approx(exact)
    variance = 300 * 3 * 2 * 2 * 1 / (16 * 3) + 600 * 2 * 2 * 2 * 2 / (16 * 3)
    excess = 300 * (2 - 1.5)
    assert exact == pytest.approx(norm.sf((excess - 0.5) / variance**0.5), rel=0.2)
    many = {table: 10 * times for table, times in few.items()}
    assert stratified_p(many) == pytest.approx(norm.sf((10 * excess - 0.5) / (10 * variance) ** 0.5))
