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


@pytest.mark.parametrize(
    ("script", "argument", "said"),
    [
        ("Your phone is 555-0123.", "phone", "5550123"),
        ("You paid $1,200.", "price", "1200 dollars"),
        ("You want a brass lamp.", "goods", "lamps"),
        ("You have two bags.", "bags", "2 bags"),
    ],
)
def test_the_same_in_other_signs_or_forms_is_no_invention(script, argument, said):
    gold = [{"name": "set_profile", "arguments": {argument: "something else"}}]
    turns = (ASKS, user(f"It is {said}."), call("set_profile", "ok", **{argument: said}))
    assert steps("user_off_script", told(*turns, script=f"{SCRIPT} {script}", gold=gold)) == []


@pytest.mark.parametrize("said", ["3 PM", "May 5", "next Monday", "2026-05-05 10:00", "none"])
def test_days_hours_and_what_is_no_value_are_left_aside(said):
    gold = [{"name": "set_profile", "arguments": {"slot": "something else"}}]
    turns = (ASKS, user(f"It is {said}."), call("set_profile", "ok", slot=said))
    assert steps("user_off_script", told(*turns, gold=gold)) == []


@pytest.mark.parametrize("argument", ["reason", "note", "cancel_reason", "message"])
def test_a_reason_in_words_of_its_own_is_no_value(argument):
    turns = (says("Why?"), user("I changed my mind."), call("cancel_order", "ok", order_id="W1", **{argument: "changed my mind"}))
    assert steps("user_off_script", told(*turns, gold=[])) == []


def test_a_word_within_another_was_not_said():
    gold = [{"name": "set_profile", "arguments": {"side": "west"}}]
    turns = (ASKS, user("At least tell me."), call("set_profile", "ok", side="east"))
    assert steps("user_off_script", told(*turns, gold=gold)) == []


def test_what_others_named_in_other_words_was_told():
    assert (
        steps("user_off_script", told(says("Is it 12 Station Rd?"), user("Yes, 12 Station Road."), change("12 Station Road")))
        == []
    )
    order = call("get_order", '{"line": "12 Station Road, Flat 3"}', order_id="W1")
    assert steps("user_off_script", told(order, ASKS, user("12 Station Road Flat 3."), change("12 Station Road Flat 3"))) == []


def test_the_request_is_the_tasks_own():
    turns = (says("Sure?"), user("Yes, 12 Station Road."), change("12 Station Road"))
    assert steps("user_off_script", told(*turns, asked="Move me to 12 Station Road.")) == []
