"""Equations in a worked solution, and whether they hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.signals.data.working import false_equations


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("230 + 518 + 870 + 699 = 2327 lb; 2327 lb x 0.45359237 = 1055.5 kg", 2317),
        ("12 - 5 = 7, 7 x 2 = 15", 14),
        ("8 × 7 = 54", 56),
        ("$5 * 3 = $16", 15),
        ("in all: 1,200 + 300 = 1,600", 1500),
        ("x = 5 + 3 = 9", 8),
        ("2 + 3 x 4 = 20", 14),
        ("Both: 230 plus 518 make 758", 748),
        ("Sacks: 90 + 55 + 120 lb are 365 lb", 265),
        ("59 less 11 is 38", 48),
        ("Left: 59 - 11 is 38", 48),
        ("59-11 = 38", 48),
        ("Nights: 3-5 are 3 nights; 3 x 40 = 130", 120),
        ("135 + 250 + 280 = 655 ft, which are 199.6 m", 665),
    ],
)
def test_an_equation_that_does_not_hold(text, true):
    assert [found.true for found in false_equations(text)] == [true]


@pytest.mark.parametrize(
    "text",
    [
        "48/2 = 24",
        "What is left: $547.55 - $473.43 = $74.12",  # no equation begins within a number
        "of 1,944.02 - 1822.82 = 121.2",
        "from 12:30 + 15 = 45",
        "80 + 120 + 70 lb are 122.5 kg",  # converted, not only added up
        "80 lb + 120 are 90.7 kg",
        "Room: 3 plus 4 are 7",
        "<<48/2=24>>",
        "2317 lb x 0.45359237 = 1051.0 kg",  # rounded as it is written
        "100/3 = 33; 33 x 3 = 99",
        "10-12 = 2 hours",  # a span
        "Nights: 3-5 are 3 nights; 3 x 40 = 120",
        "Nights: 3 -5 are 3 nights",
        "Rooms: 12-34 is 5",
        "Shift: 24/7 is 3",
        "Until: 05-12 = 3",  # a day
        "Id: 12-34-56 = 8",
        "On: 12/5/2026 = 7",
        "1/2 + 1/3 = 5/6",
        "20% of 50 = 10",
        "50 + 20% = 60",
        "3 + 4 = 7 + 1 = 8",
        "2^3 + 1 = 9",
        "(2 + 3) x 4 = 20",
        "f(2) + 3 = 9",
        "16:10 - 2 = 8",
        "6:30 h x 20.08 = 130.52",
        "2024-05-01 = 2018",
        "a1 + 2 = 4",
        "x + 3 + 5 = 11, so x = 3",  # the tail of something longer
        "x * 2 + 6 = 20",
        "(2 + 3) * 4 + 5 = 25",
        "1 1/2 + 2 = 3.5",
        "half of 8 + 2 = 6",
        "√16 + 9 = 13",
        "- 3 + 5 = 2",
        "2a + 3b = 12",  # no units
        "1 h + 30 min = 90 min",
        "4 dozen - 8 = 40",
        "9 AM + 8 = 5 PM",
        "1011 + 1 = 1100",
        "17 + 9 = 2 (mod 12)",
        "1.000 + 500 = 1.500",
        "5 / 0 = 0",
        "no figures at all",
    ],
)
def test_what_holds_or_cannot_be_told(text):
    assert not list(false_equations(text))


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=8))
def test_sums_hold_and_no_other_result_does(numbers):
    terms = " + ".join(map(str, numbers))
    assert not list(false_equations(f"{terms} = {sum(numbers)}"))
    wrong = f"{terms} = {sum(numbers) + 7}"
    if set(wrong) - set("01 +="):  # which may be binary
        assert [found.true for found in false_equations(wrong)] == [sum(numbers)]


@given(st.text())
def test_any_text_is_gone_through(text):
    list(false_equations(text))
