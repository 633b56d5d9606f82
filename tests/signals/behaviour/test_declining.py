"""Where the assistant said that what is expected cannot be done, which is where an expected call was let go."""

import pytest

from blade.signals.example import Example, call, says, user
from tests.signals.support import found

CANCEL = {"expected_calls": [{"name": "cancel_order", "arguments": {"order_id": "W1"}}]}
ADDRESS = {"expected_calls": [{"name": "modify_order_address", "arguments": {"order_id": "W1", "city": "York"}}]}
THANKS = (user("Fine, thank you."), says("You are welcome."), user("###STOP###"))


def missing(*turns, fields):
    (signal,) = found("action_missing", Example((says("Hello."), *turns, *THANKS), fields=fields))
    return signal


@pytest.mark.parametrize(
    "message",
    [
        "I am sorry, but I cannot cancel it any more.",
        "Shipped orders can't be cancelled. Anything else?",
        "The order has been packed, so it is not eligible for cancellation.",
        "Our rules do not allow the cancellation of such orders.",
        "I'm unable to process the cancellation.",
    ],
)
def test_the_decisive_step_is_the_message_that_declines_and_the_detail_quotes_it(message):
    signal = missing(user("Please cancel W1."), says(message), fields=CANCEL)
    assert signal.step == 2
    assert "declined at step 2: " in signal.detail
    assert "cancel" in signal.detail


@pytest.mark.parametrize(
    "message",
    [
        "I can help you with that.",
        "I cannot find the order, so I cannot say yet.",
        "If it has been packed, it cannot be cancelled.",
        "I cannot cancel it without the number of the order.",
        "Once I go on, this cannot be cancelled.",
        "Is it not possible to cancel it?",
        "I can cancel it, but I cannot change the address.",
        "I cannot access your profile to cancel anything.",
    ],
)
def test_what_declines_nothing_or_something_else_leaves_the_step_where_it_ended(message):
    signal = missing(user("Please cancel W1."), says(message), fields=CANCEL)
    assert signal.step == 4
    assert "declined" not in signal.detail


def test_the_first_of_two_refusals_decided_it():
    turns = (user("Cancel W1."), says("I cannot cancel it."), user("Why?"), says("It cannot be cancelled after three days."))
    assert missing(*turns, fields=CANCEL).step == 2


def test_other_verbs_of_altering_say_the_same():
    assert missing(user("New address: York."), says("Shipped orders cannot be changed."), fields=ADDRESS).step == 2


def test_what_was_altered_of_the_record_afterwards_was_not_declined_for_good():
    turns = (
        user("New address and colour."),
        says("Such orders cannot be changed."),
        call("modify_order_colour", "ok", order_id="W1", colour="red"),
        says("The colour is red now."),
    )
    assert missing(*turns, fields=ADDRESS).step == 7
    others = (*turns[:2], call("modify_order_colour", "ok", order_id="W2", colour="red"), turns[3])
    assert missing(*others, fields=ADDRESS).step == 2


def test_a_hand_over_before_it_stays_the_place():
    turns = (call("transfer_to_human_agents", "ok", summary="cancel W1"), says("It cannot be cancelled by me."))
    assert missing(user("Cancel W1."), *turns, fields=CANCEL).step == 2


def test_without_a_dialogue_nobody_was_declined():
    alone = Example((call("get_order", "{}", order_id="W1"), says("It cannot be cancelled."), says("Bye.")), fields=CANCEL)
    (signal,) = found("action_missing", alone)
    assert "declined" not in signal.detail
