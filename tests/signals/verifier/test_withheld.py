"""What a simulated user says that it does not have, although its instructions name it."""

import pytest

from blade.signals.example import Example, call, says, user
from tests.signals.support import found, steps

SCRIPT = "You are ann_lee_12. You want a voucher for your late flight, and you take whatever is offered to you."
GOLD = [{"name": "send_voucher", "arguments": {"user_id": "ann_lee_12", "amount": 50}}]
ASKS = says("I can look into that. Could you please give me your user ID?")
DENIES = user("I'm sorry, I don't have my user ID with me right now.")
ENDS = says("Then I cannot look it up. Please come back with it.")


def told(*turns, script=SCRIPT, gold=GOLD):
    return Example(turns, fields={"task": {"instruction": script}, "expected_calls": gold})


def test_a_name_that_its_instructions_have_and_that_it_was_asked_for():
    (signal,) = found("user_withheld", told(ASKS, DENIES, ENDS))
    assert (signal.step, signal.subject, signal.label) == (1, "send_voucher.user_id", "TI")
    assert "its instructions have ann_lee_12" in signal.detail


@pytest.mark.parametrize(
    "denial",
    [
        "I don't have that information with me right now. Is there another way?",
        "I can’t find either of them.",
        "Hm, I forgot my user id.",
        "I do not remember my User IDs, to be honest.",
    ],
)
def test_in_other_words(denial):
    asks = says("To proceed I need your user ID or reservation ID.")
    assert steps("user_withheld", told(asks, user(denial), ENDS)) == [1]


CASES = [
    ("user_withheld", told(*turns), [])
    for turns in (
        (ASKS, user("It is ann_lee_12."), ENDS),
        (ASKS, DENIES, says("Please look again."), user("Found it: ann_lee_12."), ENDS),  # told later
        (ASKS, DENIES, call("find_user", '{"user_id": "ann_lee_12"}', name="Ann Lee"), ENDS),  # found by a tool
        (says("Please give me your reservation ID."), user("I don't have my reservation ID."), ENDS),  # another thing
        (says("Please give me your reservation ID."), user("I don't have my user ID either."), ENDS),  # not asked for
        (ASKS, user("I don't have much time. Can we hurry?"), ENDS),
        (ASKS, DENIES, call("send_voucher", "ok", user_id="ann_lee_12", amount=50), ENDS),
    )
]


@pytest.mark.parametrize(("code", "example", "wanted"), CASES)
def test_what_was_told_or_not_asked_for_was_not_kept_back(code, example, wanted):
    assert steps(code, example) == wanted


def test_a_user_that_is_to_say_so_keeps_nothing_back():
    script = f"{SCRIPT} You do not remember your user id."
    assert steps("user_withheld", told(ASKS, DENIES, ENDS, script=script)) == []


def test_what_its_instructions_do_not_have_it_cannot_tell():
    script = SCRIPT.replace("ann_lee_12", "Ann Lee")
    assert steps("user_withheld", told(ASKS, DENIES, ENDS, script=script)) == []
    assert steps("user_withheld", told(ASKS, DENIES, ENDS, gold=[])) == []


def test_long_turns_are_read_in_bounded_time():
    long = user("don't have " * 50_000 + "any of " * 50_000)
    assert steps("user_withheld", told(says("your user ID? " * 20_000), long, ENDS)) == []
