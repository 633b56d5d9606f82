"""Days that a prompt's rules close."""

import pytest

from blade.signals.behaviour.closed_days import closed_days
from blade.signals.example import Example, call
from tests.signals.support import found, steps


@pytest.mark.parametrize(
    ("rules", "closed"),
    [
        ("The house is dark on Mondays.", {0}),
        ("No room is booked on a Monday: if a slot is wanted on one, book it for the Tuesday right after it.", {0}),
        ("- We are closed from Saturday to Sunday.\n- Be brief.", {5, 6}),
        ("Never deliver at weekends.", {5, 6}),
        ("The desk is staffed every day except Wednesdays.", {2}),
        ("We don't ship on Fridays!", {4}),
        ("Closed Sunday through Tuesday.", {6, 0, 1}),
        ("The house is open on Mondays.", set()),
        ("Never book on a day other than Monday.", set()),
        ("Nothing is sent before Monday.", set()),
        ("No visits on Mondays before 10:00.", set()),
        ("Do not book if the Monday is a holiday.", set()),
        ("Today is Monday, not Tuesday.", set()),
        ("Deliveries only on Tuesdays.", set()),
        ("There is no delivery fee on Saturdays.", set()),
        ("Members do not pay on Mondays.", set()),
        ("Tickets for Mondays are not refundable.", set()),
        ("The house is never closed on Mondays.", set()),
        ("We aren't closed on Mondays.", set()),
        ("The pool is open on Saturdays, not on Sundays.", set()),  # which one is not told by a sentence of both
        ("The pool is not open on Sundays.", {6}),
        ("Open every day except Mondays.", {0}),
    ],
)
def test_what_rules_close(rules, closed):
    assert set(closed_days(rules)) == closed


def booked(given, wanted, system="The house is dark on Mondays. Days are DD/MM/YYYY."):
    return Example(
        (call("book_room", "ok", day=given),),
        system=system,
        asked="A slot on 2 November, please.",
        fields={"expected_calls": [{"name": "book_room", "arguments": {"day": wanted}}]},
    )


def test_a_closed_day_in_the_place_of_an_open_one():
    (told,) = found("closed_day_given", booked("02/11/2026", "03/11/2026"))
    assert told.detail == "02/11/2026 is a Monday, and the prompt says: The house is dark on Mondays."
    assert told.subject == "book_room.day"


@pytest.mark.parametrize(
    "example",
    [
        booked("03/11/2026", "02/11/2026"),  # the gold is against the rule
        booked("02/11/2026", "09/11/2026"),  # both are closed
        booked("03/11/2026", "04/11/2026"),
        booked("09/11/2026", "10/11/2026"),  # not asked for: miscounted
        booked("02/11/2026", "03/11/2026", "Days are DD/MM/YYYY."),
        booked("02/11/2026", "noon", "The house is dark on Mondays. Days are DD/MM/YYYY."),
    ],
)
def test_days_that_no_rule_is_broken_by(example):
    assert steps("closed_day_given", example) == []
