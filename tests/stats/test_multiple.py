import gc
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from blade.stats import StatsError, benjamini_hochberg, holm

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@pytest.fixture(scope="module", autouse=True)
def little_garbage() -> Iterator[None]:
    """statsmodels collects garbage at every call; what other tests left need not be looked through each time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@given(p=p_values)
def test_both_agree_with_statsmodels(p: list[float]) -> None:
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1], abs=1e-12)
    assert benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1], abs=1e-12)


@given(p=p_values)
def test_adjusting_never_helps_and_holm_is_the_stricter(p: list[float]) -> None:
    assert np.all(np.array(p) <= benjamini_hochberg(p) + 1e-15)
    assert np.all(benjamini_hochberg(p) <= holm(p) + 1e-15)
    assert np.all(holm(p) <= 1)


def test_no_tests_need_no_adjusting() -> None:
    assert holm([]).size == benjamini_hochberg([]).size == 0


@pytest.mark.parametrize("p", [[-0.1], [1.1], [float("nan")]])
def test_what_is_no_probability_is_refused(p: list[float]) -> None:
    for adjust in (holm, benjamini_hochberg):
        with pytest.raises(StatsError):
            adjust(p)
