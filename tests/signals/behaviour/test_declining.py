"""Where the assistant said that what is expected cannot be done, which is where an expected call was let go."""

import time

import pytest

from blade.signals.example import Example, call, says, tool, user
from blade.signals.texts.denials import denials, verb_of
from tests.signals.support import found

CANCEL = {"expected_calls": [{"name": "cancel_order", "arguments": {"order_id": "W1"}}]}
ADDRESS = {"expected_calls": [{"name": "modify_order_address", "arguments": {"order_id": "W1", "city": "York"}}]}
THANKS = (user("Fine, thank you."), says("Then it arrives on Friday."), user("###STOP###"))


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
        "You can cancel single items, but the whole list cannot be cancelled.",
    ],
)
def test_what_declines_nothing_or_something_else_leaves_the_step_at_the_last_word(message):
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


LONG = "#W2378156"


def declines(name, *messages, tools=()):
    """Whether messages of the assistant, one after the other, decline the call of a tool for an order."""
    turns = [turn for message in messages for turn in (says(message), user("Hm."))]
    gold = [{"name": name, "arguments": {"order_id": LONG}}]
    return bool(
        found("action_declined", Example((says("Hello."), *turns, *THANKS), fields={"expected_calls": gold}, tools=tools))
    )


@pytest.mark.parametrize(
    "message",
    [
        "I CANNOT CANCEL IT.",
        "CANCELLATION IS NOT POSSIBLE.",
        "It cannot be further modified or cancelled.",
        "I cannot modify or cancel a shipped order.",
        "I am sorry, but I can't do that cancellation.",
        "It doesn't qualify for cancellation.",
        "Order W2378156 cannot be canceled.",
        "It can't be cancelled unless the airline cancels the flight.",
    ],
)
def test_however_it_is_put(message):
    assert declines("cancel_order", message)


@pytest.mark.parametrize(
    "message",
    [
        "I see that you cannot cancel it in the app; let me look.",
        "I am sorry that you were not able to cancel it yourself.",
        "Your bank told me you cannot cancel it.",
        "You cannot cancel it online, but I can do it for you.",
        "I see no reason why it cannot be cancelled.",
        "That does not mean it cannot be cancelled.",
        "Nothing says it can't be cancelled.",
    ],
)
def test_what_others_say_or_what_is_not_so_declines_nothing(message):
    assert not declines("cancel_order", message)


@pytest.mark.parametrize(
    "message",
    [
        "I cannot cancel it until you confirm your identity.",
        "I can't process the cancellation unless you give me the reason.",
        "I cannot proceed with the cancellation before I have your zip code.",
        "I'm not able to cancel it yet.",
    ],
)
def test_what_can_still_be_met_declines_nothing(message):
    assert not declines("cancel_order", message)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cancel_order", "I cannot waive the cancellation fee."),
        ("cancel_order", "The cancellation fee is not eligible for a waiver."),
        ("cancel_order", "The certificate cannot be used for cancelling."),
        ("add_item", "I'm unable to ship to that address."),
        ("add_item", "I cannot give you additional information."),
        ("set_note", "I can't offer a settlement."),
        ("book_flight", "I cannot share booking details."),
    ],
)
def test_a_word_like_the_verb_is_not_what_cannot_be_done(name, message):
    assert not declines(name, message)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pay_order", "Such orders cannot be handled; the payment is not possible."),
        ("modify_order", "Modifications are not allowed."),
        ("ship_order", "I cannot ship it."),
        ("ship_order", "It cannot be shipped."),
        ("book_order", "I'm unable to make that booking."),
    ],
)
def test_the_forms_of_a_verb(name, message):
    assert declines(name, message)


def test_what_another_tool_works_on():
    tools = (tool("modify_order_items", order_id="string"), tool("modify_order_address", order_id="string"))
    assert not declines("modify_order_items", "I can't change the address of the order.", tools=tools)
    assert declines("modify_order_items", "I can't change the items of the order.", tools=tools)
    assert declines("modify_order_items", "Shipped orders cannot be changed.", tools=tools)


def test_of_several_records_the_last_one_named_is_meant():
    assert not declines("cancel_order", "Order W2378157 cannot be cancelled.")
    assert not declines("cancel_order", f"Order {LONG} is pending. Order #W2378157 has shipped. It cannot be cancelled.")
    assert declines("cancel_order", f"Order #W2378157 is pending. Order {LONG} has shipped. It cannot be cancelled.")


def test_the_heading_of_a_list_declines_nothing_of_a_record():
    assert not declines("cancel_order", "**Cannot be cancelled:**")


def test_what_is_offered_after_all_was_not_declined_for_good():
    assert not declines("cancel_order", "I cannot cancel it.", "I was wrong: I can cancel it. Shall I?")
    assert declines("cancel_order", "I cannot cancel it.", "I can change the address.")


@pytest.mark.parametrize("unit", [" ", "\t", ", so", "W2378157 ", "cannot cancel ", "not possible, ", "I can cancel "])
def test_long_messages_are_read_in_no_time(unit):
    started = time.process_time()
    for denial in denials(f"I cannot cancel {unit * (200_000 // len(unit))} order."):
        denial.denies(verb_of("cancel"))
    assert time.process_time() - started < 1.0
    started = time.process_time()
    declines("cancel_order", f"I cannot cancel {unit * (200_000 // len(unit))} order.")
    assert time.process_time() - started < 2.0
