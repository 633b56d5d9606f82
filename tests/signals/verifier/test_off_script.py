"""Values that a simulated user makes up: its instructions do not have them, and nobody told it."""

import pytest

from blade.signals.example import Example, call, says, tool, user
from tests.signals.support import found, steps

SCRIPT = "You are Ann Lee. You moved in May and want your default address changed to the one of your sister's order, in Leeds."
GOLD = [{"name": "set_address", "arguments": {"user_id": "u1", "line": "9 Oak Lane", "city": "Leeds"}}]
ASKS = says("Which address?")


def change(line, city="Leeds", output="ok"):
    return call("set_address", output, user_id="u1", line=line, city=city)


def told(*turns, script=SCRIPT, gold=GOLD, **more):
    return Example(turns, fields={"task": {"instruction": script}, "expected_calls": gold}, **more)


def test_an_address_that_nobody_gave_it():
    (signal,) = found("user_off_script", told(ASKS, user("It is 12 Station Road."), change("12 Station Road")))
    assert (signal.step, signal.subject) == (1, "set_address.line")
    assert "the user's instructions have no 12 Station Road" in signal.detail


def test_a_change_that_nobody_expected_counts_as_well():
    assert steps("user_off_script", told(ASKS, user("It is 12 Station Road."), change("12 Station Road"), gold=[])) == [1]


CASES = [
    ("user_off_script", told(*turns), [])
    for turns in (
        (ASKS, user("It is 9 Oak Lane."), change("9 Oak Lane")),  # what is expected
        (ASKS, user("The one in Leeds."), change("12 Station Road")),  # the assistant's own
        (call("get_order", "12 Station Road", order_id="W1"), ASKS, user("12 Station Road."), change("12 Station Road")),
        (says("Is it 12 Station Road?"), user("Yes, 12 Station Road."), change("12 Station Road")),
        (ASKS, user("It is 12 Station Road."), change("12 Station Road", output="Error: no such street")),
    )
]


@pytest.mark.parametrize(("code", "example", "wanted"), CASES)
def test_what_it_was_told_or_did_not_say_is_not_made_up(code, example, wanted):
    assert steps(code, example) == wanted


@pytest.mark.parametrize("said", ["12 Station Rd", "Flat 12"])
def test_other_words_for_what_its_instructions_have_are_no_invention(said):
    script = f"{SCRIPT} It is number 12 in Station Road."
    assert steps("user_off_script", told(ASKS, user(f"It is {said}."), change(said), script=script)) == []


def test_names_of_records_dates_and_choices_are_left_aside():
    for value in ("W1234567", "2026-05-04"):
        assert steps("user_off_script", told(ASKS, user(f"It is {value}."), change(value))) == []
    city = tool("set_address", city={"type": "string", "enum": ["Leeds", "York City"]})
    assert steps("user_off_script", told(ASKS, user("York City."), change("9 Oak Lane", "York City"), tools=(city,))) == []


def test_instructions_that_the_assistant_was_given_are_the_request():
    turns = (ASKS, user("It is 12 Station Road."), change("12 Station Road"))
    assert steps("user_off_script", told(*turns, asked=SCRIPT)) == []
    assert steps("user_off_script", told(*turns, script="")) == []
