"""A simulated user that says yes and leaves: what the assistant had proposed tells whether it was about to do what is expected."""

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
