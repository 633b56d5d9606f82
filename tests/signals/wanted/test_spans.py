"""One span told in two ways, and spans that differ."""

import pytest

from blade.signals.example import call, tool
from blade.signals.wanted.spans import told_by_other_end
from tests.signals.wanted.test_comparison import compared, outcomes

STAY = {"guest": "G-1", "arrival": "2026-12-02"}
MORE = ("day", "check_in", "check_out", "min_price", "duration_min", "min_nights")
TAKES = dict.fromkeys(["guest", "arrival", "departure", "nights", "start", "end", "duration_minutes", "rate", *MORE])


@pytest.mark.parametrize(
    ("expected", "given", "same"),
    [
        ({**STAY, "departure": "2026-12-07"}, {**STAY, "nights": 5}, True),
        ({**STAY, "nights": 5}, {**STAY, "departure": "2026-12-07"}, True),
        ({"start": "09:30", "end": "10:15"}, {"start": "09:30", "duration_minutes": 45}, True),
        ({"end": "2026-12-07T10:15", "start": "2026-12-07T09:30"}, {"end": "2026-12-07T10:15", "duration_minutes": 45}, True),
        ({**STAY, "departure": "2026-12-07"}, {**STAY, "nights": 4}, False),
        ({**STAY, "departure": "2026-12-07"}, {**STAY, "rate": 5}, False),  # a number that counts nothing
        ({**STAY, "departure": "2026-12-07"}, {"guest": "G-1", "nights": 5}, False),  # from which day?
        ({**STAY, "until": "2026-12-07"}, {**STAY, "nights": 5}, False),  # the tool takes no such argument
        ({**STAY, "departure": "2026-11-27"}, {**STAY, "nights": 5}, False),  # backwards
        ({**STAY, "nights": 5}, {**STAY, "departure": "2026-11-27"}, False),
        ({"end": "10:15", "start": "11:00"}, {"end": "10:15", "duration_minutes": 45}, False),
        ({"day": "2026-12-02", "end": "2026-12-07"}, {"day": "2026-12-02", "nights": 5}, False),  # which of them begins?
        ({"check_in": "2026-12-02", "check_out": "2026-12-07"}, {"check_in": "2026-12-02", "nights": 5}, True),
        ({"start": "09:30", "end": "10:15"}, {"start": "09:30", "min_price": 45}, False),
        ({"start": "09:30", "end": "10:15"}, {"start": "09:30", "duration_min": 45}, True),
        ({**STAY, "departure": "2026-12-07"}, {**STAY, "min_nights": 5}, False),  # a limit
    ],
)
def test_a_length_in_the_place_of_the_other_end(expected, given, same):
    assert bool(told_by_other_end(expected, given, TAKES)) is same


def test_such_a_call_is_the_expected_one():
    room = tool("book_room", guest="string", arrival="string", departure="string", nights="integer")
    wanted = [{"name": "book_room", "arguments": {**STAY, "departure": "2026-12-07"}}]
    assert outcomes(compared(wanted, call("book_room", "ok", **STAY, nights=5), tools=(room,))) == ["made"]
    assert outcomes(compared(wanted, call("book_room", "ok", **STAY, nights=6), tools=(room,))) == ["wrong_argument"]
