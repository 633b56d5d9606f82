"""Messages that break off after a few words."""

import pytest

from blade.signals.example import Example, call, says, user
from blade.signals.machinery.broken_off import breaks_off
from tests.signals.support import steps

ASKED = "It takes minutes. Please book a table for six people at the restaurant in Harbour Street, and confirm the reservation."


@pytest.mark.parametrize(
    "text",
    [
        "I have looked at the restaurant and will make the reserv",
        "Let me first check t",
        "Everything that you need is there, apart fr",
        "I will book the table and",
        "That is done.\nNow I will confirm the",
    ],
)
def test_what_breaks_off(text):
    assert breaks_off(text, lambda: iter([ASKED]))


@pytest.mark.parametrize(
    "text",
    [
        "I have booked the table.",
        "The answer is restaurant",
        "The final answer is an apple",  # may be a word, whoever said it
        "The table is for one person",  # the singular of a word
        "Paris",
        "answer: tab",
        "The guests are six peop…",
        "So the result is 3 x",
        "The trip takes 45 min",
        "I'm sorry, but I can't help with that",
        "Ich rufe Sie morgen an",
        "That is the street that I was born in",
        "Use the flag -v",
        "We find that it is equal to n",
    ],
)
def test_what_may_be_at_its_end(text):
    assert not breaks_off(text, lambda: iter([ASKED]))


def test_only_the_end_of_a_short_rollout_counts():
    lost = says("I have looked at the restaurant and will make the reserv")
    assert steps("message_broken_off", Example((call("lookup", "free", name="Harbour"), lost), asked=ASKED)) == [2]
    assert steps("message_broken_off", Example((lost, says("Sorry, where was I? It is booked.")), asked=ASKED)) == []
    assert (
        steps("message_broken_off", Example((says("Which day?"), user("I would like it to be on the reserv")), asked=ASKED)) == []
    )
    assert (
        steps("message_broken_off", Example((says("Let me think. " * 100 + "I will make the reserv"),), asked=ASKED)) == []
    )  # a limit
    cut = {"incomplete_details": {"reason": "max_output_tokens"}}
    assert steps("message_broken_off", Example((lost,), asked=ASKED, response=cut)) == []


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("Here is what I found so far in the records, and what follow", [0]),
        ("Here is what I found so far in the records.", []),
        ("Answer: the house at the end of the street", []),
        ("- one of the things that were asked for", []),
        ("The record says who was meant. What remain", [0]),  # what was stated has its end
        ("I have looked at the record. It is Paris", []),
        ("Paris", []),
    ],
)
def test_a_sentence_that_nothing_closes(text, step):
    assert steps("message_unclosed", Example((says(text),), asked=ASKED)) == step
