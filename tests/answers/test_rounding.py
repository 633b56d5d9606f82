"""Figures that are rounded as they are written."""

import pytest

from blade.answers.rounding import becomes, last_place


@pytest.mark.parametrize(
    ("value", "padded", "worth"), [("5.0", False, 0.1), ("5.0", True, 1.0), (12, False, 1.0), (" 6.25 ", False, 0.01)]
)
def test_the_last_place(value, padded, worth):
    assert last_place(value, padded=padded) == pytest.approx(worth)


@pytest.mark.parametrize(
    ("one", "other", "factor", "places", "close", "expected"),
    [
        (5.0, 6.3, 48 / 38, (0.1, 0.1), 0.0, True),
        (5.0, 7.1, 48 / 38, (0.1, 0.1), 0.0, False),
        (5.0, 6.0, 48 / 38, (1.0, 1.0), 0.0, False),  # the last places tell too little
        (100.0, 160.9, 1.6094, (0.01, 0.01), 0.0, False),
        (100.0, 160.9, 1.6094, (0.01, 0.01), 0.0006, True),
    ],
)
def test_a_figure_that_becomes_another(one, other, factor, places, close, expected):
    assert becomes(one, other, factor, places, close=close) is expected
