"""Gold in another form than the prompt asks for, and the look-alikes of which the prompt says nothing."""

import pytest

from blade.signals.example import Example, call, says
from tests.signals.support import steps

LINE = "End with 'FINAL ANSWER: <answer>'. "


def answered(rule, given, gold):
    return Example((says(f"FINAL ANSWER: {given}"),), asked=f"How much is it? {LINE}{rule}", fields={"expected_answer": gold})


def booked(request, given, gold, **fields):
    expected = [{"name": "book_weight", "arguments": {"sack": "S-1", "kilograms": gold}}]
    made = call("book_weight", "ok", sack="S-1", kilograms=given)
    return Example((made, says("Booked.")), asked=request, fields={"expected_calls": expected, **fields})


CASES = [
    ("gold_breaks_form", answered("The bare number, please.", "64.4", "64.4 GB"), [0]),
    ("gold_breaks_form", answered("No units unless asked for.", "3157.43", "$3,157.43"), [0]),
    ("gold_breaks_form", answered("Number only.", "14", "14 hosts"), [0]),
    ("gold_breaks_form", answered("Number only.", "14", "14"), []),
    ("gold_breaks_form", answered("Number only.", "4", "14 hosts"), []),
    ("gold_breaks_form", answered("Number only.", "14", "14 of 20"), []),
    ("gold_breaks_form", answered("", "14", "14 hosts"), []),  # then it is the verifier that insists
    ("gold_breaks_form", answered("Only the number, with its unit.", "14", "14 hosts"), []),
    ("gold_breaks_form", answered("Number only.", "14 hosts", "14 hosts"), []),
    ("gold_breaks_form", answered("Round to one decimal.", "64.4", "64.38217"), [0]),
    ("gold_breaks_form", answered("Round to the nearest whole number.", "64", "64.38"), [0]),
    ("gold_breaks_form", answered("Round to one decimal.", "64.3", "64.38217"), []),
    ("gold_breaks_form", answered("Round to one decimal.", "64.4", "64.4"), []),
    ("gold_breaks_form", answered("", "64.4", "64.38217"), []),
    ("gold_breaks_form", answered("Please round to a whole number.", "3112", "3111.608486448"), [0]),
    ("gold_breaks_form", answered("Litres, rounded to whole ones.", "3112", "3111.608486448"), [0]),
    ("gold_breaks_form", booked("Book the kilograms, rounded to one decimal.", 2.3, 2.2829125), [0]),
    ("gold_breaks_form", booked("Book the kilograms, rounded to one decimal.", 2.2, 2.2829125), []),
    ("gold_breaks_form", booked("Book the kilograms.", 2.3, 2.2829125), []),
    (
        "gold_breaks_form",
        booked("Book the kilograms, rounded to one decimal.", 2.3, 2.2829125, tolerance=0.05),
        [],
    ),  # then the verifier is at fault
    ("gold_breaks_form", answered("As YYYY-MM-DD.", "2026-03-06", "6 March 2026"), [0]),
    ("gold_breaks_form", answered("As YYYY-MM-DD.", "2026-03-07", "6 March 2026"), []),
    ("gold_breaks_form", answered("By the 24-hour clock.", "14:30", "2:30 pm"), [0]),
    ("gold_breaks_form", answered("By the 24-hour clock.", "02:30", "2:30 pm"), []),
    ("gold_breaks_form", answered("As HH:MM (24 h), or with am and pm.", "14:30", "2:30 pm"), []),
]


@pytest.mark.parametrize(("code", "example", "expected"), CASES)
def test_gold_in_another_form(code, example, expected):
    assert steps(code, example) == expected
