"""A simulated user that says yes and leaves: what the assistant had proposed tells whether it was about to do what is expected."""

import time

import pytest

from blade.signals.example import Example, call, says, user
from tests.signals.support import steps

EXCHANGE = {"expected_calls": [{"name": "exchange_item", "arguments": {"order_id": "#W2378156", "new_item_id": "7706410293"}}]}
YES = user("Yes, please. ###STOP###")


def left(*turns):
    return steps("left_with_yes", Example((*turns, YES), fields=EXCHANGE))


def test_a_proposal_of_what_is_expected():
    assert left(says("I would exchange it for item 7706410293. Shall I proceed?")) == [1]


def test_a_proposal_of_another_item_would_have_failed_with_one_more_turn():
    assert left(says("I would exchange it for item 7747408585. Shall I proceed?")) == []


def test_choices_that_are_listed_before_are_no_proposal():
    choices = "- item 7747408585, black\n- item 7706410293, red\nThe red one fits. Would you like 7706410293?"
    assert left(says(choices)) == [1]


def test_a_try_that_was_refused_counts_against_the_agent_unless_it_proposes_what_is_expected():
    refused = call("exchange_item", "Error: no payment given", order_id="#W2378156", new_item_id="7706410293")
    assert left(refused, says("Shall I proceed?")) == []
    assert left(refused, says("Paid by card, for item 7706410293: shall I proceed?")) == [3]


@pytest.mark.parametrize(
    "question",
    [
        "Can I help with anything further?",
        "Do you have any other questions?",
        "Does that help?",
        "Does that make sense?",
        "Does this answer your question?",
        "Is that clear?",
        "Did you receive the email?",
        "Are you still there?",
        "Would you like to keep it instead?",
    ],
)
def test_a_yes_to_a_courtesy_sets_nothing_going(question):
    assert left(says(f"It ships tomorrow. {question}")) == []


def test_a_courtesy_beside_a_proposal_takes_nothing_from_it():
    assert left(says("I would exchange it for item 7706410293. Reply yes to proceed, or let me know of any questions.")) == [1]


def test_a_question_whether_the_work_was_right_is_asked_after_it():
    cancel = {"name": "cancel_order", "arguments": {"order_id": "#W2378156"}}
    fields = {"expected_calls": [cancel, *EXCHANGE["expected_calls"]]}
    done = call("cancel_order", "ok", order_id="#W2378156")
    for closing, wanted in (
        ("I have cancelled the order. Is everything correct?", []),
        ("I have cancelled the order. Now I would exchange the item. Shall I proceed?", [3]),
    ):
        assert steps("left_with_yes", Example((done, says(closing), YES), fields=fields)) == wanted


def test_what_was_declined_is_not_what_the_yes_is_to():
    assert left(says("I cannot exchange it. Would you like a voucher instead?")) == []
    again = (says("I cannot exchange it."), user("Why?"), says("My mistake. Would you like to exchange it for 7706410293?"))
    assert left(*again) == [3]


def test_a_long_proposal_is_read_in_no_time():
    started = time.process_time()
    assert left(says(f"{'7747408585 ' * 20_000} Shall I proceed?")) == []
    assert time.process_time() - started < 2.0
